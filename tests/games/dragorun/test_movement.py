"""Where every face leads from every position, against a definition in other words.

The rules count cells one by one; here a target is named as what it is: the n-th free
cell ahead, the best cell behind, the cell beyond everybody.
"""

from itertools import product

import pytest
from msgspec.structs import replace

from companion.games.dragorun import track
from companion.games.dragorun.options import Options
from companion.games.dragorun.pieces import STEPS, Step
from tests.games.dragorun.tables import scene


def placements(last):
    """Yield all ways to stand on 0 to *last*: many on cell 0, else one a cell."""
    for cells in product(range(last + 1), repeat=5):
        standing = [cell for cell in cells if cell]
        if len(set(standing)) == len(standing):
            yield cells


def wanted(cells, here, step, finish, options=None):
    """Return the cell that the rulebook names (l. 97-113)."""
    options = options or Options()
    free = [cell for cell in range(1, finish) if cell not in cells]
    if step in (Step.ONE, Step.TWO, Step.THREE):
        n = int(step)
        ahead = [cell for cell in free if cell > here]
        if len(ahead) >= n:
            return ahead[n - 1]
        if options.exact_finish and len(ahead) < n - 1:
            return here
        return finish
    if step is Step.BACK:
        return wanted_behind(cells, here, free, options)
    if step is Step.TROPHY:
        return wanted_in_front(cells, here, finish, options)
    if here == min(cells) or options.snail_to_end:
        return here if here == min(cells) else 0
    return max((cell for cell in free if cell < min(cells)), default=0)


def wanted_behind(cells, here, free, options):
    """Return where -1 leads (l. 101)."""
    open_cells = set(free)
    if options.back_shares or 0 not in cells:
        open_cells.add(0)
    behind = {cell for cell in open_cells if cell < here}
    if not options.back_skips:
        behind &= {here - 1}
    return max(behind, default=here)


def wanted_in_front(cells, here, finish, options):
    """Return where the trophy leads (l. 105)."""
    leaders = [cell for cell in cells if cell == max(cells)]
    if here in leaders and (len(leaders) == 1 or not options.trophy_parts_all):
        return here
    beyond = range(max(cells) + 1, finish + options.trophy_finishes)
    return min(beyond, default=here)


def compare(last, options=None):
    """Return how many cases agree on a track whose finish follows cell *last*."""
    finish = last + 1
    start = scene((4, 3, 2, 1, 0), finish=max(finish, 6))
    box = replace(start.setting.box, finish=finish)
    setting = replace(start.setting, box=box, options=options or Options())
    start = replace(start, setting=setting)
    cases = 0
    for cells in placements(last):
        state = replace(start, cells=cells)
        for index, step in product(range(5), STEPS):
            found = track.destination(state, index, step)
            assert found == wanted(cells, cells[index], step, finish, options), (
                cells,
                index,
                step,
            )
            cases += 1
    return cases


@pytest.mark.slow
def test_ten_cells_five_dragons_six_faces():
    # On the snail cell k of five dragons, the others on different ones of 9 cells:
    # 1*15120 + 5*3024 + 10*504 + 10*72 + 5*9 + 1*1 = 36046 placements, 30 cases each.
    assert compare(last=9) == 36_046 * 5 * 6


FLIPPED = {
    "back_skips": False,
    "back_shares": False,
    "snail_to_end": True,
    "trophy_finishes": False,
    "exact_finish": True,
    "trophy_parts_all": False,
}


@pytest.mark.parametrize("names", [(), *[(name,) for name in FLIPPED], tuple(FLIPPED)])
def test_five_cells_under_each_choice(names):
    # 4 cells besides the snail's: 5*24 + 10*24 + 10*12 + 5*4 + 1 = 501 placements.
    options = Options(**{name: FLIPPED[name] for name in names})

    assert compare(4, options) == 501 * 5 * 6
