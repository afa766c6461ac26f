"""Who is asked to do what next, and what people forget.

A prompt never depends on what only one player knows, except those for that player.
"""

from collections.abc import Iterator

from companion.games.core import Prompt
from companion.games.dragonix import dealing, offers, reach, turns
from companion.games.dragonix.pieces import (
    ARMIES,
    FULL,
    HAND,
    HERO,
    RED,
    TOWER,
    UNDEAD,
    Token,
)
from companion.games.dragonix.reasons import a_dragon, a_row
from companion.games.dragonix.state import (
    DEAL,
    EFFECT,
    FLY,
    MORE,
    NOWHERE,
    OVER,
    PLAY,
    RECRUIT,
    REVEAL,
    State,
)
from companion.table import Params

DO = "dragonix.do"


def expects(state: State) -> tuple[Prompt, ...]:
    """Return who does what next; first what must be done, then what is forgotten."""
    return (*_duties(state), *_reminders(state), *_notes(state))


def _duties(state: State) -> Iterator[Prompt]:
    seat = state.seat
    who: Params = (("seat", seat),)
    if state.phase is PLAY:
        yield from _step_a(state)
    elif state.phase in (EFFECT, MORE):
        yield _effect(state)
    elif state.phase is FLY:
        row = turns.flights(state, UNDEAD)[0]
        yield Prompt(seat, f"{DO}.fly_next", (*who, a_dragon(UNDEAD), a_row(row)))
    elif state.phase is RECRUIT:
        n = min(max(HAND - state.side.hand, 0), state.side.camp)
        yield Prompt(seat, f"{DO}.{'recruit' if n else 'end_turn'}", (*who, ("n", n)))
    elif state.phase is not OVER:
        yield _set_up(state)


def _set_up(state: State) -> Prompt:
    if state.phase is DEAL:
        return Prompt(None, f"{DO}.turn_up", (a_row(dealing.next_army(state)),))
    if state.phase is REVEAL:
        seat = dealing.next_to_reveal(state)
        number = state.sides[seat].hand + 1
        return Prompt(seat, f"{DO}.reveal", (("seat", seat), ("number", number)))
    way = "lot" if state.setting.options.tie_by_lot else "youngest"
    tied = len(dealing.leaders(state))
    return Prompt(None, f"{DO}.begin_{way}", (("n", tied),))


def _step_a(state: State) -> Iterator[Prompt]:
    """Ask for cards, then for the flight. Source: rulebook l. 44-66, 84."""
    seat, turn = state.seat, state.turn
    who: Params = (("seat", seat),)
    if turn.bound == NOWHERE:
        yield Prompt(seat, f"{DO}.place", who)
    elif state.side.hand and turn.bound != TOWER:
        yield Prompt(seat, f"{DO}.{_where(state)}", (*who, a_row(turn.bound)))
    if offers.may_fly(state):
        if state.setting.solo:
            row = turns.flights(state, RED)[0]
            yield Prompt(seat, f"{DO}.fly_next", (*who, a_dragon(RED), a_row(row)))
        else:
            yield Prompt(seat, f"{DO}.fly", who)


def _where(state: State) -> str:
    if state.turn.ghost is not None:
        return "place_another" if state.turn.placed else "place_or_take_back"
    return "place_more" if state.turn.placed else "place_there"


def _effect(state: State) -> Prompt:
    who: Params = (("seat", state.seat),)
    pending = state.turn.pending or Token.PLAGUE
    if state.phase is MORE:
        row = a_row(state.turn.aim)
        return Prompt(state.seat, f"{DO}.more_{pending}", (*who, row))
    return Prompt(state.seat, f"{DO}.effect_{pending}", who)


def _reminders(state: State) -> Iterator[Prompt]:
    """Yield what people forget while cards are placed."""
    if state.phase is PLAY and not state.turn.placed:
        if state.turn.bound == NOWHERE:
            yield Prompt(state.seat, f"{DO}.take_back_only_if", reminder=True)
        for row in ARMIES:
            if reach.under_dragon(state, row):
                yield _about_row("closed_army", row)
        yield from _about_stacks(state)
    for line, seat in (("undead_until", state.undead_by), ("tower", state.prison_by)):
        if seat is not None:
            yield Prompt(None, f"{DO}.{line}", (("seat", seat),), reminder=True)


def _about_stacks(state: State) -> Iterator[Prompt]:
    for row, stack in enumerate(state.rows):
        if stack.cards and stack.cards[-1] == HERO:
            yield _about_row("hero_counts", row, (("value", stack.values[-1]),))
        if len(stack.cards) == FULL - 1:
            yield _about_row("sixth_card", row)


def _about_row(line: str, row: int, params: Params = ()) -> Prompt:
    return Prompt(None, f"{DO}.{line}", (a_row(row), *params), reminder=True)


def _notes(state: State) -> Iterator[Prompt]:
    """Ask each seat, on its own phone, for what the table does not know of it."""
    if state.phase in offers.SETTING_UP or state.phase is OVER:
        return
    for seat, side in enumerate(state.sides):
        for line, n in (("note", side.closed), ("note_token", side.closed_tokens)):
            if n > 0:
                params = (("n", n),)
                yield Prompt(seat, f"{DO}.{line}", params, reminder=True, only_for=seat)
