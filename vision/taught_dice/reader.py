"""Read enrolled dice: which face of which die lies where, or what to ask.

No picture of the empty table is needed, and dice may touch.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.arrays import Picture
from vision.pips.contest import DieSeen
from vision.taught_dice.discs import Frames, levels_of
from vision.taught_dice.joint_fit import Throw, compare_together, throw_of
from vision.taught_dice.judging import (
    DieRead,
    Known,
    PipHint,
    Place,
    both_readings,
    decide,
    places_of,
    sized,
    usual_size,
)
from vision.taught_dice.limits import TaughtDieLimits, taught_die_limits
from vision.taught_dice.parts import part_of
from vision.taught_dice.places import Candidate, compare, lone_places
from vision.taught_dice.searching import radii_of, search
from vision.taught_dice.teaching import DieModel, middle_of, teach

__all__ = ["DieModel", "Sight", "judged", "look_at", "read_enrolled", "teach"]


class Sight(Struct, frozen=True):
    """What the places of a picture may show.

    Attributes:
        places: Faces by place, each fitted freely.
        throw: What the clear dice share.
        again: Faces fitted in the size and slant of the throw.
    """

    places: tuple[Place, ...]
    throw: Throw | None = None
    again: tuple[Candidate, ...] = ()


def read_enrolled(
    picture: Picture,
    model: DieModel,
    pips: Sequence[DieSeen] = (),
    limits: TaughtDieLimits | None = None,
    long_px: float | None = None,
) -> tuple[DieRead, ...]:
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
    return judged(look_at(picture, model, pips, limits, long_px), model, pips, limits)


def look_at(
    picture: Picture,
    model: DieModel,
    pips: Sequence[DieSeen],
    limits: TaughtDieLimits,
    long_px: float | None = None,
) -> Sight:
    """Return what any place of a picture may show; *long_px* as in `read_enrolled`."""
    long_px = long_px or float(max(picture.shape[:2]))
    levels = levels_of(picture, model.die.tone)
    hits = search(levels, model.die.bank, radii_of(model.die.bank, long_px), limits)
    frames = lone_places(hits)
    if any(model.pips):
        frames = _with_pips(frames, pips)
    places = places_of(compare(levels, model.die, frames, long_px), limits)
    throw = throw_of(places, limits)
    if throw is None:
        return Sight(tuple(places))
    again = compare_together(levels, model.die, places, throw, long_px, limits)
    return Sight(tuple(places), throw, tuple(again))


def _with_pips(places: Frames, pips: Sequence[DieSeen]) -> Frames:
    """Return places, and those where ordinary reading found dice."""
    if not pips:
        return places
    radii = np.array([0.45 * die.width_px for die in pips], np.float32)
    middles = np.array([middle_of(die) for die in pips], np.float32)
    turns = np.eye(2, dtype=np.float32)[None] * radii[:, None, None]
    return Frames(
        np.concatenate([places.turns, turns]), np.concatenate([places.middles, middles])
    )


def judged(
    sight: Sight, model: DieModel, pips: Sequence[DieSeen], limits: TaughtDieLimits
) -> tuple[DieRead, ...]:
    """Return what a picture comes to."""
    known = Known(
        model.safe,
        frozenset(frozenset(pair) for pair in model.always_ask),
        model.rare(),
        partial(part_of, model.die),
    )
    size = usual_size(sight.places)
    first = _decided(sight.places, model, pips, size, known, limits)
    if sight.throw is None:
        return first
    size = sight.throw.size
    like = [one for one in sight.again if sized(one, size, limits)]
    closer = replace(
        limits, worst=limits.worst_together, upright=limits.upright_together
    )
    # Where dice of one size lie about it, a look that was shown once may be trusted.
    safe = model.safe_together or model.safe
    known = replace(known, safe=safe, rare=frozenset())
    second = _decided(places_of(like, limits), model, pips, size, known, closer)
    return both_readings(first, second)


def _decided(
    places: Sequence[Place],
    model: DieModel,
    pips: Sequence[DieSeen],
    size: float | None,
    known: Known,
    limits: TaughtDieLimits,
) -> tuple[DieRead, ...]:
    """Return what places come to."""
    dice = [
        decide(place, _hint(place.best, model, pips), size, known, limits)
        for place in places
    ]
    return tuple(die for die in dice if die is not None)


def _hint(best: Candidate, model: DieModel, pips: Sequence[DieSeen]) -> PipHint | None:
    """Return what ordinary reading says of a place, in the names of this die."""
    if not any(model.pips):
        return None
    near = [
        die
        for die in pips
        if np.hypot(*(np.array(middle_of(die)) - best.middle)) < 0.9 * best.radius
    ]
    if not near:
        return None
    die = max(near, key=lambda one: (one.sure, one.faces[0][1]))
    looks = zip(model.die.looks, model.pips, strict=True)
    faces = {look.face for look, said in looks if said == die.faces[0][0]}
    return PipHint(middle_of(die), tuple(sorted(faces)), die.sure)
