"""Dragonix as a drawing: four armies, the tower, the dragons, and what each holds."""

from companion.dashboard.boards.dragonix.draw import draw
from companion.dashboard.boards.dragonix.figures import icons, label, slot
from companion.dashboard.boards.dragonix.likely import LIKELY
from companion.games.dragonix.moves import NoteCard, NoteToken

ID = "dragonix"
ARTS = (draw, icons, LIKELY, (NoteCard, NoteToken), slot, label)

__all__ = ["ARTS", "ID", "draw", "icons", "label", "slot"]
