"""Chooses the watcher of the board or the rows of the game that runs, if tapped."""

from collections.abc import Callable

import numpy as np

from companion.kits.between import Point
from companion.kits.own_dice import LearnedKits, PieceLooks
from companion.kits.spaces import (
    Spaces,
    are_all_tapped,
    card_rows,
    card_zones,
    seen_from,
)
from companion.story.log import Story
from companion.table import Reading
from companion.watching.rows_reader import RowsReader
from companion.watching.spaces_reader import SpacesReader
from companion.watching.still_reader import ReadDice, StillTableReader
from companion.watching.table_watcher import ReadsTables, TableWatcher
from companion.watching.watcher import NO_HOOKS, Hooks, WatchedTable
from companion.watching.zones_reader import ZonesReader
from vision.arrays import Floats, Picture
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits
from vision.ground.knock import find_move, move_points
from vision.ground.upper_side import PointBelow
from vision.tabletop.seen import TableReading

UNSURE_S = 1.0
"""So long a hand that turns a card rests over it. First guess."""


class PlacedReader:
    """A reader whose camera may have been moved since its spaces were tapped.

    By the first picture it is told how; where that cannot be told, they lie as tapped.

    Args:
        spaces: As they were tapped.
        tapped: A small picture of the table as it was then.
        make: Makes the reader.
    """

    def __init__(
        self, spaces: Spaces, tapped: Picture, make: Callable[[Spaces], ReadsTables]
    ) -> None:
        self._spaces, self._tapped, self._make = spaces, tapped, make
        self._reader: ReadsTables | None = None

    def read(self, picture: Picture, *, untouched: bool = False) -> TableReading:
        """Return what lies there."""
        if self._reader is None:
            move, spaces = find_move(self._tapped, picture), self._spaces
            if move is not None:
                spaces = seen_from(spaces, lambda at: _moved(at, move))
            self._reader = self._make(spaces)
        return self._reader.read(picture, untouched=untouched)


def _moved(at: Point, move: Floats) -> Point:
    ((x, y),) = move_points(np.array([at], np.float32), move).tolist()
    return x, y


class BoardWatchers:
    """Gives the watcher of the board that is played on, None where there is none.

    Args:
        table: The running table: takes the readings, and knows the game.
        name: What the camera is called on the page.
        own: What the owner of the table has taught.
        read: Reads the dice of a frame.
        hooks: What its watchers serve beside the table.
    """

    def __init__(
        self,
        table: WatchedTable,
        name: str,
        own: LearnedKits,
        read: Callable[[Frame], Reading],
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self._table = table
        self._name = name
        self._own = own
        self._read = read
        self._hooks = hooks
        self._at: object = None
        self._current: TableWatcher | None = None

    def __call__(self) -> TableWatcher | None:
        """Return the watcher to use now: the same while one game goes on as tapped."""
        story = self._story()
        kit = story.header.kit if story is not None else ""
        if story is None or not kit:
            # Until the next game begins, or this one again, nobody follows its dice.
            self._at = self._current = None
            return None
        at = kit, self._own.spaces(kit), tuple(self._own.decks(kit).values())
        if at != self._at:
            self._at = at
            reader = self._reader(story, at[1])
            self._current = None if reader is None else self._watcher(reader)
        return self._current

    def _reader(self, story: Story, spaces: Spaces) -> ReadsTables | None:
        """Return what reads the board of a game, None where it was not taught."""
        game, box = story.game.id, story.header.box
        if not are_all_tapped(spaces, game, box, len(story.header.players)):
            return None
        kit = story.header.kit
        looks = PieceLooks(self._own.decks(kit), self._own.rounds(kit))
        rows, zones = card_rows(game, box), card_zones(game, box)
        if not rows and not zones:
            return self._placed(
                spaces,
                lambda now: SpacesReader(now, self._dice, self._story, looks.rounds),
            )
        if not looks.decks:
            return None

        def make(read_dice: ReadDice) -> ReadsTables:
            if zones:
                return self._placed(
                    spaces,
                    lambda now: ZonesReader(now, zones, looks, read_dice, self._story),
                )
            return self._placed(
                spaces,
                lambda now: RowsReader(now, rows, looks, read_dice, self._story),
            )

        long_px = self._own.cards_px(kit)
        if long_px is None:
            return make(self._dice)
        return StillTableReader(self._hooks.stills, long_px, self._read, make)

    def _placed(
        self, spaces: Spaces, make: Callable[[Spaces], ReadsTables]
    ) -> ReadsTables:
        story = self._story()
        tapped = self._own.tapped(story.header.kit) if story is not None else None
        return make(spaces) if tapped is None else PlacedReader(spaces, tapped, make)

    def _watcher(self, reader: ReadsTables) -> TableWatcher:
        return TableWatcher(
            self._table, self._name, None, reader, StillnessLimits(),
            hooks=self._hooks, unsure_s=UNSURE_S,
        )  # fmt: skip

    def _story(self) -> Story | None:
        return self._table.snapshot.story

    def _dice(self, picture: Picture, below: PointBelow | None = None) -> Reading:
        return self._read(Frame(picture, 0.0, None, self._name, below=below))
