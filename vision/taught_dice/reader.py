"""Read taught dice: which face of which die lies where, or what to ask.

No picture of the empty table is needed, and dice may touch.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.arrays import Picture
from vision.pips.contest import DetectedDie
from vision.taught_dice.discs import DiscFrames, prepare_levels
from vision.taught_dice.joint_fit import ThrowShape, find_throw_shape, fit_jointly
from vision.taught_dice.judging import (
    DetectedTaughtDie,
    FaceKnowledge,
    FacesAtPlace,
    PipHint,
    decide_place,
    group_by_place,
    is_as_large,
    median_size,
    merge_readings,
)
from vision.taught_dice.limits import TaughtDieLimits, taught_die_limits
from vision.taught_dice.parts import is_part_of
from vision.taught_dice.places import (
    FittedFace,
    distinct_frames,
    fight_others,
    fit_faces,
)
from vision.taught_dice.searching import search_faces, search_radii
from vision.taught_dice.teaching import DieModel, middle_of_box, teach_die

__all__ = [
    "DieModel",
    "FittedPlaces",
    "decide_places",
    "fit_places",
    "read_taught_dice",
    "teach_die",
]


class FittedPlaces(Struct, frozen=True):
    """The places of a picture with the faces that were fitted there.

    Attributes:
        places: Faces by place, each fitted freely.
        throw: What the clear dice share.
        jointly: Faces fitted in the size and slant of the throw.
    """

    places: tuple[FacesAtPlace, ...]
    throw: ThrowShape | None = None
    jointly: tuple[FittedFace, ...] = ()


def read_taught_dice(
    picture: Picture,
    model: DieModel,
    pips: Sequence[DetectedDie] = (),
    limits: TaughtDieLimits | None = None,
    long_px: float | None = None,
) -> tuple[DetectedTaughtDie, ...]:
    """Return the dice of one kind in a picture ``(H, W, 3)``, uint8, BGR.

    Args:
        picture: What to read.
        model: The die.
        pips: What ordinary reading of pips found in it; a second opinion.
        limits: Limits.
        long_px: Longer side of the photograph that *picture* was cut from; None where
            it is the whole of one.
    """
    limits = limits or taught_die_limits()
    long_px = long_px or float(max(picture.shape[:2]))
    return decide_places(
        fit_places(picture, model, pips, limits, long_px), model, pips, limits
    )


def fit_places(
    picture: Picture,
    model: DieModel,
    pips: Sequence[DetectedDie],
    limits: TaughtDieLimits,
    long_px: float | None = None,
) -> FittedPlaces:
    """Return the places of a picture and the faces fitted there.

    Arguments are those of `read_taught_dice`.
    """
    long_px = long_px or float(max(picture.shape[:2]))
    levels = prepare_levels(picture, model.die.tone)
    hits = search_faces(
        levels, model.die.bank, search_radii(model.die.bank, long_px), limits
    )
    frames = distinct_frames(hits)
    if any(model.pips):
        frames = _with_pips(frames, pips)
    places = group_by_place(fit_faces(levels, model.die, frames, long_px), limits)
    throw = find_throw_shape(places, limits)
    if throw is None:
        return FittedPlaces(tuple(places))
    again = fit_jointly(levels, model.die, places, throw, long_px, limits)
    return FittedPlaces(tuple(places), throw, tuple(again))


def _with_pips(places: DiscFrames, pips: Sequence[DetectedDie]) -> DiscFrames:
    """Return places, and those where ordinary reading found dice."""
    if not pips:
        return places
    radii = np.array([0.45 * die.width_px for die in pips], np.float32)
    middles = np.array([middle_of_box(die) for die in pips], np.float32)
    turns = np.eye(2, dtype=np.float32)[None] * radii[:, None, None]
    return DiscFrames(
        np.concatenate([places.turns, turns]), np.concatenate([places.middles, middles])
    )


def decide_places(
    fitted: FittedPlaces,
    model: DieModel,
    pips: Sequence[DetectedDie],
    limits: TaughtDieLimits,
) -> tuple[DetectedTaughtDie, ...]:
    """Return the dice of fitted places, taken or to be asked about."""
    known = FaceKnowledge(
        model.safe,
        frozenset(frozenset(pair) for pair in model.always_ask),
        model.rare(),
        partial(is_part_of, model.die),
        partial(fight_others, model.die),
    )
    size = median_size(fitted.places)
    first = _decide_all(fitted.places, model, pips, size, known, limits)
    if fitted.throw is None:
        return first
    size = fitted.throw.size
    like = [one for one in fitted.jointly if is_as_large(one, size, limits)]
    closer = replace(
        limits,
        worst=limits.worst_together,
        upright=limits.upright_together,
        own_hue=limits.like_hue,
    )
    # Where dice of one size lie about it, a look that was shown once may be trusted.
    safe = model.safe_together or model.safe
    known = replace(known, safe=safe, rare=frozenset())
    second = _decide_all(group_by_place(like, limits), model, pips, size, known, closer)
    return merge_readings(first, second)


def _decide_all(
    places: Sequence[FacesAtPlace],
    model: DieModel,
    pips: Sequence[DetectedDie],
    size: float | None,
    known: FaceKnowledge,
    limits: TaughtDieLimits,
) -> tuple[DetectedTaughtDie, ...]:
    """Return the dice of those places where one lies."""
    dice = [
        decide_place(place, _hint(place.best, model, pips), size, known, limits)
        for place in places
    ]
    return tuple(die for die in dice if die is not None)


def _hint(
    best: FittedFace, model: DieModel, pips: Sequence[DetectedDie]
) -> PipHint | None:
    """Return what ordinary reading says of a place, in the names of this die."""
    if not any(model.pips):
        return None
    near = [
        die
        for die in pips
        if np.hypot(*(np.array(middle_of_box(die)) - best.middle)) < 0.9 * best.radius
    ]
    if not near:
        return None
    die = max(near, key=lambda one: (one.sure, one.faces[0][1]))
    looks = zip(model.die.looks, model.pips, strict=True)
    faces = {look.face for look, said in looks if said == die.faces[0][0]}
    return PipHint(middle_of_box(die), tuple(sorted(faces)), die.sure)
