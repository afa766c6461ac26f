"""A position and the moves that hands make; no rule is decided here.

Everything about a card that does not lie open is `Hidden`: ``seen_by`` is empty for a
card in the rectangle, so that no screen ever helps anybody's memory, and names the
owner for a card in a hand.
"""

from enum import StrEnum
from typing import TypeAlias, TypeVar

from msgspec import Struct

from companion.games.eight_dragons.options import Options
from companion.games.eight_dragons.pieces import CARDS, LONG, ORDER, SHORT, Card
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

T = TypeVar("T")

Spot: TypeAlias = Card | Hidden[Card] | None
"""A place of the rectangle: a card face up, a card face down, or empty."""

Hand: TypeAlias = tuple[Hidden[Card], ...]

Four: TypeAlias = tuple[Card, Card, Card, Card]
"""The cards of a dragon, in the order of `Card`."""

FACE_DOWN: Hidden[Card] = Hidden(None, ())
"""A card that has lain face down ever since the referee looked."""

LYING = {card: Hidden(card, ()) for card in CARDS}
"""A card face down that the referee knows."""

MOST_SEATS = 4
"""Source: rulebook l. 68."""

HELD = tuple(
    {card: Hidden(card, (seat,)) for card in CARDS} for seat in range(MOST_SEATS)
)
"""A card in the hand of each seat."""


class Phase(StrEnum):
    """What the table waits for."""

    FIRST = "first"
    SECOND = "second"
    PAIR = "pair"
    BACK = "back"
    DRAW = "draw"
    GRAB = "grab"
    GIVE = "give"
    AFTER = "after"
    LOOK = "look"
    ASK = "ask"
    OVER = "over"


FIRST, SECOND, PAIR, BACK, DRAW, GRAB, GIVE, AFTER, LOOK, ASK, OVER = Phase
"""The same by their short names; in Python 3.11 looking one up is what costs time."""


class Match(StrEnum):
    """How two turned cards are alike. Source: rulebook l. 72-74."""

    SHAPE = "shape"
    COLOUR = "colour"


SHAPE, SAME_COLOUR = Match


class End(StrEnum):
    """Why the game is over, or why the table is asked whether it is."""

    NO_PAIR = "no_pair"  # ED22
    DEAD_END = "dead_end"  # ED29
    PAIR_LEFT = "pair_left"  # ED23
    BARREN = "barren"  # ED30


class Stop(StrEnum):
    """Which special card ended a play, and as which of the two. Source: l. 98, 108."""

    FIRST = "first"
    SECOND = "second"
    TWIN_FIRST = "twin_first"
    TWIN_SECOND = "twin_second"


Left: TypeAlias = tuple[Seat, int, int]
"""A pair that was left: who turned it, and where its two cards lie now."""


class Setting(Struct, frozen=True, gc=False):
    """What stays the same from the first card to the last."""

    seats: int
    first: Seat
    options: Options

    @property
    def counts(self) -> tuple[int, ...]:
        """Return how many of each card are in the game, in the order of `CARDS`."""
        return SHORT if self.options.short else LONG


class State(Struct, frozen=True, gc=False):
    """A whole position.

    Attributes:
        setting: The seats and the options.
        phase: What the table waits for.
        seat: Whose turn it is.
        grid: What lies at each place, in the order of `pieces.SQUARES`.
        up: Where the cards lie that were turned and not yet dealt with.
        match: How the last two turned cards were alike, None if they were not.
        kept: How many cards of that pair were taken.
        freed: Whether that pair has freed a token.
        stop: Which gain, trap or twin card ended the last play, None if none did.
        again: Whether the seat may turn cards again in this turn.
        draws: How many cards may still be drawn.
        hands: The cards of each seat, in the order of `Card`.
        laid: The dragons of each seat.
        tokens: The tokens that each seat may still place.
        blocked: Where tokens lie and whose they are, by place.
        held: How many cards the seat held when the turn began.
        took: Whether a card was taken from the rectangle in this turn.
        moved_on: Whether a dragon was laid, a special card spent, or a token placed or
            freed in this turn.
        left: The pairs of each seat's last turn that lie there still, where the seat
            freed no token with them; the pair just turned is among them.
        quiet: Turns in a row that led nowhere, counted from one with a pair.
        answered: What the table was asked about and plays on from, None once something
            has changed since.
        looked: Whether people looked, and saw a pair among these very free cards.
        end: Why the game is over, or may be.
    """

    setting: Setting
    phase: Phase
    seat: Seat
    grid: tuple[Spot, ...]
    up: tuple[int, ...]
    match: Match | None
    kept: int
    freed: bool
    stop: Stop | None
    again: bool
    draws: int
    hands: tuple[Hand, ...]
    laid: tuple[tuple[Four, ...], ...]
    tokens: tuple[int, ...]
    blocked: tuple[tuple[int, Seat], ...]
    held: int
    took: bool
    moved_on: bool
    left: tuple[Left, ...]
    quiet: int
    answered: End | None
    looked: bool
    end: End | None

    @property
    def next_seat(self) -> Seat:
        """Return the seat that follows; seats are named in the order of play (ED27)."""
        return (self.seat + 1) % self.setting.seats


class Turn(Struct, frozen=True, gc=False, tag="turn"):
    """Turn over the card of a place, and see what it is."""

    place: int
    card: Hidden[Card]


class Miss(Struct, frozen=True, gc=False, tag="miss"):
    """Turn two cards over that are no pair, turn both back and hand the turn on.

    What people enter where no camera looks: which cards they were nobody has to name.
    """


class Take(Struct, frozen=True, gc=False, tag="take"):
    """Take a card of the pair into one's hand."""

    place: int


class TurnBack(Struct, frozen=True, gc=False, tag="back"):
    """Turn a card face down where it lies."""

    place: int


class Shift(Struct, frozen=True, gc=False, tag="shift"):
    """Put a card of the pair face down on an empty place."""

    place: int
    there: int


class Swap(Struct, frozen=True, gc=False, tag="swap"):
    """Put both cards of the pair face down, each on the other's place."""


class Return(Struct, frozen=True, gc=False, tag="return"):
    """Put a card of one's hand face down on an empty place."""

    card: Hidden[Card]
    place: int


class Draw(Struct, frozen=True, gc=False, tag="draw"):
    """Draw a card blindly from somebody's hand; those two see what it is."""

    source: Seat
    card: Hidden[Card]


class Grab(Struct, frozen=True, gc=False, tag="grab"):
    """Take somebody's whole hand."""

    source: Seat


class Decline(Struct, frozen=True, gc=False, tag="decline"):
    """Leave a gain unused."""


class PlaceToken(Struct, frozen=True, gc=False, tag="token"):
    """Block a card with one's token."""

    place: int


class FreeToken(Struct, frozen=True, gc=False, tag="free"):
    """Take the token off a card."""

    place: int


class Lay(Struct, frozen=True, gc=False, tag="lay"):
    """Lay a whole dragon on the table."""

    cards: Four


class EndTurn(Struct, frozen=True, gc=False, tag="end"):
    """Hand the turn on."""


class Report(Struct, frozen=True, gc=False, tag="report"):
    """Tell whether a pair lies among the free cards, after a look at them."""

    pair: bool


class Decide(Struct, frozen=True, gc=False, tag="decide"):
    """Answer whether the game is over."""

    over: bool


Move: TypeAlias = (
    Turn
    | Miss
    | Take
    | TurnBack
    | Shift
    | Swap
    | Return
    | Draw
    | Grab
    | Decline
    | PlaceToken
    | FreeToken
    | Lay
    | EndTurn
    | Report
    | Decide
)


def rank(held: Hidden[Card]) -> int:
    """Return where a card stands in a hand; hands are kept in the order of `Card`."""
    return -1 if held.value is None else ORDER[held.value]
