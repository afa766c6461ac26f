"""Chances for those who only watch, reckoned beside the game and never in a request.

Players are not offered them: a figure that knows the rules better than they do would
play for them.
"""

import threading
from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response
from msgspec import Struct

from companion.dashboard.context import Context, asker, language
from companion.dashboard.pages.charts import Chart, chart
from companion.dashboard.showing import show
from companion.story.log import Story
from companion.story.odds import Chances, chances
from companion.words import Words

PLAYS = 60
"""Right to about 13 % (two sigma): a word for a spectator, not for a bet."""

LEAST_ENDED = PLAYS // 2
"""With fewer plays that came to an end nothing is said."""


class Forecast(Struct, frozen=True):
    """The chances of one moment: the game, the number of its newest entry."""

    game_id: str
    seq: int
    chances: Chances


def in_background(work: Callable[[], None]) -> None:
    """Do some work in a thread that the program does not wait for."""
    threading.Thread(target=work, name="forecaster", daemon=True).start()


class Forecaster:
    """Reckons the newest moment that was asked for, one at a time.

    Args:
        begin: Starts the reckoning; an argument so that tests need no thread.
    """

    def __init__(
        self, begin: Callable[[Callable[[], None]], None] = in_background
    ) -> None:
        self._begin = begin
        self._lock = threading.Lock()
        self._busy = False
        self._newest: Forecast | None = None

    def ask(self, game_id: str, story: Story) -> Forecast | None:
        """Return what is known of this game, perhaps of a moment ago; None at first."""
        with self._lock:
            newest = self._newest
            known = newest is not None and (newest.game_id, newest.seq) == (
                game_id,
                story.seq,
            )
            wanted = not known and not self._busy
            self._busy = self._busy or wanted
        if wanted:
            self._begin(partial(self._reckon, game_id, story))
        newest = self._newest
        return newest if newest is not None and newest.game_id == game_id else None

    def _reckon(self, game_id: str, story: Story) -> None:
        try:
            found = chances(story.game, story.state, None, seed=story.seq, plays=PLAYS)
            self._newest = Forecast(game_id, story.seq, found)
        finally:
            with self._lock:
                self._busy = False


def routes(context: Context, forecaster: Forecaster) -> Blueprint:
    """Return the route of the chances."""
    pages = Blueprint("fortune", __name__)
    pages.add_url_rule("/odds", "odds", partial(odds, context, forecaster))
    return pages


def odds(context: Context, forecaster: Forecaster) -> Response:
    """Show spectators who is likely to win."""
    snapshot = context.table.snapshot
    story, game_id = snapshot.story, snapshot.game_id
    if story is None or game_id is None or asker().seat is not None:
        return show(context, "odds.html", state="players" if story else "no_game")
    if story.game.outcome(story.state) is not None:
        return show(context, "odds.html", state="over")
    newest = forecaster.ask(game_id, story)
    if newest is None:
        return show(context, "odds.html", state="reckoning")
    if newest.chances.plays < LEAST_ENDED:
        return show(context, "odds.html", state="unknown")
    rows = [
        (name, round(100 * share))
        for name, share in zip(story.header.players, newest.chances.wins, strict=True)
    ]
    return show(
        context,
        "odds.html",
        state="told",
        rows=rows,
        chart=_bars(story, rows),
        plays=newest.chances.plays,
        behind=story.seq - newest.seq,
    )


def _bars(story: Story, rows: list[tuple[str, int]]) -> Chart:
    values = {"game": story.game.title}
    label = Words(language()).say("dashboard.odds.chart", values)
    bars = [(name, float(share), f"{share} %", None) for name, share in rows]
    return chart(label, bars, 100.0)
