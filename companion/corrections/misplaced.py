"""Finds the pieces that do not lie as the record says, for people to put back."""

from msgspec import Struct

from companion.games.hidden import (
    redact,
)
from companion.referee.changes import not_yet_moved, plain_changes
from companion.story.log import Story
from companion.table import TRAY, Face, Layout, Piece, Place, Placed, Removed


class Misplaced(Struct, frozen=True):
    """A piece that does not lie as the record says.

    Attributes:
        piece: Which kind of piece.
        home: Where the record has it, None for one that belongs nowhere on the table.
        there: Where it lies, None where it is missed.
        face: What it shows by the record, None where that says nothing.
        shows: What it shows as it lies.
    """

    piece: Piece
    home: Place | None
    there: Place | None
    face: Face | None = None
    shows: Face | None = None


def find_misplaced(story: Story, lying: Layout | None) -> tuple[Misplaced, ...]:
    """Return the pieces that the question on the table is about.

    There are none where no question about the whole table stands, or where it is not
    sure what lies there. *lying* is what was last known to lie there: what hands have
    yet to carry out is not misplaced. Dice are thrown, and nobody puts a throw back.
    """
    asked = story.asked
    if asked is None or not asked.reading.whole or asked.reading.choices:
        return ()
    record = story.game.layout(redact(story.state, None))
    seen = plain_changes(glimpse.sight for glimpse in asked.reading.glimpses)
    seen = frozenset(s for s in seen - not_yet_moved(record, lying) if s.place != TRAY)
    gone = sorted((s for s in seen if isinstance(s, Removed)), key=repr)
    came = sorted((s for s in seen if isinstance(s, Placed)), key=repr)
    found = []
    for thing in came:
        old = _before(thing, gone)
        if old is not None:
            gone.remove(old)
            face = old.face or _face(record, old.piece, old.place)
            home: Place | None = old.place
        else:
            # Turned over where it lay: the record has another side of it there.
            face = _face(record, thing.piece, thing.place)
            home = thing.place if face is not None else None
        found.append(Misplaced(thing.piece, home, thing.place, face, thing.face))
    found += [
        Misplaced(old.piece, old.place, None, old.face or _face(record, *_at(old)))
        for old in gone
    ]
    return tuple(found)


def _before(thing: Placed, gone: list[Removed]) -> Removed | None:
    """Return what of all that is gone has come to lie here, None for nothing."""
    same = [old for old in gone if old.piece == thing.piece]
    here = [old for old in same if old.place == thing.place]
    alike = [old for old in same if old.face == thing.face]
    return next(iter((*here, *alike, *same)), None)


def _at(gone: Removed) -> tuple[Piece, Place]:
    return gone.piece, gone.place


def _face(record: Layout, piece: Piece, place: Place) -> Face | None:
    faces = {thing[1] for thing in record if (thing[0], thing[2]) == (piece, place)}
    return faces.pop() if len(faces) == 1 else None
