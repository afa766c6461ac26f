"""Read enrolled dice: which face of which die lies where, or what to ask.

No picture of the empty table is needed, and dice may touch.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Picture
from vision.contest import DieSeen
from vision.dice import read_dice
from vision.dice import usual_rules as pip_rules
from vision.enrolled.discs import Frames, Levels, levels_of
from vision.enrolled.judging import (
    DieRead,
    PipHint,
    decide,
    places_of,
    usual_size,
)
from vision.enrolled.looks import Shot, all_looks, best_tone, first_frame
from vision.enrolled.places import Candidate, Die, compare, die_of, lone_places
from vision.enrolled.rules import DieRules, usual_rules
from vision.enrolled.searching import radii_of, search


class DieModel(Struct, frozen=True):
    """A die that was shown.

    Attributes:
        die: Its looks.
        pips: For each look, the face that the reader of pips gives it; 0 for none.
        safe: For each face, the leftover that the nearest other face makes.
        always_ask: Pairs of faces that cannot be told apart.
        bad: Numbers of shots that look like no other of their face.
        mistaken: Numbers of shots that look like another face, and which.
    """

    die: Die
    pips: tuple[int, ...]
    safe: dict[Face, float]
    always_ask: tuple[tuple[Face, Face], ...] = ()
    bad: tuple[int, ...] = ()
    mistaken: tuple[tuple[int, Face], ...] = ()


_PIP_SHOTS = 2
"""Shots of a look that ordinary reading is tried on: each takes a tenth of a second."""

_TWINS = 0.12
"""Leftover below which another face explains a shot as well as its own."""

_MISTAKEN = 0.7
"""A shot is of another face if that one leaves less than this part of its own."""


def teach(shots: Sequence[Shot], rules: DieRules | None = None) -> DieModel:
    """Return the die that some shots show."""
    rules = rules or usual_rules()
    shots = list(shots)
    tone = best_tone(shots)
    looks, alone = all_looks(shots, tone)
    die = die_of(looks, tone)
    found = [_own_place(die, shot) for shot in shots]
    mistaken = _mistaken(shots, found, alone)
    if mistaken:
        gone = {number for number, _ in mistaken}
        kept = [n for n in range(len(shots)) if n not in gone]
        less = teach([shots[n] for n in kept], rules)
        return DieModel(
            less.die, less.pips, less.safe, less.always_ask,
            tuple(kept[n] for n in less.bad),
            tuple((n, face) for n, face in mistaken)
            + tuple((kept[n], face) for n, face in less.mistaken),
        )  # fmt: skip
    safe, twins = _radii(shots, found, alone)
    pips = [_pips_of(look.shots, shots) for look in looks]
    return DieModel(die, tuple(pips), safe, twins, tuple(alone), ())


def _own_place(die: Die, shot: Shot) -> dict[Face, Candidate]:
    """Return how each face explains the place of a shot."""
    frame = first_frame(shot)
    found = compare(levels_of(shot.picture, die.tone), die, frame, shot.long_px)
    best: dict[Face, Candidate] = {}
    for one in sorted(found, key=lambda one: one.left):
        best.setdefault(one.face, one)
    return best


def _mistaken(
    shots: list[Shot], found: list[dict[Face, Candidate]], alone: list[int]
) -> list[tuple[int, Face]]:
    """Return shots that other faces explain far better than their own look does."""
    wrong = []
    for number, (shot, faces) in enumerate(zip(shots, found, strict=True)):
        others = [one for face, one in faces.items() if face != shot.face]
        if not others or number not in alone:
            continue
        near = min(others, key=lambda one: one.left)
        own = faces[shot.face].left if shot.face in faces else 9.0
        if near.left < _MISTAKEN * own and near.likeness > 0.9:
            wrong.append((number, near.face))
    return wrong


def _radii(
    shots: list[Shot], found: list[dict[Face, Candidate]], alone: list[int]
) -> tuple[dict[Face, float], tuple[tuple[Face, Face], ...]]:
    """Return the safe distance of each face, and pairs nearer than can be told."""
    safe: dict[Face, float] = {}
    twins: set[tuple[Face, Face]] = set()
    for number, (shot, faces) in enumerate(zip(shots, found, strict=True)):
        if number in alone:
            continue
        for face, one in faces.items():
            if face == shot.face:
                continue
            safe[shot.face] = min(safe.get(shot.face, 9.0), one.left)
            if one.left < _TWINS and one.likeness > 0.9:
                low, high = sorted((face, shot.face))
                twins.add((low, high))
    return safe, tuple(sorted(twins))


def _pips_of(numbers: tuple[int, ...], shots: list[Shot]) -> int:
    """Return the pips that ordinary reading finds on all shots of a look, else 0."""
    said = []
    for number in numbers[:_PIP_SHOTS]:
        shot = shots[number]
        left, top, right, bottom = shot.box
        middle = ((left + right) / 2, (top + bottom) / 2)
        near = [
            die
            for die in read_dice(shot.picture, pip_rules())
            if die.sure and _within(die, middle)
        ]
        said += [near[0].faces[0][0]] if near else []
    return said[0] if said and len(set(said)) == 1 else 0


def _within(die: DieSeen, point: tuple[float, float]) -> bool:
    x, y = _middle(die)
    return bool(np.hypot(x - point[0], y - point[1]) < 0.35 * die.width_px)


def _middle(die: DieSeen) -> tuple[float, float]:
    left, top, right, bottom = die.box
    return (left + right) / 2, (top + bottom) / 2


def read_enrolled(
    picture: Picture,
    model: DieModel,
    pips: Sequence[DieSeen] = (),
    rules: DieRules | None = None,
    long_px: float | None = None,
) -> tuple[DieRead, ...]:
    """Return the dice of one kind in a picture ``(H, W, 3)``, uint8, BGR.

    Args:
        picture: What to read.
        model: The die.
        pips: What ordinary reading of pips found in it; a second opinion.
        rules: Limits.
        long_px: Longer side of the photograph that *picture* was cut from; None where
            it is the whole of one.
    """
    rules = rules or usual_rules()
    long_px = long_px or float(max(picture.shape[:2]))
    levels = levels_of(picture, model.die.tone)
    candidates = candidates_of(levels, model, pips, long_px, rules)
    return judged(candidates, model, pips, rules)


def candidates_of(
    levels: Levels,
    model: DieModel,
    pips: Sequence[DieSeen],
    long_px: float,
    rules: DieRules,
) -> list[Candidate]:
    """Return what any place of a picture may show."""
    bank = model.die.bank
    hits = search(levels, bank, radii_of(bank, long_px), rules)
    places = lone_places(hits)
    if any(model.pips):
        places = _with_pips(places, pips)
    return compare(levels, model.die, places, long_px)


def _with_pips(places: Frames, pips: Sequence[DieSeen]) -> Frames:
    """Return places, and those where ordinary reading found dice."""
    if not pips:
        return places
    radii = np.array([0.45 * die.width_px for die in pips], np.float32)
    middles = np.array([_middle(die) for die in pips], np.float32)
    turns = np.eye(2, dtype=np.float32)[None] * radii[:, None, None]
    return Frames(
        np.concatenate([places.turns, turns]), np.concatenate([places.middles, middles])
    )


def judged(
    candidates: Sequence[Candidate],
    model: DieModel,
    pips: Sequence[DieSeen],
    rules: DieRules,
) -> tuple[DieRead, ...]:
    """Return what candidates come to."""
    places = places_of(candidates, rules)
    size = usual_size(places)
    twins = frozenset(frozenset(pair) for pair in model.always_ask)
    dice = [
        decide(place, _hint(place.best, model, pips), size, model.safe, twins, rules)
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
        if np.hypot(*(np.array(_middle(die)) - best.middle)) < 0.9 * best.radius
    ]
    if not near:
        return None
    die = max(near, key=lambda one: (one.sure, one.faces[0][1]))
    looks = zip(model.die.looks, model.pips, strict=True)
    faces = {look.face for look, said in looks if said == die.faces[0][0]}
    return PipHint(_middle(die), tuple(sorted(faces)), die.sure)
