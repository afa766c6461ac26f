"""How likely the set-up shows which card; after it, hands decide everything.

Source: rulebook l. 24-30; ruling DX2.
"""

from fractions import Fraction
from math import comb, prod

from companion.games.dragonix import dealing
from companion.games.dragonix.cards import in_order
from companion.games.dragonix.dealing import DEALT
from companion.games.dragonix.moves import (
    Begin,
    Move,
    Reveal,
    TurnUp,
)
from companion.games.dragonix.pieces import HERO, HEROES
from companion.games.dragonix.state import (
    BEGIN,
    DEAL,
    REVEAL,
    Side,
    State,
)


def hero_odds(state: State) -> Fraction:
    """Return how likely the next first card is a hero.

    Every camp has its share of heroes; with three players, the fourth one was shuffled
    into the cards, so it may be with any of them.

    Source: rulebook l. 24-26.
    """
    seats = state.setting.seats
    share, spare = divmod(HEROES, seats)
    camp = DEALT // seats
    seat = dealing.next_to_reveal(state)
    if not spare:
        return _left(state.sides[seat], share, camp)
    # Weigh where the fourth hero may be by how well that explains what was shown.
    weights = [
        prod(
            (
                _likelihood(side, share + (other == owner), camp)
                for other, side in enumerate(state.sides)
            ),
            start=Fraction(1),
        )
        for owner in range(seats)
    ]
    odds = (
        weight * _left(state.sides[seat], share + (owner == seat), camp)
        for owner, weight in enumerate(weights)
    )
    return sum(odds, Fraction(0)) / sum(weights, Fraction(0))


def _left(side: Side, heroes: int, camp: int) -> Fraction:
    """Return the part of heroes in what is left of a camp that had some."""
    return Fraction(heroes - side.shown.count(HERO), camp - side.hand)


def _likelihood(side: Side, heroes: int, camp: int) -> Fraction:
    """Return how likely a camp with some heroes begins with what a seat has shown."""
    shown = side.shown.count(HERO)
    if shown > heroes:
        return Fraction(0)
    return Fraction(comb(camp - side.hand, heroes - shown), comb(camp, heroes))


def chance(state: State) -> tuple[tuple[Move, Fraction], ...]:
    """Return how likely each card is that the set-up may show, and who draws a tie.

    Source: rulebook l. 24-30; ruling DX2.
    """
    troops = in_order(state.unseen)
    if state.phase is DEAL:
        row = dealing.next_army(state)
        return tuple((TurnUp(card, row), Fraction(1, len(troops))) for card in troops)
    if state.phase is REVEAL:
        seat = dealing.next_to_reveal(state)
        hero = hero_odds(state)
        each = (1 - hero) / len(troops)
        odds = tuple((Reveal(seat, card), each) for card in troops)
        return (*odds, (Reveal(seat, HERO), hero)) if hero else odds
    if state.phase is BEGIN and state.setting.options.tie_by_lot:
        tied = dealing.leaders(state)
        return tuple((Begin(seat), Fraction(1, len(tied))) for seat in tied)
    return ()
