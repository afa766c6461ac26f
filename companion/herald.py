"""Tells lamps and the small display what the table waits for, at each change."""

import threading
from typing import Any, Protocol

from companion.adopting import ADOPT
from companion.desk import PAUSED
from companion.games.core import Score, redact
from companion.log import Story
from companion.referee import awaited
from companion.snapshot import RunningTable, Snapshot
from companion.table import Seat
from companion.words import Words
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
        if story is None or story.paused:
            self._stage.expect(None, None)
        else:
            self._stage.expect(light(story), turn(story))
        self._stage.show(panel(shown, self._language, self._link))


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


def panel(shown: Snapshot, language: str, link: str) -> Panel:
    """Return what the small display shows; who has no phone must need nothing else.

    What was just refused comes first, then what the buttons would do, then what is
    awaited. A phone is only led to the page while no game is on the table.
    """
    story = shown.story
    words = Words(language, story.header.players if story else ())
    if shown.notice is not None:
        return Panel("!", text=(words.part(shown.notice),))
    if story is None:
        return Panel("Dragon Table", qr=link)
    if story.paused:
        return Panel(story.game.title, text=(words.part(PAUSED),))
    state = redact(story.state, None)
    if 0 <= shown.cursor < len(shown.offers):
        return _choice(shown, story, state, words)
    ended = _ending(story, words)
    todo = ended or _todo(story, state, words)
    seat = turn(story)
    title = story.game.title if seat is None else words.name(seat)
    hint = words.say("core.panel.next") if shown.offers else ""
    return Panel(title, _rows(story, state), seat, text=todo, hint=hint)


def _choice(shown: Snapshot, story: Story, state: Any, words: Words) -> Panel:
    """Return the move that confirm would make, below the question it answers."""
    chosen = shown.offers[shown.cursor]
    if chosen == ADOPT:
        said = words.say("core.adopt.table")
    else:
        said = words.part(story.game.say(state, story.game.parse(state, chosen)))
    why = () if story.asked is None else (words.part(story.asked.why),)
    title = f"{shown.cursor + 1}/{len(shown.offers)}"
    hint = words.say("core.panel.confirm")
    return Panel(title, text=(*why, f"> {said}"), hint=hint)


def _todo(story: Story, state: Any, words: Words) -> tuple[str, ...]:
    prompts = (p for p in story.game.expects(state) if p.only_for is None)
    return tuple(words.say(p.line, p.params) for p in prompts if not p.reminder)[:1]


def _ending(story: Story, words: Words) -> tuple[str, ...]:
    outcome = story.game.outcome(story.state)
    if outcome is None:
        return ()
    names = ", ".join(words.name(seat) for seat in outcome.winners)
    return (words.say("core.panel.won", {"names": names or "-"}),)


def _rows(story: Story, state: Any) -> tuple[tuple[str, str], ...]:
    scores = story.game.scores(state)
    return tuple(
        (name, _points(score))
        for name, score in zip(story.header.players, scores, strict=True)
    )


def _points(score: Score) -> str:
    return str(score.low) if score.low == score.high else f"{score.low}-{score.high}"
