"""Dragon Run as a drawing: the dragon's anger, the place cards, and the thieves."""

from companion.dashboard.boards.dragon_run.draw import draw
from companion.dashboard.boards.dragon_run.figures import icons, label, slot
from companion.dashboard.boards.dragon_run.likely import LIKELY
from companion.games.dragon_run.state import ForgetNotes, NoteCard

ID = "dragon_run"
ARTS = (draw, icons, LIKELY, (NoteCard, ForgetNotes), slot, label)

__all__ = ["ARTS", "ID", "draw", "icons", "label", "slot"]
