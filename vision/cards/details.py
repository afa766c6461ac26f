"""Learn from shots how cards look in detail, and which of them it tells apart."""

from collections.abc import Iterable

import numpy as np

from companion.table import Face
from vision.arrays import Floats
from vision.cards.fine import (
    LEAST_POWER,
    lay_on,
    lean,
    leftover,
    make_contest,
    prepare_fine,
    wide_light,
    worst_spot,
)

_LEAST_SHOTS = 12
"""Left-out shots from which their worst spots say what is usual in this deck."""

_MOST_LEAN = 0.35
"""How far a left-out shot may lean to another card; 0.5 is a draw."""

_LEAST = 1.6
"""Shots of which none was pushed or turned agree too well. Decks of the photographed
sets have 2.4, of traced tables 1.6 to 2.9, of pictures that were only lit anew 0.3."""

_ROOM = 1.3
"""Times the worst spot of 19 in 20 left-out shots that is still the same card."""


def blend_shots(shots: list[Floats]) -> list[Floats]:
    """Return fine tones ``(h, w)`` of shots laid on the first, in one light."""
    base = prepare_fine(shots[0])
    laid = [shots[0], *(lay_on(shot, base) for shot in shots[1:])]
    lights = [wide_light(shot) for shot in laid]
    mean = np.mean([light for light, _ in lights], 0)
    contrast = np.mean([contrast for _, contrast in lights], 0)
    return [
        np.asarray((shot - light) / own * contrast + mean, np.float32)
        for shot, (light, own) in zip(laid, lights, strict=True)
    ]


def learn_spot_limit(cards: Iterable[list[Floats]]) -> float:
    """Return how strange the worst spot of a card may be, 0 with too few shots.

    Leave-one-out: each shot against the mean of the others of its card.
    """
    worst = []
    for shots in cards:
        for index, shot in enumerate(shots if len(shots) > 2 else []):
            rest = [other for i, other in enumerate(shots) if i != index]
            known = prepare_fine(np.mean(rest, 0).astype(np.float32))
            worst.append(worst_spot(leftover(shot, known), known.variance))
    if len(worst) < _LEAST_SHOTS:
        return 0.0
    return max(_LEAST, _ROOM * float(np.quantile(worst, 0.95)))


def told_in_detail(one: Face, other: Face, shots: dict[Face, list[Floats]]) -> bool:
    """Tell whether two cards differ in detail, in every shot that shows them.

    A shot that is compared is left out of its card's mean, where others remain.
    """
    return all(
        _is_distinct(shots[face], np.mean(shots[rival], 0).astype(np.float32))
        for face, rival in ((one, other), (other, one))
    )


def _is_distinct(shots: list[Floats], rival: Floats) -> bool:
    """Tell whether each shot, left out, looks like the others rather than a rival."""
    for index, shot in enumerate(shots):
        rest = [seen for n, seen in enumerate(shots) if n != index] or [shot]
        known = prepare_fine(np.mean(rest, 0).astype(np.float32))
        contest = make_contest(known, rival)
        if contest.power < LEAST_POWER:
            return False
        if lean(leftover(lay_on(shot, known), known), contest) > _MOST_LEAN:
            return False
    return True
