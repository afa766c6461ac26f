"""Every move that there is, made once, and those that a set of cards stands for."""

from functools import lru_cache

from companion.games.core import Hidden
from companion.games.dragonix.dealing import SEATS
from companion.games.dragonix.hands import in_order
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
    HERO,
    PEOPLES,
    ROWS,
    Dragon,
    Row,
    Token,
)
from companion.table import Seat

DECK = range(HERO + 1)

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


def turn_ups(row: Row, bits: int) -> list[TurnUp]:
    """Return what may turn up on an army, of the troops in a set of bits."""
    mine = TURN_UPS[row]
    return [mine[card] for card in in_order(bits)]


def reveals(seat: Seat, bits: int) -> list[Reveal]:
    """Return what a seat may show first, of the cards in a set of bits."""
    mine = REVEALS[seat]
    return [mine[card] for card in in_order(bits)]


def notes(seat: Seat, bits: int) -> list[NoteCard]:
    """Return the notes that a seat may make of the cards in a set of bits."""
    mine = NOTES[seat]
    return [mine[card] for card in in_order(bits)]


@lru_cache(4096)
def plays(row: Row, bits: int) -> tuple[Play, ...]:
    """Return the ways to place one of the cards in a set of bits on a row."""
    mine = PLAYS[row]
    return tuple([mine[card] for card in in_order(bits)])
