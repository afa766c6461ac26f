"""Why a hand may not do what it did: the judge, and the line of the book it cites.

Judging changes nothing and never fails, whatever move it is asked about. No refusal
says which card lies anywhere.
"""

from typing import TypeAlias, assert_never

from companion.games.core import (
    LEGAL,
    Refused,
    Unknown,
    Verdict,
)
from companion.games.eight_dragons import census
from companion.games.eight_dragons.hand_refusals import (
    judge_gain,
    judge_lay,
    judge_return,
    judge_token,
)
from companion.games.eight_dragons.options import BOOK
from companion.games.eight_dragons.pieces import ORDER, Card
from companion.games.eight_dragons.reasons import (
    NO,
    STOPS,
    excess,
    not_empty,
    not_free,
    refuse,
    waits,
    where,
    who,
)
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    BACK,
    FIRST,
    LOOK,
    PAIR,
    SAME_COLOUR,
    SECOND,
    SHAPE,
    Decide,
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    Miss,
    Move,
    PlaceToken,
    Report,
    Return,
    Shift,
    State,
    Swap,
    Take,
    Turn,
    TurnBack,
)
from companion.games.hidden import (
    Hidden,
    redact,
)
from companion.table import Word


def judge(state: State, move: Move) -> Verdict:
    """Return whether the rules allow *move*, and if not, why.

    `Legal` for exactly the moves that `rules.legal` yields.
    """
    match move:
        case Turn() | Miss():
            return _judge_turn(state, move)
        case Take() | TurnBack() | Shift() | Swap():
            return _judge_turned(state, move)
        case Return():
            return judge_return(state, move.card, move.place)
        case Draw() | Grab() | Decline():
            return judge_gain(state, move)
        case PlaceToken() | FreeToken():
            return judge_token(state, move)
        case Lay():
            return judge_lay(state, move.cards)
        case EndTurn() | Report() | Decide():
            return _judge_rest(state, move)
        case _:
            assert_never(move)


def _judge_turn(state: State, move: Turn | Miss) -> Verdict:
    """Two cards a turn, two more after a pair of the same part.

    A miss is both at once, and so comes before either of them.

    Source: rulebook l. 72-74, 82, 114; rulings ED1, ED4, ED20, ED37.
    """
    first = isinstance(move, Miss) or state.phase is not SECOND
    if state.phase not in (FIRST, SECOND, AFTER) or (state.phase is SECOND and first):
        return waits(state)
    if state.phase is AFTER and not state.again:
        return _no_replay(state)
    wrong = excess(state, "ED13") if first else None
    if isinstance(move, Miss):
        return wrong or _too_few(state) or LEGAL
    return (
        wrong
        or not_free(state, move.place)
        or _not_that_card(state, move.place, move.card)
    )


def _too_few(state: State) -> Refused | None:
    if len(census.free_places(state)) < 2:
        return refuse("too_few_to_miss", (72, 72), "ED37", who(state))
    return None


def _no_replay(state: State) -> Refused:
    """Only a pair of the same part lets one play again (rulebook l. 72-74).

    A gain or a trap ends the turn by its own rule (l. 98, 108; rulings ED7, ED8).
    """
    if state.match is SAME_COLOUR:
        return refuse("no_replay_colour", (74, 74), "ED1", who(state))
    if state.stop is not None:
        lines, ruling = STOPS[state.stop]
        return refuse(f"no_replay_{state.stop}", lines, ruling, who(state))
    if state.match is SHAPE:
        return refuse("no_replay_token", (112, 112), "ED34", who(state))
    return refuse("no_replay", (72, 74), params=who(state))


def _not_that_card(state: State, place: int, card: Hidden[Card]) -> Verdict:
    there = where(place)
    if card.value is None:
        return Unknown(f"{NO}.card_not_told", there)
    if card.seen_by != ():
        return refuse("card_not_secret", (72, 72), params=there)
    params = (*there, ("card", Word(f"{BOOK}.card.{card.value}")))
    if not _may_lie_at(state, place, card.value):
        # The same words whether the card of this place was seen or the other one
        # elsewhere: a refusal must not help anybody's memory.
        if _may_lie_at(redact(state, None), place, card.value):
            return refuse("another_card", (74, 74), params=params)
        count = state.setting.counts[ORDER[card.value]]
        return refuse("no_more_of_it", (57, 66), params=(*params, ("n", count)))
    return LEGAL


def _may_lie_at(state: State, place: int, card: Card) -> bool:
    spot = state.grid[place]
    if isinstance(spot, Hidden) and spot.value is not None:
        return spot.value is card
    return census.unaccounted(state)[ORDER[card]] > 0


OfTheTurned: TypeAlias = Take | TurnBack | Shift | Swap


def _judge_turned(state: State, move: OfTheTurned) -> Verdict:
    """What may be done with the turned cards. Source: rulebook l. 72-78, 98, 108."""
    wrong = _not_now(state, move)
    if wrong is None and not isinstance(move, Swap) and move.place not in state.up:
        wrong = refuse("not_turned", (72, 72), params=where(move.place))
    if wrong is None and state.phase is PAIR:
        wrong = _against_the_pair(state, move)
    return wrong or LEGAL


def _not_now(state: State, move: OfTheTurned) -> Refused | None:
    if state.phase is PAIR:
        return None
    if state.phase is BACK:
        if isinstance(move, TurnBack):
            return None
        if state.stop is not None:
            return waits(state)
        return refuse("no_pair", (74, 74), params=who(state))
    if state.phase is SECOND and isinstance(move, TurnBack):
        if census.free_places(state):
            return refuse("second_card_first", (72, 72), "ED37", who(state))
        return None
    return waits(state)


def _against_the_pair(state: State, move: OfTheTurned) -> Refused | None:
    """Where the cards of a pair may go. Source: rulebook l. 78; rulings ED3, ED35."""
    options, both = state.setting.options, len(state.up) > 1
    if isinstance(move, Swap):
        return None if both else refuse("one_left_to_swap", (78, 78), "ED3")
    keeps = isinstance(move, Take)
    if not both and not options.split_pair and keeps != (state.kept > 0):
        return refuse("pair_not_split", (78, 78), "ED35", who(state))
    if not isinstance(move, Shift):
        return None
    if options.only_swap:
        return refuse("only_swap", (78, 78), "ED3", who(state))
    return not_empty(state, move.there, 78, "ED3")


def _judge_rest(state: State, move: EndTurn | Report | Decide) -> Verdict:
    if isinstance(move, EndTurn):
        return _judge_end(state)
    if state.phase is (LOOK if isinstance(move, Report) else ASK):
        return LEGAL
    if isinstance(move, Decide) and state.phase is FIRST and state.answered:
        return (excess(state, "ED13") or LEGAL) if move.over else waits(state)
    return waits(state)


def _judge_end(state: State) -> Verdict:
    """A turn ends when two cards were turned and no hand holds too many.

    Source: rulebook l. 72, 82; rulings ED4, ED37.
    """
    if state.phase is SECOND:
        return refuse("second_card_first", (72, 72), "ED37", who(state))
    if state.phase not in (FIRST, AFTER):
        return waits(state)
    if state.phase is FIRST and census.free_places(state):
        return refuse("must_turn", (72, 72), params=who(state))
    return excess(state, "ED4") or LEGAL
