"""Dragonix as a drawing: four armies, the tower, the dragons, and what each holds."""

from companion.dashboard.boards.artist import Artist
from companion.dashboard.boards.dragonix.draw import draw
from companion.dashboard.boards.dragonix.figures import icons, label, slot
from companion.dashboard.boards.dragonix.likely import LIKELY
from companion.dashboard.boards.dragonix.spots import areas, spots
from companion.games.dragonix.moves import NoteCard, NoteToken

ARTIST = Artist(
    game="dragonix",
    draw=draw,
    icons=icons,
    likely=LIKELY,
    spots=spots,
    areas=areas,
    notes=(NoteCard, NoteToken),
    slot=slot,
    label=label,
)

__all__ = ["ARTIST", "draw", "icons", "label", "slot"]
