"""Where things lie on the table, and how a move looks there.

Places: ``grid/3/5`` for row 3, column 5 of the rectangle, which people call ``e3``.
Hands and laid dragons lie where there is room and have no place.
"""

from collections.abc import Iterator

from companion.games.eight_dragons.pieces import ROWS, SQUARES, Card
from companion.games.eight_dragons.state import (
    FreeToken,
    Move,
    PlaceToken,
    Shift,
    State,
    Take,
    Turn,
    TurnBack,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import (
    Face,
    Flipped,
    Layout,
    Moved,
    Piece,
    Place,
    Placed,
    Removed,
    Shown,
    Sight,
)

CARD = "card"
TOKEN = "token"
BACK = "back"

PLACES: tuple[Place, ...] = tuple(
    f"grid/{index % ROWS + 1}/{index // ROWS + 1}" for index in range(len(SQUARES))
)
NOWHERE: frozenset[Sight] = frozenset()


def layout(state: State) -> Layout:
    """Return what lies in the rectangle: cards face up or down, and tokens."""
    return frozenset(_lying(state))


def _lying(state: State) -> Iterator[tuple[Piece, Face | None, Place]]:
    for place, spot in zip(PLACES, state.grid, strict=False):
        if isinstance(spot, Hidden) or spot is Card.TWIN:
            yield CARD, BACK, place
        elif spot is not None:
            yield CARD, spot.value, place
    for index, _ in state.blocked:
        yield TOKEN, None, PLACES[index]


def evidence(_state: State, move: Move) -> frozenset[Sight]:
    """Return how *move* looks; nothing for what only those at the table can tell.

    The twin card looks the same from both sides (ruling ED10). Two cards that change
    places look as if each had been turned back. A card from a hand shows only its back,
    so that no eye can tell which it was.
    """
    match move:
        case Turn():
            return _shown(move)
        case Take() if _is_place(move.place):
            return frozenset({Removed(CARD, PLACES[move.place])})
        case TurnBack() if _is_place(move.place):
            return frozenset({Flipped(CARD, BACK, PLACES[move.place])})
        case Shift() if _is_place(move.place) and _is_place(move.there):
            return frozenset({Moved(CARD, PLACES[move.place], PLACES[move.there])})
        case PlaceToken() if _is_place(move.place):
            return frozenset({Placed(TOKEN, None, PLACES[move.place])})
        case FreeToken() if _is_place(move.place):
            return frozenset({Removed(TOKEN, PLACES[move.place])})
        case _:
            return NOWHERE


def _shown(move: Turn) -> frozenset[Sight]:
    card = move.card.value
    if card is None or card is Card.TWIN or not _is_place(move.place):
        return NOWHERE
    return frozenset({Shown(CARD, card.value, PLACES[move.place])})


def _is_place(place: int) -> bool:
    return place in range(len(PLACES))
