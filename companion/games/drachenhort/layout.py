"""Where things lie on the table, and how a move looks there.

Places: ``start``, ``hall``, ``tray``, ``cell/7`` for a jewel or the dragon,
``cell/7/light`` and ``cell/7/dark`` for an adventurer, ``score/blue`` for what belongs
to one on the score board. Jewels and medals out of play have no place.
"""

from collections.abc import Iterator

from companion.games.core import NotNow
from companion.games.drachenhort.pieces import Metal
from companion.games.drachenhort.rules import apply
from companion.games.drachenhort.state import (
    HALL,
    OFF,
    START,
    Move,
    State,
    Throw,
)
from companion.table import (
    TRAY,
    Face,
    Layout,
    Moved,
    Piece,
    Place,
    Placed,
    Removed,
    Shown,
    Sight,
)

DIE = "die"
DRAGON = "dragon"
JEWEL = "jewel"


def layout(state: State) -> Layout:
    """Return what lies on the table: the die, the figures, jewels and medals."""
    return frozenset(_lying(state))


def _lying(state: State) -> Iterator[tuple[Piece, Face | None, Place]]:
    yield DIE, str(state.pips) if state.pips else None, TRAY
    yield DRAGON, None, dragon_place(state.dragon)
    for index, hero in enumerate(state.setting.box.adventurers):
        yield hero.value, None, adventurer_place(state, index)
        for metal, medals in zip(Metal, state.medals, strict=True):
            if medals[index]:
                yield f"{metal}/{medals[index]}", None, f"score/{hero}"
    for cell in state.jewels:
        yield JEWEL, None, f"cell/{cell}"


def dragon_place(cell: int) -> Place:
    """Return the place of the dragon."""
    return {HALL: "hall", START: "start"}.get(cell, f"cell/{cell}")


def adventurer_place(state: State, index: int) -> Place:
    """Return the place of an adventurer of the box."""
    cell = state.cells[index]
    if cell == OFF:
        return f"score/{state.setting.box.adventurers[index]}"
    if cell == START:
        return "start"
    return f"cell/{cell}/{'light' if state.lit[index] else 'dark'}"


def evidence(state: State, move: Move) -> frozenset[Sight]:
    """Return every change on the table that *move* makes; none if it is only entered.

    An adventurer that a trap puts back where it stood leaves no trace either.
    """
    if isinstance(move, Throw):
        return frozenset({Shown(DIE, str(move.pips), TRAY)})
    try:
        after, _ = apply(state, move)
    except NotNow:
        return frozenset()
    return frozenset(_changes(layout(state), layout(after)))


def _changes(before: Layout, after: Layout) -> Iterator[Sight]:
    gone = {(piece, place) for piece, _, place in before - after if piece != DIE}
    come = {(piece, place) for piece, _, place in after - before if piece != DIE}
    was_at = {piece: place for piece, place in gone if piece != JEWEL}
    for piece, place in come:
        if piece in was_at:
            yield Moved(piece, was_at[piece], place)
        else:
            yield Placed(piece, None, place)
    for piece, place in gone:
        if piece not in {name for name, _ in come} or piece == JEWEL:
            yield Removed(piece, place)
