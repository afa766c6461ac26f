"""Where things lie on the table, and how a move looks there.

Places: ``army/1`` to ``army/4`` and ``tower`` for rows and dragons, ``show/0`` for the
first cards of a seat, ``camp/0`` and ``tokens/0`` for what lies face down before it,
``event/0`` for its token that lies open, ``deserters`` for the uppermost of the pile
beside the board of a solo game.
"""

from collections.abc import Iterator

from companion.games.dragonix.moves import (
    Fly,
    Insert,
    Move,
    Play,
    PlayToken,
    Reveal,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.pieces import (
    CARDS,
    HERO,
    RED,
    TOWER,
    UNDEAD,
    Card,
    Row,
    Token,
)
from companion.games.dragonix.state import (
    BEGIN,
    NOWHERE,
    REVEAL,
    State,
)
from companion.table import (
    Face,
    Layout,
    Moved,
    Piece,
    Place,
    Placed,
    Removed,
    Seat,
    Shown,
    Sight,
)

CARD = "card"
TOKEN = "token"
CAMP = "camp"
BACK = "back"


def row_place(row: Row) -> Place:
    """Return the place of a row."""
    return "tower" if row == TOWER else f"army/{row + 1}"


def layout(state: State) -> Layout:
    """Return what lies on the table; the cards of a hand do not."""
    return frozenset((*_on_the_board(state), *_before_the_seats(state)))


def _on_the_board(state: State) -> Iterator[tuple[Piece, Face | None, Place]]:
    for row, stack in enumerate(state.rows):
        for card in stack.cards:
            yield CARD, CARDS[card], row_place(row)
    yield RED.value, None, row_place(state.red)
    if state.undead != NOWHERE:
        yield UNDEAD.value, None, row_place(state.undead)
    if state.deserters:
        # A pile grows without end, and only its upper card is in sight; which cards
        # lie below is known from the moves that put them there.
        yield CARD, CARDS[state.deserters[-1]], "deserters"


def _before_the_seats(state: State) -> Iterator[tuple[Piece, Face | None, Place]]:
    for seat, side in enumerate(state.sides):
        if side.camp:
            yield CAMP, BACK, f"camp/{seat}"
        if side.tokens:
            yield TOKEN, BACK, f"tokens/{seat}"
        if state.phase in (REVEAL, BEGIN):
            for card in side.shown:
                yield CARD, CARDS[card], f"show/{seat}"
    for holder, token in (
        (state.seat, state.turn.pending),
        (state.undead_by, Token.UNDEAD),
        (state.prison_by, Token.PRISON),
    ):
        if holder is not None and token is not None:
            yield TOKEN, token.value, f"event/{holder}"


def evidence(state: State, move: Move) -> frozenset[Sight]:
    """Return how *move* looks on the table; nothing if it can only be entered.

    A sixth card is seen before its row goes into the box. A hero put between two cards
    is not seen for sure: where it lies decides what it counts.
    """
    match move:
        case TurnUp() | Play():
            return frozenset({_shown(move.card, row_place(move.row))})
        case Reveal():
            return frozenset({_shown(move.card, f"show/{move.seat}")})
        case Insert() if move.card != HERO:
            return frozenset({_shown(move.card, row_place(move.row))})
        case Swap():
            place = row_place(move.row)
            hero = Removed(CARD, place, CARDS[HERO])
            return frozenset({_shown(move.card, place), hero})
        case TakeBack() | Strike():
            return frozenset({_last_gone(state, move.row)})
        case PlayToken():
            return frozenset({_laid(state.seat, move.token)})
        case Fly() | Summon():
            return frozenset({_flight(state, move)})
        case _:
            return frozenset()


def _shown(card: Card, place: Place) -> Sight:
    return Shown(CARD, CARDS[card], place)


def _last_gone(state: State, row: Row) -> Sight:
    cards = state.rows[row].cards if 0 <= row < len(state.rows) else ()
    return Removed(CARD, row_place(row), CARDS[cards[-1]] if cards else None)


def _laid(seat: Seat, token: Token) -> Sight:
    return Shown(TOKEN, token.value, f"event/{seat}")


def _flight(state: State, move: Fly | Summon) -> Sight:
    there = row_place(move.row)
    if isinstance(move, Summon):
        return Placed(UNDEAD.value, None, there)
    here = state.red if move.dragon == RED else state.undead
    return Moved(move.dragon.value, row_place(here), there)
