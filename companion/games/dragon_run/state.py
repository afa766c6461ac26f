"""A position and the moves that hands make; no rule is decided here."""

from enum import StrEnum
from typing import TypeAlias, TypeVar

from msgspec import Struct

from companion.games.dragon_run.box import Box, Effect
from companion.games.dragon_run.options import Options
from companion.games.dragon_run.pieces import OUT, Health
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

T = TypeVar("T")

NOBODY = -1
"""Stands for a character that is not dealt yet, and for no seat in particular."""


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"  # a character for each seat
    ACT = "act"  # rush, sneak or cry
    PAY = "pay"  # treasures, for sneaking or crying
    ROLL = "roll"  # the stealth test
    FORCED = "forced"  # the rush after a failed test
    AGAIN = "again"  # the rush that a replay sign demands
    CHOICE = "choice"  # on or not, after a treasure room
    SNEAKED = "sneaked"  # on or not, after a passed test
    CRIED = "cried"  # the end of the turn, or more payment
    ANSWER = "answer"  # a potion waits to be annulled or let pass
    EFFECT = "effect"  # whom or what an effect takes
    REDIRECT = "redirect"  # whom the breath hits instead
    SHOW = "show"  # the hands, at the end
    OVER = "over"


DEAL, ACT, PAY, ROLL, FORCED, AGAIN, CHOICE, SNEAKED = tuple(Phase)[:8]
CRIED, ANSWER, EFFECT, REDIRECT, SHOW, OVER = tuple(Phase)[8:]
"""The same by their short names; in Python 3.11 looking one up is what costs time."""

TURNING = frozenset({ACT, FORCED, AGAIN, CHOICE, SNEAKED})
"""When the next place card may be turned."""

OPEN = TURNING | {ROLL}
"""When a turn goes on, so that its seat may play potions and note its cards."""

CORRECTING = OPEN | {PAY, EFFECT}
"""When the acting seat may say that its notes are wrong."""


class Setting(Struct, frozen=True, gc=False):
    """What stays the same from the first card to the last.

    Attributes:
        seats: How many play.
        first: The seat that begins.
        box: The copy.
        options: The choices of the table.
        copies: How many cards of each kind of treasure are in this game (RN1).
        whole_pile: How many of each kind of place card there are.
        no_crying: The kinds of place card that forbid crying.
        dragon: The number of the Dragon among the kinds of place card.
        annulment: The number of the Annulment among the kinds of treasure.
    """

    seats: int
    first: Seat
    box: Box
    options: Options
    copies: tuple[int, ...]
    whole_pile: tuple[int, ...]
    no_crying: tuple[int, ...]
    dragon: int
    annulment: int


class State(Struct, frozen=True, gc=False):
    """A whole position.

    Attributes:
        setting: The copy, the seats and the options.
        phase: What the table waits for.
        seat: Whose turn it is.
        anger: The dragon's anger; it sleeps at 0.
        heroes: The character of each seat, by its number in the box, or `NOBODY`.
        health: How each character is.
        tilted: Whether each character's power is used up.
        pile: How many of each kind of place card lie face down.
        turned: The place cards that lie open, the newest last.
        since: How many lay open when the turn began.
        stock: How many treasures lie face down.
        unseen: How many of each kind of treasure nobody has shown: in the pile, in a
            hand, or lost face down.
        loose: The kinds of which there is such a card, rising.
        hands: How many cards each seat holds.
        noted: The kinds, rising, that each seat has entered in private.
        fronts: The talismans before each seat.
        discard: The discarded treasures in order; None for a card that a burned
            adventurer lost unseen.
        shown: The treasures that each seat has laid open at the end, in order.
        need: Points to be paid, 1 for sneaking and 2 for crying; 0 for nothing.
        paid: Points paid so far.
        todo: What a card or a power still has to do.
        back: What the table waits for after that, None for the end of the turn.
        forgot: Whether the seat has taken its notes back in this turn.
        rolled: What the die shows since it was last thrown.
        let: The seats that let the potion pass which waits to be countered, rising.
        bonus: What potions and powers add to the die in this turn.
    """

    setting: Setting
    phase: Phase
    seat: Seat
    anger: int
    heroes: tuple[int, ...]
    health: tuple[Health, ...]
    tilted: tuple[bool, ...]
    pile: tuple[int, ...]
    turned: tuple[int, ...]
    since: int
    stock: int
    unseen: tuple[int, ...]
    loose: tuple[int, ...]
    hands: tuple[int, ...]
    noted: tuple[Hidden[tuple[int, ...]], ...]
    fronts: tuple[tuple[int, ...], ...]
    discard: tuple[int | None, ...]
    shown: tuple[tuple[int, ...], ...]
    need: int = 0
    paid: int = 0
    todo: tuple[Effect, ...] = ()
    back: Phase | None = None
    forgot: bool = False
    rolled: int | None = None
    let: tuple[Seat, ...] = ()
    bonus: int = 0


class Deal(Struct, frozen=True, gc=False, tag="deal"):
    """The next seat gets a character."""

    hero: int


class Turn(Struct, frozen=True, gc=False, tag="turn"):
    """The next place card is turned and shows what it is: rushing."""

    place: int


class Sneak(Struct, frozen=True, gc=False, tag="sneak"):
    """Say that one sneaks."""


class Cry(Struct, frozen=True, gc=False, tag="cry"):
    """Say that one cries."""


class Discard(Struct, frozen=True, gc=False, tag="discard"):
    """Lay a treasure of one's own hand open on the discard, to pay or for an effect."""

    treasure: int


class Roll(Struct, frozen=True, gc=False, tag="roll"):
    """The die comes to rest."""

    pips: int


class Pass(Struct, frozen=True, gc=False, tag="pass"):
    """Hand the turn on."""


class UsePower(Struct, frozen=True, gc=False, tag="power"):
    """Tilt one's own character and use its power."""


class Play(Struct, frozen=True, gc=False, tag="play"):
    """Play a potion or a talisman of one's own hand."""

    treasure: int


class Annul(Struct, frozen=True, gc=False, tag="annul"):
    """Counter the potion that was just played."""

    seat: Seat


class LetPass(Struct, frozen=True, gc=False, tag="let"):
    """Say that one does not counter the potion.

    Without a seat all of them say so, as games of before write it.
    """

    seat: Seat = NOBODY


class Point(Struct, frozen=True, gc=False, tag="point"):
    """Choose another adventurer for an effect."""

    seat: Seat


class NoteCard(Struct, frozen=True, gc=False, tag="note"):
    """Tell the table a card of one's own hand in private."""

    seat: Seat
    treasure: Hidden[int]


class ForgetNotes(Struct, frozen=True, gc=False, tag="forget"):
    """Take back all that one has noted, as some of it was wrong."""

    seat: Seat


class ShowCard(Struct, frozen=True, gc=False, tag="show"):
    """Lay a treasure open at the end."""

    seat: Seat
    treasure: int


Move: TypeAlias = (
    Deal
    | Turn
    | Sneak
    | Cry
    | Discard
    | Roll
    | Pass
    | UsePower
    | Play
    | Annul
    | LetPass
    | Point
    | NoteCard
    | ForgetNotes
    | ShowCard
)


def alive(state: State) -> tuple[Seat, ...]:
    """Return the seats whose adventurer is still in the dungeon."""
    return tuple(s for s, health in enumerate(state.health) if health is not OUT)


def places_left(state: State) -> int:
    """Return how many place cards lie face down: what a stealth test must beat."""
    return sum(state.pile)
