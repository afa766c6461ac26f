"""How a play and a turn end, whose turn is next, and whether the game is over.

Source: rulebook l. 82, 86, 120-126; rulings ED22-ED24, ED29, ED30, ED36.
"""

from msgspec.structs import replace

from companion.games.core import NotNow
from companion.games.eight_dragons import census, scoring
from companion.games.eight_dragons.events import (
    EndOffered,
    Event,
    GameEnded,
    GameWon,
    LookAsked,
    Looked,
    PlayedOn,
    TurnBegan,
)
from companion.games.eight_dragons.pieces import FEW_FREE, HAND_LIMIT
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    BACK,
    FIRST,
    LOOK,
    OVER,
    SHAPE,
    End,
    State,
)


def play_over(state: State, events: list[Event]) -> State:
    """Go on once the turned cards have done what they do.

    What was turned before a special card is turned back first.

    Source: rulebook l. 98, 108; ruling ED8.
    """
    if state.up:
        return replace(state, phase=BACK)
    again = state.again or state.match is SHAPE
    if again or _something_left(state):
        return replace(state, phase=AFTER, again=again)
    return end_turn(state, events)


def after_play(state: State, events: list[Event]) -> State:
    """End the turn at once where everybody can see that nothing is left to do.

    Only what lies open decides that: to wait where a hand holds a whole dragon and not
    where it holds none would betray the hand.
    """
    if state.phase is not AFTER or state.again or _something_left(state):
        return state
    return end_turn(state, events)


def _something_left(state: State) -> bool:
    return (
        state.tokens[state.seat] > 0
        or len(state.hands[state.seat]) >= HAND_LIMIT
        or may_free(state)
    )


def may_free(state: State) -> bool:
    """Tell whether the pair just turned may free a token.

    Source: rulebook l. 114; rulings ED21, ED31.
    """
    if state.match is not SHAPE or not state.blocked:
        return False
    return not state.freed or state.setting.options.free_all


def end_turn(state: State, events: list[Event]) -> State:
    """End the turn: is the game over, has the table to be asked, who is next?

    While the next player owes cards to the rectangle, which come back only in that
    turn, nobody knows what will lie free: the end is judged when that turn ends.

    Source: rulebook l. 82, 122-126; rulings ED13, ED36.
    """
    state = _forget_answers(state)
    if len(state.hands[state.next_seat]) > HAND_LIMIT:
        return begin_turn(state, events)
    free = census.about_free(state)
    few = free == FEW_FREE if state.setting.options.exactly else free <= FEW_FREE
    if few:
        pair = census.pair_among_free(state)
        if pair is None and not state.looked:
            events.append(LookAsked(free))
            return replace(state, phase=LOOK, again=False)
        if pair is False:
            return finish(state, End.NO_PAIR, events)
    return _go_on(state, free, events)


def answer_looking(state: State, pair: bool, events: list[Event]) -> State:
    """Take the answer of those who looked at the free cards (ruling ED24)."""
    events.append(Looked(pair))
    if not pair:
        return finish(state, End.NO_PAIR, events)
    return _go_on(replace(state, looked=True), census.about_free(state), events)


def _go_on(state: State, free: int, events: list[Event]) -> State:
    dead = free <= census.DEAD and census.is_dead_end(state)
    if dead and not state.setting.options.ask_dead_end:
        return finish(state, End.DEAD_END, events)
    quiet = _quiet_turns(state, dead or (free <= FEW_FREE and _left_a_pair(state)))
    if quiet != state.quiet:
        state = replace(state, quiet=quiet)
    if state.answered is not None:
        return begin_turn(state, events)
    reason = None
    if free > FEW_FREE and _pair_waits(state):
        reason = End.PAIR_LEFT
    elif quiet >= state.setting.seats:
        reason = End.DEAD_END if dead else End.BARREN
    if reason is None:
        return begin_turn(state, events)
    events.append(EndOffered(reason))
    return replace(state, phase=ASK, again=False, quiet=0, end=reason)


def _left_a_pair(state: State) -> bool:
    return any(seat == state.seat for seat, _, _ in state.left)


def _pair_waits(state: State) -> bool:
    """Tell whether a pair that the next player left is still there to be turned.

    Source: rulebook l. 126; ruling ED23.
    """
    if not state.left:
        return False
    free = census.free_places(state)
    return any(
        seat == state.next_seat and one in free and other in free
        for seat, one, other in state.left
    )


def _led_somewhere(state: State) -> bool:
    """Tell whether all have seen this turn change what lies and what is held.

    Which cards of a hand went back nobody else has seen: where as many went back as
    were taken, they may be the same ones, and the table is asked as if they were.
    """
    return state.moved_on or len(state.hands[state.seat]) != state.held


def _forget_answers(state: State) -> State:
    """Let the table be asked again once something has changed, but not before."""
    if not (state.quiet or state.answered or state.looked):
        return state
    if _led_somewhere(state):
        return replace(state, quiet=0, answered=None, looked=False)
    return replace(state, looked=False) if state.took else state


def _quiet_turns(state: State, stuck: bool) -> int:
    """Count the turns in a row that led nowhere, from the first with a pair on.

    A turn without any pair is bad luck and starts no count.

    Source: rulebook l. 126; ruling ED30.
    """
    if _led_somewhere(state):
        return 0
    if state.quiet or state.took or stuck:
        return state.quiet + 1
    return 0


def decide(state: State, over: bool, events: list[Event]) -> State:
    """Take the table's answer to the question whether the game is over.

    Nobody is asked twice about the same table. Whoever plays on may still end the game
    at the beginning of a turn, as long as nothing has changed.

    Source: rulebook l. 126; rulings ED23, ED30.
    """
    reason = state.end or state.answered
    if reason is None or (state.phase is FIRST and not over):
        raise NotNow("nobody was asked whether the game is over")
    if over:
        return finish(state, reason, events)
    events.append(PlayedOn())
    return begin_turn(replace(state, end=None, answered=reason), events)


def begin_turn(state: State, events: list[Event]) -> State:
    """Begin the next seat's turn; a pair that it left was asked about by now."""
    seat = state.next_seat
    events.append(TurnBegan(seat))
    return replace(
        state,
        phase=FIRST,
        seat=seat,
        match=None,
        kept=0,
        freed=False,
        stop=None,
        again=False,
        held=len(state.hands[seat]),
        took=False,
        moved_on=False,
        left=state.left and tuple([pair for pair in state.left if pair[0] != seat]),
    )


def finish(state: State, reason: End, events: list[Event]) -> State:
    """End the game. Source: rulebook l. 122; ruling ED26."""
    over = replace(state, phase=OVER, again=False, end=reason)
    events.append(GameEnded(reason))
    events.extend(
        GameWon(seat, scoring.points(over, seat)) for seat in scoring.winners(over)
    )
    return over
