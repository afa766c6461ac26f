"""Dragorun as a drawing: the winding track, who rides whom, and the eggs."""

from companion.dashboard.boards.dragorun.draw import draw
from companion.dashboard.boards.dragorun.figures import icons, label, slot
from companion.dashboard.boards.dragorun.likely import LIKELY

ID = "dragorun"
ARTS = (draw, icons, LIKELY, (), slot, label)

__all__ = ["ARTS", "ID", "draw", "icons", "label", "slot"]
