"""Who looks at the board of the game that runs, where its spaces were tapped."""

from collections.abc import Callable

from companion.kits.own_dice import Ownership
from companion.kits.spaces import Spaces, are_told
from companion.story.log import Story
from companion.table import Reading
from companion.watching.eye import NO_HOOKS, Hears, Hooks
from companion.watching.spaces_reader import SpacesReader
from companion.watching.table_watcher import Onlooker
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits


class Boards:
    """Gives the onlooker of the board that is played on, None where there is none.

    Args:
        table: Who hears the readings, and knows the game.
        name: What the camera is called on the page.
        own: What the owner of the table has taught.
        read: Reads the dice of a frame.
        hooks: Whom its onlookers serve beside the table.
    """

    def __init__(
        self,
        table: Hears,
        name: str,
        own: Ownership,
        read: Callable[[Frame], Reading],
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self._table = table
        self._name = name
        self._own = own
        self._read = read
        self._hooks = hooks
        self._at: tuple[str, Spaces] | None = None
        self._eye: Onlooker | None = None

    def __call__(self) -> Onlooker | None:
        """Return who looks now; the same one as long as one game goes on as tapped."""
        story = self._story()
        kit = story.header.kit if story is not None else ""
        if story is None or not kit:
            # Until the next game begins, or this one again, nobody follows its dice.
            self._at = self._eye = None
            return None
        at = kit, self._own.spaces(kit)
        if at != self._at:
            self._at = at
            told = are_told(at[1], story.game.id, story.header.box)
            self._eye = self._onlooker(at[1]) if told else None
        return self._eye

    def _onlooker(self, spaces: Spaces) -> Onlooker:
        reader = SpacesReader(spaces, self._dice, self._story)
        return Onlooker(
            self._table, self._name, None, reader, StillnessLimits(), hooks=self._hooks
        )

    def _story(self) -> Story | None:
        return self._table.snapshot.story

    def _dice(self, picture: Picture) -> Reading:
        return self._read(Frame(picture, 0.0, None, self._name))
