"""Every move that there is, made once, and those that a set of cards stands for."""

from functools import cache
from typing import TypeVar

from companion.games.dragonix.cards import DECK, Cards, in_order
from companion.games.dragonix.dealing import SEATS
from companion.games.dragonix.moves import (
    Begin,
    Fly,
    Insert,
    NoteCard,
    NoteToken,
    Play,
    PlayToken,
    Recolour,
    Reveal,
    Soar,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.pieces import (
    ARMIES,
    FULL,
    PEOPLES,
    ROWS,
    Dragon,
    Row,
    Token,
)
from companion.games.hidden import (
    Hidden,
)

M = TypeVar("M")

TURN_UPS = tuple(tuple(TurnUp(card, row) for card in DECK) for row in ARMIES)
REVEALS = tuple(
    tuple(Reveal(seat, card) for card in DECK) for seat in range(SEATS.stop)
)
BEGINS = tuple(Begin(seat) for seat in range(SEATS.stop))
PLAYS = tuple(tuple(Play(card, row) for card in DECK) for row in range(len(ROWS)))
SWAPS = tuple(tuple(Swap(card, row) for card in DECK) for row in ARMIES)
TAKE_BACKS = tuple(TakeBack(row) for row in ARMIES)
TOKEN_PLAYS = {token: PlayToken(token) for token in Token}
STRIKES = tuple(Strike(row) for row in ARMIES)
RECOLOURS = tuple(
    tuple(Recolour(row, people) for people in PEOPLES) for row in range(len(ROWS))
)
SUMMONS = tuple(Summon(row) for row in ARMIES)
INSERTS = tuple(
    tuple(tuple(Insert(card, row, slot) for slot in range(FULL)) for row in ARMIES)
    for card in DECK
)
SOARS = {dragon: Soar(dragon) for dragon in Dragon}
FLIES = {dragon: tuple(Fly(dragon, row) for row in ARMIES) for dragon in Dragon}
NOTES = tuple(
    tuple(NoteCard(seat, Hidden(card, (seat,))) for card in DECK)
    for seat in range(SEATS.stop)
)
TOKEN_NOTES = tuple(
    {token: NoteToken(seat, Hidden(token, (seat,))) for token in Token}
    for seat in range(SEATS.stop)
)


def moves_about(cards: Cards, moves: tuple[M, ...]) -> list[M]:
    """Return those of *moves*, one for each card of the deck, about *cards*."""
    return list(map(moves.__getitem__, in_order(cards)))


@cache
def flies(dragon: Dragon, rows: tuple[Row, ...]) -> tuple[Fly, ...]:
    """Return a dragon's flights to some armies."""
    return tuple(FLIES[dragon][row] for row in rows)
