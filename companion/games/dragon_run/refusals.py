"""Why a hand may not do what it did: the judge, and the line of the book it cites.

Judging changes nothing and never fails, whatever move it is asked about. The acts of a
turn are judged here, what concerns one card or another adventurer in `objections`.
"""

from typing import assert_never

from companion.games.core import LEGAL, Refused, Verdict
from companion.games.dragon_run import hands, objections, turns
from companion.games.dragon_run.allowed import (
    crying_barred,
    has_cover,
    sneaking_helps,
)
from companion.games.dragon_run.objections import refuse, waits
from companion.games.dragon_run.pieces import CRY_COST, FACES, SNEAK_COST
from companion.games.dragon_run.state import (
    ACT,
    AGAIN,
    CHOICE,
    CRIED,
    DEAL,
    FORCED,
    OPEN,
    ROLL,
    SNEAKED,
    TURNING,
    Annul,
    Cry,
    Deal,
    Discard,
    ForgetNotes,
    LetPass,
    Move,
    NoteCard,
    Pass,
    Play,
    Point,
    Roll,
    ShowCard,
    Sneak,
    State,
    Turn,
    UsePower,
    places_left,
)
from companion.table import Params


def judge(state: State, move: Move) -> Verdict:
    """Return whether the rules allow *move*, and if not, why.

    `Legal` for exactly the moves that `allowed.legal` yields.
    """
    match move:
        case Deal() | Turn() | Roll():
            return _judge_chance(state, move)
        case Sneak() | Cry() | Pass() | UsePower():
            return _judge_act(state, move)
        case Discard():
            return objections.to_discard(state, move.treasure)
        case Play():
            return objections.to_play(state, move.treasure)
        case Annul() | LetPass() | Point():
            return objections.to_others(state, move)
        case NoteCard() | ForgetNotes():
            return objections.to_notes(state, move)
        case ShowCard():
            return objections.to_show(state, move.seat, move.treasure)
        case _:
            assert_never(move)


def _judge_chance(state: State, move: Deal | Turn | Roll) -> Verdict:
    match move:
        case Deal():
            return _judge_deal(state, move.hero)
        case Turn():
            return _judge_turn(state, move.place)
        case Roll():
            if state.phase is not ROLL:
                return waits(state)
            if move.pips not in FACES:
                return refuse("no_such_face", (30, 30), params=(("n", move.pips),))
            return LEGAL
        case _:
            assert_never(move)


def _judge_deal(state: State, hero: int) -> Verdict:
    heroes = state.setting.box.heroes
    if state.phase is not DEAL:
        return waits(state)
    if not 0 <= hero < len(heroes):
        return refuse("no_such_hero", (32, 32))
    if hero in state.heroes:
        taken: Params = (
            ("hero", heroes[hero].name),
            ("seat", state.heroes.index(hero)),
        )
        return refuse("hero_taken", (46, 46), params=taken)
    return LEGAL


def _judge_turn(state: State, place: int) -> Verdict:
    if state.phase not in TURNING:
        return waits(state)
    places = state.setting.box.places
    if not 0 <= place < len(places):
        return refuse("no_such_place", (28, 28))
    if not state.pile[place]:
        card: Params = (("card", places[place].name), ("n", places[place].count))
        return refuse("place_used_up", (68, 70), params=card)
    return LEGAL


def _judge_act(state: State, move: Sneak | Cry | Pass | UsePower) -> Verdict:
    match move:
        case Sneak():
            return _judge_sneak(state)
        case Cry():
            return _judge_cry(state)
        case Pass():
            return _judge_pass(state)
        case UsePower():
            return _judge_power(state)
        case _:
            assert_never(move)


def _no_act(state: State) -> Refused:
    """Return why the seat has no choice of its act any more."""
    who: Params = (("seat", state.seat),)
    match state.phase:
        case phase if phase is FORCED:
            return refuse("must_rush", (91, 91), params=who)
        case phase if phase is AGAIN:
            return refuse("must_rush_again", (144, 144), "RN10", who)
        case phase if phase is CHOICE:
            return refuse("go_on_or_pass", (124, 127), "RN9", who)
        case phase if phase is SNEAKED:
            return refuse("rush_or_pass", (88, 89), "RN7", who)
        case _:
            return waits(state)


def _cannot_pay(state: State, need: int) -> Refused:
    most = hands.most(state, state.seat)
    params: Params = (("seat", state.seat), ("n", need), ("most", most))
    lines = (76, 76) if need == SNEAK_COST else (99, 99)
    return refuse("cannot_pay", lines, "RN3", params)


def _judge_sneak(state: State) -> Verdict:
    if not turns.may_act(state):
        return _no_act(state)
    if not hands.can_pay(state, state.seat, SNEAK_COST):
        return _cannot_pay(state, SNEAK_COST)
    if sneaking_helps(state):
        return LEGAL
    left = (("n", places_left(state)),)
    return refuse("no_chance", (82, 91), "RN4", left)


def _judge_cry(state: State) -> Verdict:
    if not turns.may_act(state):
        return _no_act(state)
    who: Params = (("seat", state.seat),)
    if crying_barred(state):
        return refuse("crying_barred", (136, 136), "RN11", who)
    if not has_cover(state):
        return refuse("alone", (97, 97), "RN28", who)
    if not hands.can_pay(state, state.seat, CRY_COST):
        return _cannot_pay(state, CRY_COST)
    return LEGAL


def _judge_pass(state: State) -> Verdict:
    if state.phase in (CHOICE, SNEAKED, CRIED):
        return LEGAL
    if state.phase is ACT:
        return refuse("must_act", (60, 64), params=(("seat", state.seat),))
    return _no_act(state)


def _judge_power(state: State) -> Verdict:
    who: Params = (("seat", state.seat),)
    if state.phase not in OPEN:
        return waits(state)
    if state.phase is not ACT:
        return refuse("power_too_late", (158, 158), "RN12", who)
    if state.tilted[state.seat]:
        return refuse("power_used", (160, 163), "RN12", who)
    return LEGAL
