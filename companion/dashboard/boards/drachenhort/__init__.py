"""Drachenhort as a drawing: the way out, the figures on it, and the score board."""

from companion.dashboard.boards.artist import Artist
from companion.dashboard.boards.drachenhort.draw import draw
from companion.dashboard.boards.drachenhort.figures import columns, icons
from companion.dashboard.boards.drachenhort.likely import LIKELY
from companion.dashboard.boards.drachenhort.spots import areas, spots
from companion.games.drachenhort.state import NoteGroup

ARTIST = Artist(
    game="drachenhort",
    draw=draw,
    icons=icons,
    likely=LIKELY,
    spots=spots,
    areas=areas,
    notes=(NoteGroup,),
    note="dashboard.private.title",
    hand="dashboard.private.mine",
)

__all__ = ["ARTIST", "columns", "draw", "icons"]
