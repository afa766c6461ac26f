"""A drawn table that was taught once for all tests."""

import pytest

from companion.demo.tables.drachenhort import table
from companion.games.drachenhort import STAND_IN
from vision.drawn.lessons import draw_lessons, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop
from vision.pips.reader import pip_limits, read_dice
from vision.tabletop.reader import TableReader
from vision.tabletop.teaching import teach_pieces


@pytest.fixture(scope="session")
def plan():
    return table(STAND_IN)


@pytest.fixture(scope="session")
def lessons(plan):
    return draw_lessons(plan, 4_007)


@pytest.fixture(scope="session")
def taught(plan, lessons):
    return teach_pieces(plan, lessons)


@pytest.fixture
def watched(plan, taught):
    """Return a function: a table in some light, and a reader that looks at it."""

    def watch(light="good", seed=3):
        pose = random_pose(plan, seed)
        tabletop = Tabletop(plan, pose, LIGHTS[light], seed)
        bare = {one.name: tabletop.picture(one.name, ()) for one in plan.grounds}
        limits = pip_limits()
        return tabletop, TableReader(
            plan, pose, taught, bare, lambda picture: read_dice(picture, limits)
        )

    return watch
