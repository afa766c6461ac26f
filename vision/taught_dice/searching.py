"""Search a whole picture for discs that look like faces that were shown.

Every place in steps of a sixth of the radius, in some sizes and 24 turns, is one matrix
product with all looks. This guesses freely and decides nothing.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Indices, Mask, Picture
from vision.taught_dice.discs import DiscFrames, Levels, coarse_disc, rotation_matrices
from vision.taught_dice.fitting import FitTarget, fit_discs, prepare_target
from vision.taught_dice.limits import TaughtDieLimits
from vision.taught_dice.looks import TURNS, FaceLook

_STEP_PX = 2
_BASES = 40
"""Directions that a bank of turned looks is squeezed into; they keep 0.97 of it."""

_SIZE_STEP = 1.22
_CHUNK = 20000
_MOST_NEAR = 6


class SearchBank(Struct, frozen=True):
    """Looks made ready for searching.

    Attributes:
        bases: ``(bases, count)``.
        bank: ``(L * 24, bases)`` each look in 24 turns.
        full: ``(L * 24, count)`` the same unsqueezed.
        rough: For fitting in the coarse disc.
        colours: ``(L, 3)`` Lab.
        least: Of the strengths of ink, grey values.
        sizes: ``(L,)`` radius over the longer side.
    """

    bases: Floats
    bank: Floats
    full: Floats
    rough: FitTarget
    colours: Floats
    least: float
    sizes: Floats


class Hits(Struct, frozen=True):
    """Discs that may be faces, best first."""

    looks: Indices
    frames: DiscFrames
    likeness: Floats

    def only(self, keep: Indices | Mask | list[int]) -> "Hits":
        """Return the hits that an index list or a mask keeps."""
        return Hits(self.looks[keep], self.frames.only(keep), self.likeness[keep])


def build_bank(looks: list[FaceLook]) -> SearchBank:
    """Return looks made ready for searching."""
    full = np.concatenate([_rotate_ink(look.rough[0]) for look in looks])
    _, _, rows = np.linalg.svd(full, full_matrices=False)
    bases = np.asarray(rows[:_BASES], np.float32)
    return SearchBank(
        bases,
        np.asarray(full @ bases.T, np.float32),
        full,
        prepare_target(np.stack([look.rough for look in looks])),
        np.array([look.colour for look in looks], np.float32),
        min(look.strength for look in looks),
        np.array([look.size for look in looks], np.float32),
    )


def _rotate_ink(ink: Floats) -> Floats:
    """Return an ink ``(count,)`` of the coarse disc in 24 turns."""
    disc = coarse_disc()
    square = np.zeros((disc.side, disc.side), np.float32)
    square[disc.within] = ink
    spins = rotation_matrices(np.arange(TURNS) * (360 / TURNS))
    places = np.einsum("nij,pj->npi", spins, disc.points)
    pixels = ((places + 1) / 2 * disc.side - 0.5).astype(np.float32)
    seen = cv2.remap(
        square, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    seen = seen - seen.mean(1, keepdims=True)
    power = np.sqrt((seen**2).mean(1, keepdims=True) + 1e-6)
    return np.asarray(seen / power, np.float32)


def search_faces(
    levels: Levels, bank: SearchBank, radii: Floats, limits: TaughtDieLimits
) -> Hits:
    """Return what may be faces with discs of some radii, px; each fitted roughly."""
    found = [_one_size(levels, bank, float(radius), limits) for radius in radii]
    hits = _join(found)
    hits = hits.only(_thin_out(hits, limits.most_hits))
    fitted = fit_discs(levels, coarse_disc(), bank.rough, hits.looks, hits.frames, 4)
    hits = Hits(hits.looks, fitted.frames, fitted.likeness)
    size = hits.frames.radii()
    good = (
        (hits.likeness > limits.rough)
        & (hits.frames.flatness() > limits.flatness)
        & (size > radii[0] / limits.size_slack)
        & (size < radii[-1] * limits.size_slack)
    )
    hits = hits.only(good)
    return hits.only(np.argsort(-hits.likeness))


def search_radii(bank: SearchBank, long_px: float, spare: float = 1.2) -> Floats:
    """Return the radii to search with in a picture, px."""
    low = float(bank.sizes.min()) * long_px / spare
    high = float(bank.sizes.max()) * long_px * spare
    steps = int(np.ceil(np.log(high / low) / np.log(_SIZE_STEP))) + 1
    return np.asarray(np.geomspace(low, high, steps), np.float32)


def _one_size(
    levels: Levels, bank: SearchBank, radius: float, limits: TaughtDieLimits
) -> Hits:
    """Return places of one size, best first, not yet fitted."""
    side = coarse_disc().side
    factor = side / 2 / radius
    grey, shape = _shrink(levels.grey, factor)
    # Beyond the rim too: a die may be cut by it.
    pad = side // 2
    padded = cv2.copyMakeBorder(grey, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    small: Floats = padded.astype(np.float32)
    rows = np.arange(0, small.shape[0] - side + 1, _STEP_PX)
    columns = np.arange(0, small.shape[1] - side + 1, _STEP_PX)
    good = _is_drawn_on(small, rows, columns, bank.least * limits.faint)
    good &= _has_known_hue(levels, factor, rows, columns, bank, limits)
    best = np.zeros(good.shape, np.float32)
    which = np.zeros(good.shape, np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(small, (side, side))
    y, x = np.nonzero(good)
    for part in np.array_split(np.arange(len(y)), len(y) // _CHUNK + 1):
        seen = windows[rows[y[part]], columns[x[part]]][:, coarse_disc().within]
        seen = np.asarray(seen, np.float32)
        score, index = _compare(seen, bank, limits)
        best[y[part], x[part]], which[y[part], x[part]] = score, index
    top = np.asarray(cv2.dilate(best, np.ones((3, 3), np.uint8)))
    y, x = np.nonzero((best >= top) & (best > limits.spark))
    score, index = best[y, x], which[y, x]
    spins = rotation_matrices(-(index % TURNS) * (360 / TURNS))
    scale = np.array([shape[1] / grey.shape[1], shape[0] / grey.shape[0]])
    places = np.stack([columns[x], rows[y]], -1) + (side / 2 - pad)
    order = np.argsort(-score)
    frames = DiscFrames(
        np.asarray(spins * np.float32(radius), np.float32),
        np.asarray(places * scale - 0.5, np.float32),
    )
    return Hits(index // TURNS, frames, score).only(order)


def _shrink(pictures: tuple[Picture, ...], factor: float) -> tuple[Picture, Floats]:
    """Return a picture of some levels shrunk by a factor, and its full size."""
    high, wide = pictures[0].shape[:2]
    level = int(np.clip(np.floor(-np.log2(factor)), 0, len(pictures) - 1))
    size = (
        max(coarse_disc().side, round(wide * factor)),
        max(coarse_disc().side, round(high * factor)),
    )
    small = cv2.resize(pictures[level], size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), np.array([high, wide])


def _is_drawn_on(small: Floats, rows: Indices, columns: Indices, least: float) -> Mask:
    """Return where something is drawn at all."""
    side = coarse_disc().side
    mean = cv2.blur(small, (side, side))
    square = cv2.blur(small * small, (side, side))
    spread = np.sqrt(np.maximum(square - mean * mean, 0))
    here = spread[np.ix_(rows + side // 2, columns + side // 2)]
    return np.asarray(here > least, np.bool_)


def _has_known_hue(
    levels: Levels,
    factor: float,
    rows: Indices,
    columns: Indices,
    bank: SearchBank,
    limits: TaughtDieLimits,
) -> Mask:
    """Return where the hue is about that of some look."""
    side = coarse_disc().side
    lab = cv2.GaussianBlur(_shrink(levels.lab, factor)[0], (0, 0), side / 4)
    y = np.clip(rows, 0, lab.shape[0] - 1)
    x = np.clip(columns, 0, lab.shape[1] - 1)
    seen = lab[np.ix_(y, x)].astype(np.float32)
    away = np.stack([((seen[..., 1:] - one[1:]) ** 2).sum(-1) for one in bank.colours])
    return np.asarray(away.min(0) < limits.hue**2, np.bool_)


def _compare(
    seen: Floats, bank: SearchBank, limits: TaughtDieLimits
) -> tuple[Floats, Indices]:
    """Return likeness and number of the best look for windows ``(N, count)``."""
    score = np.zeros(len(seen), np.float32)
    index = np.zeros(len(seen), np.int64)
    if not len(seen):
        return score, index
    ink, _ = coarse_disc().ink(seen)
    squeezed = ink @ bank.bases.T
    # What lies mostly outside all looks is not worth comparing with each.
    near = np.flatnonzero((squeezed**2).mean(1) * _BASES / ink.shape[1] > limits.gate)
    alike = squeezed[near] @ bank.bank.T / ink.shape[1]
    if len(near):
        score[near], index[near] = alike.max(1), alike.argmax(1)
    return score, index


def _join(found: list[Hits]) -> Hits:
    hits = Hits(
        np.concatenate([one.looks for one in found]),
        DiscFrames(
            np.concatenate([one.frames.turns for one in found]),
            np.concatenate([one.frames.middles for one in found]),
        ),
        np.concatenate([one.likeness for one in found]),
    )
    return hits.only(np.argsort(-hits.likeness))


def _thin_out(hits: Hits, most: int) -> list[int]:
    """Return hits, best first, at most one of a look and six of a place."""
    kept: list[int] = []
    cells: dict[tuple[int, int], list[int]] = {}
    radii = hits.frames.radii()
    cell = max(float(radii.max()) if len(radii) else 1.0, 1.0)
    for index, (x, y) in enumerate(hits.frames.middles.tolist()):
        home = int(x // cell), int(y // cell)
        near = [
            other
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for other in cells.get((home[0] + dx, home[1] + dy), ())
            if _gap(hits, index, other) < 0.6 * max(radii[index], radii[other])
        ]
        same = any(hits.looks[other] == hits.looks[index] for other in near)
        if same or len(near) >= _MOST_NEAR:
            continue
        cells.setdefault(home, []).append(index)
        kept.append(index)
        if len(kept) >= most:
            break
    return kept


def _gap(hits: Hits, one: int, other: int) -> float:
    away = hits.frames.middles[one] - hits.frames.middles[other]
    return float(np.hypot(away[0], away[1]))
