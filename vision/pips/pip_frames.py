"""Guess where the faces of dice could lie, from spots that could be their pips.

Every guess is a frame: the affine map from the square of a face to the picture. This
guesses freely and decides nothing; vision/pips/contest.py does.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.pips.spot_edges import ANGLES, Spots

HALF_DIAGONAL = 0.25
"""Outer pips lie this far from the middle along both sides, in die widths. A rough
middle: the network was taught with 0.205 to 0.285."""

LONE_WIDTHS = (7.6, 10.5)
"""Die widths that are tried for a pip that stands alone, in its radii."""


_LEAST_OPEN = 0.22
"""Area between two half diagonals over the sum of their squares: 0.5 for a square, 0.25
for the narrow sixes of some makers seen from straight above."""

LONE_CALM = 0.7
"""Share of rays on which the ground of an ace must go on; with 0.55 one more die of 206
was found, for a twentieth more time."""


class PipFrames(Struct, frozen=True):
    """Places where a face could lie.

    Attributes:
        middles: ``(N, 2)`` middle of the face in pixels, x and y.
        across: ``(N, 2)`` from one edge of the face to the opposite one.
        down: ``(N, 2)`` the same for the other pair of edges.
        faces: ``(N,)`` what the pips say alone, 1 to 6; 0 where nothing is known.
        misfits: ``(N,)`` how far pips lie from where they should, in pip radii.
        pips: ``(N, 6)`` indices of the spots, -1 where fewer.
        rough: ``(N,)`` mean roundness of the spots; 0 is perfect.
        pip_flatness: ``(N,)`` mean share of the half axes of the spots, short to long:
            the cosine of how far off the vertical a face is seen; 1 without pips.
    """

    middles: Floats
    across: Floats
    down: Floats
    faces: NDArray[np.int64]
    misfits: Floats
    pips: NDArray[np.int64]
    rough: Floats
    pip_flatness: Floats

    def widths(self) -> Floats:
        """Return the geometric mean ``(N,)`` of both sides in pixels."""
        cross = (
            self.across[:, 0] * self.down[:, 1] - self.across[:, 1] * self.down[:, 0]
        )
        return np.asarray(np.sqrt(np.abs(cross)), np.float32)

    def flatness(self) -> Floats:
        """Return short axis over long axis ``(N,)`` of the frame's inner ellipse."""
        matrix = np.stack([self.across, self.down], -1)
        singular = np.linalg.svd(matrix, compute_uv=False)
        return np.asarray(singular[:, 1] / np.maximum(singular[:, 0], 1e-6), np.float32)

    def only(self, keep: NDArray[np.bool_] | NDArray[np.int64]) -> "PipFrames":
        """Return the frames that a mask or an index list keeps."""
        return PipFrames(
            *(getattr(self, name)[keep] for name in self.__struct_fields__)
        )


def join_frames(some: PipFrames, more: PipFrames) -> PipFrames:
    """Return the frames of both, in this order."""
    names = PipFrames.__struct_fields__
    return PipFrames(
        *(np.concatenate([getattr(some, n), getattr(more, n)]) for n in names)
    )


Guess = tuple[Floats, Floats, Floats, int, float, tuple[int, ...]]


def find_frames(spots: Spots, most: int = 140) -> PipFrames:
    """Return the faces that the spots could make, at most so many of each number.

    A patterned cloth makes hundreds of aces and twos; the best fitting are kept.
    """
    pairs = _pairs(spots)
    guesses = [*_lone(spots), *_lines(spots, pairs), *_crossings(spots, pairs)]
    kept: list[Guess] = []
    for face in range(1, 7):
        some = [guess for guess in guesses if guess[3] == face]
        some.sort(key=lambda guess: guess[4])
        kept += some[: most * 2 if face == 1 else most]
    return _frames(kept, spots)


def _frames(guesses: list[Guess], spots: Spots) -> PipFrames:
    def column(index: int) -> Floats:
        return np.array([g[index] for g in guesses], np.float32).reshape(-1, 2)

    pips = [(*g[5], *(-1,) * (6 - len(g[5]))) for g in guesses]
    return PipFrames(
        column(0),
        column(1),
        column(2),
        np.array([g[3] for g in guesses], np.int64),
        np.array([g[4] for g in guesses], np.float32),
        np.array(pips, np.int64).reshape(-1, 6),
        np.array([spots.roundness[list(g[5])].mean() for g in guesses], np.float32),
        np.array([spots.flatness[list(g[5])].mean() for g in guesses], np.float32),
    )


def _lone(spots: Spots) -> Iterator[Guess]:
    """Yield frames for each spot as the one pip of an ace.

    How the face lies does not follow from one pip: the frames are upright.
    """
    for index in np.flatnonzero(spots.calm.mean(1) > LONE_CALM).tolist():
        middle, radius = spots.centres[index], spots.radii[index]
        for width in LONE_WIDTHS:
            side = np.float32(radius * width)
            misfit = (
                float(spots.roundness[index]) * 4 + (1 - spots.flatness[index]) * 0.5
            )
            across = np.array([side, 0], np.float32)
            yield middle, across, across[::-1], 1, misfit, (index,)


def _pairs(spots: Spots) -> NDArray[np.int64]:
    """Return index pairs ``(P, 2)`` of spots that could share a face."""
    apart = spots.centres[:, None] - spots.centres[None]
    distance = np.sqrt((apart**2).sum(-1))
    radius = np.sqrt(spots.radii[:, None] * spots.radii[None])
    alike = spots.radii[:, None] / spots.radii[None]
    power = np.sqrt((spots.inks**2).sum(-1)) + 1e-6
    lean = (spots.inks @ spots.inks.T) / (power[:, None] * power[None])
    strength = power[:, None] / power[None]
    fits = (
        (distance > 2.0 * radius)
        & (distance < 10.5 * radius)
        & (alike > 0.62)
        & (alike < 1.62)
        & (lean > 0.75)
        & (strength > 0.4)
        & (strength < 2.5)
        & (_unlike(spots.grounds) < 0.8 * np.sqrt(power[:, None] * power[None]))
    )
    return np.argwhere(np.triu(fits, 1))


def _unlike(colours: Floats) -> Floats:
    apart = colours[:, None] - colours[None]
    return np.asarray(np.sqrt((apart**2).sum(-1)), np.float32)


def _calm_between(
    spots: Spots, pairs: NDArray[np.int64], half: Floats
) -> NDArray[np.bool_]:
    """Return for each pair whether each spot's ground goes on towards the other."""
    angle = np.arctan2(half[:, 1], half[:, 0]) / (2 * np.pi) * ANGLES
    ray = np.rint(angle).astype(int) % ANGLES
    back = (ray + ANGLES // 2) % ANGLES
    calm = spots.calm[pairs[:, 0], ray] & spots.calm[pairs[:, 1], back]
    return np.asarray(calm, np.bool_)


def _lines(spots: Spots, pairs: NDArray[np.int64]) -> list[Guess]:
    """Return frames for pairs as a two, and with a pip in their middle as a three."""
    if not len(pairs):
        return []
    first, second = spots.centres[pairs[:, 0]], spots.centres[pairs[:, 1]]
    radius = np.sqrt(spots.radii[pairs[:, 0]] * spots.radii[pairs[:, 1]])
    middles = (first + second) / 2
    half = (second - first) / 2
    length = np.sqrt((half**2).sum(-1)) * 2
    gap = np.sqrt(((spots.centres[None] - middles[:, None]) ** 2).sum(-1))
    alike = spots.radii[None] / radius[:, None]
    # The round outline of a die is a spot too, but none of its pips.
    gap[(alike < 0.55) | (alike > 1.8)] = np.inf
    nearest = gap.argmin(1)
    centred = gap[np.arange(len(pairs)), nearest] < 0.6 * radius
    clear = _clear(spots, middles, half, radius)
    guesses: list[Guess] = []
    calm = _calm_between(spots, pairs, half)
    for k in np.flatnonzero((length > 3.6 * radius) & (centred | clear & calm)):
        across, down = _square(half[k])
        if centred[k]:
            misfit = float(gap[k, nearest[k]] / radius[k])
            three = (int(pairs[k, 0]), int(pairs[k, 1]), int(nearest[k]))
            guesses.append((middles[k], across, down, 3, misfit + 0.1, three))
        else:
            two = (int(pairs[k, 0]), int(pairs[k, 1]))
            misfit = _oddness(spots, two)
            guesses.append((middles[k], across, down, 2, misfit, two))
    return guesses


def _oddness(spots: Spots, two: tuple[int, int]) -> float:
    """Return how little two spots look like pips of one die, 0 for twins."""
    one, other = two
    size = abs(float(np.log(spots.radii[one] / spots.radii[other])))
    ink = spots.inks[one] - spots.inks[other]
    power = np.abs(spots.inks[one]).sum() + np.abs(spots.inks[other]).sum()
    rough = float(spots.roundness[one] + spots.roundness[other])
    return 2 * rough + size + float(np.abs(ink).sum() / power)


def _clear(
    spots: Spots, middles: Floats, half: Floats, radius: Floats
) -> NDArray[np.bool_]:
    """Return for each pair whether no third spot of its size lies between the two."""
    between = np.ones(len(middles), bool)
    for part in (-0.5, 0.5):
        point = middles + half * np.float32(part)
        gap = np.sqrt(((spots.centres[None] - point[:, None]) ** 2).sum(-1))
        near = (gap < 0.5 * radius[:, None]) & (
            spots.radii[None] > 0.7 * radius[:, None]
        )
        between &= ~near.any(1)
    return between


def _square(half: Floats) -> tuple[Floats, Floats]:
    """Return the sides of a square face of which *half* is a pip's offset."""
    other = np.array([-half[1], half[0]], np.float32)
    scale = np.float32(0.5 / HALF_DIAGONAL)
    return (half - other) * scale, (half + other) * scale


def _crossings(spots: Spots, pairs: NDArray[np.int64]) -> Iterator[Guess]:
    """Yield frames for two pairs with one middle: a four, five or six."""
    if not len(pairs):
        return
    first, second = spots.centres[pairs[:, 0]], spots.centres[pairs[:, 1]]
    half = (second - first) / 2
    radius = np.sqrt(spots.radii[pairs[:, 0]] * spots.radii[pairs[:, 1]])
    middles = (first + second) / 2
    length = np.sqrt((half**2).sum(-1)) * 2
    order = np.argsort(middles[:, 0])
    order = order[length[order] > 3.4 * radius[order]]
    xs = middles[order, 0]
    for at, k in enumerate(order):
        end = int(np.searchsorted(xs, xs[at] + 0.9 * radius[k]))
        others = order[at + 1 : end]
        size = np.sqrt(radius[k] * radius[others])
        off = np.sqrt(((middles[others] - middles[k]) ** 2).sum(-1)) / size
        area = np.abs(half[k, 0] * half[others, 1] - half[k, 1] * half[others, 0])
        square = (half[k] ** 2).sum() + (half[others] ** 2).sum(-1)
        fits = (off < 0.9) & (area > _LEAST_OPEN * square)
        for m, gap, pip in zip(others[fits], off[fits], size[fits], strict=True):
            corners = (*pairs[k].tolist(), *pairs[m].tolist())
            if len(set(corners)) == 4:
                middle = (middles[k] + middles[m]) / 2
                halves = half[k], half[m]
                yield from _crossing(spots, middle, halves, corners, float(pip), gap)


def _crossing(
    spots: Spots,
    middle: Floats,
    halves: tuple[Floats, Floats],
    corners: tuple[int, ...],
    size: float,
    off: float,
) -> Iterator[Guess]:
    """Yield the frames of four corners: with more pips where there are more."""
    scale = np.float32(0.5 / HALF_DIAGONAL)
    across, down = (halves[0] - halves[1]) * scale, (halves[0] + halves[1]) * scale
    near = _nearest(spots, np.array([middle]), size, corners)
    if near is not None:
        yield middle, across, down, 5, off, (*corners, *near)
        return
    for side, long in ((across, down), (down, across)):
        spot = side * np.float32(HALF_DIAGONAL)
        ends = np.array([middle - spot, middle + spot])
        near = _nearest(spots, ends, size, corners)
        if near is not None:
            six = (*corners, *near)
            yield middle, side, long, 6, off, six
            # Many makers bring the rows of a six together: only their length counts.
            yield middle, np.array([-long[1], long[0]]), long, 6, off, six
            return
    yield middle, across, down, 4, off, corners


def _nearest(
    spots: Spots, points: Floats, size: float, taken: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Return a spot for each of some points, or None when one has none."""
    gap = np.sqrt(((spots.centres[None] - points[:, None]) ** 2).sum(-1))
    gap[:, list(taken)] = np.inf
    best = gap.argmin(1)
    alike = spots.radii[best] / size
    near = (gap[np.arange(len(points)), best] < 0.8 * size) & (alike > 0.55)
    if not bool((near & (alike < 1.8)).all()):
        return None
    return tuple(int(b) for b in best)
