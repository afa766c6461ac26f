"""8 Dragons as a drawing: the rectangle of cards, the hands, and the dragons laid."""

from companion.dashboard.boards.eight_dragons.draw import draw
from companion.dashboard.boards.eight_dragons.figures import icons, label, slot
from companion.dashboard.boards.eight_dragons.likely import LIKELY

ID = "eight_dragons"
ARTS = (draw, icons, LIKELY, (), slot, label)

__all__ = ["ARTS", "ID", "draw", "icons", "label", "slot"]
