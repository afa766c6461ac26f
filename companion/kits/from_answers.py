"""What people's answer to a question about a die teaches: the picture, and what it was.

Pure: it reads the newest entries of a story and keeps nothing.
"""

from msgspec import Struct

from companion.story.log import Asked, Made, Noted, Story
from companion.table import TRAY, BoxPx, Face, Piece, Shown


class Reference(Struct, frozen=True):
    """A die that the camera was not sure of, and the face that people said it shows.

    *box* is where it lay in the picture of the reading that was *taken_at* seconds.
    """

    piece: Piece
    face: Face
    box: BoxPx
    taken_at: float


def reference(story: Story) -> Reference | None:
    """Return what the newest answer teaches, None where it teaches nothing.

    Only a die that the question left open counts, seen as one thing in one place; what
    was read without asking needs no picture more.
    """
    bodies = [e.body for e in story.entries[-4:] if not isinstance(e.body, Noted)]
    if len(bodies) < 2 or not story.steps:
        return None
    asked, made = bodies[-2:]
    if not isinstance(asked, Asked) or not isinstance(made, Made):
        return None
    if made.source == "camera" or asked.reading.trouble is not None:
        return None
    before = story.steps[-2].state if len(story.steps) > 1 else story.start
    answers = {
        sight.piece: sight.face
        for sight in story.game.evidence(before, made.move)
        if isinstance(sight, Shown) and sight.place == TRAY
    }
    open_ones = [choice for choice in asked.reading.choices if choice.piece in answers]
    if len(open_ones) != 1:
        return None
    choice = open_ones[0]
    if choice.piece is None or choice.box_px is None or choice.place != TRAY:
        return None
    return Reference(
        choice.piece, answers[choice.piece], choice.box_px, asked.reading.taken_at
    )
