"""Counting cells, against a definition, for every way that cells can be taken."""

from itertools import combinations

from msgspec.structs import replace

from companion.games.drachenhort import track
from companion.games.drachenhort.box import draw_board
from companion.games.drachenhort.state import OFF
from tests.games.drachenhort.tables import scene

LENGTH = 12
CELLS = range(1, LENGTH + 1)


def all_taken():
    """Yield every set of up to six cells that others can stand on."""
    for count in range(7):
        yield from combinations(CELLS, count)


def free_ahead(taken, here, start_free=False):
    """Return all free cells ahead of *here* in order, the outside included."""
    first = [0] if here < 0 and start_free else []
    inside = [cell for cell in CELLS if cell > here and cell not in taken]
    return [*first, *inside, *range(LENGTH + 1, LENGTH + 8)]


def test_walking_ends_on_the_nth_free_cell_ahead():
    cases = 0
    for taken in all_taken():
        for here in range(LENGTH + 1):
            ahead = free_ahead(taken, here)
            for steps in (1, 2, 3, 4, 6):
                assert track.walk(LENGTH, taken, here, steps) == ahead[steps - 1]
                cases += 1
    assert cases == 2510 * 13 * 5  # C(12, 0) + ... + C(12, 6) = 2510 sets


def test_a_trap_leads_to_the_third_free_cell_ahead_of_the_dragon_or_one_on():
    way = "..t..tt....."
    traps = {3, 6, 7}
    state = scene(way, green="4", red="5")
    for taken in all_taken():
        for dragon in range(-1, 8):
            if dragon in taken:
                continue
            here = replace(state, dragon=dragon)

            ahead = free_ahead(taken, dragon, start_free=True)[2:]
            third = next(cell for cell in ahead if cell not in traps)

            assert track.spring(here, taken, 6) == third


def test_a_trap_steps_over_a_start_room_where_somebody_stands():
    state = scene("." * LENGTH, green="4", red="start")

    assert track.spring(state, (0,), 6) == 3  # 1, 2, 3
    assert track.spring(state, (OFF,), 6) == 2  # start, 1, 2


def test_the_dragon_stops_on_the_first_of_five_cells_that_is_taken():
    state = scene("." * LENGTH, green="4", red="5")
    for taken in all_taken():
        for dragon in (0, 1, 5):
            cells = (*(cell for cell in taken if cell > dragon), *(OFF,) * 7)[:7]
            here = replace(state, dragon=dragon, cells=cells)

            met = [cell for cell in range(dragon + 1, dragon + 6) if cell in cells]

            assert track.dragon_stop(here) == (met[0] if met else dragon + 5)


def test_light_depends_on_the_cell_and_on_arriving():
    board = draw_board(".dl")

    lights = {
        cell: [track.is_lit(board, cell, arriving=a) for a in (True, False)]
        for cell in (OFF, 0, 1, 2, 3)
    }

    assert lights == {
        OFF: [False, False],
        0: [True, True],
        1: [False, True],  # halves: dark on arriving, lit before the dragon
        2: [False, False],
        3: [True, True],
    }
