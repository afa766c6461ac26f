"""Drachenhort as a drawing: the way out, the figures on it, and the score board."""

from companion.dashboard.boards.drachenhort.draw import draw
from companion.dashboard.boards.drachenhort.figures import columns, icons
from companion.dashboard.boards.drachenhort.likely import LIKELY
from companion.games.drachenhort.state import NoteGroup

ID = "drachenhort"
ARTS = (draw, icons, LIKELY, (NoteGroup,))

__all__ = ["ARTS", "ID", "columns", "draw", "icons"]
