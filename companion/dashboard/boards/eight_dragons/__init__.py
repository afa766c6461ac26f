"""8 Dragons as a drawing: the rectangle of cards, the hands, and the dragons laid."""

from companion.dashboard.boards.artist import Artist
from companion.dashboard.boards.eight_dragons.draw import draw
from companion.dashboard.boards.eight_dragons.figures import icons, label, slot
from companion.dashboard.boards.eight_dragons.likely import LIKELY, at_one_go
from companion.dashboard.boards.eight_dragons.spots import areas, spots

ARTIST = Artist(
    game="eight_dragons",
    draw=draw,
    icons=icons,
    likely=LIKELY,
    spots=spots,
    areas=areas,
    notes=(),
    slot=slot,
    label=label,
    at_one_go=at_one_go,
)

__all__ = ["ARTIST", "draw", "icons", "label", "slot"]
