"""Why an event token may not be played so: which, when, and on what.

Source: rulebook l. 76-80, 120-154; rulings DX19 to DX23, DX26, DX38 to DX42.
"""

from typing import assert_never

from companion.games.core import LEGAL, Verdict
from companion.games.dragonix import hands, reach, tokens
from companion.games.dragonix.moves import (
    Enough,
    Insert,
    PlayToken,
    Recolour,
    Recruit,
    Soar,
    Strike,
    Summon,
)
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOURED,
    HERO,
    PEOPLES,
    TOWER,
    UNDEAD,
    People,
    Row,
    Token,
)
from companion.games.dragonix.reasons import (
    a_card,
    a_dragon,
    a_row,
    a_token,
    is_card,
    is_row,
    refuse,
    waits,
)
from companion.games.dragonix.state import (
    MORE,
    NOWHERE,
    PLAY,
    RECRUIT,
    State,
)
from companion.table import Word

TokenMove = PlayToken | Strike | Recolour | Summon | Insert | Soar | Enough | Recruit

EFFECT_OF = {
    Strike: Token.PLAGUE,
    Recolour: Token.COUNTER,
    Summon: Token.UNDEAD,
    Insert: Token.VOLUNTEERS,
    Soar: Token.FLIGHT,
}
"""Which token each act belongs to."""


def judge_token(state: State, move: TokenMove) -> Verdict:
    """Return whether a token, or an act that a token allows, may be done."""
    if isinstance(move, PlayToken):
        return _judge_play_token(state, move.token)
    if isinstance(move, Enough | Recruit):
        needed_phase = MORE if isinstance(move, Enough) else RECRUIT
        return LEGAL if state.phase is needed_phase else waits(state)
    needed = EFFECT_OF[type(move)]
    if state.turn.pending is not needed:
        if state.phase in (PLAY, RECRUIT):
            return refuse("lay_the_token", (76, 78), "DX19", (a_token(needed),))
        return waits(state)
    return _judge_effect(state, move)


def _judge_effect(
    state: State, move: Strike | Recolour | Summon | Insert | Soar
) -> Verdict:
    match move:
        case Strike():
            return _judge_strike(state, move.row)
        case Recolour():
            return _judge_recolour(state, move.row, move.people)
        case Summon():
            return _judge_summon(state, move.row)
        case Insert():
            return _judge_insert(state, move)
        case Soar():
            return _judge_soar(state, move)
        case _:
            assert_never(move)


def _judge_play_token(state: State, token: Token) -> Verdict:
    if state.phase not in (PLAY, RECRUIT):
        return waits(state)
    which = (a_token(token),)
    if token not in hands.tokens_of(state, state.seat):
        if token in state.spent:
            return refuse("token_spent", (78, 78), params=which)
        return refuse("no_such_token", (27, 28), params=which)
    if tokens.WORKS[token](state):
        return LEGAL
    if token is Token.UNDEAD and state.undead != NOWHERE:
        return refuse("undead_is_there", (144, 144), params=(a_row(state.undead),))
    return refuse("token_without_effect", (76, 76), params=which)


def _refused_army(state: State, row: Row) -> Verdict | None:
    """Return why no plague may touch this army, None if one may."""
    if row not in ARMIES:
        return refuse("effect_on_armies", (132, 132))
    if state.turn.aim not in (NOWHERE, row):
        return refuse("same_army", (132, 132), params=(a_row(state.turn.aim),))
    if not state.rows[row].cards:
        return refuse("row_is_empty", (132, 132), params=(a_row(row),))
    return None


def _judge_strike(state: State, row: Row) -> Verdict:
    if (wrong := _refused_army(state, row)) is not None:
        return wrong
    if row in tokens.strikes(state):
        return LEGAL
    return refuse("plague_under_dragon", (86, 132), "DX22", (a_row(row),))


def _judge_recolour(state: State, row: Row, people: People) -> Verdict:
    if not is_row(row) or not COLOURED[row]:
        return refuse("no_colour_there", (140, 140), "DX21")
    if not state.rows[row].cards:
        return refuse("nothing_to_recolour", (140, 140), "DX39", (a_row(row),))
    if PEOPLES.index(people) == state.rows[row].colour:
        params = (a_row(row), ("people", Word(f"dragonix.{people}")))
        return refuse("same_people", (140, 140), "DX39", params)
    if PEOPLES.index(people) not in tokens.peoples(state, row):
        return refuse("unsettled", (66, 76), "DX10", (a_row(row),))
    return LEGAL


def _judge_summon(state: State, row: Row) -> Verdict:
    if row in tokens.summons(state):
        return LEGAL
    if row not in ARMIES:
        return refuse("never_on_the_tower", (144, 144), params=(a_dragon(UNDEAD),))
    if row == state.red:
        return refuse("dragons_meet", (84, 84), "DX26", (a_row(row),))
    return refuse("bound_not_placed", (80, 144), "DX42", (a_row(row),))


def _judge_insert(state: State, move: Insert) -> Verdict:
    row, card = move.row, move.card
    if row == TOWER or not is_row(row):
        return refuse("effect_on_armies", (150, 150))
    if not is_card(card):
        return refuse("no_such_card", (24, 25))
    if (card, row, move.slot) in tokens.inserts(state):
        return LEGAL
    return _refused_insert(state, move)


def _refused_insert(state: State, move: Insert) -> Verdict:
    row, card = move.row, move.card
    bound = state.turn.bound
    if bound not in (NOWHERE, row):
        return refuse("bound_elsewhere", (80, 80), "DX23", (a_row(bound),))
    if not reach.is_open(state, row):
        return refuse("insert_under_dragon", (86, 86), params=(a_row(row),))
    hand = hands.hand_of(state, state.seat)
    if not hand.cards >> card & 1:
        return refuse("not_in_hand", (150, 150), params=(a_card(card),))
    if (card, move.slot) in reach.insertable(state, row, hand):
        return refuse("unsettled", (66, 76), "DX10", (a_row(row),))
    if card == HERO and HERO in state.rows[row].cards:
        return refuse("second_hero", (62, 64), params=(a_row(row),))
    params = (a_card(card), a_row(row), ("slot", move.slot))
    return refuse("not_between", (150, 150), "DX23", params)


def _judge_soar(state: State, move: Soar) -> Verdict:
    if move.dragon in tokens.soars(state):
        return LEGAL
    return refuse("no_effect_to_lose", (154, 154), params=(a_dragon(move.dragon),))
