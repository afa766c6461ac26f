"""Why the set-up cannot go on like that: a card that cannot be there, a wrong order.

Source: rulebook l. 23-30; rulings DX2, DX32.
"""

from typing import assert_never

from companion.games.core import LEGAL, Verdict
from companion.games.dragonix import dealing
from companion.games.dragonix.moves import Begin, Reveal, TurnUp
from companion.games.dragonix.pieces import HERO, Card, Row
from companion.games.dragonix.reasons import a_card, a_row, is_card, refuse, waits
from companion.games.dragonix.state import (
    BEGIN,
    DEAL,
    REVEAL,
    State,
)
from companion.table import Seat


def judge_deal(state: State, move: TurnUp | Reveal | Begin) -> Verdict:
    """Return whether the set-up may show this, or a seat begin."""
    match move:
        case TurnUp():
            return _judge_turn_up(state, move.card, move.row)
        case Reveal():
            return _judge_reveal(state, move.seat, move.card)
        case Begin():
            return _judge_begin(state, move.seat)
        case _:
            assert_never(move)


def _judge_turn_up(state: State, card: Card, row: Row) -> Verdict:
    if state.phase is not DEAL:
        return waits(state)
    if not is_card(card):
        return refuse("no_such_card", (24, 25))
    if row != dealing.next_army(state):
        return refuse(
            "not_that_army", (25, 25), params=(a_row(dealing.next_army(state)),)
        )
    if card == HERO:
        return refuse("hero_put_aside", (24, 25))
    if not state.unseen >> card & 1:
        return refuse("in_sight", (25, 25), params=(a_card(card),))
    return LEGAL


def _judge_reveal(state: State, seat: Seat, card: Card) -> Verdict:
    if state.phase is not REVEAL:
        return waits(state)
    if not is_card(card):
        return refuse("no_such_card", (24, 25))
    first = dealing.next_to_reveal(state)
    if seat != first:
        return refuse("not_your_reveal", (30, 30), "DX32", (("seat", first),))
    if not dealing.may_reveal(state) >> card & 1:
        return refuse("in_sight", (26, 30), params=(a_card(card),))
    return LEGAL


def _judge_begin(state: State, seat: Seat) -> Verdict:
    if state.phase is not BEGIN:
        return waits(state)
    leaders = dealing.leaders(state)
    if seat in leaders:
        return LEGAL
    n = dealing.draw_sum(state.sides[leaders[0]])
    return refuse("not_the_highest", (30, 30), "DX2", (("n", n),))
