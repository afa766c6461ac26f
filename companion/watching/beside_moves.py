"""What moves change beside a board, and how well that goes with what is seen there.

Pure.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations, product

import numpy as np

from companion.table import (
    BoxPx,
    Change,
    Changes,
    Layout,
    Piece,
    Place,
    Placed,
    UnsurePiece,
)
from vision.arrays import Floats
from vision.board.colours import NAMES
from vision.taught_dice.judging import DetectedTaughtDie

SURE = 0.9
"""A move is taken that is more certain than this."""

TOGETHER = 8.0
"""So many times farther from all else than from each other do things lie that a move
lays in one place: those that are laid aside on a traced table 17 times. It has to be
much: where a player's marker lies by one of those, and the other far away, the wrong
one would be believed. Else people are asked. First guess."""


def can_be_told(changes: Iterable[Change], rounds: Collection[Piece]) -> bool:
    """Tell whether what comes can be told: by its print, or the colour of its name.

    *rounds* are the pieces whose prints were shown. What only goes cannot.
    """
    came = [one.piece for one in changes if isinstance(one, Placed)]
    known = (piece in rounds or colour_word(piece) in NAMES for piece in came)
    return bool(came) and all(known)


def colour_word(piece: Piece) -> str:
    """Return the colour that a piece is called by: ``marker/blue``."""
    return piece.rpartition("/")[2]


def is_same(seen: Layout, record: Layout) -> bool:
    """Tell whether things lie in the same places, whichever side of them is up."""
    places = [{(piece, place) for piece, _, place in one} for one in (seen, record)]
    return places[0] == places[1]


def count_spots(changes: Changes) -> int:
    """Return at how many spots something changes: what goes leaves room for another."""
    came = Counter(one.place for one in changes if isinstance(one, Placed))
    went = Counter(one.place for one in changes if not isinstance(one, Placed))
    return (came | went).total()


def chance_of(read: DetectedTaughtDie, change: Placed) -> float:
    """Return how surely a spot that shows a print shows that of what came."""
    chance = dict(read.faces).get(change.face or "", 0.0)
    return chance if read.sure else min(chance, SURE / 2)


def is_torn_apart(
    changes: Changes, at: Mapping[str | None, int], spots: list[BoxPx]
) -> bool:
    """Tell whether things that a move lays in one place lie far from each other.

    With the last marker that is dealt the others are laid aside together.

    Args:
        changes: What the move changes.
        at: At which spot each colour is.
        spots: Where things came.
    """
    came: dict[Place, list[Floats]] = {}
    for change in changes:
        number = at.get(colour_word(change.piece))
        if isinstance(change, Placed) and number is not None:
            x1, y1, x2, y2 = spots[number]
            middle = np.array((x1 + x2, y1 + y2), np.float32) / 2
            came.setdefault(change.place, []).append(middle)
    for place, here in came.items():
        others = [one for spot, some in came.items() if spot != place for one in some]
        if len(here) < 2 or not others:
            continue
        wide = max(_apart_px(one, other) for one, other in combinations(here, 2))
        near = min(_apart_px(one, other) for one, other in product(here, others))
        if wide > TOGETHER * near:
            return True
    return False


def _apart_px(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one - other))


def which_came(fits: list[tuple[Changes, float]], spot: BoxPx) -> UnsurePiece:
    """Return the question which piece came, where the moves that fit differ most.

    The markers that are laid aside with the last one that is dealt lie in one pool.
    """
    came = [
        sorted((one for one in changes if isinstance(one, Placed)), key=repr)
        for changes, _ in fits
    ]
    places = [one.place for one in came[0]]
    place = max(places, key=lambda place: _told_apart(place, came))
    heres = [
        next((one for one in some if one.place == place), some[0]) for some in came
    ]
    choices = tuple(
        (here.piece, here.face, odds)
        for here, (_, odds) in zip(heres, fits, strict=True)
    )
    return UnsurePiece(place, choices, spot)


def _told_apart(place: Place, came: list[list[Placed]]) -> int:
    """Return by how many pieces that may come to a place moves are told apart.

    Where several come at once, none is: nobody asks for one of them.
    """
    here = [[one.piece for one in some if one.place == place] for some in came]
    return len({some[0] for some in here if len(some) == 1})
