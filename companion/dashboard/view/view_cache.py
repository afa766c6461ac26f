"""Keeps what each kind of viewer sees of the newest snapshot, rendered once for all.

Fifty phones that watch in one language cost one look at the table and one rendering.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import IO, Any, Protocol, TypeAlias

from jinja2 import Environment
from msgspec import Struct

from companion.dashboard import boards
from companion.dashboard.door.auth import Who
from companion.dashboard.view.calls import MOST, SILENT, Call, call
from companion.dashboard.view.history import NEWEST, SHOWN
from companion.dashboard.view.page_parts import PageParts
from companion.dashboard.view.view import View
from companion.dashboard.view.views import view_of
from companion.running.snapshot import Snapshot
from companion.story.log import Story
from companion.words import Words

PARTS = ("turn", "actions", "board", "scores", "history", "status")
"""The parts of the game page in their order: what matters most comes first."""


class RenderedView(Struct, frozen=True):
    """What one kind of viewer sees: the view, and each part of the page as HTML."""

    view: View
    parts: dict[str, str]


Picker: TypeAlias = Callable[[tuple[str, ...]], list[str]]


class EvidencePictures(Protocol):
    """The store of the pictures that readings rest on; safe in any thread."""

    def has(self, game_id: str, name: str) -> bool:
        """Tell whether a picture is kept still."""

    def picture(self, game_id: str, name: str) -> bytes | None:
        """Return a picture as JPEG, None when it is kept no more."""

    def pack(self, to: IO[bytes], game_id: str, story: Story) -> None:
        """Write a game as a capsule, its secrets left out till it is over.

        Raises:
            OSError: The disk cannot be read or written.
        """

    def photo(self, game_id: str) -> bytes | None:
        """Return the photo of a game's final table, None where nobody took one."""

    def keep_photo(self, game_id: str, jpeg: bytes) -> None:
        """Keep the photo of a game's final table.

        Raises:
            OSError: The disk refuses.
        """

    def drop_photo(self, game_id: str) -> None:
        """Delete the photo of a game's final table.

        Raises:
            OSError: The disk refuses.
        """

    def drop(self, game_id: str) -> None:
        """Delete all pictures of a game."""


class ViewCache:
    """Makes and renders the view of each snapshot, once for each kind of viewer.

    Args:
        environment: Finds the templates of the parts.
        strict: Raise for a line without words, as the tests want it.
        evidence: The pictures that readings rest on; None where none are kept.
    """

    def __init__(
        self,
        environment: Environment,
        *,
        strict: bool = False,
        evidence: EvidencePictures | None = None,
    ) -> None:
        self._environment = environment
        self._strict = strict
        self._evidence = evidence
        self._lock = threading.RLock()
        self._version = -1
        self._rendered: dict[tuple[Who, str], RenderedView] = {}
        self._events: dict[tuple[Who, str, tuple[int, int]], bytes] = {}
        self._calls: dict[tuple[str, int], Call] = {}

    def rendered(self, snapshot: Snapshot, who: Who, language: str) -> RenderedView:
        """Return what *who* sees of *snapshot*."""
        key = (who, language)
        with self._lock:
            if snapshot.version < self._version:
                # A stream that is a moment behind; nobody else will ask for it.
                return self.render(snapshot, who, language)
            if snapshot.version > self._version:
                self._version = snapshot.version
                self._rendered, self._events, self._calls = {}, {}, {}
            if key not in self._rendered:
                self._rendered[key] = self.render(snapshot, who, language)
            return self._rendered[key]

    def event(
        self,
        snapshot: Snapshot,
        who: Who,
        language: str,
        before: tuple[int, int],
        write: Callable[[], bytes],
    ) -> bytes:
        """Return the event for all phones that are alike and know what was *before*.

        *before* is the version of what they were sent and the entry they have seen.

        Each *write* of its own would cost fifty phones fifty times the time, and leave
        the memory of fifty threads in pieces: 28 MB in 75 events, measured.
        """
        key = (who, language, before)
        with self._lock:
            if snapshot.version != self._version:
                return write()
            if key not in self._events:
                self._events[key] = write()
            return self._events[key]

    def call(self, before: Snapshot, now: Snapshot, language: str) -> Call:
        """Return what is said aloud on every phone that was sent *before*."""
        key = (language, before.version)
        with self._lock:
            if now.version != self._version:
                return self._call(before, now, language)
            if key not in self._calls:
                self._calls[key] = self._call(before, now, language)
            return self._calls[key]

    def _call(self, before: Snapshot, now: Snapshot, language: str) -> Call:
        words = self.words(now, language)
        parts = PageParts(strict=self._strict)
        return parts.get("call", lambda: call(before, now, words), SILENT)

    def words(self, snapshot: Snapshot, language: str) -> Words:
        """Return the words of *language* for the players of *snapshot*."""
        names = snapshot.story.header.players if snapshot.story else ()
        return Words(language, names, self._strict)

    def render(
        self, snapshot: Snapshot, who: Who, language: str, most: int = SHOWN
    ) -> RenderedView:
        """Return the same without keeping it, with *most* lines of what happened."""
        view = view_of(snapshot, who, language, strict=self._strict, most=most)
        if snapshot.story is None:
            return RenderedView(view, {})
        values = {"view": view, "say": speaker(self.words(snapshot, language))}
        values["still_kept"] = self.still_kept(snapshot.game_id)
        values["game_id"] = snapshot.game_id
        values["may_amend"] = who.host
        values["newest"] = NEWEST
        values["wins_by"] = snapshot.story.game.wins_by.value
        values["artist"] = boards.artist_of(snapshot.story.game)
        made = PageParts(strict=self._strict)
        fallback = self._environment.get_template("parts/failed.html").render(values)
        rendered = {
            name: made.get(name, partial(self._render_part, name, values), fallback)
            for name in PARTS
        }
        return RenderedView(view, rendered)

    def still_kept(self, game_id: str | None) -> Picker | None:
        """Return what picks those of a game's pictures that are kept still.

        None where none are kept at all.
        """
        evidence = self._evidence
        if evidence is None or game_id is None:
            return None
        return lambda names: [name for name in names if evidence.has(game_id, name)]

    def _render_part(self, name: str, values: dict[str, Any]) -> str:
        return self._environment.get_template(f"parts/{name}.html").render(values)


def speaker(words: Words) -> Any:
    """Return the function that templates call for a line: ``say(id, name=value)``."""

    def say(line: str, **values: Any) -> str:
        return words.say(line, values)

    return say


def text_to_read_out(view: View, since: int) -> str:
    """Return what to read out of the entries after *since*, and what to do now.

    Of many, as after a nap, only the newest: nobody listens to an hour's play.
    """
    fresh = [line for line in reversed(view.history[:MOST]) if line.seq > since]
    texts = [text for line in fresh if not line.undone for text in line.texts]
    if view.ending is not None:
        texts.append(view.ending.text)
    elif view.paused is not None:
        texts.append(view.paused)
    elif view.turn is not None:
        texts.extend(view.turn.todo[:1])
    return " ".join(texts)
