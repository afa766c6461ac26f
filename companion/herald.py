"""Tells lamps and the small display what the table waits for, at each change."""

import threading
from typing import Protocol

from companion.games.core import Score, redact
from companion.log import Story
from companion.referee import awaited
from companion.snapshot import RunningTable, Snapshot
from companion.table import Seat
from firmware.display import Panel

LOOK_S = 0.5
"""How long the herald waits for news before it checks whether it should stop."""


class Lit(Protocol):
    """What shows a state: the stage of lamps and display."""

    def expect(self, light: str | None, seat: Seat | None) -> None:
        """Show what is awaited and of whom."""

    def show(self, panel: Panel) -> None:
        """Put a panel on the small display."""


class Herald:
    """A thread that keeps lamps and display at the newest state.

    Args:
        table: What is shown.
        stage: What shows it.
        link: What the display's code leads to while no game is on the table.
    """

    def __init__(self, table: RunningTable, stage: Lit, link: str) -> None:
        self._table = table
        self._stage = stage
        self._link = link
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="herald", daemon=True)

    def start(self) -> None:
        """Begin to show."""
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
                self.tell(shown)

    def tell(self, shown: Snapshot) -> None:
        """Show one state."""
        story = shown.story
        if story is None:
            self._stage.expect(None, None)
            self._stage.show(Panel("Dragon Table", qr=self._link))
            return
        self._stage.expect(light(story), turn(story))
        self._stage.show(panel(story))


def light(story: Story) -> str:
    """Return the name of the lamp that says what the table waits for."""
    if story.asked is not None:
        return "ask"
    if story.game.outcome(story.state) is not None:
        return "done"
    return "throw" if awaited(story) else "act"


def turn(story: Story) -> Seat | None:
    """Return whose turn it is, as everybody may see it; None for nobody's."""
    prompts = story.game.expects(redact(story.state, None))
    return next((p.who for p in prompts if not p.reminder and p.only_for is None), None)


def panel(story: Story) -> Panel:
    """Return what the small display shows of a game: names, points, whose turn."""
    scores = story.game.scores(redact(story.state, None))
    rows = tuple(
        (name, _points(score))
        for name, score in zip(story.header.players, scores, strict=True)
    )
    return Panel(story.game.title, rows, turn(story))


def _points(score: Score) -> str:
    return str(score.low) if score.low == score.high else f"{score.low}-{score.high}"
