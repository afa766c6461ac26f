"""The moves that the rules allow in each phase, made once and picked from.

Works on a whole state and on what one viewer sees of it alike: what is offered to a
viewer counts every card that may be where the viewer cannot look.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from companion.games.eight_dragons import census, ends, gains, lying
from companion.games.eight_dragons.pieces import (
    HAND_LIMIT,
    ORDER,
    PARTS,
    PLACES,
    Card,
)
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    BACK,
    DRAW,
    FIRST,
    GIVE,
    GRAB,
    HELD,
    LOOK,
    OVER,
    PAIR,
    SECOND,
    Decide,
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Hand,
    Lay,
    Miss,
    Move,
    Phase,
    Report,
    Return,
    Shift,
    State,
    Swap,
    Take,
    TurnBack,
)

TAKES = tuple(map(Take, PLACES))
BACKS = tuple(map(TurnBack, PLACES))
SHIFTS = tuple(tuple(Shift(here, there) for there in PLACES) for here in PLACES)
RETURNS = tuple(
    {card: tuple(Return(held[card], place) for place in PLACES) for card in PARTS}
    for held in HELD
)
DRAWS = tuple(
    tuple(
        {card: Draw(source, held[card]) for card in PARTS}
        for source, held in enumerate(drawn)
    )
    for drawn in gains.DRAWN
)
GRABS = tuple(map(Grab, gains.SEATS))
FREES = tuple(map(FreeToken, PLACES))
LAYS = tuple(map(Lay, census.FOURS))
LAY = {lay.cards: lay for lay in LAYS}
REPORTS = (Report(True), Report(False))
DECISIONS = (Decide(True), Decide(False))
STOPS = DECISIONS[:1]
"""What is offered to a table that was asked, plays on and sees nothing change."""
MISS = (Miss(),)
SWAP = (Swap(),)
DECLINE = (Decline(),)
END_TURN = (EndTurn(),)

Offers: TypeAlias = list[Move]


def legal(state: State) -> Offers:
    """Return every move that the rules allow here."""
    return OFFERS[state.phase](state)


def _first(state: State) -> Offers:
    """Before the first card: excess goes back, a dragon or a token may come.

    Source: rulebook l. 72, 82-88, 112; rulings ED4, ED13, ED32, ED34.
    """
    if len(state.hands[state.seat]) > HAND_LIMIT:
        return [*_tokens(state), *_returns(state)]
    offers = _plays(state)
    if offers:
        offers += _tokens(state)
    else:
        offers += END_TURN
    offers += lays(state)
    if state.answered:
        offers += STOPS
    return offers


def _second(state: State) -> Offers:
    """The second card; where there is none, the first goes back (ruling ED37)."""
    return lying.turns(state) or _back(state)


def _pair(state: State) -> Offers:
    """Take the cards of the pair or leave them, each on its own (ED3, ED35).

    Source: rulebook l. 72-78, 82, 114.
    """
    options = state.setting.options
    up = state.up
    both = len(up) > 1
    free_choice = options.split_pair or both
    offers: Offers = [*_frees(state)]
    if free_choice or state.kept:
        offers += [TAKES[place] for place in up]
    if free_choice or not state.kept:
        offers += [BACKS[place] for place in up]
        if both:
            offers += SWAP
        if not options.only_swap:
            empty = census.empty_places(state)
            offers += [SHIFTS[here][there] for here in up for there in empty]
    if len(state.hands[state.seat]) > HAND_LIMIT:
        offers += _returns(state)
    return offers


def _back(state: State) -> Offers:
    return [BACKS[place] for place in state.up]


def _draw(state: State) -> Offers:
    """Draw from whom one likes, or not. Source: rulebook l. 102; ruling ED33."""
    offers: Offers = [*DECLINE]
    for source in gains.sources(state):
        offers += _draws(state, source)
    return offers


def _grab(state: State) -> Offers:
    """Take whose hand one likes, or none. Source: rulebook l. 102; ruling ED33."""
    return [*DECLINE, *(GRABS[source] for source in gains.sources(state))]


def _give(state: State) -> Offers:
    """The next seat draws from the hand. Source: rulebook l. 106."""
    return _draws(state, state.seat)


def _after(state: State) -> Offers:
    """After the play: excess goes back before anything else but tokens.

    Source: rulebook l. 72, 82-88, 112-114; rulings ED2, ED4, ED28, ED32-ED34.
    """
    if len(state.hands[state.seat]) > HAND_LIMIT:
        return [*_frees(state), *_tokens(state), *_returns(state)]
    offers = _plays(state) if state.again else []
    offers += END_TURN
    offers += lays(state)
    offers += _frees(state)
    offers += _tokens(state)
    return offers


def _look(_state: State) -> Offers:
    return [*REPORTS]


def _ask(_state: State) -> Offers:
    return [*DECISIONS]


def _over(_state: State) -> Offers:
    return []


OFFERS: dict[Phase, Callable[[State], Offers]] = {
    FIRST: _first,
    SECOND: _second,
    PAIR: _pair,
    BACK: _back,
    DRAW: _draw,
    GRAB: _grab,
    GIVE: _give,
    AFTER: _after,
    LOOK: _look,
    ASK: _ask,
    OVER: _over,
}


def _plays(state: State) -> Offers:
    """Turn a card, or two that are no pair without saying which. Source: l. 72-74."""
    offers = lying.turns(state)
    if lying.may_turn_two(state):
        offers += MISS
    return offers


def _tokens(state: State) -> Offers:
    return lying.tokens(state) if state.tokens[state.seat] else []


def _frees(state: State) -> Offers:
    return [FREES[place] for place, _ in state.blocked] if ends.may_free(state) else []


def _returns(state: State) -> Offers:
    seat = state.seat
    empty = census.empty_places(state)
    rows = [RETURNS[seat][card] for card in may_hold(state, state.hands[seat])]
    return [row[place] for row in rows for place in empty]


def _draws(state: State, source: int) -> Offers:
    draws = DRAWS[gains.drawer(state)][source]
    return [draws[card] for card in may_hold(state, state.hands[source])]


def may_hold(state: State, hand: Hand) -> list[Card]:
    """Return the cards that *hand* holds, and where some are not known, may hold."""
    cards = dict.fromkeys(held.value for held in hand)
    if None not in cards:
        # Nothing is None here, which the checker cannot see.
        return list(cards)  # type: ignore[arg-type]
    counts = census.unaccounted(state)
    return [card for card in PARTS if card in cards or counts[ORDER[card]] > 0]


def lays(state: State) -> tuple[Move, ...]:
    """The hand as a dragon: with four cards at most there can be only one."""
    hand = state.hands[state.seat]
    if len(hand) != HAND_LIMIT:
        return ()
    known = tuple(held.value for held in hand)
    if None not in known:
        lay = LAY.get(known)  # type: ignore[arg-type]
        return () if lay is None else (lay,)
    counts = census.unaccounted(state)
    return tuple(lay for lay in LAYS if _may_be(hand, lay.cards, counts))


def _may_be(hand: Hand, cards: Iterable[Card], counts: list[int]) -> bool:
    known = [held.value for held in hand if held.value is not None]
    rest = [card for card in cards if card not in known]
    return len(rest) + len(known) == HAND_LIMIT and (
        all(counts[ORDER[card]] > 0 for card in rest)
    )
