"""Why a hand may not do what it did: the judge, and the line of the book it cites.

Judging changes nothing and never fails, whatever move it is asked about.
"""

from typing import assert_never

from companion.games.core import (
    LEGAL,
    Cite,
    Refused,
    Unknown,
    Verdict,
)
from companion.games.drachenhort import track
from companion.games.drachenhort.options import BOOK
from companion.games.drachenhort.pieces import ANY_LIGHT, FACES, Adventurer
from companion.games.drachenhort.rounds import level_heroes
from companion.games.drachenhort.scoring import groups_left
from companion.games.drachenhort.state import (
    OFF,
    Advance,
    FlipBoard,
    Move,
    MoveDragon,
    NoteGroup,
    Pass,
    Phase,
    Rank,
    ShowGroup,
    State,
    Throw,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Params, Seat, Word

NO = "drachenhort.no"

WAITING = {
    Phase.THROW: (89, 89),
    Phase.ADVANCE: (91, 105),
    Phase.DRAGON: (145, 145),
    Phase.RANK: (161, 161),
    Phase.FLIP: (175, 183),
    Phase.SHOW: (203, 203),
    Phase.OVER: (199, 203),
}
"""What the rulebook says of each thing that the table may wait for."""


def judge(state: State, move: Move) -> Verdict:
    """Return whether the rules allow *move*, and if not, why.

    `Legal` for exactly the moves that `rules.legal` yields.
    """
    match move:
        case Throw():
            return _judge_throw(state, move.pips)
        case Advance():
            return _judge_advance(state, move.adventurer)
        case Pass():
            return _judge_pass(state)
        case MoveDragon():
            return _judge_dragon(state)
        case Rank():
            return _judge_rank(state, move.adventurer)
        case FlipBoard():
            return LEGAL if state.phase is Phase.FLIP else _waits(state)
        case NoteGroup() | ShowGroup():
            return _judge_group(state, move)
        case _:
            assert_never(move)


def _refuse(
    name: str, lines: tuple[int, int], ruling: str = BOOK, params: Params = ()
) -> Refused:
    return Refused(ruling, f"{NO}.{name}", Cite(BOOK, *lines), params)


def _waits(state: State) -> Refused:
    """Return the refusal that says what has to be done first."""
    phase, who = state.phase, (("seat", state.seat),)
    if phase is Phase.ADVANCE and state.setting.options.may_pass:
        return _refuse("waits_advance_or_pass", WAITING[phase], "DH1", who)
    return _refuse(f"waits_{phase}", WAITING[phase], params=who)


def _judge_throw(state: State, pips: int) -> Verdict:
    if state.phase is Phase.ADVANCE:
        params = (("seat", state.seat), ("n", state.pips))
        return _refuse("thrown_already", (89, 89), params=params)
    if state.phase is not Phase.THROW:
        return _waits(state)
    if pips not in FACES:
        return _refuse("no_such_face", (55, 55), params=(("n", pips),))
    return LEGAL


def _judge_advance(state: State, hero: Adventurer) -> Verdict:
    heroes = state.setting.box.adventurers
    who = (("adventurer", Word(f"drachenhort.{hero}")),)
    if hero not in heroes:
        return _refuse("no_such_adventurer", (50, 50), params=who)
    if state.phase is not Phase.ADVANCE:
        return _waits(state)
    index = heroes.index(hero)
    thrown = (*who, ("n", state.pips))
    if state.cells[index] == OFF:
        return _refuse("off_the_board", (157, 157), params=who)
    if state.pips != ANY_LIGHT and not state.lit[index]:
        return _refuse("in_shadow", (93, 93), params=thrown)
    if index not in track.movers(state):
        return _refuse("past_the_exit", (107, 107), "DH12", thrown)
    return LEGAL


def _judge_pass(state: State) -> Verdict:
    if state.phase is not Phase.ADVANCE:
        return _waits(state)
    if state.setting.options.may_pass:
        return LEGAL
    return _refuse("must_advance", (91, 91), "DH1", (("n", state.pips),))


def _judge_dragon(state: State) -> Verdict:
    if state.phase is Phase.DRAGON:
        return LEGAL
    if state.phase in (Phase.THROW, Phase.ADVANCE) and True in state.lit:
        index = state.lit.index(True)
        hero = state.setting.box.adventurers[index]
        who = (("adventurer", Word(f"drachenhort.{hero}")), ("n", sum(state.lit)))
        # The book says so of a lit half; where there is none, a ruling does.
        cell = state.cells[index]
        no_dark_half = track.is_lit(state.board, cell, arriving=True)
        return _refuse(
            "somebody_in_light", (145, 145), "DH4" if no_dark_half else BOOK, who
        )
    return _waits(state)


def _judge_rank(state: State, hero: Adventurer) -> Verdict:
    if state.phase is not Phase.RANK:
        return _waits(state)
    heroes = state.setting.box.adventurers
    if hero in (heroes[index] for index in level_heroes(state)):
        return LEGAL
    return _refuse(
        "not_level", (161, 161), "DH18", (("adventurer", Word(f"drachenhort.{hero}")),)
    )


def _judge_group(state: State, move: NoteGroup | ShowGroup) -> Verdict:
    if move.seat not in range(state.setting.seats):
        return _refuse("no_such_seat", (97, 97), params=(("n", move.seat + 1),))
    if isinstance(move, NoteGroup):
        return _judge_note(state, move.seat, move.group)
    return _judge_show(state, move.seat, move.group)


def _judge_note(state: State, seat: Seat, group: Hidden[int]) -> Verdict:
    who = (("seat", seat),)
    if state.phase in (Phase.SHOW, Phase.OVER):
        return _waits(state)
    if group.value is None:
        return Unknown(f"{NO}.group_not_told", who)
    if group.value not in range(len(state.setting.box.groups)):
        return _refuse("no_such_group", (97, 97), params=who)
    if group.seen_by != (seat,):
        return _refuse("group_not_secret", (97, 97), params=who)
    if state.noted[seat].value is not None:
        return _refuse("noted_already", (97, 97), params=who)
    return LEGAL


def _judge_show(state: State, seat: Seat, group: int) -> Verdict:
    if state.phase is Phase.OVER:
        return _waits(state)
    if state.phase is not Phase.SHOW:
        return _refuse("too_early_to_show", (97, 97), params=(("seat", seat),))
    if state.shown[seat] is not None:
        return _refuse("shown_already", (203, 203), params=(("seat", seat),))
    if group not in range(len(state.setting.box.groups)):
        return _refuse("no_such_group", (97, 97), params=(("seat", seat),))
    if group not in groups_left(state):
        other = state.shown.index(group)
        params = (("seat", seat), ("other_seat", other))
        return _refuse("group_of_another", (97, 97), params=params)
    return LEGAL
