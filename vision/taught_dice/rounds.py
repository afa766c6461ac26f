"""Read round flat pieces - tokens, markers, medals - by print and colour in any turn.

A piece is compared with every other one twice: as a whole, and only where the two
differ. What was never shown may look like one of them as a whole; it seldom does so
exactly where that one differs from its nearest look-alike.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.arrays import Floats, Picture
from vision.pips.patches import pyramid
from vision.taught_dice.bodies import find_bodies
from vision.taught_dice.discs import (
    Disc,
    DiscFrames,
    fine_disc,
    print_disc,
    rotation_matrices,
)
from vision.taught_dice.duels import TURNS, differing, fight, lay_on_each_other
from vision.taught_dice.hues import measure_ground
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.looks import FaceShot
from vision.taught_dice.round_bodies import find_rounds, side_of

INNER = 0.94
"""Radius that is compared, over half a side of the box: the rim itself is half
ground."""

ALIKE = 0.3
"""Leftover up to which two shots show one piece, in logarithms of light."""

NEAR = 0.1
"""Leftover up to which a piece may be the one that was shown: 77 of 84 drawn ones leave
less in all lamps."""

DIFFER = 0.25
"""Difference of two prints, in logarithms of light, that tells them apart."""

WON, LEFT = 0.75, 0.18
"""Least a piece must win by where it differs from another one (1 is the one, -1 the
other, 0 as near to both), and most that may be left there, over what they differ by:
drawn strange ones of one colour with another letter (tables 0 and 1) leave 0.19 and
more."""

EXPECTED_NEAR, EXPECTED_WON, EXPECTED_LEFT = 0.15, 0.5, 0.7
"""The same of a piece that a move may bring there: a strange one is unlikely, so lamps
may change it more. Five tokens of two traced games in three lamps are near by 0.03 to
0.13, win by 0.59 to 1.25 and leave 0.14 to 0.58, where one lay in a lamp's glare 0.76;
what is none is near by 0.23, wins by 0.38 and leaves 0.95 at best."""

BARE = 0.12
"""Print, in logarithms of light, below which bare ground is seen: where a token was
taken away 0.02 to 0.05 is seen, tokens have 0.32 to 0.63."""

TWINS = 0.02
"""Share of two prints that differs at least, else they are always asked."""

LEVEL = 0.3
"""Weight of how bright a piece is as a whole: lamps change it more than its print."""

_FINE_TURNS = np.arange(-5.0, 5.1, 2.5)
_SHIFTS, _FINE_SHIFTS = (-0.12, -0.06, 0.0, 0.06, 0.12), (-0.03, 0.0, 0.03)
_SIZES = (0.92, 0.96, 1.0, 1.04)
_REFINED, _BEGINNINGS = 3, 3
"""Prints, the nearest ones, that are laid on finely, and turns to begin at."""

FLOOR = 8.0
"""Grey values added before logarithms are taken: dark channels are mostly noise."""

_CHOICES = 3


class TokenModel(Struct, frozen=True):
    """The tokens of a copy that were shown: round flat pieces.

    Attributes:
        faces: ``F`` names.
        prints: ``(F, count, 3)`` logarithms of B, G, R over the ground's.
        rivals: ``(F, F, count, 3)`` each print as it lies on another: ``[on, what]``.
        size: Side of the box over the longer side of the picture.
        always_ask: Pairs too much alike to be decided.
        bad: Numbers of shots that look like no other of their face.
    """

    faces: tuple[Face, ...]
    prints: Floats
    rivals: Floats
    size: float
    always_ask: tuple[tuple[Face, Face], ...] = ()
    bad: tuple[int, ...] = ()


def teach_rounds(shots: Sequence[FaceShot]) -> TokenModel:
    """Return the round pieces that shots show, each with ground about its box."""
    by_face: dict[Face, list[int]] = {}
    for number, shot in enumerate(shots):
        by_face.setdefault(shot.face, []).append(number)
    prints, bad = [], []
    for numbers in by_face.values():
        seen = [_Seen(shots[n].picture, shots[n].box) for n in numbers]
        laid = [_lay_together(seen, first) for first in range(len(seen))]
        # The shot that most others fit is what the rest is laid on.
        first = int(np.argmin([np.median(gaps) for _, gaps in laid]))
        patches, gaps = laid[first]
        good = gaps < ALIKE
        if len(seen) > 2:
            bad += [n for n, one in zip(numbers, good, strict=True) if not one]
        prints.append(patches[good].mean(0))
    names = tuple(by_face)
    table = np.asarray(np.stack(prints), np.float32)
    rivals = lay_on_each_other(table, print_disc())
    twins = tuple(
        (names[one], names[other])
        for one in range(len(names))
        for other in range(one + 1, len(names))
        if differing(table[one], rivals[one, other], DIFFER).mean() < TWINS
    )
    sides = [side_of(shot.box) / shot.long_px for shot in shots]
    return TokenModel(
        names, table, rivals, float(np.median(sides)), twins, tuple(sorted(bad))
    )


class _Seen:
    """A piece in a picture, to be sampled in any turn."""

    def __init__(
        self, picture: Picture, box: BoxPx, ground: Floats | None = None
    ) -> None:
        left, top, right, bottom = box
        self._levels = pyramid(picture)
        around = measure_ground(picture, box) if ground is None else ground
        self._ground = np.log(around + FLOOR)
        self._radius = np.float32(INNER * side_of(box) / 2)
        self._middle = np.array([left + right - 1, top + bottom - 1], np.float32) / 2

    def sample(
        self, disc: Disc, turns: Floats, sizes: Floats, shifts: Floats
    ) -> Floats:
        """Return prints ``(N, count, 3)`` for turns, sizes ``(N,)``, shifts ``(N, 2)``.

        Shifts and sizes are in radii.
        """
        frames = DiscFrames(
            np.asarray(
                rotation_matrices(turns) * (sizes * self._radius)[:, None, None],
                np.float32,
            ),
            np.asarray(self._middle + shifts * self._radius, np.float32),
        )
        seen = disc.sample(self._levels, frames)
        return np.asarray(np.log(seen + FLOOR) - self._ground, np.float32)


def _lay_together(seen: list[_Seen], first: int) -> tuple[Floats, Floats]:
    """Return all shots of a face laid on one, ``(N, count, 3)``, and their gaps."""
    none = np.zeros(1, np.float32)
    still = np.zeros((1, 2), np.float32)
    goal = seen[first].sample(print_disc(), none, none + 1, still)
    laid = [_lay_on(one, goal) for one in seen]
    return np.stack([patch[0] for patch, _ in laid]), np.array([g[0] for _, g in laid])


def _lay_on(seen: _Seen, prints: Floats) -> tuple[Floats, Floats]:
    """Return a piece laid on each print ``(F, count, 3)``, and how far it is from it.

    All are laid on roughly, the nearest ones finely, from some of the likeliest turns.
    """
    goals = np.einsum("ab,fbc->fac", _coarsening(), prints)
    turns, ways = _every(TURNS, _grid(_SHIFTS))
    ones = np.ones(len(turns), np.float32)
    gaps = _gaps(seen.sample(fine_disc(), turns, ones, ways), goals)
    nearest, best = gaps.min(0), gaps.argmin(0)
    laid = [(float(turns[k]), 1.0, ways[k]) for k in best]
    by_turn = gaps.reshape(len(TURNS), -1, len(prints))
    for face in np.argsort(nearest)[:_REFINED].tolist():
        own = by_turn[:, :, face]
        for turn in np.argsort(own.min(1))[:_BEGINNINGS].tolist():
            way = ways[turn * own.shape[1] + int(own[turn].argmin())]
            fine = _finely(float(TURNS[turn]), way)
            near = _gaps(seen.sample(fine_disc(), *fine), goals[face : face + 1])[:, 0]
            k = int(near.argmin())
            if near[k] < nearest[face]:
                nearest[face] = near[k]
                laid[face] = float(fine[0][k]), float(fine[1][k]), fine[2][k]
    return _sample_laid(seen, laid), nearest


def _sample_laid(seen: _Seen, laid: list[tuple[float, float, Floats]]) -> Floats:
    """Return a piece in full detail ``(N, count, 3)`` for turns, sizes and shifts."""
    return seen.sample(
        print_disc(),
        np.array([turn for turn, _, _ in laid]),
        np.array([size for _, size, _ in laid], np.float32),
        np.stack([way for _, _, way in laid]),
    )


@lru_cache(maxsize=1)
def _coarsening() -> Floats:
    """Return what takes a print from the disc of prints to the one of faces."""
    some, every = fine_disc(), print_disc()
    apart = ((some.points[:, None] - every.points[None]) ** 2).sum(-1)
    weight = np.exp(-apart * some.side**2 / 2)
    return np.asarray(weight / weight.sum(1, keepdims=True), np.float32)


def _finely(turn: float, way: Floats) -> tuple[Floats, Floats, Floats]:
    """Return turns, sizes and places near some, ``N`` of each."""
    turns, ways = _every(turn + _FINE_TURNS, way + _grid(_FINE_SHIFTS))
    count = len(_SIZES)
    sizes = np.repeat(np.array(_SIZES, np.float32), len(turns))
    return np.tile(turns, count), sizes, np.tile(ways, (count, 1))


def _every(turns: Floats, ways: Floats) -> tuple[Floats, Floats]:
    """Return each turn with each way: ``(T * W,)`` and ``(T * W, 2)``."""
    return np.repeat(turns, len(ways)), np.tile(ways, (len(turns), 1))


def _grid(steps: tuple[float, ...]) -> Floats:
    some = np.array(steps, np.float32)
    return np.stack(np.meshgrid(some, some), -1).reshape(-1, 2)


def _gaps(some: Floats, others: Floats) -> Floats:
    """Return distances ``(N, M)`` of prints, brightness as a whole counting little."""
    a, b = some.reshape(len(some), -1), others.reshape(len(others), -1)
    square = (a * a).mean(1)[:, None] + (b * b).mean(1) - 2 * a @ b.T / a.shape[1]
    level = (a.mean(1)[:, None] - b.mean(1)) ** 2
    gaps = np.sqrt(np.maximum(square - (1 - LEVEL**2) * level, 0))
    return np.asarray(gaps, np.float32)


def read_rounds(
    picture: Picture,
    model: TokenModel,
    long_px: float | None = None,
    bare: Picture | None = None,
) -> tuple[DetectedTaughtDie, ...]:
    """Return the round pieces in a picture of bare ground, ``(h, w, 3)``, uint8, BGR.

    Arguments are those of `vision.taught_dice.hues.read_hues`.
    """
    side = model.size * (long_px or float(max(picture.shape[:2])))
    boxes = [body.box for body in find_bodies(picture, side, bare)]
    return tuple(read_round(picture, box, model) for box in boxes)


def read_new_rounds(
    picture: Picture,
    before: Picture | None,
    model: TokenModel,
    side_px: float,
    expected: Collection[Face],
) -> list[DetectedTaughtDie]:
    """Return the round pieces of a picture that were not there before.

    Args:
        picture: Part of a table, ``(h, w, 3)``, uint8, BGR.
        before: The same as it was, None where nobody knows.
        model: The round pieces that were shown.
        side_px: Side of the box about one.
        expected: The faces that a move may bring there.
    """
    found = list[DetectedTaughtDie]()
    for bare in (None,) if before is None else (before, None):
        bodies = find_bodies(picture, side_px, bare)
        boxes = find_rounds(picture, bare, [body.box for body in bodies], side_px)
        read = [
            _read_on(before, picture, box, model, expected)
            for box in boxes
            if not _is_bare(picture, box)
        ]
        # One that lies where another lay is whole in this picture alone.
        found += read if bare is before else [one for one in read if one.sure]
        if any(one.sure for one in found):
            break
    return found


def _read_on(
    before: Picture | None,
    picture: Picture,
    box: BoxPx,
    model: TokenModel,
    expected: Collection[Face],
) -> DetectedTaughtDie:
    """Return what the round piece in a box is, on the ground that is about it.

    Between cards that is mostly cards: then on the one that was seen there *before*.
    """
    seen = read_round(picture, box, model, expected)
    if seen.sure or before is None:
        return seen
    left, top, right, bottom = box
    ground = np.median(before[top:bottom, left:right].reshape(-1, 3), axis=0)
    other = read_round(picture, box, model, expected, np.asarray(ground, np.float32))
    return other if other.sure else seen


def _is_bare(picture: Picture, box: BoxPx) -> bool:
    """Tell whether nothing lies in a box: the same ground is in it and about it."""
    one = np.ones(1, np.float32)
    still = np.zeros((1, 2), np.float32)
    seen = _Seen(picture, box).sample(fine_disc(), 0 * one, one, still)
    return bool(np.sqrt((seen**2).mean()) < BARE)


def read_round(
    picture: Picture,
    box: BoxPx,
    model: TokenModel,
    expected: Collection[Face] = (),
    ground: Floats | None = None,
) -> DetectedTaughtDie:
    """Return what the round piece in a box of a picture is, or what it may be.

    Args:
        picture: ``(h, w, 3)``, uint8, BGR.
        box: Where it lies.
        model: The round pieces that were shown.
        expected: The faces that a move of the game may bring there.
        ground: Colour of what it lies on, ``(3,)``, BGR; None for what is about it.
    """
    patches, gaps = _lay_on(_Seen(picture, box, ground), model.prints)
    order = np.argsort(gaps)
    best = int(order[0])
    face = model.faces[best]
    # Brightness as a whole counts little, as in the gaps.
    off = float((patches[best] - model.prints[best]).mean())
    duel = fight(
        patches[best] - np.float32((1 - LEVEL) * off),
        model.prints[best],
        np.delete(model.rivals[best], best, 0),
        DIFFER,
        np.ones(len(patches[best]), np.float32),
    )
    near, won, left = NEAR, WON, LEFT
    if face in expected:
        near, won, left = EXPECTED_NEAR, EXPECTED_WON, EXPECTED_LEFT
    sure = gaps[best] < near and duel.won > won and duel.left < left
    twin = any(face in pair for pair in model.always_ask)
    if sure and not twin:
        return DetectedTaughtDie(((face, 0.98),), True, box)
    weights = np.exp(-8 * gaps[order[:_CHOICES]])
    chances = 0.95 * weights / weights.sum()
    faces = tuple(
        (model.faces[k], round(float(chance), 3))
        for k, chance in zip(order.tolist(), chances, strict=False)
    )
    return DetectedTaughtDie(faces, False, box)


def leftover(picture: Picture, box: BoxPx, model: TokenModel) -> float:
    """Return how far the nearest print is from what lies in a box of a picture."""
    return float(_lay_on(_Seen(picture, box), model.prints)[1].min())
