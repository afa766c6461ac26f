"""What can never be true of a sound state: everything that is wrong, not the first.

Nothing is mended here; a violation means a wrong edit of the table or a fault of ours.
"""

from collections.abc import Iterator

from companion.games.core import Violation
from companion.games.dragorun import eggs, track
from companion.games.dragorun.box import SNAIL_CELL, UNPLACED
from companion.games.dragorun.pieces import DRAGONS, WHITE, Egg
from companion.games.dragorun.state import NONE, Phase, State

THROWN = (Phase.KEEP, Phase.BOUND)
SETTING_UP = (Phase.PLACE, Phase.DEAL)
FINISHED = (Phase.DECIDE, Phase.AGAIN, Phase.OVER)


def check(state: State) -> tuple[Violation, ...]:
    """Return everything about *state* that cannot be.

    Source: rulebook l. 46, 72-74, 85, 97, 121-139, 152.
    """
    faults = [*_shape(state)]
    if not faults:
        faults += [
            *_track(state),
            *_markers(state),
            *_eggs(state),
            *_turn(state),
            *_end(state),
        ]
    return tuple(Violation(code) for code in faults)


def _shape(state: State) -> Iterator[str]:
    """Lengths and ranges, without which nothing else can be asked."""
    seats = state.setting.seats
    if len(state.cells) != DRAGONS:
        yield "dragon_missing"
    if any(len(row) != seats for row in (state.markers, state.hidden, state.eggs)):
        yield "seat_missing"
    if not {state.seat, *state.winners} <= set(range(seats)):
        yield "no_such_seat"
    if not set(state.cells) <= set(range(UNPLACED, state.setting.box.finish + 1)):
        yield "no_such_cell"
    if not set(state.markers) <= {NONE, *range(DRAGONS)}:
        yield "no_such_marker"
    if state.race < 1:
        yield "no_such_race"


def _track(state: State) -> Iterator[str]:
    standing = [cell for cell in state.cells if cell > SNAIL_CELL]
    if len(set(standing)) < len(standing):
        yield "two_on_one_cell"
    at_the_rear = [
        index for index, cell in enumerate(state.cells) if cell == SNAIL_CELL
    ]
    if sorted(state.line) != at_the_rear:
        yield "line_is_not_who_stands_there"
    if (UNPLACED in state.cells) != (state.phase is Phase.PLACE):
        yield "dragon_not_placed"
    if state.phase in SETTING_UP and not set(state.cells) <= {
        UNPLACED,
        *state.setting.box.starts,
    }:
        yield "not_on_a_start_cell"


def _markers(state: State) -> Iterator[str]:
    dealt = [index for index in state.markers if index != NONE]
    if len(set(dealt)) < len(dealt):
        yield "marker_twice"
    if state.phase is Phase.DEAL and NONE not in state.markers:
        yield "marker_dealt_unnoticed"
    if state.phase not in SETTING_UP and NONE in state.markers:
        yield "marker_missing"
    if any(
        down and index == NONE
        for index, down in zip(state.markers, state.hidden, strict=True)
    ):
        yield "hidden_without_marker"
    if state.phase in (Phase.TURN, *THROWN) and state.hidden[state.seat]:
        yield "own_marker_hidden"
    if state.phase in (Phase.DRAW, Phase.EGG) and not state.hidden[state.seat]:
        yield "new_marker_not_hidden"


def _eggs(state: State) -> Iterator[str]:
    kinds = {egg for egg, _ in eggs.supply(state)}
    if any(egg not in kinds for held in state.eggs for egg in held):
        yield "no_such_egg"
    if any(count < 0 for _, count in eggs.supply(state)):
        yield "egg_too_many"
    held = sum(map(len, state.eggs))
    if state.drawn < held:
        yield "eggs_drawn_do_not_add_up"
    may_be_empty = (Phase.EGG, Phase.DECIDE, Phase.OVER)
    if eggs.eggs_left(state) < 1 and state.phase not in may_be_empty:
        yield "eggs_not_returned"


def _turn(state: State) -> Iterator[str]:
    dice = (state.colour is not None, state.step is not None)
    if dice != (state.phase in THROWN,) * 2:
        yield "dice_out_of_turn"
    elif state.phase in THROWN:
        yield from _bound(state)
    if state.phase is Phase.EGG:
        yield from _egg(state)


def _bound(state: State) -> Iterator[str]:
    colour, _ = track.dice_shown(state)
    if colour is not WHITE and colour not in state.setting.dragons:
        yield "no_such_face"
    elif state.phase is Phase.BOUND and track.moves_nobody(state):
        yield "throw_moves_nobody"


def _egg(state: State) -> Iterator[str]:
    kinds = {egg for egg, _ in eggs.supply(state)}
    held = state.eggs[state.seat]
    if not held or held[-1] is Egg.MUSHROOM:
        yield "no_egg_to_follow"
    elif held[-1] in kinds and track.stays(state, track.targets(state)[0]):
        yield "egg_moves_nobody"


def _end(state: State) -> Iterator[str]:
    finished = state.cells.count(state.setting.box.finish)
    if finished != (state.phase in FINISHED):
        yield "finish_unnoticed" if finished else "nobody_at_the_finish"
    if bool(state.winners) != (state.phase in (Phase.DECIDE, Phase.OVER)):
        yield "winners_out_of_place"
    if state.phase is Phase.DECIDE and len(state.winners) == 1:
        yield "nothing_to_decide"
