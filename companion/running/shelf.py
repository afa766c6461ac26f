"""The stored games as the lobby lists them: begun, gone on with, put away, deleted.

The writer of the running table alone changes it; games are read in any thread.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.corrections.another_box import on_another_box
from companion.games import find
from companion.games.player_names import common_form
from companion.kits.kit import Kit, stand_in_kit
from companion.running.snapshot import Setup, StoredGame
from companion.running.storage.archive import Archive
from companion.running.storage.store import Store
from companion.running.storage.stored import NoSuchGame
from companion.running.storage.trouble import StoreTrouble
from companion.running.unsaved import (
    Begun,
    GameReopened,
    PutAway,
    Unsaved,
    WarningsSeen,
    WentOn,
    Wiped,
)
from companion.running.wishes import Delete, Forget
from companion.story.log import Header, Story, begin
from companion.table import LinePart, Word

logger = logging.getLogger(__name__)


def line_of(error: StoreTrouble | NoSuchGame) -> LinePart:
    """Return the line about a game that cannot be put on the table."""
    if isinstance(error, NoSuchGame):
        return error.line
    return LinePart("core.bad_log", (("why", Word(error.why)),))


def new_story(setup: Setup, kits: Mapping[str, Kit], at: float) -> Story:
    """Return a game as it begins, with the copy that it is played with.

    Raises:
        BadSetup: The rules do not let it begin like this.
        LookupError: There is no such game, or no such kit.
    """
    game = find(setup.game)
    kit = kits[setup.kit] if setup.kit else stand_in_kit(game)
    header = Header(
        game=game.id,
        players=setup.players,
        box=None,
        options=setup.options,
        first=setup.first,
        rules=game.rules_version,
    )
    return begin(game, with_kit(header, setup.kit or "", kit), at)


def on_kit(story: Story | None, kits: Mapping[str, Kit], name: str) -> Story | LinePart:
    """Return a game as it would have come with the box of a kit, or why it cannot."""
    kit = kits.get(name)
    if story is None or kit is None or kit.game != story.game.id:
        return LinePart("core.no_game")
    return on_another_box(story, with_kit(story.header, name, kit))


def with_kit(header: Header[Any], name: str, kit: Kit) -> Header[Any]:
    """Return a game's header with the box of a kit and what its dice show."""
    return replace(
        header,
        box=kit.box,
        kit=name,
        kit_hash=kit.digest(),
        meanings=kit.meanings,
    )


def without_name(story: Story, name: str) -> Story:
    """Return a game with the seat's number in place of a player's name."""
    header = story.header.without(name)
    if header == story.header:
        return story
    first = replace(story.entries[0], body=header)
    return replace(story, header=header, entries=(first, *story.entries[1:]))


class Shelf:
    """All stored games, also those that still wait for the disk.

    Args:
        store: The open store.
        unsaved: What waits for the disk.

    `mishap` says what befell the game that lies on the table, None where nothing did.
    """

    def __init__(self, store: Store, unsaved: Unsaved) -> None:
        self._store = store
        self._unsaved = unsaved
        self._handed_on = -1
        self.mishap: LinePart | None = None
        self._games = _by_id(store.games())

    @property
    def games(self) -> tuple[StoredGame, ...]:
        """Return all of them, the newest first; in any thread."""
        return tuple(reversed(self._games.values()))

    def story(self, game_id: str) -> Story:
        """Return a stored game; nothing of it is cut out yet.

        Raises:
            LookupError: There is no such game, or it cannot be read.
        """
        waiting = self._unsaved.story(game_id)
        if waiting is not None:
            return waiting
        return Archive(self._store.readable).game(game_id).story

    def reread(self) -> None:
        """List what the file holds, where it could not be read before.

        Raises:
            StoreTrouble: It cannot be read now.
        """
        self._games = _by_id(self._store.games())

    # A game's way to the table and back.

    def begin(self) -> None:
        """Let the next game that is handed on be a new one."""
        self._heed()
        self._handed_on, self.mishap = -1, None

    def resume(self, game_id: str) -> Story:
        """Take a game off the shelf, and put away all others.

        Raises:
            StoreTrouble | NoSuchGame: It cannot be read, or there is none.
        """
        story, count, trouble = self._found(game_id)
        self._unsaved.add(GameReopened(game_id, count))
        self._heed()
        for game in self.games:
            if not game.closed:
                self._list(replace(game, closed=True))
        return self._go_on(game_id, story, trouble)

    def put_back(self, game_id: str) -> Story | None:
        """Take the game that ran off the shelf; it need not be written for that.

        None where that cannot be: then `mishap` says so.
        """
        try:
            story, count, trouble = self._found(game_id)
        except (StoreTrouble, NoSuchGame) as error:
            logger.warning("the game that ran cannot be put back: %s", error)
            self.mishap = LinePart("core.store.not_back")
            return None
        if count is not None:
            self._unsaved.add(GameReopened(game_id, count))
        return self._go_on(game_id, story, trouble)

    def put_away(self, game_id: str | None) -> None:
        """Put the game that lies on the table back on the shelf, if one does."""
        self.mishap = None
        if game_id is None:
            return
        self._unsaved.add(PutAway(game_id))
        if game_id in self._games:
            self._list(replace(self._games[game_id], closed=True))

    def hand_on(self, game_id: str | None, story: Story | None) -> None:
        """Let the entries of the game on the table that are new wait for the disk."""
        if story is None or game_id is None or self._handed_on == story.seq:
            return
        if self._handed_on < 0:
            self._unsaved.add(Begun(game_id, story))
            header, at = story.header, story.entries[0].at
            new = StoredGame(
                game_id, story.game.id, header.players, at, len(story.entries), False
            )
            # Another mapping: one that grew under a thread that reads it would fail.
            self._games = {**self._games, game_id: new}
        else:
            new_ones = story.entries[self._handed_on + 1 :]
            self._unsaved.add(WentOn(game_id, new_ones))
            listed = self._games[game_id]
            self._list(replace(listed, entries=len(story.entries)))
        self._unsaved.hold(game_id, story)
        self._handed_on = story.seq

    def _heed(self) -> None:
        """Leave out at the next start what stood on the page of whoever chose."""
        if self._store.mishaps:
            self._unsaved.add(WarningsSeen())

    def _found(self, game_id: str) -> tuple[Story, int | None, LinePart | None]:
        """Return a game, where it must be cut to go on, and what is wrong with it."""
        waiting = self._unsaved.story(game_id)
        if waiting is not None:
            return waiting, None, None
        found = self._store.find_game(game_id)
        goes_on = found.trouble is not None and found.story.frozen is None
        return found.story, found.count if goes_on else None, found.trouble

    def _go_on(self, game_id: str, story: Story, trouble: LinePart | None) -> Story:
        self._handed_on = story.seq
        self.mishap = None if story.frozen is not None else trouble
        listed = self._games[game_id]
        if self.mishap is not None:
            listed = replace(listed, trouble=None)  # it is a sound game from now on
        self._list(replace(listed, closed=False))
        return story

    def _list(self, changed: StoredGame) -> None:
        """Put a game into the list in the place of what stood there of it.

        However many others there are: each move comes by here.
        """
        self._games[changed.id] = changed

    # What is deleted for good.

    def erase(self, command: Forget | Delete) -> LinePart | None:
        """Delete a game or a name; return why the disk refuses, None where it is done.

        What waits for the disk goes first, so that it is deleted with the rest.
        """
        try:
            if not self._unsaved.flush():
                assert self._unsaved.trouble is not None
                raise self._unsaved.trouble
            if isinstance(command, Forget):
                self._store.forget(command.name)
            else:
                self._store.delete(command.game_id)
        except StoreTrouble as error:
            forget = isinstance(command, Forget)
            line = "core.not_forgotten" if forget else "core.not_deleted"
            return LinePart(line, (("why", Word(error.why)),))
        if isinstance(command, Forget):
            self._forgotten(command.name)
        else:
            left = (game for game in self.games if game.id != command.game_id)
            self._games = _by_id(left)
        self._unsaved.add(Wiped())
        return None

    def _forgotten(self, name: str) -> None:
        """List no name any more that the store has forgotten."""
        self._games = _by_id(
            replace(
                game,
                players=tuple(
                    str(seat + 1)
                    if common_form(player) == common_form(name)
                    else player
                    for seat, player in enumerate(game.players)
                ),
            )
            for game in self.games
        )


def _by_id(newest_first: Iterable[StoredGame]) -> dict[str, StoredGame]:
    """Return games by their ids, the oldest first, as new ones come last."""
    return {game.id: game for game in reversed([*newest_first])}
