"""Why a hand may not do what it did: the judge, and the line of the book it cites.

Judging changes nothing and never fails, whatever move it is asked about.
"""

from companion.games.core import LEGAL, Cite, Grounds, Refused, Verdict
from companion.games.dragorun import eggs, races, rules, track
from companion.games.dragorun.box import UNPLACED
from companion.games.dragorun.lines import (
    cell_value,
    colour_name,
    dragon_name,
    egg_name,
    step_name,
)
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.pieces import WHITE, Colour, Egg, Step
from companion.games.dragorun.reasons import why_it_stays, why_there
from companion.games.dragorun.state import (
    NONE,
    Deal,
    Decide,
    DrawEgg,
    Move,
    MoveDragon,
    Phase,
    Place,
    RaceAgain,
    ReturnEggs,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
    seat_of,
)
from companion.table import Params, Seat

NO = f"{BOOK}.no"

WAITING = {
    Phase.PLACE: (72, 72),
    Phase.DEAL: (73, 74),
    Phase.TURN: (81, 121),
    Phase.KEEP: (85, 85),
    Phase.BOUND: (85, 85),
    Phase.DRAW: (125, 125),
    Phase.EGG: (131, 135),
    Phase.DECIDE: (139, 152),
    Phase.AGAIN: (154, 154),
    Phase.OVER: (152, 152),
}
"""What the rulebook says of each thing that the table may wait for."""

THROWN = (Phase.KEEP, Phase.BOUND)

WRONG_CELL: dict[Step, str] = {
    Step.BACK: "wrong_cell_back",
    Step.TROPHY: "wrong_cell_trophy",
    Step.SNAIL: "wrong_cell_snail",
}
"""How the right cell is found, which is not by counting free ones (l. 97)."""


def judge(state: State, move: Move) -> Verdict:
    """Return whether the rules allow *move*, and if not, why.

    `Legal` for exactly the moves that `rules.legal` yields.
    """
    match move:
        case Throw() | ThrowColour() | ThrowStep():
            return _judge_throw(state, move)
        case MoveDragon():
            return _judge_move(state, move.dragon, move.cell)
        case Swap():
            return _judge_swap(state, move.dragon)
        case DrawEgg():
            return _judge_egg(state, move.egg)
        case ReturnEggs():
            return _judge_return(state)
        case _:
            return _judge_between_turns(state, move)


def _judge_between_turns(
    state: State, move: Place | Deal | Decide | RaceAgain
) -> Verdict:
    match move:
        case Place():
            return _judge_place(state, move.dragon, move.cell)
        case Deal():
            return _judge_deal(state, move.seat, move.dragon)
        case Decide():
            return _judge_decide(state, move.seat)
        case _:
            return _judge_again(state, move)


def _refuse(
    name: str, lines: tuple[int, int], ruling: str = BOOK, params: Params = ()
) -> Refused:
    return Refused(ruling, f"{NO}.{name}", Cite(BOOK, *lines), params)


def _waits(state: State) -> Refused:
    """Return the refusal that says what has to be done first."""
    phase = state.phase
    seat = races.next_dealt(state) if phase is Phase.DEAL else state.seat
    if phase is Phase.TURN and not rules.takeable(state):
        return _refuse("waits_throw", (121, 121), "DG12", (("seat", seat),))
    return _refuse(f"waits_{phase}", WAITING[phase], params=(("seat", seat),))


def _no_such_dragon(dragon: Colour) -> Refused:
    params = (("colour", colour_name(dragon)),)
    return _refuse("no_such_dragon", (46, 46), params=params)


def _judge_throw(state: State, move: Throw | ThrowColour | ThrowStep) -> Verdict:
    who: Params = (("seat", state.seat),)
    if state.phase is Phase.BOUND:
        return _refuse("bound", (85, 85), "DG24", who)
    if state.phase not in (Phase.TURN, Phase.KEEP):
        return _waits(state)
    if not isinstance(move, ThrowStep) and (
        move.colour not in rules.FACES[state.setting.box.fifth]
    ):
        params = (("colour", colour_name(move.colour)),)
        return _refuse("no_such_face", (91, 91), params=params)
    if state.phase is Phase.TURN and not isinstance(move, Throw):
        return _refuse("both_dice_first", (85, 85), params=who)
    return LEGAL


def _judge_move(state: State, dragon: Colour, cell: int) -> Verdict:
    if dragon not in state.setting.dragons:
        return _no_such_dragon(dragon)
    if state.phase not in (*THROWN, Phase.EGG):
        return _waits(state)
    index = state.setting.dragons.index(dragon)
    wanted = dict(track.targets(state))
    if index not in wanted:
        return _wrong_dragon(state, dragon, next(iter(wanted)))
    if wanted[index] != cell:
        return _wrong_cell(state, index, wanted[index], cell)
    return LEGAL


def _wrong_dragon(state: State, dragon: Colour, index: int) -> Refused:
    """Return why this dragon is not the one that moves.

    Source: rulebook l. 91, 131, 135; rulings DG10, DG15, DG23.
    """
    wanted = ("wanted", dragon_name(state.setting.dragons[index]))
    params: Params = (("dragon", dragon_name(dragon)), wanted)
    if state.phase is not Phase.EGG:
        if state.colour is WHITE:
            return _refuse("joker_must_move", (91, 91), "DG23", params[:1])
        return _refuse("wrong_dragon", (91, 91), params=params)
    if track.egg_orders(state)[1] is Step.SNAIL:
        return _refuse("wrong_dragon_snail", (135, 135), "DG10", params)
    return _refuse("wrong_dragon_egg", (131, 131), params=params)


def _wrong_cell(state: State, index: int, wanted: int, cell: int) -> Refused:
    """Return where the dragon goes instead, or why it stays.

    Source: rulebook l. 97-113, 131, 135.
    """
    dragon = ("dragon", dragon_name(state.setting.dragons[index]))
    orders = track.egg_orders if state.phase is Phase.EGG else track.dice_shown
    step = orders(state)[1]
    if track.stays(state, (index, wanted)):
        why = track.why_stays(state, index, step)
        return _by(why_it_stays(state, index, why), f"stays_{why}", (dragon,))
    params: Params = (
        dragon,
        ("step", step_name(step)),
        ("wanted", cell_value(state, wanted)),
        ("cell", cell_value(state, cell)),
    )
    name = WRONG_CELL.get(step, "wrong_cell")
    if step is Step.BACK and not state.setting.options.back_skips:
        name = "wrong_cell_one_back"
    return _by(why_there(state, step, wanted), name, params)


def _by(grounds: Grounds, name: str, params: Params) -> Refused:
    ruling = grounds.rulings[0] if grounds.rulings else BOOK
    return Refused(ruling, f"{NO}.{name}", grounds.cite, params)


def _judge_swap(state: State, dragon: Colour) -> Verdict:
    if dragon not in state.setting.dragons:
        return _no_such_dragon(dragon)
    if state.phase in THROWN:
        return _refuse("thrown_already", (81, 121), params=(("seat", state.seat),))
    if state.phase is not Phase.TURN:
        return _waits(state)
    index = state.setting.dragons.index(dragon)
    params: Params = (("dragon", dragon_name(dragon)),)
    if index == state.mine:
        return _refuse("own_marker", (121, 121), params=params)
    rider = seat_of(state, index)
    if rider is not None and state.hidden[rider]:
        params = (*params, ("other_seat", rider))
        # A ruling speaks only where no marker at all is left to take.
        ruling = BOOK if rules.takeable(state) else "DG12"
        return _refuse("marker_hidden", (121, 121), ruling, params)
    return LEGAL


def _judge_egg(state: State, egg: Egg) -> Verdict:
    if state.phase in (Phase.TURN, *THROWN):
        params: Params = (("seat", state.seat),)
        return _refuse("egg_without_swap", (125, 125), params=params)
    if state.phase is not Phase.DRAW:
        return _waits(state)
    count = dict(eggs.supply(state)).get(egg)
    if count is None:
        return _refuse("no_such_egg", (131, 131), params=(("egg", egg_name(egg)),))
    if not count:
        return _refuse("egg_not_there", (125, 131), params=(("egg", egg_name(egg)),))
    return LEGAL


def _judge_return(state: State) -> Verdict:
    who: Params = (("seat", state.seat),)
    if state.phase in (*THROWN, Phase.DRAW, Phase.EGG):
        return _refuse("return_too_late", (144, 144), "DG17", who)
    if state.phase is not Phase.TURN:
        return _waits(state)
    if not state.eggs[state.seat]:
        return _refuse("no_eggs", (144, 144), params=who)
    if not eggs.may_put_back(state):
        return _not_last(state)
    return LEGAL


def _not_last(state: State) -> Refused:
    """Return why nobody may put eggs back. Source: l. 113, 144; rulings DG4, DG18."""
    dragon = dragon_name(state.setting.dragons[state.mine])
    params: Params = (("seat", state.seat), ("dragon", dragon))
    if state.cells[state.mine] == min(state.cells):
        return _refuse("not_last_of_several", (113, 144), "DG4", params)
    return _refuse("not_last", (144, 148), "DG18", params)


def _judge_place(state: State, dragon: Colour, cell: int) -> Verdict:
    if dragon not in state.setting.dragons:
        return _no_such_dragon(dragon)
    if state.phase is not Phase.PLACE:
        return _waits(state)
    dragons, cells = state.setting.dragons, state.cells
    here = cells[dragons.index(dragon)]
    params: Params = (("dragon", dragon_name(dragon)), ("cell", cell))
    if here != UNPLACED:
        return _refuse("placed_already", (72, 72), params=(params[0], ("cell", here)))
    if cell not in state.setting.box.starts:
        return _refuse("not_a_start_cell", (72, 72), "DG33", params)
    if cell in cells:
        other = ("other", dragon_name(dragons[cells.index(cell)]))
        return _refuse("start_taken", (72, 72), params=(*params, other))
    return LEGAL


def _judge_deal(state: State, seat: Seat, dragon: Colour) -> Verdict:
    if dragon not in state.setting.dragons:
        return _no_such_dragon(dragon)
    if seat not in range(state.setting.seats):
        return _refuse("no_such_seat", (73, 73), params=(("n", seat + 1),))
    if state.phase is not Phase.DEAL:
        return _waits(state)
    if state.markers[seat] != NONE:
        mine = dragon_name(state.setting.dragons[state.markers[seat]])
        params: Params = (("seat", seat), ("dragon", mine))
        return _refuse("dealt_already", (73, 73), params=params)
    owner = seat_of(state, state.setting.dragons.index(dragon))
    if owner is not None:
        params = (("dragon", dragon_name(dragon)), ("other_seat", owner))
        return _refuse("marker_of_another", (73, 73), params=params)
    if seat != races.next_dealt(state):
        params = (("seat", seat), ("other_seat", races.next_dealt(state)))
        ruling = "DG22" if state.setting.options.markers_chosen else BOOK
        return _refuse("deal_order", (73, 81), ruling, params)
    return LEGAL


def _judge_decide(state: State, seat: Seat) -> Verdict:
    if seat not in range(state.setting.seats):
        return _refuse("no_such_seat", (73, 73), params=(("n", seat + 1),))
    if state.phase is not Phase.DECIDE:
        return _waits(state)
    if seat not in state.winners:
        return _refuse("not_level", (139, 152), "DG5", (("seat", seat),))
    return LEGAL


def _judge_again(state: State, _move: RaceAgain) -> Verdict:
    return LEGAL if state.phase is Phase.AGAIN else _waits(state)
