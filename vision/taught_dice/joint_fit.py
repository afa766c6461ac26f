"""Fit the dice of one throw jointly: they are equally large and lie on one table.

What the clear ones share, size and slant, is asked of all: a two can no longer shrink
onto half of a four, nor the pip of an ace set the size of its die.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from vision.arrays import Floats
from vision.taught_dice.discs import DiscFrames, Levels, fine_disc
from vision.taught_dice.fitting import fit_discs, prepare_target
from vision.taught_dice.judging import FacesAtPlace, clear_faces
from vision.taught_dice.limits import TaughtDieLimits
from vision.taught_dice.places import (
    DieLooks,
    FittedFace,
    measure_fits,
    starting_frames,
)

_ROUNDS = 8
_BEGINNINGS = 2
_LEAST = 3
"""Clear dice that must share a size before it is asked of others."""

_NEAR = 0.3
"""Radii that fitting mends well."""

_GROWTH = np.array(
    [[1, 0, 0, 1, 0, 0], [1, 0, 0, -1, 0, 0], [0, 1, 1, 0, 0, 0]], np.float32
) / np.float32(np.sqrt(2))
"""Moves that change size and slant, not turn and place."""

_SOFT = 0.003


class ThrowShape(Struct, frozen=True):
    """What the clear dice of a picture share.

    Attributes:
        shape: ``(2, 2)`` size and slant of a disc, px.
        size: Over that of the looks.
    """

    shape: Floats
    size: float


def find_throw_shape(
    places: Sequence[FacesAtPlace], limits: TaughtDieLimits
) -> ThrowShape | None:
    """Return the shape that clear dice share, None where too few lie there."""
    clear = clear_faces(places)
    if len(clear) < _LEAST:
        return None
    size = float(np.median([one.size for one in clear]))
    like = [
        one for one in clear if 1 / limits.smaller < one.size / size < limits.smaller
    ]
    if len(like) < _LEAST:
        return None
    # Squares of frames are free of turn, and medians of the few that slipped.
    squares = np.stack([one.turn @ one.turn.T for one in like])
    powers, axes = np.linalg.eigh(np.median(squares, 0))
    shape = (axes * np.sqrt(np.maximum(powers, 1e-6))) @ axes.T
    return ThrowShape(np.asarray(shape, np.float32), size)


def fit_jointly(
    levels: Levels,
    die: DieLooks,
    places: Sequence[FacesAtPlace],
    throw: ThrowShape,
    long_px: float,
    limits: TaughtDieLimits,
) -> list[FittedFace]:
    """Return the faces that fit at each place in the size and slant of a throw."""
    middles = np.array(
        [middle for place in places for middle in _middles(place, limits)], np.float32
    ).reshape(-1, 2)
    if not len(middles):
        return []
    frames = DiscFrames(np.repeat(throw.shape[None], len(middles), 0), middles)
    _, look, begun = starting_frames(levels, die, frames, len(die.looks), _BEGINNINGS)
    stiff = _GROWTH.T @ _GROWTH * limits.firm + np.eye(6, dtype=np.float32) * _SOFT
    model = prepare_target(np.stack([one.ink for one in die.looks]), stiff)
    found = fit_discs(levels, fine_disc(), model, look, begun, _ROUNDS)
    return measure_fits(levels, die, found, look, long_px)


def _middles(place: FacesAtPlace, limits: TaughtDieLimits) -> list[tuple[float, float]]:
    """Return where the die of a place may have its middle.

    An ace on one pip of a five lies far from the middle of the die.
    """
    kept: list[FittedFace] = []
    for one in (place.best, *place.others):
        gaps = [np.hypot(*np.subtract(one.middle, it.middle)) for it in kept]
        if one.likeness > limits.ask and all(gap > _NEAR * one.radius for gap in gaps):
            kept.append(one)
    return [one.middle for one in kept]
