"""The moves that hands make; no rule is decided here."""

from typing import TypeAlias

from msgspec import Struct

from companion.games.dragonix.pieces import Card, Dragon, People, Row, Token
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat


class TurnUp(Struct, frozen=True, gc=False, tag="turn_up"):
    """The pile's first card turns up on an army."""

    card: Card
    row: Row


class Reveal(Struct, frozen=True, gc=False, tag="reveal"):
    """A first card of a camp is shown to all."""

    seat: Seat
    card: Card


class Begin(Struct, frozen=True, gc=False, tag="begin"):
    """One of those with the highest sum begins."""

    seat: Seat


class Play(Struct, frozen=True, gc=False, tag="play"):
    """Place a card from the hand at the end of a row."""

    card: Card
    row: Row


class Swap(Struct, frozen=True, gc=False, tag="swap"):
    """Put a card from the hand in the place of an army's hero."""

    card: Card
    row: Row


class TakeBack(Struct, frozen=True, gc=False, tag="take_back"):
    """Take the last card of an army away, as it is in the way."""

    row: Row


class PlayToken(Struct, frozen=True, gc=False, tag="token"):
    """Lay an event token open."""

    token: Token


class Strike(Struct, frozen=True, gc=False, tag="strike"):
    """Plague: the last card of an army goes into the box."""

    row: Row


class Recolour(Struct, frozen=True, gc=False, tag="recolour"):
    """Counter-order: a row asks for another people."""

    row: Row
    people: People


class Summon(Struct, frozen=True, gc=False, tag="summon"):
    """Put the undead dragon on an army."""

    row: Row


class Insert(Struct, frozen=True, gc=False, tag="insert"):
    """Volunteers: put a card from the hand between two, after the *slot*-th."""

    card: Card
    row: Row
    slot: int


class Soar(Struct, frozen=True, gc=False, tag="soar"):
    """High flight: a dragon loses its effect."""

    dragon: Dragon


class Enough(Struct, frozen=True, gc=False, tag="enough"):
    """Leave the second card of a plague or of the volunteers."""


class Fly(Struct, frozen=True, gc=False, tag="fly"):
    """Move a dragon to another army."""

    dragon: Dragon
    row: Row


class Recruit(Struct, frozen=True, gc=False, tag="recruit"):
    """Fill the hand from the camp and end the turn."""


class NoteCard(Struct, frozen=True, gc=False, tag="note"):
    """Tell the table a card of one's own hand in private."""

    seat: Seat
    card: Hidden[Card]


class NoteToken(Struct, frozen=True, gc=False, tag="note_token"):
    """Tell the table one of one's own tokens in private."""

    seat: Seat
    token: Hidden[Token]


Move: TypeAlias = (
    TurnUp
    | Reveal
    | Begin
    | Play
    | Swap
    | TakeBack
    | PlayToken
    | Strike
    | Recolour
    | Summon
    | Insert
    | Soar
    | Enough
    | Fly
    | Recruit
    | NoteCard
    | NoteToken
)
