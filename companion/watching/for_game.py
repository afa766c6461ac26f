"""Chooses the watcher of the board of the game that runs, if its spaces were tapped."""

from collections.abc import Callable

from companion.kits.own_dice import LearnedKits
from companion.kits.spaces import Spaces, are_all_tapped
from companion.story.log import Story
from companion.table import Reading
from companion.watching.spaces_reader import SpacesReader
from companion.watching.table_watcher import TableWatcher
from companion.watching.watcher import NO_HOOKS, Hooks, WatchedTable
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits


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
        self._at: tuple[str, Spaces] | None = None
        self._current: TableWatcher | None = None

    def __call__(self) -> TableWatcher | None:
        """Return the watcher to use now: the same while one game goes on as tapped."""
        story = self._story()
        kit = story.header.kit if story is not None else ""
        if story is None or not kit:
            # Until the next game begins, or this one again, nobody follows its dice.
            self._at = self._current = None
            return None
        at = kit, self._own.spaces(kit)
        if at != self._at:
            self._at = at
            tapped = are_all_tapped(at[1], story.game.id, story.header.box)
            self._current = self._watcher(at[1]) if tapped else None
        return self._current

    def _watcher(self, spaces: Spaces) -> TableWatcher:
        reader = SpacesReader(spaces, self._dice, self._story)
        return TableWatcher(
            self._table, self._name, None, reader, StillnessLimits(), hooks=self._hooks
        )

    def _story(self) -> Story | None:
        return self._table.snapshot.story

    def _dice(self, picture: Picture) -> Reading:
        return self._read(Frame(picture, 0.0, None, self._name))
