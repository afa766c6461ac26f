"""What happened at the table and is not on disk yet, in its order.

Nothing of it is ever dropped: while the disk refuses it waits here, whatever game lies
on the table meanwhile, and goes out as one transaction when the disk takes it again.
Nobody who acts waits for a disk that has refused: what is tried again is over at once,
or else tried seldom.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from companion.running.snapshot import PhoneToken
from companion.running.storage.opening import BUSY_MS
from companion.running.storage.store import Store
from companion.running.storage.trouble import StoreTrouble
from companion.story.log import Entry, Noted, Story
from companion.table import LinePart, Word

END = Noted("end")


class Begun(Struct, frozen=True):
    """A game began."""

    game_id: str
    story: Story


class WentOn(Struct, frozen=True):
    """A game got more entries."""

    game_id: str
    entries: tuple[Entry, ...]


class PutAway(Struct, frozen=True):
    """A game lies on the table no more."""

    game_id: str


class GameReopened(Struct, frozen=True):
    """A game came back on the table; *count* of its entries are sound, None for all."""

    game_id: str
    count: int | None = None


class TokensRevoked(Struct, frozen=True):
    """Some phones are let in no more, by the hashes of their tokens."""

    hashes: frozenset[str]


class WarningsSeen(Struct, frozen=True):
    """The warnings of the last start were on the page when somebody chose a game.

    They are not repeated.
    """


class Wiped(Struct, frozen=True):
    """What was deleted must go from the log of writes too."""


InGames: TypeAlias = (
    Begun | WentOn | PutAway | GameReopened | PhoneToken | TokensRevoked | WarningsSeen
)
"""What goes out as one transaction."""

Write: TypeAlias = InGames | Wiped

IDLE_S = 30.0
"""So long after the last write the log of writes is copied into the file; a move comes
each few seconds, and to copy each at once would write twice as much to the card."""

APART = 4
"""A disk that takes long to refuse has the writer for a fifth of the time at most."""


class Unsaved:
    """The writes that wait for the disk.

    Args:
        store: Where they go. Used by the writer thread alone.
        monotonic: Seconds that only ever grow.
    """

    def __init__(self, store: Store, monotonic: Callable[[], float]) -> None:
        self._store = store
        self._monotonic = monotonic
        self._tried_at = -math.inf
        self._took_s = 0.0
        self._folds_at = math.inf
        self._waiting: list[Write] = []
        self._stories: dict[str, Story] = {}
        self.trouble: StoreTrouble | None = store.refuses

    def __bool__(self) -> bool:
        """Tell whether anything waits."""
        return bool(self._waiting)

    def add(self, write: Write) -> None:
        """Let a write wait for `flush`."""
        self._waiting.append(write)

    def hold(self, game_id: str, story: Story) -> None:
        """Remember how a game stands of which entries wait."""
        self._stories[game_id] = story

    def story(self, game_id: str) -> Story | None:
        """Return how a game stands of which entries wait, None if none do."""
        return self._stories.get(game_id)

    def may_try(self) -> bool:
        """Tell whether the disk is to be tried now.

        One that refused is left alone for `APART` times as long as it took to refuse.
        """
        if self.trouble is None:
            return True
        return self._monotonic() >= self._tried_at + APART * self._took_s

    def flush(self) -> bool:
        """Write all that waits; False when the disk refuses, and all waits on.

        Without anything that waits, a disk that refused is tried again. One that is
        held by another program is waited for only as long as nothing is the matter.
        """
        began_at = self._monotonic()
        taken = self._try()
        self._tried_at = self._monotonic()
        self._took_s = self._tried_at - began_at
        self._store.wait_for_others(BUSY_MS if taken else 0)
        if taken:
            self.fold()
        return taken

    def fold(self) -> None:
        """Copy the log of writes into the file, if a game ended or nobody acts."""
        now = self._monotonic()
        if now >= self._folds_at and self.trouble is None:
            self._folds_at = math.inf if self._store.fold() else now + IDLE_S

    def _try(self) -> bool:
        try:
            self._store.try_again()
            writes = [one for one in self._waiting if not isinstance(one, Wiped)]
            if writes:
                with self._store.together():
                    for write in writes:
                        self._carry_out(write)
                ended = any(map(_ends_a_game, writes))
                self._folds_at = -math.inf if ended else self._monotonic() + IDLE_S
            # Written by now, whatever becomes of the traces.
            self._waiting = [one for one in self._waiting if isinstance(one, Wiped)]
            self._stories = {}
            if self._waiting:
                self._store.wipe()
            self._waiting = []
        except StoreTrouble as error:
            self.trouble = error
            return False
        self.trouble = None
        return True

    def _carry_out(self, write: InGames) -> None:
        store = self._store
        match write:
            case Begun(game_id=game_id, story=story):
                store.create(game_id, story)
            case WentOn(game_id=game_id, entries=entries):
                store.append(game_id, entries)
            case PutAway(game_id=game_id):
                store.close_game(game_id)
            case GameReopened(game_id=game_id, count=count):
                store.reopen_game(game_id, count)
            case PhoneToken():
                store.add_token(write)
            case TokensRevoked(hashes=hashes):
                store.drop_tokens(hashes)
            case WarningsSeen():
                store.heed()

    def warning(self) -> LinePart | None:
        """Return what people must know of it, None while the disk takes everything."""
        if self.trouble is None:
            return None
        why = ("why", Word(self.trouble.why))
        acts = sum(_entries(write) for write in self._waiting)
        if acts:
            return LinePart("core.store.unsaved", (("n", acts), why))
        if self._waiting:
            only = all(isinstance(write, Wiped) for write in self._waiting)
            line = "core.store.unwiped" if only else "core.store.unsaved_other"
            return LinePart(line, (why,))
        return LinePart("core.store.refuses", (why,))


def _ends_a_game(write: Write) -> bool:
    match write:
        case PutAway():
            return True
        case WentOn(entries=entries):
            return any(entry.body == END for entry in entries)
        case _:
            return False


def _entries(write: Write) -> int:
    match write:
        case Begun(story=story):
            return len(story.entries)
        case WentOn(entries=entries):
            return len(entries)
        case _:
            return 0
