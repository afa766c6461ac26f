"""What happened, in the past tense and in the order it happened.

No event tells which card lay or lies where: a list of what happened must not help
anybody's memory. Cards that stay face up, such as a diamond, are told.
"""

from typing import TypeAlias

from msgspec import Struct

from companion.games.eight_dragons.pieces import Card, Colour
from companion.games.eight_dragons.state import End, Match
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat


class CardTurned(Struct, frozen=True, gc=False, tag="card_turned"):
    """A seat turned a card over."""

    seat: Seat
    card: Hidden[Card]


class SpecialTurned(Struct, frozen=True, gc=False, tag="special_turned"):
    """The card was a gain or a trap and stays face up."""

    seat: Seat
    card: Card


class TwinTurned(Struct, frozen=True, gc=False, tag="twin_turned"):
    """The card was the one whose face is like its back."""

    seat: Seat


class PairTurned(Struct, frozen=True, gc=False, tag="pair_turned"):
    """The two cards were a pair."""

    seat: Seat
    match: Match


class NoPairTurned(Struct, frozen=True, gc=False, tag="no_pair_turned"):
    """The two cards were no pair."""

    seat: Seat


class CardTaken(Struct, frozen=True, gc=False, tag="card_taken"):
    """A seat took a card of the pair."""

    seat: Seat
    card: Hidden[Card]


class CardTurnedBack(Struct, frozen=True, gc=False, tag="card_turned_back"):
    """A card was turned face down where it lay."""

    seat: Seat


class CardShifted(Struct, frozen=True, gc=False, tag="card_shifted"):
    """A card of the pair was put face down elsewhere."""

    seat: Seat


class PairSwapped(Struct, frozen=True, gc=False, tag="pair_swapped"):
    """The two cards of the pair changed places, face down."""

    seat: Seat


class CardReturned(Struct, frozen=True, gc=False, tag="card_returned"):
    """A seat put a card of its hand back face down."""

    seat: Seat
    card: Hidden[Card]


class CardDrawn(Struct, frozen=True, gc=False, tag="card_drawn"):
    """A seat drew a card from another seat's hand."""

    seat: Seat
    from_seat: Seat
    card: Hidden[Card]


class HandGrabbed(Struct, frozen=True, gc=False, tag="hand_grabbed"):
    """A seat took another seat's whole hand."""

    seat: Seat
    from_seat: Seat
    n: int


class HandsExchanged(Struct, frozen=True, gc=False, tag="hands_exchanged"):
    """Two seats exchanged their hands."""

    seat: Seat
    from_seat: Seat


class NothingToDraw(Struct, frozen=True, gc=False, tag="nothing_to_draw"):
    """Nobody else had a card, so a gain had no effect."""

    seat: Seat


class NothingToGive(Struct, frozen=True, gc=False, tag="nothing_to_give"):
    """A seat had no card that a trap could cost it."""

    seat: Seat


class GainDeclined(Struct, frozen=True, gc=False, tag="gain_declined"):
    """A seat left a gain unused."""

    seat: Seat


class TokenPlaced(Struct, frozen=True, gc=False, tag="token_placed"):
    """A seat blocked the card of a place."""

    seat: Seat
    square: str


class TokenFreed(Struct, frozen=True, gc=False, tag="token_freed"):
    """A seat took the token off a card."""

    seat: Seat
    square: str


class TokenReturned(Struct, frozen=True, gc=False, tag="token_returned"):
    """A freed token came to a seat, to be used again."""

    seat: Seat


class DragonLaid(Struct, frozen=True, gc=False, tag="dragon_laid"):
    """A seat laid a whole dragon."""

    seat: Seat
    colour: Colour
    silver: bool
    n: int


class TurnBegan(Struct, frozen=True, gc=False, tag="turn_began"):
    """It was the next seat's turn."""

    seat: Seat


class LookAsked(Struct, frozen=True, gc=False, tag="look_asked"):
    """Few cards were free and the table could not know whether they hold a pair."""

    n: int


class Looked(Struct, frozen=True, gc=False, tag="looked"):
    """People looked at the free cards."""

    pair: bool


class EndOffered(Struct, frozen=True, gc=False, tag="end_offered"):
    """The table was asked whether the game is over."""

    reason: End


class PlayedOn(Struct, frozen=True, gc=False, tag="played_on"):
    """The table chose to play on."""


class GameEnded(Struct, frozen=True, gc=False, tag="game_ended"):
    """The game was over."""

    reason: End


class GameWon(Struct, frozen=True, gc=False, tag="game_won"):
    """A seat had won, perhaps with others."""

    seat: Seat
    n: int


Event: TypeAlias = (
    CardTurned
    | SpecialTurned
    | TwinTurned
    | PairTurned
    | NoPairTurned
    | CardTaken
    | CardTurnedBack
    | CardShifted
    | PairSwapped
    | CardReturned
    | CardDrawn
    | HandGrabbed
    | HandsExchanged
    | NothingToDraw
    | NothingToGive
    | GainDeclined
    | TokenPlaced
    | TokenFreed
    | TokenReturned
    | DragonLaid
    | TurnBegan
    | LookAsked
    | Looked
    | EndOffered
    | PlayedOn
    | GameEnded
    | GameWon
)
