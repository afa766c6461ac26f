"""Learn a die from its shots, and find what is doubtful about them.

Bad shots are reported, pairs of faces that look alike are always asked, and the
safe radius of each face is measured on the owner's own shots.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.pips.contest import DetectedDie
from vision.pips.reader import pip_limits, read_dice
from vision.taught_dice.discs import prepare_levels
from vision.taught_dice.duels import differing
from vision.taught_dice.limits import TaughtDieLimits, taught_die_limits
from vision.taught_dice.looks import (
    ALIKE,
    FaceLook,
    FaceShot,
    choose_tone,
    first_frame,
    learn_all_looks,
    single_shot_look,
    unify_sizes,
)
from vision.taught_dice.places import (
    DIFFER,
    DieLooks,
    FittedFace,
    fit_faces,
    prepare_looks,
)


class DieModel(Struct, frozen=True):
    """A die that was shown.

    Attributes:
        die: Its looks.
        pips: For each look, the face that the reader of pips gives it; 0 for none.
        safe: For each face, the leftover that the nearest other face makes.
        safe_together: The same where dice of one size lie about it: only of faces in
            the middle of the die, and as large.
        always_ask: Pairs of faces too much alike to be decided.
        bad: Numbers of shots that look like no other of their face.
        mistaken: Numbers of shots that look like another face, and which.
    """

    die: DieLooks
    pips: tuple[int, ...]
    safe: dict[Face, float]
    always_ask: tuple[tuple[Face, Face], ...] = ()
    bad: tuple[int, ...] = ()
    mistaken: tuple[tuple[int, Face], ...] = ()
    safe_together: dict[Face, float] = {}

    def rare(self) -> frozenset[int]:
        """Return the numbers of looks that one shot has, unlike the others."""
        return frozenset(
            number
            for number, look in enumerate(self.die.looks)
            if not set(look.shots) - set(self.bad)
        )


_PIP_SHOTS = 2
"""Shots of a look that ordinary reading is tried on: each takes a tenth of a second."""

_TWINS = 0.12
"""Leftover below which another face explains a shot as well as its own."""

_SAME = 0.02
"""Share of two faces that differs at least, else they are always asked: of a drawn die
of ten facets a nought and an eight have 0.033, a six that was turned and named nine
none."""

_OFF = 0.35
"""Radii that the middle of a face may be off."""

_STRONG = 0.7
"""Ink of a look that was shown once, over the faintest of the others: a blurred shot
has less. First guess."""

_MISTAKEN = 0.7
"""A shot is of another face if that one leaves less than this part of its own."""


def teach_die(
    shots: Sequence[FaceShot], limits: TaughtDieLimits | None = None
) -> DieModel:
    """Return the die that some shots show."""
    limits = limits or taught_die_limits()
    shots = list(shots)
    tone = choose_tone(shots)
    looks, alone = learn_all_looks(shots, tone)
    die = prepare_looks(unify_sizes(looks), tone)
    found = [_own_place(die, shot) for shot in shots]
    mistaken = _mistaken(shots, found, alone)
    if mistaken:
        gone = {number for number, _ in mistaken}
        kept = [n for n in range(len(shots)) if n not in gone]
        less = teach_die([shots[n] for n in kept], limits)
        return DieModel(
            less.die, less.pips, less.safe, less.always_ask,
            tuple(kept[n] for n in less.bad),
            tuple((n, face) for n, face in mistaken)
            + tuple((kept[n], face) for n, face in less.mistaken),
            less.safe_together,
        )  # fmt: skip
    rare = [
        single_shot_look(number, shots[number], tone)
        for number in alone
        if _is_new(shots[number], found[number], limits)
    ]
    looks = unify_sizes(
        [*looks, *(one for one in rare if _like_others(one, looks, limits))]
    )
    die = prepare_looks(looks, tone)
    safe, together, near = _radii(shots, found, alone, limits)
    twins = tuple(pair for pair in near if _share_apart(die, *pair) < _SAME)
    pips = [_pips_of(look.shots, shots) for look in looks]
    return DieModel(die, tuple(pips), safe, twins, tuple(alone), (), together)


def _is_new(
    shot: FaceShot, found: Sequence[FittedFace], limits: TaughtDieLimits
) -> bool:
    """Return whether no face that is known explains the place of a shot."""
    radius = float(first_frame(shot).radii()[0])
    return not any(
        one.likeness > ALIKE
        and 1 / limits.like_size < one.radius / radius < limits.like_size
        for one in found
    )


def _like_others(
    one: FaceLook, looks: Sequence[FaceLook], limits: TaughtDieLimits
) -> bool:
    """Return whether a look is as strong and large as others, in about their colour."""
    if not looks:
        return False
    hues = [np.hypot(*np.subtract(one.colour, look.colour)[1:]) for look in looks]
    least = min(look.strength for look in looks)
    size = one.size / float(np.median([look.size for look in looks]))
    return bool(
        one.strength > _STRONG * least
        and min(hues) < limits.hue / 2
        and 1 / limits.like_size < size < limits.like_size
    )


def _own_place(die: DieLooks, shot: FaceShot) -> list[FittedFace]:
    """Return how faces explain the place of a shot, best first."""
    frame = first_frame(shot)
    found = fit_faces(prepare_levels(shot.picture, die.tone), die, frame, shot.long_px)
    return sorted(found, key=lambda one: one.residual)


def _mistaken(
    shots: list[FaceShot], found: list[list[FittedFace]], alone: list[int]
) -> list[tuple[int, Face]]:
    """Return shots that other faces explain far better than their own look does."""
    wrong = []
    for number in alone:
        own = [one for one in found[number] if one.face == shots[number].face]
        others = [one for one in found[number] if one.face != shots[number].face]
        if not others:
            continue
        left = own[0].residual if own else 9.0
        if others[0].residual < _MISTAKEN * left and others[0].likeness > 0.9:
            wrong.append((number, others[0].face))
    return wrong


def _radii(
    shots: list[FaceShot],
    found: list[list[FittedFace]],
    alone: list[int],
    limits: TaughtDieLimits,
) -> tuple[dict[Face, float], dict[Face, float], tuple[tuple[Face, Face], ...]]:
    """Return safe distances of faces, alone and together, and pairs too alike.

    An ace fits each pip of a two, but not in the middle of the die.
    """
    safe: dict[Face, float] = {}
    together: dict[Face, float] = {}
    twins: set[tuple[Face, Face]] = set()
    for number, (shot, faces) in enumerate(zip(shots, found, strict=True)):
        own = [one for one in faces if one.face == shot.face]
        if number in alone or not own:
            continue
        for one in faces:
            if one.face == shot.face:
                continue
            safe[shot.face] = min(safe.get(shot.face, 9.0), one.residual)
            if not _in_place_of(own[0], one, limits):
                continue
            together[shot.face] = min(together.get(shot.face, 9.0), one.residual)
            if one.residual < _TWINS and one.likeness > 0.9:
                low, high = sorted((one.face, shot.face))
                twins.add((low, high))
    return safe, together, tuple(sorted(twins))


def _share_apart(die: DieLooks, one: Face, other: Face) -> float:
    """Return the share of two faces that differs where they are most alike."""
    return min(
        float(differing(die.model.ink[a][:, None], rival[:, None], DIFFER).mean())
        for a, look in enumerate(die.looks)
        for rival, own in zip(die.rivals[a], die.looks, strict=True)
        if look.face == one and own.face == other
    )


def _in_place_of(one: FittedFace, other: FittedFace, limits: TaughtDieLimits) -> bool:
    """Return whether another face was fitted where one is, and as large."""
    gap = np.hypot(*np.subtract(one.middle, other.middle))
    ratio = other.radius / one.radius
    return bool(
        gap < _OFF * one.radius and 1 / limits.like_size < ratio < limits.like_size
    )


def _pips_of(numbers: tuple[int, ...], shots: list[FaceShot]) -> int:
    """Return the pips that ordinary reading finds on all shots of a look, else 0."""
    said = []
    for number in numbers[:_PIP_SHOTS]:
        shot = shots[number]
        left, top, right, bottom = shot.box
        middle = ((left + right) / 2, (top + bottom) / 2)
        near = [
            die
            for die in read_dice(shot.picture, pip_limits())
            if die.sure and _within(die, middle)
        ]
        said += [near[0].faces[0][0]] if near else []
    return said[0] if said and len(set(said)) == 1 else 0


def _within(die: DetectedDie, point: tuple[float, float]) -> bool:
    x, y = middle_of_box(die)
    return bool(np.hypot(x - point[0], y - point[1]) < 0.35 * die.width_px)


def middle_of_box(die: DetectedDie) -> tuple[float, float]:
    """Return x and y of the middle of a die's box, px."""
    left, top, right, bottom = die.box
    return (left + right) / 2, (top + bottom) / 2
