"""Decide what fitted faces come to: a face taken, a question, or nothing.

A face is taken when its residual is small, clearly smaller than that of any other face,
and lies within the safe radius of its look: a part of the distance to the nearest look
of another face, measured on the owner's own shots.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import BoxPx, Face
from vision.taught_dice.duels import LOST, Duel
from vision.taught_dice.limits import TaughtDieLimits
from vision.taught_dice.looks import FILLED
from vision.taught_dice.places import FittedFace

_FACES = 3


class PipHint(Struct, frozen=True):
    """What the reader of ordinary pips found at a place; *middle* is x and y, px."""

    middle: tuple[float, float]
    faces: tuple[Face, ...]
    sure: bool


class DetectedTaughtDie(Struct, frozen=True):
    """One taught die in a picture.

    Attributes:
        faces: Candidate faces with their chances, 0 to 1, best first.
        sure: Whether the first face is taken without asking.
        box: Left, top, right, bottom, px.
    """

    faces: tuple[tuple[Face, float], ...]
    sure: bool
    box: BoxPx


def is_never_part(_one: FittedFace, _other: FittedFace) -> bool:
    """Return False: no face is part of another."""
    return False


def never_wins(_one: FittedFace) -> Duel:
    """Return a duel that is lost."""
    return LOST


class FaceKnowledge(Struct, frozen=True):
    """What is known of the faces of a die.

    Attributes:
        safe: Residual of the nearest other face, for each face.
        twins: Pairs of faces that are always asked.
        rare: Numbers of looks that were shown once, unlike the other shots: asked.
        part: Tells whether the first face is part of the second.
        fight: Tells what a face comes to against all others, where they differ.
    """

    safe: Mapping[Face, float] = {}
    twins: frozenset[frozenset[Face]] = frozenset()
    rare: frozenset[int] = frozenset()
    part: Callable[[FittedFace, FittedFace], bool] = is_never_part
    fight: Callable[[FittedFace], Duel] = never_wins


class FacesAtPlace(Struct, frozen=True):
    """The best fitted face of a place and the best of each other face there."""

    best: FittedFace
    others: tuple[FittedFace, ...]


def group_by_place(
    candidates: Sequence[FittedFace], limits: TaughtDieLimits
) -> list[FacesAtPlace]:
    """Return fitted faces by place, the surest place first, none overlapping."""
    left = [one for one in candidates if _is_plausible(one, limits)]
    left.sort(key=relative_residual)
    places: list[FacesAtPlace] = []
    while left:
        best = left[0]
        here = [one for one in left if _gap(best, one) < _reach(best, one)]
        rivals: dict[Face, FittedFace] = {}
        for one in here:
            if one.face != best.face:
                rivals.setdefault(one.face, one)
        places.append(FacesAtPlace(best, tuple(rivals.values())))
        left = [one for one in left if _gap(best, one) >= _reach(best, one)]
    return places


def relative_residual(one: FittedFace) -> float:
    """Return the residual of a face relative to its size; smaller is better.

    A two fits well on one half of a four; the four explains more.
    """
    return one.residual / one.size


def _reach(one: FittedFace, other: FittedFace) -> float:
    # Middles of dice that touch lie 2 / FILLED radii apart, side faces about 1.5.
    return 1.7 * max(one.radius, other.radius)


def _gap(one: FittedFace, other: FittedFace) -> float:
    return float(
        np.hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1])
    )


def _is_plausible(one: FittedFace, limits: TaughtDieLimits) -> bool:
    """Return whether a fitted face could be a top face at all."""
    return (
        one.likeness > 0.4
        and one.flatness > limits.flatness
        and 1 / limits.any_size < one.size < limits.any_size
        and one.hue < limits.like_hue
        and limits.least_ink < one.strength < limits.most_ink
    )


def clear_faces(places: Sequence[FacesAtPlace]) -> list[FittedFace]:
    """Return the faces of places that hardly can be another.

    What the rim cuts may be anything: such a thing gave a lone three its size.
    """
    return [
        place.best
        for place in places
        if place.best.likeness > 0.9
        and place.best.worst < 0.4
        and place.best.inside > 0.9
    ]


def median_size(places: Sequence[FacesAtPlace]) -> float | None:
    """Return the median size of clear dice in a picture, None where none is clear."""
    clear = clear_faces(places)
    return float(np.median([one.size for one in clear])) if clear else None


def decide_place(
    place: FacesAtPlace,
    hint: PipHint | None,
    size: float | None,
    known: FaceKnowledge,
    limits: TaughtDieLimits,
) -> DetectedTaughtDie | None:
    """Return what a place shows, None where it is no die.

    Args:
        place: Its fitted faces.
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
                return _ask(ranked)
            ranked = [said[0], *(one for one in ranked if one is not said[0])]
            best = ranked[0]
    if not agreed and not is_as_large(best, size, limits):
        if best.likeness < 0.9:
            return None
        return _ask(ranked)
    twin = any(frozenset((best.face, one.face)) in known.twins for one in ranked)
    if (agreed or _is_clear(ranked, known, limits)) and not twin:
        return DetectedTaughtDie(_chances(ranked, True), True, box_about_face(best))
    if best.likeness > limits.ask or hint is not None:
        return _ask(ranked)
    return None


def _is_clear(
    ranked: list[FittedFace], known: FaceKnowledge, limits: TaughtDieLimits
) -> bool:
    """Tell whether the first of *ranked* fits well, and much better than all others.

    Faces that are one but for their signs, as on ten facets, leave about as little:
    what fits closely is taken if it wins where it differs from each of them.
    """
    best = ranked[0]
    whole = best.inside > limits.whole and best.look not in known.rare
    if not whole or best.residual > limits.worst or best.flatness < limits.upright:
        return False
    if best.hue > limits.own_hue:
        return False
    rivals = [
        one
        for one in ranked
        if one is not best
        and not (best.residual < limits.whole_worst and known.part(one, best))
    ]
    duel = known.fight(best)
    unlike = not rivals or best.residual < limits.unlike * rivals[0].residual
    most_left = limits.unexplained_unlike if unlike else limits.unexplained
    if duel.won < limits.won or duel.left > most_left * min(1.0, duel.won):
        return False
    if best.residual < limits.close and best.flatness > limits.level:
        return True
    rival = relative_residual(rivals[0]) if rivals else 9.0
    return (
        best.likeness > limits.likeness
        and best.strength > limits.clear_ink
        and best.residual < limits.safe * known.safe.get(best.face, 9.0)
        and relative_residual(best) < limits.ratio * rival
    )


def _whole_first(
    ranked: list[FittedFace], known: FaceKnowledge, limits: TaughtDieLimits
) -> list[FittedFace]:
    """Return faces with the first that the best is part of, and fits as well, ahead."""
    best = ranked[0]
    for one in ranked[1:]:
        if relative_residual(one) > limits.whole_left * relative_residual(best):
            break
        if one.likeness > limits.likeness and known.part(best, one):
            return [one, *(other for other in ranked if other is not one)]
    return ranked


def is_as_large(one: FittedFace, size: float | None, limits: TaughtDieLimits) -> bool:
    """Return whether a disc is as large as others; part of a face looks smaller."""
    if size is None:
        return 1 / limits.like_size < one.size < limits.like_size
    return 1 / limits.smaller < one.size / size < limits.like_size


def _ask(ranked: Sequence[FittedFace]) -> DetectedTaughtDie:
    return DetectedTaughtDie(_chances(ranked, False), False, box_about_face(ranked[0]))


def _chances(
    ranked: Sequence[FittedFace], sure: bool
) -> tuple[tuple[Face, float], ...]:
    """Return faces with chances that add up to at most one."""
    weights = [float(np.exp(-4 * one.worst)) for one in ranked[:_FACES]]
    total = sum(weights) + (0.0 if sure else 0.02)
    if sure:
        return ((ranked[0].face, round(max(0.9, weights[0] / total), 3)),)
    return tuple(
        (one.face, round(weight / total, 3))
        for one, weight in zip(ranked, weights, strict=False)
    )


def box_about_face(one: FittedFace) -> BoxPx:
    """Return the box about the face whose disc was found, px."""
    half = np.float32(one.radius / FILLED)
    x, y = one.middle
    return (
        round(float(x - half)),
        round(float(y - half)),
        round(float(x + half)),
        round(float(y + half)),
    )


def merge_readings(
    first: Sequence[DetectedTaughtDie], second: Sequence[DetectedTaughtDie]
) -> tuple[DetectedTaughtDie, ...]:
    """Return dice after a second reading of their places, which decides.

    Where it only asks, a first reading that was sure of the same face is kept. Places
    that it does not know are as they were. What is asked on a sure die is part of it.
    """
    kept: list[DetectedTaughtDie] = []
    for die in sorted(second, key=lambda one: not one.sure):
        if any(one.sure and _same_place(one, die) for one in kept):
            continue
        sure = [one for one in first if one.sure and _same_place(one, die)]
        faces = {one.faces[0][0] for one in sure}
        if die.sure and faces - {die.faces[0][0]}:
            either = {die.faces[0][0], *faces}
            kept.append(
                replace(die, faces=tuple((f, 0.49) for f in sorted(either)), sure=False)
            )
        elif not die.sure and faces == {die.faces[0][0]}:
            kept.append(sure[0])
        else:
            kept.append(die)
    known = (*second, *kept)
    new = [one for one in first if not any(_same_place(one, die) for die in known)]
    return (*kept, *new)


def _same_place(one: DetectedTaughtDie, other: DetectedTaughtDie) -> bool:
    """Return whether the boxes of two dice have much in common."""
    a, b = one.box, other.box
    middle_x = abs(a[0] + a[2] - b[0] - b[2]) / 2
    middle_y = abs(a[1] + a[3] - b[1] - b[3]) / 2
    return max(middle_x, middle_y) < 0.5 * max(a[2] - a[0], b[2] - b[0])
