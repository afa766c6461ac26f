"""Decide what candidates come to: a face taken, a question, or nothing.

A face is taken when it leaves little unexplained, much less than any other face would,
and lies within the safe radius of its look: a part of the distance to the nearest look
of another face, measured on the owner's own shots.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import BoxPx, Face
from vision.taught_dice.limits import TaughtDieLimits
from vision.taught_dice.looks import FILLED
from vision.taught_dice.places import Candidate

_FACES = 3


class PipHint(Struct, frozen=True):
    """What the reader of ordinary pips says of a place: faces that it may mean."""

    middle: tuple[float, float]
    faces: tuple[Face, ...]
    sure: bool


class DieRead(Struct, frozen=True):
    """One enrolled die in a picture.

    Attributes:
        faces: Candidate faces with their chances, best first.
        sure: Whether the first face is taken without asking.
        box: Left, top, right, bottom, px.
    """

    faces: tuple[tuple[Face, float], ...]
    sure: bool
    box: BoxPx


def no_part(_one: Candidate, _other: Candidate) -> bool:
    """Return that no face is part of another."""
    return False


class Known(Struct, frozen=True):
    """What is known of the faces of a die.

    Attributes:
        safe: Leftover that the nearest other face makes, for each face.
        twins: Pairs of faces that are always asked.
        rare: Numbers of looks that were shown once, unlike the other shots: asked.
        part: Tells whether the first face is part of the second.
    """

    safe: Mapping[Face, float] = {}
    twins: frozenset[frozenset[Face]] = frozenset()
    rare: frozenset[int] = frozenset()
    part: Callable[[Candidate, Candidate], bool] = no_part


class Place(Struct, frozen=True):
    """The best candidate of a place and those of other faces that overlap it."""

    best: Candidate
    others: tuple[Candidate, ...]


def places_of(candidates: Sequence[Candidate], limits: TaughtDieLimits) -> list[Place]:
    """Return candidates by place, the surest place first, none overlapping."""
    left = [one for one in candidates if _plausible(one, limits)]
    left.sort(key=score)
    places: list[Place] = []
    while left:
        best = left[0]
        here = [one for one in left if _gap(best, one) < _reach(best, one)]
        rivals: dict[Face, Candidate] = {}
        for one in here:
            if one.face != best.face:
                rivals.setdefault(one.face, one)
        places.append(Place(best, tuple(rivals.values())))
        left = [one for one in left if _gap(best, one) >= _reach(best, one)]
    return places


def score(one: Candidate) -> float:
    """Return how little speaks for a candidate: leftover over the size explained.

    A two fits well on one half of a four; the four explains more.
    """
    return one.left / one.size


def _reach(one: Candidate, other: Candidate) -> float:
    # Middles of dice that touch lie 2 / FILLED radii apart, side faces about 1.5.
    return 1.7 * max(one.radius, other.radius)


def _gap(one: Candidate, other: Candidate) -> float:
    return float(
        np.hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1])
    )


def _plausible(one: Candidate, limits: TaughtDieLimits) -> bool:
    """Return whether a candidate could be a top face at all."""
    return (
        one.likeness > 0.4
        and one.flatness > limits.flatness
        and 1 / limits.any_size < one.size < limits.any_size
        and one.hue < limits.like_hue
        and limits.least_ink < one.strength < limits.most_ink
    )


def clear_ones(places: Sequence[Place]) -> list[Candidate]:
    """Return the faces of places that hardly can be another.

    What the rim cuts may be anything: such a thing told the size of a lone three.
    """
    return [
        place.best
        for place in places
        if place.best.likeness > 0.9
        and place.best.worst < 0.4
        and place.best.inside > 0.9
    ]


def usual_size(places: Sequence[Place]) -> float | None:
    """Return the size of dice in this picture, None where none is clear."""
    clear = clear_ones(places)
    return float(np.median([one.size for one in clear])) if clear else None


def decide(
    place: Place,
    hint: PipHint | None,
    size: float | None,
    known: Known,
    limits: TaughtDieLimits,
) -> DieRead | None:
    """Return what a place shows, None where it is no die.

    Args:
        place: Its candidates.
        hint: What the reader of pips says of it.
        size: Usual size in this picture.
        known: What is known of the faces.
        limits: Limits.
    """
    ranked = _whole_first([place.best, *place.others], known, limits)
    best = ranked[0]
    agreed = False
    if hint is not None and hint.faces:
        said = [one for one in ranked if one.face in hint.faces]
        agreed = hint.sure and bool(said) and said[0].likeness > limits.agreed
        if hint.sure and best.face not in hint.faces:
            # Pips that are surely there outweigh a part of a face that fits.
            if not agreed or said[0].likeness < limits.agreed:
                return _asked(ranked)
            ranked = [said[0], *(one for one in ranked if one is not said[0])]
            best = ranked[0]
    if not agreed and not sized(best, size, limits):
        if best.likeness < 0.9:
            return None
        return _asked(ranked)
    rivals = [
        one
        for one in ranked
        if one is not best
        and not (best.left < limits.whole_worst and known.part(one, best))
    ]
    rival = score(rivals[0]) if rivals else 9.0
    twin = any(frozenset((best.face, one.face)) in known.twins for one in ranked)
    clear = (
        best.likeness > limits.likeness
        and best.left < min(limits.worst, limits.safe * known.safe.get(best.face, 9.0))
        and score(best) < limits.ratio * rival
        and best.inside > limits.whole
        and best.flatness > limits.upright
        and best.strength > limits.clear_ink
        and best.look not in known.rare
    )
    if (clear or agreed) and not twin:
        return DieRead(_chances(ranked, True), True, box_of(best))
    if best.likeness > limits.ask or hint is not None:
        return _asked(ranked)
    return None


def _whole_first(
    ranked: list[Candidate], known: Known, limits: TaughtDieLimits
) -> list[Candidate]:
    """Return faces with the first that the best is part of, and fits as well, ahead."""
    best = ranked[0]
    for one in ranked[1:]:
        if score(one) > limits.whole_left * score(best):
            break
        if one.likeness > limits.likeness and known.part(best, one):
            return [one, *(other for other in ranked if other is not one)]
    return ranked


def sized(one: Candidate, size: float | None, limits: TaughtDieLimits) -> bool:
    """Return whether a disc is as large as others; part of a face looks smaller."""
    if size is None:
        return 1 / limits.like_size < one.size < limits.like_size
    return 1 / limits.smaller < one.size / size < limits.like_size


def _asked(ranked: Sequence[Candidate]) -> DieRead:
    return DieRead(_chances(ranked, False), False, box_of(ranked[0]))


def _chances(ranked: Sequence[Candidate], sure: bool) -> tuple[tuple[Face, float], ...]:
    """Return faces with chances that add up to at most one."""
    weights = [float(np.exp(-4 * one.worst)) for one in ranked[:_FACES]]
    total = sum(weights) + (0.0 if sure else 0.02)
    if sure:
        return ((ranked[0].face, round(max(0.9, weights[0] / total), 3)),)
    return tuple(
        (one.face, round(weight / total, 3))
        for one, weight in zip(ranked, weights, strict=False)
    )


def box_of(one: Candidate) -> BoxPx:
    """Return the box about the face whose disc was found, px."""
    half = np.float32(one.radius / FILLED)
    x, y = one.middle
    return (
        round(float(x - half)),
        round(float(y - half)),
        round(float(x + half)),
        round(float(y + half)),
    )


def both_readings(
    first: Sequence[DieRead], second: Sequence[DieRead]
) -> tuple[DieRead, ...]:
    """Return dice after a second reading of their places, which decides.

    Where it only asks, a first reading that was sure of the same face is kept. Places
    that it does not know are as they were. What is asked on a sure die is part of it.
    """
    kept: list[DieRead] = []
    for die in sorted(second, key=lambda one: not one.sure):
        if any(one.sure and _same_place(one, die) for one in kept):
            continue
        sure = [one for one in first if one.sure and _same_place(one, die)]
        faces = {one.faces[0][0] for one in sure}
        if die.sure and faces - {die.faces[0][0]}:
            told = {die.faces[0][0], *faces}
            kept.append(
                replace(die, faces=tuple((f, 0.49) for f in sorted(told)), sure=False)
            )
        elif not die.sure and faces == {die.faces[0][0]}:
            kept.append(sure[0])
        else:
            kept.append(die)
    known = (*second, *kept)
    new = [one for one in first if not any(_same_place(one, die) for die in known)]
    return (*kept, *new)


def _same_place(one: DieRead, other: DieRead) -> bool:
    """Return whether the boxes of two dice have much in common."""
    a, b = one.box, other.box
    middle_x = abs(a[0] + a[2] - b[0] - b[2]) / 2
    middle_y = abs(a[1] + a[3] - b[1] - b[3]) / 2
    return max(middle_x, middle_y) < 0.5 * max(a[2] - a[0], b[2] - b[0])
