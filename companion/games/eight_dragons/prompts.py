"""Who does what next, and what people forget.

Everything is the id of a line with its values; no prompt says which card lies anywhere.
"""

from collections.abc import Iterator

from companion.games.core import Prompt
from companion.games.eight_dragons import census, ends, gains, offers
from companion.games.eight_dragons.options import BOOK
from companion.games.eight_dragons.pieces import HAND_LIMIT
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    BACK,
    DRAW,
    FIRST,
    GIVE,
    GRAB,
    LOOK,
    OVER,
    PAIR,
    SECOND,
    SHAPE,
    State,
)
from companion.table import Params

DO = f"{BOOK}.do"


def expects(state: State) -> tuple[Prompt, ...]:
    """Return who does what next; first what must be done, then what is forgotten."""
    return (*_duties(state), *_reminders(state))


def _duties(state: State) -> Iterator[Prompt]:
    seat = state.seat
    extra = len(state.hands[seat]) - HAND_LIMIT
    who: Params = (("seat", seat),)
    if extra > 0 and state.phase in (FIRST, AFTER):
        yield Prompt(seat, f"{DO}.return", (*who, ("n", extra)))
    elif state.phase is FIRST:
        free = census.free_places(state)
        yield Prompt(seat, f"{DO}.{'turn' if free else 'nothing_to_turn'}", who)
    elif state.phase is SECOND:
        free = census.free_places(state)
        yield Prompt(seat, f"{DO}.{'turn_second' if free else 'turn_back'}", who)
    elif state.phase is AFTER:
        yield Prompt(seat, f"{DO}.{'again' if state.again else 'end'}", who)
    else:
        yield from _other_duties(state)


def _other_duties(state: State) -> Iterator[Prompt]:
    seat = state.seat
    who: Params = (("seat", seat),)
    phase = state.phase
    if phase is PAIR:
        kind = "rest_of_pair" if len(state.up) == 1 else f"pair_{state.match}"
        yield Prompt(seat, f"{DO}.{kind}", who)
    elif phase is BACK:
        yield Prompt(seat, f"{DO}.turn_back", (*who, ("n", len(state.up))))
    elif phase is DRAW:
        yield Prompt(seat, f"{DO}.draw", (*who, ("n", state.draws)))
    elif phase is GRAB:
        kind = "exchange" if state.setting.options.exchange else "grab"
        yield Prompt(seat, f"{DO}.{kind}", who)
    elif phase is GIVE:
        drawer = gains.drawer(state)
        params = (("seat", drawer), ("from_seat", seat), ("n", state.draws))
        yield Prompt(drawer, f"{DO}.give", params)
    elif phase is LOOK:
        yield Prompt(None, f"{DO}.look", (("n", census.count_free(state)),))
    elif phase is ASK:
        yield Prompt(None, f"{DO}.ask_{state.end}")


def _reminders(state: State) -> Iterator[Prompt]:
    seat = state.seat
    who: Params = (("seat", seat),)
    if state.phase in (FIRST, AFTER):
        yield from _before_and_after(state, who)
    if state.phase in (PAIR, AFTER) and ends.may_free(state):
        yield Prompt(seat, f"{DO}.may_free", who, reminder=True)
    if state.phase is PAIR and state.match is not SHAPE:
        yield Prompt(seat, f"{DO}.no_replay", who, reminder=True)
    if state.phase in (DRAW, GIVE):
        drawer = gains.drawer(state)
        yield Prompt(drawer, f"{DO}.tell_card", reminder=True, only_for=drawer)
    if state.phase is FIRST and state.answered:
        yield Prompt(None, f"{DO}.may_stop", reminder=True)
    if state.phase not in (ASK, LOOK, OVER):
        yield from _next_excess(state)


def _before_and_after(state: State, who: Params) -> Iterator[Prompt]:
    seat = state.seat
    known = all(held.value is not None for held in state.hands[seat])
    if known and tuple(offers.lays(state)):
        yield Prompt(seat, f"{DO}.may_lay", who, reminder=True, only_for=seat)
    if state.tokens[seat]:
        yield Prompt(seat, f"{DO}.may_block", who, reminder=True)


def _next_excess(state: State) -> Iterator[Prompt]:
    """Who drew after a trap gives the excess back first (ruling ED13)."""
    seat = state.next_seat
    extra = len(state.hands[seat]) - HAND_LIMIT
    if extra > 0:
        params = (("seat", seat), ("n", extra))
        yield Prompt(seat, f"{DO}.return_later", params, reminder=True)
