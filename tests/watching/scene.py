"""A table with a watcher that sees what a test says."""

import numpy as np

from companion.table import TRAY, SurePiece
from companion.watching.table_watcher import TableWatcher
from companion.watching.watcher import Hooks
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits
from vision.tabletop.seen import TableReading


class Reader:
    """A reader that sees what the test says."""

    def __init__(self):
        self.seen = TableReading()
        self.looks = 0
        self.untouched = []

    def read(self, picture, *, untouched=False):
        self.looks += 1
        self.untouched.append(untouched)
        if isinstance(self.seen, list):
            return self.seen[self.looks % len(self.seen)]
        return self.seen


class Camera:
    def read(self):
        return None

    def close(self):
        """Nothing to let go of."""


def lying(story, *more, without=()):
    """Return all that lies there by the record but dice, without some, with others."""
    things = [
        SurePiece(piece, face, place, 0.98, (0, 0, 9, 9))
        for piece, face, place in sorted(story.game.layout(story.state), key=str)
        if piece not in without and place != TRAY
    ]
    return TableReading((*things, *more))


def at(piece, place, face=None, box=(0, 0, 9, 9), confidence=0.98):
    return SurePiece(piece, face, place, confidence, box)


def still(at_px: int):
    picture = np.full((120, 160, 3), 90, np.uint8)
    picture[at_px : at_px + 30, at_px : at_px + 30] = 220
    return picture


class Scene:
    """A table, its watcher, and a clock of pictures."""

    def __init__(self, table, framing=None, before=(), unsure_s=0.0, **hooks):
        self.table = table
        self.reader = Reader()
        self.eye = TableWatcher(
            table,
            "drawn",
            Camera(),
            self.reader,
            StillnessLimits(),
            lambda: 0.0,
            framing,
            Hooks(**hooks),
            unsure_s,
        )
        self.number = self.shows = 0
        if not table.snapshot.unseen:
            # What lies there at the first look is no throw.
            self.show(lying(table.snapshot.story, *before))
            self.reader.looks = 0

    @property
    def story(self):
        self.table.sync()
        return self.table.snapshot.story

    def show(self, seen, times=8):
        """Let something move, then show the table at rest."""
        self.shows += 1
        return self.rest(seen, times)

    def rest(self, seen, times=8):
        """Show the table at rest, as it lay."""
        self.reader.seen = seen
        place = 10 + (self.shows * 17) % 70
        for _ in range(times):
            self.number += 1
            name = f"picture-{self.number}"
            self.eye.see(Frame(still(place), self.number / 15, None, name))
        return self.story
