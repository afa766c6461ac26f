"""A position: what lies on the table and what is known of the hands.

No rule is decided here; the moves that hands make are in `moves`.
"""

from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

from companion.games.dragonix.box import Box
from companion.games.dragonix.options import Options
from companion.games.dragonix.pieces import NO_COLOUR, Card, Row, Token
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

NOWHERE: Row = -1
"""No row: the undead dragon is not in play, or no army is bound to the turn yet."""

T = TypeVar("T")


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"
    REVEAL = "reveal"
    BEGIN = "begin"
    PLAY = "play"
    EFFECT = "effect"
    MORE = "more"
    FLY = "fly"
    RECRUIT = "recruit"
    OVER = "over"


DEAL, REVEAL, BEGIN, PLAY, EFFECT, MORE, FLY, RECRUIT, OVER = Phase
"""The same by their short names; in Python 3.11 looking one up is what costs time."""


class Setting(Struct, frozen=True, gc=False):
    """What stays the same from the first card to the last."""

    seats: int
    box: Box
    options: Options

    @property
    def solo(self) -> bool:
        """Tell whether one plays alone."""
        return self.seats == 1

    @property
    def both_fly(self) -> bool:
        """Tell whether the undead dragon is in the solo game from the start."""
        return self.seats == 1 and self.options.variant


class Stack(Struct, frozen=True, gc=False):
    """The cards of a row, first laid first.

    Attributes:
        cards: The cards from the first to the end where one goes on.
        values: What each of them counts; a hero keeps the value it was laid for.
        colour: The people that the row asks for, `NO_COLOUR` where it asks for none.
        ordered: Whether a counter-order chose that people.
    """

    cards: tuple[Card, ...] = ()
    values: tuple[int, ...] = ()
    colour: int = NO_COLOUR
    ordered: bool = False


EMPTY = Stack()


class Side(Struct, frozen=True, gc=False):
    """What a seat holds, as far as anybody knows it.

    Attributes:
        hand: How many cards the hand has.
        shown: Those of them that everybody knows, rising.
        noted: Others of them that the seat has entered in private, rising.
        camp: How many cards the camp has.
        under: The lowest cards of the camp, which all saw put there, upper first.
        mixed: Cards that all know to be in the hand or the camp since the camp was
            shuffled, rising; none of `shown` or `under` is among them.
        tokens: How many event tokens are left.
        open_tokens: Those of them that everybody knows.
        noted_tokens: Others of them that the seat has entered in private.
    """

    hand: int
    shown: tuple[Card, ...]
    noted: Hidden[tuple[Card, ...]]
    camp: int
    under: tuple[Card, ...]
    mixed: tuple[Card, ...]
    tokens: int
    open_tokens: tuple[Token, ...]
    noted_tokens: Hidden[tuple[Token, ...]]

    @property
    def closed(self) -> int:
        """Return how many cards of the hand nobody has entered."""
        return self.hand - len(self.shown) - len(self.noted.value or ())

    @property
    def closed_tokens(self) -> int:
        """Return how many tokens nobody has entered."""
        known = len(self.open_tokens) + len(self.noted_tokens.value or ())
        return self.tokens - known


class Turn(Struct, frozen=True, gc=False):
    """What the active player has done so far.

    Attributes:
        bound: The row that all cards of this turn go to, `NOWHERE` before the first.
        placed: Whether step A has been done.
        swapped: Whether a hero was exchanged.
        ghost: The row as it lay before the last card was taken back, with the troops
            that were placed since, until a set of cards is placed that would not have
            fitted there in any order; else None.
        spare: Whether a hero was placed since that may yet find room there.
        barred: The cards that would have fitted somewhere when a first one was taken
            back, as a set of bits; so none of them was in the hand.
        pending: The token whose effect is being carried out.
        aim: The row that this effect has begun with.
        flown: Whether the red dragon has flown.
    """

    bound: Row = NOWHERE
    placed: bool = False
    swapped: bool = False
    ghost: Stack | None = None
    spare: bool = False
    barred: int = 0
    pending: Token | None = None
    aim: Row = NOWHERE
    flown: bool = False


NEW_TURN = Turn()


class State(Struct, frozen=True, gc=False):
    """A whole position.

    Attributes:
        setting: The copy, the seats and the options.
        phase: What the table waits for.
        seat: Whose turn it is.
        turn: What has been done in it.
        rows: The armies I to IV and the defence tower.
        red: The army that the red dragon is on.
        undead: The army that the undead dragon is on, `NOWHERE` when out of play.
        undead_by: Who brought it in and ends it, None for nobody.
        prison_by: Who closed the tower and opens it again, None while it is open.
        red_off: The red dragon has no effect.
        undead_off: The undead dragon has no effect.
        sides: What each seat holds.
        unseen: The troops that nobody has shown, as a set of bits by card number.
        heroes: How many heroes nobody has shown.
        tokens: The tokens that may be among those that nobody has shown.
        boxed: The cards put into the box, in that order.
        deserters: The cards beside the board of a solo game, in that order.
        spent: The tokens used, in that order.
    """

    setting: Setting
    phase: Phase
    seat: Seat
    turn: Turn
    rows: tuple[Stack, ...]
    red: Row
    undead: Row
    undead_by: Seat | None
    prison_by: Seat | None
    red_off: bool
    undead_off: bool
    sides: tuple[Side, ...]
    unseen: int
    heroes: int
    tokens: tuple[Token, ...]
    boxed: tuple[Card, ...]
    deserters: tuple[Card, ...]
    spent: tuple[Token, ...]

    @property
    def side(self) -> Side:
        """Return what the active player holds."""
        return self.sides[self.seat]


def without_one(values: tuple[T, ...], value: T) -> tuple[T, ...]:
    """Return *values* without one of those that equal *value*."""
    index = values.index(value)
    return values[:index] + values[index + 1 :]
