"""Teach the face reader on drawn scenes and write vision/pips/facenet.npz.

Run by hand, not by the product: ``python -m vision.measure.training DIR SCENES``. It
needs torch, which the product does not depend on.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.drawn.scenes import TrueFace, draw_scene
from vision.pips.facenet import face_chances
from vision.pips.limits import pip_limits
from vision.pips.outlines import frames_on_outlines
from vision.pips.patches import cut_patches, normalise, pyramid
from vision.pips.pip_frames import PipFrames, find_frames, join_frames
from vision.pips.spot_edges import Spots
from vision.pips.spots import find_spots

Labels = NDArray[np.int64]

_NEGATIVES = 50
"""Frames that show no face kept of each scene, or texture would drown the faces."""

_PER_FACE = 8
"""Frames kept of each die, or the many frames of fives would drown the aces."""


def label_frames(
    frames: PipFrames, truth: tuple[TrueFace, ...]
) -> tuple[Labels, Floats]:
    """Return what each frame frames ``(N,)`` and how much it should grow ``(N,)``.

    1 to 6 is a face, 0 nothing, -1 unclear: a frame that is half right teaches nothing.
    Growth is the logarithm of the true width over the frame's.
    """
    labels = np.zeros(len(frames.faces), np.int64)
    growth = np.zeros(len(frames.faces), np.float32)
    widths = frames.widths()
    square = np.stack([frames.across, frames.down], -1)
    for face in truth:
        side = np.stack([face.across, face.down], -1).astype(np.float32)
        inverse = np.linalg.inv(side)
        width = np.sqrt(abs(np.linalg.det(side)))
        off = np.sqrt((((frames.middles - face.middle) @ inverse.T) ** 2).sum(-1))
        ratio = widths / width
        misfit = _misfit(inverse @ square)
        lone = frames.faces == 1
        good = np.where(lone, (ratio > 0.68) & (ratio < 1.42), misfit < 0.42)
        bad = np.where(lone, (ratio < 0.45) | (ratio > 2.2), misfit > 0.75)
        labels[(off < 0.45) & ~bad] = -1
        hit = (off < 0.14) & good
        labels[hit] = face.face
        growth[hit] = -np.log(ratio[hit])
    return labels, growth


def _misfit(shapes: Floats) -> Floats:
    """Return how far ``(N, 2, 2)`` maps are from the eight turns of a square."""
    turns = [np.array([[a, 0], [0, b]]) for a in (-1, 1) for b in (-1, 1)]
    turns += [turn[::-1] for turn in turns]
    gaps = [np.sqrt(((shapes - turn) ** 2).sum((1, 2))) for turn in turns]
    return np.asarray(np.min(gaps, axis=0), np.float32)


def _bodies(spots: Spots) -> PipFrames:
    return frames_on_outlines(spots, np.ones(len(spots.radii), bool), 200)


def harvest(seed: int) -> tuple[NDArray[np.uint8], Labels, Floats]:
    """Return patches, labels and growths of the frames found in one drawn scene."""
    random = np.random.default_rng(seed + 10**6)
    scene = draw_scene(seed)
    factor = float(random.uniform(1, min(2.0, 1400 / max(scene.picture.shape[:2]))))
    picture = np.asarray(
        cv2.resize(
            scene.picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC
        ),
        np.uint8,
    )
    truth = tuple(
        TrueFace(f.middle * factor, f.across * factor, f.down * factor, f.face)
        for f in scene.truth
    )
    spots = find_spots(picture, pip_limits().spots)
    frames = join_frames(find_frames(spots, 3000), _bodies(spots))
    labels, growth = label_frames(frames, truth)
    blank = random.permutation(np.flatnonzero(labels == 0))[:1200]
    tempting = (
        1 - face_chances(cut_patches(pyramid(picture), frames.only(blank)))[0][:, 0]
    )
    # Half of what is kept misled the network before, half is taken by chance.
    worst = blank[np.argsort(-tempting)[: _NEGATIVES // 2]]
    kept = np.concatenate(
        [worst, blank[: _NEGATIVES // 2], _faces(frames, labels, random)]
    )
    chosen = frames.only(kept)
    return cut_patches(pyramid(picture), chosen), labels[kept], growth[kept]


def _faces(frames: PipFrames, labels: Labels, random: np.random.Generator) -> Labels:
    """Return a few frames of each die; those of one die share their rounded middle."""
    found = random.permutation(np.flatnonzero(labels > 0))
    taken: dict[tuple[int, int], int] = {}
    kept: list[int] = []
    for k in found.tolist():
        cell = (int(frames.middles[k, 0] // 12), int(frames.middles[k, 1] // 12))
        taken[cell] = taken.get(cell, 0) + 1
        if taken[cell] <= _PER_FACE:
            kept.append(k)
    return np.array(kept, np.int64)


def gather(folder: Path, scenes: range) -> None:
    """Write what *scenes* teach into one file of a folder."""
    parts = [harvest(seed) for seed in scenes]
    np.savez(
        folder / f"scenes-{scenes.start:06d}.npz",
        patches=np.concatenate([part[0] for part in parts]),
        labels=np.concatenate([part[1] for part in parts]),
        growth=np.concatenate([part[2] for part in parts]),
    )


def build_network(torch: Any) -> Any:
    """Return the untaught network; `vision.pips.facenet` runs it in numpy."""
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(3, 16, 5, stride=2, padding=2),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(32, 48, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(48, 64, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Dropout(0.25),
        nn.Linear(64 * 16, 64),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(64, 8),
    )


def augment(patches: NDArray[np.uint8], random: np.random.Generator) -> Floats:
    """Return normalised patches, each turned, mirrored and coloured by chance."""
    out = patches
    if random.random() < 0.5:
        out = out[:, ::-1]
    if random.random() < 0.5:
        out = out.transpose(0, 2, 1, 3)
    if random.random() < 0.5:
        out = out[:, :, ::-1]
    planes = normalise(np.ascontiguousarray(out))
    order = random.permutation(3)
    planes = planes[:, order]
    planes *= random.choice([-1.0, 1.0], (len(planes), 1, 1, 1), p=[0.3, 0.7])
    planes *= random.uniform(0.7, 1.2, (len(planes), 3, 1, 1))
    planes += random.normal(0, 0.06, planes.shape)
    return planes.astype(np.float32)


def train(
    folder: Path, target: Path, rounds: int, pace: float, start: Path | None = None
) -> None:
    """Teach the network on all gathered files and write its weights.

    Args:
        folder: Holds what :func:`gather` wrote.
        target: File of weights to write.
        rounds: How often each patch is shown.
        pace: Highest rate of learning: 4e-3 from nothing, 1e-3 for going on.
        start: Weights to go on from.
    """
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    files = [dict(np.load(path)) for path in sorted(folder.glob("scenes-*.npz"))]
    patches = np.concatenate([file["patches"] for file in files])
    labels = np.concatenate([file["labels"] for file in files])
    growth = np.concatenate([file["growth"] for file in files])
    net = build_network(torch)
    if start is not None:
        with np.load(start) as kept:
            for slot, name in zip(net.parameters(), kept.files, strict=True):
                slot.data = torch.from_numpy(kept[name].astype(np.float32))
    step = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    count = len(labels) // 256 + 1
    plan = torch.optim.lr_scheduler.OneCycleLR(step, pace, total_steps=rounds * count)
    for turn in range(rounds):
        total = 0.0
        for batch in np.array_split(random.permutation(len(labels)), count):
            guess = net(torch.from_numpy(augment(patches[batch], random)))
            face = torch.from_numpy(labels[batch])
            loss = torch.nn.functional.cross_entropy(guess[:, :7], face)
            grown = torch.from_numpy(growth[batch].astype(np.float32))
            missed = torch.nn.functional.smooth_l1_loss(
                guess[:, 7], grown, reduction="none"
            )
            both = loss + (missed * (face > 0)).mean()
            step.zero_grad()
            both.backward()
            step.step()
            plan.step()
            total += loss.item() * len(batch)
        sys.stderr.write(f"round {turn}: loss {total / len(labels):.4f}\n")
    weights = [p.detach().numpy().astype(np.float16) for p in net.parameters()]
    np.savez_compressed(target, *weights)


def main(folder: Path, scenes: int) -> None:
    """Gather what is missing in *folder*, then teach."""
    for start in range(0, scenes, 50):
        if not (folder / f"scenes-{start:06d}.npz").exists():
            gather(folder, range(start, start + 50))
    train(
        folder, Path(__file__).parents[1] / "pips" / "facenet.npz", rounds=12, pace=4e-3
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
