"""What can never be true of a sound state: everything that is wrong, not the first.

Nothing is mended here; a violation means a wrong edit of the table or a fault of ours.
"""

from collections.abc import Iterator

from companion.games.core import Violation
from companion.games.drachenhort import track
from companion.games.drachenhort.box import Board
from companion.games.drachenhort.pieces import ADVENTURERS, FACES, MEDALS
from companion.games.drachenhort.state import HALL, OFF, START, Phase, State

RUNNING = (Phase.THROW, Phase.ADVANCE, Phase.DRAGON)


def check(state: State) -> tuple[Violation, ...]:
    """Return everything about *state* that cannot be.

    Source: rulebook l. 73, 95, 107-109, 154-161; rulings DH5, DH15.
    """
    faults = [*_shape(state)]
    if not faults:
        faults += [
            *_adventurers(state),
            *_dragon(state),
            *_medals(state),
            *_jewels(state),
            *_turn(state),
            *_groups(state),
        ]
    return tuple(Violation(code) for code in faults)


def _shape(state: State) -> Iterator[str]:
    """Lengths and ranges, without which nothing else can be asked."""
    seats = state.setting.seats
    heroes = (state.cells, state.lit, *state.medals)
    if any(len(values) != ADVENTURERS for values in heroes):
        yield "adventurer_missing"
    if any(len(row) != seats for row in (state.won, state.noted, state.shown)):
        yield "seat_missing"
    if state.seat not in range(seats):
        yield "no_such_seat"
    if state.round not in (1, 2):
        yield "no_such_round"
    elif not set(state.cells) <= {OFF, *range(START, state.board.last + 1)}:
        yield "no_such_cell"


def _adventurers(state: State) -> Iterator[str]:
    taken = [cell for cell in state.cells if cell > START]
    if len(set(taken)) < len(taken) and not state.setting.options.next_cell:
        yield "two_on_one_cell"
    if not all(
        lit in _lights(state.board, cell)
        for cell, lit in zip(state.cells, state.lit, strict=True)
    ):
        yield "half_that_the_cell_lacks"


def _lights(board: Board, cell: int) -> set[bool]:
    return {track.is_lit(board, cell, arriving=arriving) for arriving in (True, False)}


def _dragon(state: State) -> Iterator[str]:
    if state.dragon not in range(HALL, state.board.last + 1):
        yield "dragon_off_the_board"  # ruling DH15: nobody is left to stop it
    passed = [cell for cell in state.cells if OFF < cell <= state.dragon]
    # Where two shared the cell (DH7) the dragon may stand with those it has not caught.
    sharing = state.phase not in RUNNING and set(passed) == {state.dragon}
    if passed and not sharing:
        yield "dragon_passed_somebody"


def _medals(state: State) -> Iterator[str]:
    for medals in state.medals:
        given = [medal for medal in medals if medal]
        if not set(given) <= set(MEDALS):
            yield "no_such_medal"
        if len(set(given)) < len(given):
            yield "medal_twice"
    if state.round == 1 and any(state.medals[1]):
        yield "gold_too_early"
    if state.round == 2 and 0 in state.medals[0]:
        yield "medals_left_over"
    if state.phase in (Phase.FLIP, Phase.SHOW, Phase.OVER) and 0 in state.given:
        yield "medals_left_over"
    if state.phase in RUNNING:
        yield from _captured(state)


def _captured(state: State) -> Iterator[str]:
    """While a round runs, those off the board are the captured, lowest medal first."""
    given = sorted(medal for medal in state.given if medal)
    if given != list(MEDALS[: len(given)]):
        yield "medals_out_of_order"
    if any(
        (cell == OFF) != (medal > 0)
        for cell, medal in zip(state.cells, state.given, strict=True)
    ):
        yield "captured_without_medal"
    if state.cells.count(OFF) >= ADVENTURERS - 1:
        yield "round_over_unnoticed"


def _jewels(state: State) -> Iterator[str]:
    laid = len(state.setting.box.front.jewels)
    if state.round == 2:
        laid += len(state.setting.box.back.jewels)
    known = sum(state.won) + len(state.jewels) + state.removed
    if known != laid or min(state.won) < 0 or state.removed < 0:
        yield "jewels_do_not_add_up"
    if list(state.jewels) != sorted(set(state.jewels) & set(state.board.jewels)):
        yield "jewel_where_none_is_laid"


def _turn(state: State) -> Iterator[str]:
    thrown = state.pips in FACES
    if thrown != (state.phase is Phase.ADVANCE) or (not thrown and state.pips):
        yield "throw_out_of_turn"
    elif thrown and not track.movers(state):
        yield "nobody_can_advance"
    if state.phase is Phase.DRAGON and True in state.lit:
        yield "dragon_while_somebody_is_in_light"
    if state.phase is Phase.FLIP and state.round == 2:
        yield "flip_in_second_round"


def _groups(state: State) -> Iterator[str]:
    cards = range(len(state.setting.box.groups))
    shown = [group for group in state.shown if group is not None]
    noted = [hidden.value for hidden in state.noted if hidden.value is not None]
    if not set(shown) | set(noted) <= set(cards):
        yield "no_such_group"
    if len(set(shown)) < len(shown):
        yield "group_twice"
    if shown and state.phase not in (Phase.SHOW, Phase.OVER):
        yield "group_shown_too_early"
    if (None in state.shown) == (state.phase is Phase.OVER):
        yield "group_open" if state.phase is Phase.OVER else "game_over_unnoticed"
    if any(hidden.seen_by != (seat,) for seat, hidden in enumerate(state.noted)):
        yield "group_not_secret"
