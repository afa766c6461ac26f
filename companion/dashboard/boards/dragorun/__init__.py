"""Dragorun as a drawing: the winding track, who rides whom, and the eggs."""

from companion.dashboard.boards.artist import Artist
from companion.dashboard.boards.dragorun.draw import draw
from companion.dashboard.boards.dragorun.figures import icons, label, slot
from companion.dashboard.boards.dragorun.likely import LIKELY
from companion.dashboard.boards.dragorun.spots import areas, spots

ARTIST = Artist(
    game="dragorun",
    draw=draw,
    icons=icons,
    likely=LIKELY,
    spots=spots,
    areas=areas,
    notes=(),
    slot=slot,
    label=label,
)

__all__ = ["ARTIST", "draw", "icons", "label", "slot"]
