"""Why a hand may not do what it did: the judge, and the line of the book it cites.

Judging changes nothing and never fails, whatever move it is asked about. What a refusal
says is read at the table, so it names no card that only one player knows.
"""

from companion.games.core import LEGAL, Verdict
from companion.games.dragonix import hands, reach, turns
from companion.games.dragonix.deal_refusals import judge_deal
from companion.games.dragonix.moves import (
    Begin,
    Fly,
    Move,
    NoteCard,
    NoteToken,
    Play,
    Reveal,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.offers import may_fly
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOUR,
    COLOURED,
    HERO,
    NO_COLOUR,
    PEOPLES,
    RED,
    RISING,
    TOWER,
    UNDEAD,
    VALUE,
    Card,
    Row,
)
from companion.games.dragonix.reasons import (
    a_card,
    a_dragon,
    a_row,
    is_card,
    is_row,
    refuse,
    waits,
)
from companion.games.dragonix.secret_refusals import judge_secret
from companion.games.dragonix.stacks import fitting_cards
from companion.games.dragonix.state import (
    FLY,
    NOWHERE,
    PLAY,
    State,
)
from companion.games.dragonix.token_refusals import judge_token
from companion.table import Word


def judge(state: State, move: Move) -> Verdict:
    """Return whether the rules allow *move*, and if not, why.

    `Legal` for exactly the moves that `offers.legal` returns.
    """
    match move:
        case Play():
            return _judge_play(state, move.card, move.row)
        case Swap():
            return _judge_swap(state, move.card, move.row)
        case TakeBack():
            return _judge_take_back(state, move.row)
        case Fly():
            return _judge_fly(state, move)
        case NoteCard() | NoteToken():
            return judge_secret(state, move)
        case TurnUp() | Reveal() | Begin():
            return judge_deal(state, move)
        case _:
            return judge_token(state, move)


def refused_row(state: State, row: Row) -> Verdict | None:
    """Return why no card may go to a row now, None if one may.

    Source: rulebook l. 46-47, 80, 86, 126; rulings DX6, DX7, DX44.
    """
    bound = state.turn.bound
    if bound == TOWER:
        return refuse("one_on_the_tower", (47, 47), "DX6")
    if bound not in (NOWHERE, row):
        return refuse("bound_elsewhere", (80, 80), "DX6", (a_row(bound),))
    if reach.is_open(state, row):
        return None
    if row == TOWER:
        if state.prison_by == state.seat:
            return refuse("tower_closed", (126, 126), "DX44")
        return refuse("tower_closed", (126, 126))
    dragon = RED if row == state.red and not state.red_off else UNDEAD
    return refuse("under_dragon", (86, 86), params=(a_row(row), a_dragon(dragon)))


def _judge_play(state: State, card: Card, row: Row) -> Verdict:
    if state.phase is not PLAY:
        return waits(state)
    if (wrong := _refused_card(state, card, row)) is not None:
        return wrong
    fitting = fitting_cards(row, state.rows[row])
    if not fitting >> card & 1:
        return _misfit(state, card, row)
    hand = hands.hand_of(state, state.seat)
    if not reach.settling(state, row, hand, hand.cards & fitting) >> card & 1:
        return refuse("not_in_the_way", (66, 70), "DX10", (a_row(row),))
    return LEGAL


def _refused_card(state: State, card: Card, row: Row) -> Verdict | None:
    """Return why the active player cannot bring this card to this row."""
    if not is_card(card):
        return refuse("no_such_card", (24, 25))
    if not is_row(row):
        return refuse("no_such_row", (44, 47))
    if (closed := refused_row(state, row)) is not None:
        return closed
    if hands.hand_of(state, state.seat).cards >> card & 1:
        return None
    if state.turn.barred >> card & 1:
        return refuse("could_have_been_placed", (66, 66), "DX9", (a_card(card),))
    return refuse("not_in_hand", (46, 47), params=(a_card(card),))


def _misfit(state: State, card: Card, row: Row) -> Verdict:
    """Return why a card does not go on a row. Source: rulebook l. 53-64."""
    stack = state.rows[row]
    where = (a_card(card), a_row(row))
    line = 53 + row
    if card == HERO:
        if row == TOWER:
            return refuse("no_hero_on_the_tower", (57, 57))
        if HERO in stack.cards:
            return refuse("second_hero", (line, line), params=(a_row(row),))
        params = (a_row(row), ("end", stack.values[-1]))
        return refuse("no_value_for_hero", (62, 62), "DX5", params)
    if COLOURED[row] and stack.colour not in (NO_COLOUR, COLOUR[card]):
        people = ("people", Word(f"dragonix.{PEOPLES[stack.colour]}"))
        return refuse("wrong_people", (line, line), params=(*where, people))
    way = "must_rise" if RISING[row] else "must_fall"
    numbers = (("end", stack.values[-1]), ("value", VALUE[card]))
    return refuse(way, (line, line), params=(*where, *numbers))


def _judge_swap(state: State, card: Card, row: Row) -> Verdict:
    if state.phase is not PLAY:
        return waits(state)
    if card == HERO:
        return refuse("hero_for_hero", (64, 64), "DX17")
    if (wrong := _refused_card(state, card, row)) is not None:
        return wrong
    if row == TOWER or HERO not in state.rows[row].cards:
        return refuse("no_hero_there", (64, 64), params=(a_row(row),))
    if state.turn.swapped:
        return refuse("swapped_already", (64, 64), "DX18")
    if not reach.swappable(state, row) >> card & 1:
        return refuse("unfit_for_hero", (64, 64), "DX15", (a_card(card), a_row(row)))
    if not reach.may_swap(state, row, hands.hand_of(state, state.seat), card):
        return refuse("swap_needs_a_card", (64, 64), "DX14", (a_row(row),))
    return LEGAL


def _judge_take_back(state: State, row: Row) -> Verdict:
    if state.phase is not PLAY:
        return waits(state)
    if (wrong := _refused_source(state, row)) is not None:
        return wrong
    hand = hands.hand_of(state, state.seat)
    if reach.may_take_back(state, row, hand, reach.fits_now(state)):
        return LEGAL
    if state.turn.ghost is not None:
        return refuse("not_in_the_way", (66, 70), "DX10", (a_row(row),))
    return refuse("can_place", (66, 66), "DX9", (("seat", state.seat),))


def _refused_source(state: State, row: Row) -> Verdict | None:
    """Return why no card may be taken back from a row now, whatever the hand holds."""
    turn = state.turn
    if row not in ARMIES:
        return refuse("only_from_armies", (66, 66))
    if turn.placed:
        return refuse("placed_already", (66, 66))
    if turn.bound not in (NOWHERE, row):
        return refuse("take_back_elsewhere", (66, 80), "DX43", (a_row(turn.bound),))
    if not reach.is_open(state, row):
        return refuse("take_back_dragon", (66, 66), "DX13", (a_row(row),))
    if not state.rows[row].cards:
        return refuse("row_is_empty", (66, 66), params=(a_row(row),))
    return None


def _judge_fly(state: State, move: Fly) -> Verdict:
    flying = UNDEAD if state.phase is FLY else RED
    if state.phase not in (PLAY, FLY):
        return waits(state)
    if move.dragon != flying:
        return refuse("not_that_dragon", (84, 84), params=(a_dragon(flying),))
    if state.phase is PLAY and not may_fly(state):
        if state.turn.ghost is not None:
            return refuse("place_what_needed", (66, 66), "DX10")
        return refuse("place_first", (44, 47), params=(("seat", state.seat),))
    return _judge_landing(state, move)


def _judge_landing(state: State, move: Fly) -> Verdict:
    """Judge where a dragon flies to. Source: rulebook l. 84, 102, 118."""
    rows = turns.flights(state, move.dragon)
    if move.row in rows:
        return LEGAL
    dragon = a_dragon(move.dragon)
    if move.row not in ARMIES:
        return refuse("never_on_the_tower", (84, 84), "DX27", (dragon,))
    if move.row == (state.red if move.dragon == RED else state.undead):
        return refuse("must_move", (84, 84), "DX27", (dragon,))
    if state.setting.solo:
        line = 118 if state.setting.both_fly else 102
        return refuse("next_army", (line, line), params=(dragon, a_row(rows[0])))
    return refuse("dragons_meet", (84, 84), "DX26", (a_row(move.row),))
