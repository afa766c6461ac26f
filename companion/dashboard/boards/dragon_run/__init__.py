"""Dragon Run as a drawing: the dragon's anger, the place cards, and the thieves."""

from companion.dashboard.boards.artist import Artist
from companion.dashboard.boards.dragon_run.draw import draw
from companion.dashboard.boards.dragon_run.figures import icons, label, slot
from companion.dashboard.boards.dragon_run.likely import LIKELY
from companion.dashboard.boards.dragon_run.spots import areas, spots
from companion.games.dragon_run.state import ForgetNotes, NoteCard

ARTIST = Artist(
    game="dragon_run",
    draw=draw,
    icons=icons,
    likely=LIKELY,
    spots=spots,
    areas=areas,
    notes=(NoteCard, ForgetNotes),
    slot=slot,
    label=label,
)

__all__ = ["ARTIST", "draw", "icons", "label", "slot"]
