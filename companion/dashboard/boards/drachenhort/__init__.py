"""Drachenhort as a drawing: the way out, the figures on it, and the score board."""

from companion.dashboard.boards.drachenhort.draw import draw
from companion.dashboard.boards.drachenhort.figures import columns, icons

__all__ = ["columns", "draw", "icons"]
