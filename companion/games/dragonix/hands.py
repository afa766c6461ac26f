"""What a hand may hold, and how a card leaves it.

A card that its owner has not entered may be any that lies nowhere in sight.
Notes of other seats do not count here: what is offered must tell nothing of them.

Source: rulebook l. 26-30, 66, 136.
"""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragonix.cards import A_HERO, NOTHING, Cards, cards_of
from companion.games.dragonix.pieces import HERO, KINDS, Card, Token
from companion.games.dragonix.state import (
    Side,
    State,
    without_one,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat


class Hand(Struct, frozen=True, gc=False):
    """A hand as far as a state tells it.

    Attributes:
        known: The cards known to be there, rising.
        unknown: How many more there are.
        pool: What each of these may be.
        heroes: How many heroes may be among them.
        cards: Everything that may be there: the known, and the pool if more are.
    """

    known: tuple[Card, ...]
    unknown: int
    pool: Cards
    heroes: int
    cards: Cards

    @property
    def size(self) -> int:
        """Return how many cards the hand has."""
        return len(self.known) + self.unknown

    def without(self, card: Card) -> "Hand":
        """Return the hand once *card* has left it."""
        if card in self.known:
            return _hand(
                without_one(self.known, card), self.unknown, self.pool, self.heroes
            )
        heroes = self.heroes - (card == HERO)
        gone = card != HERO or not heroes
        pool = self.pool & ~(1 << card) if gone else self.pool
        return _hand(self.known, self.unknown - 1, pool, heroes)

    def with_known(self, card: Card) -> "Hand":
        """Return the hand as it is if *card* is one of its cards."""
        if card in self.known:
            return self
        rest = self.without(card)
        known = tuple(sorted((*rest.known, card)))
        return _hand(known, rest.unknown, rest.pool, rest.heroes)


def _hand(known: tuple[Card, ...], unknown: int, pool: Cards, heroes: int) -> Hand:
    cards = cards_of(known)
    return Hand(known, unknown, pool, heroes, cards | pool if unknown else cards)


def hand_of(state: State, seat: Seat) -> Hand:
    """Return what the hand of *seat* holds and may hold."""
    side = state.sides[seat]
    known = side.shown
    if noted := side.noted.value:
        known = tuple(sorted((*known, *noted))) if known else noted
    unknown = side.hand - len(known)
    if not unknown:
        return _hand(known, 0, NOTHING, 0)
    pool = pool_of(state, seat)
    heroes = _heroes(state, side, _free(side)) if pool & A_HERO else 0
    return _hand(known, unknown, pool, heroes)


def pool_of(state: State, seat: Seat) -> Cards:
    """Return what a card not told of in this hand may be.

    Who takes a card back shows to hold nothing that fitted (ruling DX9).
    """
    side = state.sides[seat]
    free = _free(side)
    pool = cards_of(side.mixed)
    if free > 0:
        pool |= state.unseen
    pool &= ~(cards_of(side.noted.value or ()) | A_HERO)
    if _heroes(state, side, free) > 0:
        pool |= A_HERO
    return pool & ~state.turn.barred if seat == state.seat else pool


def _heroes(state: State, side: Side, free: int) -> int:
    """Return how many heroes may be among the cards not told of in this hand.

    *free* is how many cards of hand and camp may be any that nobody has shown.
    """
    noted = (side.noted.value or ()).count(HERO)
    if not (noted or side.mixed):  # so it is for most of the game
        return min(state.heroes, free)
    mixed = side.mixed.count(HERO)
    new = state.heroes - max(noted - mixed, 0)
    return max(mixed - noted, 0) + min(new, free)


def _free(side: Side) -> int:
    """Return how many cards of hand and camp may be any that nobody has shown.

    The others face down are the mixed ones (see `Side`) and those noted.
    """
    face_down = side.hand - len(side.shown) + side.camp - len(side.under)
    noted = side.noted.value or ()
    for card in side.mixed:
        if card in noted:
            noted = without_one(noted, card)
    return face_down - len(side.mixed) - len(noted)


def use_card(state: State, seat: Seat, card: Card) -> State:
    """Take *card* out of a hand, now that all see it.

    Where it is none of those noted, the notes were wrong and are dropped; so are the
    notes of others that held it. Nobody is told, as that would tell a secret.

    Raises:
        NotNow: The card lies in sight somewhere else.
    """
    side = state.sides[seat]
    noted = side.noted.value or ()
    if card in side.shown:
        side = replace(side, hand=side.hand - 1, shown=without_one(side.shown, card))
        return replace(state, sides=with_value(state.sides, seat, side))
    if card in noted:
        noted = without_one(noted, card)
    elif side.hand == len(side.shown) + len(noted):
        noted = ()
    kept = Hidden(noted, (seat,))
    if card in side.mixed:
        mixed = without_one(side.mixed, card)
        side = replace(side, hand=side.hand - 1, noted=kept, mixed=mixed)
        return replace(state, sides=with_value(state.sides, seat, side))
    side = replace(side, hand=side.hand - 1, noted=kept)
    return show_card(state, with_value(state.sides, seat, side), card)


def show_card(state: State, sides: tuple[Side, ...], card: Card) -> State:
    """Note that all have seen *card*, which nobody had shown before.

    *sides* are what the seats hold once it has left a hand.

    Raises:
        NotNow: Everybody knows where the card is.
    """
    heroes, unseen = state.heroes, state.unseen
    if card == HERO and heroes:
        heroes -= 1
    elif card != HERO and unseen >> card & 1:
        unseen &= ~(1 << card)
    else:
        raise NotNow(f"card {card} is in sight elsewhere")
    sides = _without_false_notes(sides, card, heroes)
    return replace(state, sides=sides, heroes=heroes, unseen=unseen)


def _without_false_notes(
    sides: tuple[Side, ...], card: Card, heroes: int
) -> tuple[Side, ...]:
    """Drop every note of *card* that can no longer be true now that all have seen it.

    *heroes* is how many of them nobody has shown.
    """
    for seat, side in enumerate(sides):
        noted = side.noted.value
        if noted and card in noted and not _may_have(side, noted, card, heroes):
            kept = replace(side, noted=Hidden(without_one(noted, card), (seat,)))
            sides = with_value(sides, seat, kept)
    return sides


def _may_have(side: Side, noted: tuple[Card, ...], card: Card, heroes: int) -> bool:
    if card == HERO:
        return noted.count(HERO) <= heroes + side.mixed.count(HERO)
    return card in side.mixed


def tokens_of(state: State, seat: Seat) -> tuple[Token, ...]:
    """Return the kinds of token that a seat may still have."""
    side = state.sides[seat]
    noted = side.noted_tokens.value or ()
    told = side.tokens == len(side.open_tokens) + len(noted)
    return _kinds(side.open_tokens, noted, () if told else state.tokens)


@lru_cache(1024)
def _kinds(
    known: tuple[Token, ...], noted: tuple[Token, ...], tokens: tuple[Token, ...]
) -> tuple[Token, ...]:
    return tuple(dict.fromkeys((*known, *noted, *_token_pool(tokens, noted))))


def token_pool(state: State, side: Side) -> tuple[Token, ...]:
    """Return the kinds that a token not told of may be."""
    return _token_pool(state.tokens, side.noted_tokens.value or ())


@lru_cache(1024)
def _token_pool(
    tokens: tuple[Token, ...], noted: tuple[Token, ...]
) -> tuple[Token, ...]:
    return tuple(token for token in KINDS if tokens.count(token) > noted.count(token))


def use_token(state: State, token: Token) -> State:
    """Take a token of the active player out of the game, now that all see it.

    Raises:
        NotNow: The token cannot be one of this player's.
    """
    seat, side = state.seat, state.side
    noted = side.noted_tokens.value or ()
    pool = state.tokens
    open_tokens = side.open_tokens
    if token in open_tokens:
        open_tokens = without_one(open_tokens, token)
    elif token in pool and side.tokens > len(open_tokens):
        if token in noted:
            noted = without_one(noted, token)
        elif not side.closed_tokens:
            noted = ()
        pool = without_one(pool, token)
    else:
        raise NotNow(f"seat {seat} cannot have the token {token}")
    used = replace(
        side,
        tokens=side.tokens - 1,
        open_tokens=open_tokens,
        noted_tokens=Hidden(noted, (seat,)),
    )
    sides = tuple(
        used if other == seat else _without_false_tokens(one, pool, other)
        for other, one in enumerate(state.sides)
    )
    return replace(state, sides=sides, tokens=pool, spent=(*state.spent, token))


def _without_false_tokens(side: Side, pool: tuple[Token, ...], seat: Seat) -> Side:
    """Drop the notes of tokens that can no longer be true."""
    noted = side.noted_tokens.value or ()
    true = tuple(
        token
        for index, token in enumerate(noted)
        if noted[:index].count(token) < pool.count(token)
    )
    if len(true) == len(noted):
        return side
    return replace(side, noted_tokens=Hidden(true, (seat,)))
