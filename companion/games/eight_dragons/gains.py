"""Gains and traps: what the special cards move from one hand to another.

Source: rulebook l. 98-106; rulings ED7-ED9, ED11-ED14, ED33.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.eight_dragons.ends import play_over
from companion.games.eight_dragons.events import (
    CardDrawn,
    Event,
    GainDeclined,
    HandGrabbed,
    HandsExchanged,
    NothingToDraw,
    NothingToGive,
    SpecialTurned,
)
from companion.games.eight_dragons.pieces import CARDS, DIAMONDS, FIREBALLS, Card
from companion.games.eight_dragons.recall import without_impossible
from companion.games.eight_dragons.state import (
    DRAW,
    GIVE,
    GRAB,
    HELD,
    MOST_SEATS,
    Hand,
    State,
    Stop,
    rank,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

SEATS = range(MOST_SEATS)
DRAWN = tuple(
    tuple(
        {card: Hidden(card, tuple(sorted((seat, source)))) for card in CARDS}
        for source in SEATS
    )
    for seat in SEATS
)
"""A card that one seat drew from another: those two know it."""


def spend(state: State, card: Card, events: list[Event]) -> State:
    """Let a gain or a trap do what it does; it stays face up for good.

    Source: rulebook l. 98-106; rulings ED7, ED9, ED11, ED12.
    """
    seat = state.seat
    events.append(SpecialTurned(seat, card))
    stop = Stop.SECOND if state.up else Stop.FIRST
    state = replace(state, moved_on=True, stop=stop)
    if card in FIREBALLS:
        cards = min(FIREBALLS[card], len(state.hands[seat]))
        if cards:
            return replace(state, phase=GIVE, draws=cards)
        events.append(NothingToGive(seat))
        return play_over(state, events)
    if not state.up and state.setting.options.gain_goes_on:
        state = replace(state, again=True)
    if not sources(state):
        events.append(NothingToDraw(seat))
        return play_over(state, events)
    if card is Card.GRAB:
        return replace(state, phase=GRAB)
    return replace(state, phase=DRAW, draws=DIAMONDS[card])


def sources(state: State) -> tuple[Seat, ...]:
    """Return the other seats that hold cards (ruling ED11)."""
    return tuple(
        seat for seat, hand in enumerate(state.hands) if hand and seat != state.seat
    )


def drawer(state: State) -> Seat:
    """Return who draws: whoever turned a gain, the next in turn after a trap.

    Source: rulebook l. 102, 106.
    """
    return state.next_seat if state.phase is GIVE else state.seat


def draw(state: State, source: Seat, card: Card | None, events: list[Event]) -> State:
    """Move a card that was drawn blindly from hand to hand.

    Source: rulebook l. 102, 106; rulings ED12, ED13, ED37.
    """
    seat = drawer(state)
    if card is None or source == seat or source not in range(state.setting.seats):
        raise NotNow("a card must be drawn from somebody else, and be named in private")
    rest = without_card(state.hands[source], card)
    events.append(CardDrawn(seat, source, DRAWN[seat][source][card]))
    hands = with_value(state.hands, source, rest)
    hands = with_value(hands, seat, with_cards(hands[seat], HELD[seat][card]))
    drawn = replace(state, hands=hands, draws=state.draws - 1)
    drawn = without_impossible(drawn, (card,))
    if drawn.draws and (state.phase is GIVE or sources(drawn)):
        return drawn
    return play_over(replace(drawn, draws=0) if drawn.draws else drawn, events)


def grab(state: State, source: Seat, events: list[Event]) -> State:
    """Take somebody's whole hand, or exchange hands where a table plays so.

    Source: rulebook l. 102; rulings ED14, ED17.
    """
    seat = state.seat
    if source not in sources(state):
        raise NotNow(f"seat {source} has no hand that could be taken")
    theirs, mine = state.hands[source], state.hands[seat]
    if state.setting.options.exchange:
        events.append(HandsExchanged(seat, source))
        given = _own(source, mine)
    else:
        events.append(HandGrabbed(seat, source, len(theirs)))
        given, theirs = (), (*mine, *theirs)
    hands = with_value(with_value(state.hands, source, given), seat, _own(seat, theirs))
    after = replace(state, hands=hands)
    known = [held.value for held in hands[seat] if held.value is not None]
    return play_over(without_impossible(after, known), events)


def _own(seat: Seat, cards: Hand) -> Hand:
    held = (HELD[seat][c.value] if c.value else Hidden(None, (seat,)) for c in cards)
    return tuple(sorted(held, key=rank))


def decline(state: State, events: list[Event]) -> State:
    """Leave a gain unused, or what is left of it (ruling ED33)."""
    events.append(GainDeclined(state.seat))
    return play_over(replace(state, draws=0), events)


def with_cards(hand: Hand, *more: Hidden[Card]) -> Hand:
    """Return *hand* with more cards in it."""
    return tuple(sorted((*hand, *more), key=rank))


def without_card(hand: Hand, card: Card) -> Hand:
    """Return *hand* without one such card, or without one that is not known.

    Where the whole hand was told and it is none of its cards, some of what was told was
    wrong, and nobody knows which: then nothing of it is known any more.

    Raises:
        NotNow: The hand is empty.
    """
    for index, held in enumerate(hand):
        if held.value is card:
            return (*hand[:index], *hand[index + 1 :])
    if not hand:
        raise NotNow(f"the hand holds no {card}")
    if hand[0].value is None:
        return hand[1:]
    return tuple(Hidden(None, held.seen_by) for held in hand[1:])
