"""What the table goes on without: said once on the terminal, and on every page.

A kit that cannot be read, a card that is full, wires that contradict each other: none
of it keeps a table from coming up, and none of it is passed over in silence.
"""

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

from companion.running.snapshot import Missing
from companion.table import LinePart
from companion.words import Words

logger = logging.getLogger(__name__)

Act: TypeAlias = Callable[[], object]


class MissingParts:
    """All that is missing at this moment; safe in any thread.

    Until people were greeted the terminal is silent: whoever greets them there reports
    it all at once.
    """

    def __init__(self) -> None:
        self._publish: Callable[[tuple[Missing, ...]], object] = lambda _: None
        self._is_greeted = False
        self._lock = threading.Lock()
        self._parts: dict[str, Missing] = {}
        self._owed: tuple[tuple[str, Act], ...] = ()

    @property
    def all(self) -> tuple[Missing, ...]:
        """Return what is missing, in the order in which it was noticed."""
        with self._lock:
            return tuple(self._parts.values())

    def publish_to(self, publish: Callable[[tuple[Missing, ...]], object]) -> None:
        """Call *publish* with all of it, now and after each change."""
        self._publish = publish
        publish(self.all)

    def start_logging(self) -> None:
        """Log each change from now on: people have read what was missing before."""
        self._is_greeted = True

    def note(
        self, part: str, what: LinePart, why: object, *, in_play: bool = False
    ) -> None:
        """Take note that a part is missing; the same again is no news."""
        found = Missing(part, what, one_line(why), in_play)
        with self._lock:
            is_news = self._parts.get(part) != found
            self._parts[part] = found
        if is_news:
            if self._is_greeted:
                logger.warning("%s", in_a_line(found))
            self._publish(self.all)

    def clear(self, part: str) -> bool:
        """Take note that a part is there again; return whether it was missing."""
        with self._lock:
            known = self._parts.pop(part, None)
        if known is not None:
            logger.warning("no longer so: %s", Words("en").part(known.what))
            self._publish(self.all)
        return known is not None

    def attempt(self, part: str, act: Act) -> None:
        """Do what may fail; it is done again with `try_again` until it succeeds."""
        try:
            act()
        except OSError as error:
            self._owed += ((part, act),)
            self.note(part, LinePart(f"core.missing.{part}"), error, in_play=True)

    def try_again(self) -> None:
        """Do what failed before; a part of which nothing fails is missing no more.

        Called by one thread alone, the one that writes.
        """
        owed, self._owed = self._owed, ()
        for part, act in owed:
            try:
                act()
            except OSError:
                self._owed += ((part, act),)
        for part in {part for part, _ in owed} - {part for part, _ in self._owed}:
            self.clear(part)


def in_a_line(part: Missing, words: Words | None = None) -> str:
    """Return what is missing and why, for a terminal; in English for a log."""
    said = (words or Words("en")).part(part.what)
    return f"{said} ({part.why})"


def one_line(why: object) -> str:
    """Return what an error says, on one line and never empty."""
    return " ".join(str(why).split()) or type(why).__name__
