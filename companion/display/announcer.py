"""Shows on lamps and the small display what the table waits for, at each change."""

import logging
import threading
from typing import Protocol

from companion.display.panels import panel, seat_on_turn
from companion.referee.referee import awaited_moves
from companion.running.snapshot import RunningTable, Snapshot
from companion.story.log import Story
from companion.table import Seat
from companion.words import Words
from firmware.display import Panel

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""How long the announcer waits for news before it checks whether it should stop."""


class Lit(Protocol):
    """What shows a state: the stage of lamps and display."""

    def expect(self, light: str | None, seat: Seat | None) -> None:
        """Show what is awaited and of whom."""

    def show(self, panel: Panel) -> None:
        """Put a panel on the small display."""


class Announcer:
    """A thread that keeps lamps and display at the newest state.

    Args:
        table: What is shown.
        stage: What shows it.
        link: What the display's code leads to while no game is on the table.
        language: What the display speaks.
    """

    def __init__(
        self, table: RunningTable, stage: Lit, link: str, language: str = "en"
    ) -> None:
        self._table = table
        self._stage = stage
        self._link = link
        self._language = language
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns when the thread has ended."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        version = -1
        while not self._stop.is_set():
            shown = self._table.wait(version, LOOK_S)
            if shown.version != version:
                version = shown.version
                self._try_to_announce(shown)

    def _try_to_announce(self, shown: Snapshot) -> None:
        try:
            self.announce(shown)
        except Exception:
            # One state that cannot be shown must not darken all that follow.
            logger.exception("lamps and display leave out state %d", shown.version)

    def announce(self, shown: Snapshot) -> None:
        """Show one state."""
        self._stage.expect(*self._lamps(shown))
        self._stage.show(self._panel(shown))

    def _lamps(self, shown: Snapshot) -> tuple[str | None, Seat | None]:
        story = shown.story
        if story is None or story.paused:
            return None, None
        try:
            return lamp_for(story), seat_on_turn(story)
        except Exception:
            # No lamp says less than the one of before, which would be a lie.
            logger.exception("no lamp fits state %s", shown.version)
            return None, None

    def _panel(self, shown: Snapshot) -> Panel:
        try:
            return panel(shown, self._language, self._link)
        except Exception:
            # What stood there before would be taken for how things are now.
            logger.exception("the display cannot tell state %s", shown.version)
            return Panel("!", text=(Words(self._language).say("core.panel.fault"),))


def lamp_for(story: Story) -> str:
    """Return the name of the lamp that says what the table waits for."""
    if story.asked is not None:
        return "ask"
    if story.game.outcome(story.state) is not None:
        return "done"
    return "throw" if awaited_moves(story) else "act"
