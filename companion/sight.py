"""Sets a drawn table up under a camera, with an eye that was taught its pieces."""

from collections.abc import Callable
from typing import Any

from companion.drawntable import DrawnTable
from companion.standin import StandIn
from vision.dice import read_dice, usual_rules
from vision.drawn.lessons import draw_lessons, pose_for
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop
from vision.places.reader import TableReader
from vision.places.teaching import teach

TAUGHT_WITH = 4_000
"""Added to the seed for lessons: another camera place than that of play."""


def drawn_table(
    stand_in: StandIn,
    box: Any,
    seed: int,
    light: str,
    pace: Callable[[], None] = lambda: None,
) -> tuple[DrawnTable, TableReader]:
    """Return a drawn table and the eye over it.

    The pieces are taught in pictures of their own, in good light and from other places
    of the camera. Each ground is seen once without pieces as the table is set up.

    Args:
        stand_in: The game's table.
        box: The copy that is played.
        seed: Any whole number: camera, crooked hands, noise.
        light: One of `vision.drawn.light.LIGHTS`.
        pace: Called before each picture.
    """
    plan = stand_in.table(box)
    pose = pose_for(plan, seed)
    tabletop = Tabletop(plan, pose, LIGHTS[light], seed)
    taught = teach(plan, draw_lessons(plan, seed + TAUGHT_WITH))
    bare = {ground.name: tabletop.picture(ground.name, ()) for ground in plan.grounds}
    rules = usual_rules()
    reader = TableReader(
        plan, pose, taught, bare, lambda picture: read_dice(picture, rules)
    )
    return DrawnTable(plan, tabletop, seed, pace), reader
