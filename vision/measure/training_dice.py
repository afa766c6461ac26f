"""Teach the reader of whole dice on drawn scenes and write vision/pips/dicenet.npz.

Run by hand, not by the product: ``python -m vision.measure.training_dice DIR SCENES``.
It needs torch, which the product does not depend on.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.drawn.scenes import Scene, TrueFace, draw_scene
from vision.pips.dicenet import CELL_PX, DIE_PX

Labels = NDArray[np.int8]

_SIDE_PX = 96
"""Side of what is learned from at a time: nearly five dice."""

_FIRST_SEED = 600_000
"""Far from the scenes that taught the network of frames."""

_DICE = 6
"""Dice of a scene that are learned from; its ground is learned from once as well."""

_LEAST_PX = 11
"""Width of a die below which its pips are gone."""

_ALIKE = 0.72, 1.4
"""Width, in `DIE_PX`, of dice that are to be named; others teach nothing."""

_MIDDLE, _AROUND = 0.24, 0.55
"""Distance from its middle, in widths, at which a die is named, and at which a cell
that is not its middle teaches nothing yet."""


def label_cells(
    faces: tuple[TrueFace, ...], factor: float, corner: tuple[int, int]
) -> Labels:
    """Return what each cell of a cut is the middle of, ``(h, w)``.

    1 to 6 is a face, 0 nothing, -1 what nobody should learn from.

    Args:
        faces: Of the scene.
        factor: Pixels of the cut for one of the scene.
        corner: Left and top of the cut, in pixels of the enlarged scene.
    """
    cells = np.zeros((_SIDE_PX // CELL_PX,) * 2, np.int8)
    ys, xs = np.mgrid[0:_SIDE_PX:CELL_PX, 0:_SIDE_PX:CELL_PX].astype(np.float32)
    for face in faces:
        width = _width_px(face) * factor
        x, y = face.middle * factor - np.array(corner)
        off = np.hypot(xs - x, ys - y) / max(width, 1e-3)
        cells[(off < _AROUND) & (cells == 0)] = -1
        if face.face < 0 or not _ALIKE[0] < width / DIE_PX < _ALIKE[1]:
            cells[(off < 0.8) & (cells == 0)] = -1
        elif face.face == 0:
            cells[off < 0.3] = 0
        else:
            cells[off < max(_MIDDLE, min(0.35, float(off.min()) + 1e-3))] = face.face
    return cells


def _width_px(face: TrueFace) -> float:
    return float(np.sqrt(abs(np.linalg.det(np.stack([face.across, face.down])))))


def harvest(seed: int) -> list[tuple[Picture, Labels]]:
    """Return cuts of one drawn scene with what their cells are the middles of."""
    random = np.random.default_rng(seed + 7 * 10**6)
    scene = draw_scene(seed)
    wide = [k for k, face in enumerate(scene.truth) if _width_px(face) >= _LEAST_PX]
    random.shuffle(wide)
    widths = [_width_px(face) for face in scene.truth]
    ground = float(np.median(widths)) if widths else float(random.uniform(18, 90))
    jobs: list[tuple[float, int | None]] = [(widths[k], k) for k in wide[:_DICE]]
    cuts = [_cut(scene, *job, random) for job in [*jobs, (ground, None)]]
    return [cut for cut in cuts if cut is not None]


def _cut(
    scene: Scene, width_px: float, die: int | None, random: np.random.Generator
) -> tuple[Picture, Labels] | None:
    """Return a cut around a die, or anywhere for None; None where the scene ends."""
    factor = DIE_PX / width_px * float(np.exp(random.uniform(-0.25, 0.25)))
    if factor > 1.6:
        return None
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    picture = cv2.resize(scene.picture, None, fx=factor, fy=factor, interpolation=way)
    height, width = picture.shape[:2]
    if die is None:
        x = int(random.integers(-10, max(1, width - _SIDE_PX + 10)))
        y = int(random.integers(-10, max(1, height - _SIDE_PX + 10)))
    else:
        shift = random.uniform(20, _SIDE_PX - 20, 2)
        x, y = (int(v) for v in scene.truth[die].middle * factor - shift)
    edge = _SIDE_PX
    wide = cv2.copyMakeBorder(picture, *(edge,) * 4, cv2.BORDER_REPLICATE)
    cut = wide[y + edge :, x + edge :][:_SIDE_PX, :_SIDE_PX]
    if y < -edge or x < -edge or cut.shape[:2] != (_SIDE_PX, _SIDE_PX):
        return None
    return np.asarray(cut, np.uint8), label_cells(scene.truth, factor, (x, y))


def gather(folder: Path, scenes: range) -> None:
    """Write what *scenes* teach into one file of a folder."""
    cuts = [cut for seed in scenes for cut in harvest(_FIRST_SEED + seed)]
    np.savez(
        folder / f"dice-{scenes.start:06d}.npz",
        pictures=np.stack([picture for picture, _ in cuts]),
        cells=np.stack([cells for _, cells in cuts]),
    )


def build_network(torch: Any) -> Any:
    """Return the untaught network; `vision.pips.dicenet` runs it in numpy."""
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(3, 16, 5, padding=2), nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(32, 48, 3, padding=1), nn.ReLU(),
        nn.Conv2d(48, 64, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(),
        nn.Conv2d(64, 64, 3, padding=2, dilation=2), nn.ReLU(),
        nn.Conv2d(64, 96, 3, padding=1), nn.ReLU(), nn.Dropout2d(0.1),
        nn.Conv2d(96, 7, 1),
    )  # fmt: skip


def augment(
    pictures: NDArray[np.uint8], cells: Labels, random: np.random.Generator
) -> tuple[Floats, Labels]:
    """Return planes ``(N, 3, H, W)`` and cells, turned, mirrored and coloured anew.

    Cells lie at every fourth pixel from the first: in a mirror the last three pixels
    have no cell, so they are left out.
    """
    planes = pictures.astype(np.float32) / np.float32(127.5) - 1
    if random.random() < 0.5:
        planes, cells = planes.transpose(0, 2, 1, 3), cells.transpose(0, 2, 1)
    kept = _SIDE_PX - CELL_PX + 1
    spare = ((0, 0), (0, CELL_PX - 1), (0, 0), (0, 0))
    for _ in range(2):
        if random.random() < 0.5:
            planes = np.pad(planes[:, :kept][:, ::-1], spare, mode="edge")
            cells = cells[:, ::-1]
        planes, cells = planes.transpose(0, 2, 1, 3), cells.transpose(0, 2, 1)
    if random.random() < 0.6:
        planes = planes[..., random.permutation(3)]
    count = len(planes)
    gains = np.exp(random.normal(0, 0.18, (count, 1, 1, 3)))
    gains *= np.exp(random.normal(0, 0.25, (count, 1, 1, 1)))
    planes = (planes + 1) * gains - 1 + random.normal(0, 0.12, (count, 1, 1, 1))
    if random.random() < 0.2:
        planes = -planes
    planes = np.clip(planes, -1.2, 1.6) + random.normal(0, 0.03, planes.shape)
    planes = np.ascontiguousarray(planes.transpose(0, 3, 1, 2), np.float32)
    return planes, np.ascontiguousarray(cells)


def train(folder: Path, target: Path, rounds: int, pace: float) -> None:
    """Teach the network on all gathered files and write its weights.

    Args:
        folder: Holds what :func:`gather` wrote.
        target: File of weights to write.
        rounds: How often each cut is shown.
        pace: Highest rate of learning.
    """
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    files = [dict(np.load(path)) for path in sorted(folder.glob("dice-*.npz"))]
    pictures = np.concatenate([file["pictures"] for file in files])
    cells = np.concatenate([file["cells"] for file in files])
    net = build_network(torch)
    step = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    count = len(pictures) // 24
    plan = torch.optim.lr_scheduler.OneCycleLR(step, pace, total_steps=rounds * count)
    for turn in range(rounds):
        total = 0.0
        for batch in np.array_split(random.permutation(len(pictures)), count):
            planes, truth = augment(pictures[batch], cells[batch], random)
            loss = _loss(torch, net(torch.from_numpy(planes)), truth)
            step.zero_grad()
            loss.backward()
            step.step()
            plan.step()
            total += loss.item()
        sys.stderr.write(f"round {turn}: loss {total / count:.4f}\n")
    weights = [p.detach().numpy().astype(np.float16) for p in net.parameters()]
    np.savez_compressed(target, *weights)


def _loss(torch: Any, scores: Any, truth: Labels) -> Any:
    """Return the loss of middles and of the hardest of what is none.

    Nearly all cells are no middle, and easy: 200 a batch that mislead most are enough,
    or three for each middle where there are more.
    """
    cells = torch.from_numpy(truth.astype(np.int64))
    each = torch.nn.functional.cross_entropy(
        scores, cells.clamp(min=0), reduction="none"
    )
    middles, nothing = each[cells > 0], each[cells == 0]
    hardest = nothing.topk(min(max(200, 3 * len(middles)), len(nothing)))[0]
    return (middles.mean() if len(middles) else 0) + hardest.mean()


def main(folder: Path, scenes: int) -> None:
    """Gather what is missing in *folder*, then teach."""
    for start in range(0, scenes, 50):
        if not (folder / f"dice-{start:06d}.npz").exists():
            gather(folder, range(start, start + 50))
    target = Path(__file__).parents[1] / "pips" / "dicenet.npz"
    train(folder, target, rounds=14, pace=4e-3)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
