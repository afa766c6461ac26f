"""What a club's pages are made from: its room, its league, and the words of all."""

import math
import threading
from datetime import UTC, date, datetime
from typing import Any

from babel.dates import format_date, format_time
from flask import (
    Response,
    g,
    render_template,
    request,
)
from msgspec import Struct

from companion.club.hub.hub import Hub
from companion.club.hub.league import Rule, Standing, bounds, standings
from companion.club.hub.records import Records
from companion.club.hub.room import Room
from companion.club.pages.cards import Card, Cards
from companion.club.pages.door import Door
from companion.club.pages.views import SummaryLine, summary_line
from companion.dashboard.door.language import NAMES
from companion.dashboard.view.view_cache import speaker
from companion.running.wishes import Clock
from companion.words import Words

SHEET_S = 12
"""How long a sheet stays."""

REFRESH_S = 10
"""How often a page loads itself anew where no script can keep it fresh."""

LEAGUE_S = 5.0
"""How old a league may be: it changes with each game that ends."""

LEAGUE_SHARE = 20
"""And so many times as long as it took to reckon: 30,000 games, a year of twenty
tables, take a second, which a wall screen would ask for every five."""


class League:
    """The standings, reckoned once in a while however many screens there are.

    Args:
        records: Where all games are.
        rule: How the club gives points.
        clock: Where time comes from.
    """

    def __init__(self, records: Records, rule: Rule, clock: Clock) -> None:
        self._records = records
        self.rule = rule
        self._clock = clock
        self._lock = threading.Lock()
        self._next_s = -math.inf
        self._rows: tuple[Standing, ...] = ()

    def rows(self) -> tuple[Standing, ...]:
        """Return them, the first first.

        Raises:
            RecordsError: The database does not answer.
        """
        with self._lock:
            began_s = self._clock.monotonic()
            if began_s >= self._next_s:
                self._rows = standings(self._records.played(), self.rule)
                now_s = self._clock.monotonic()
                self._next_s = now_s + max(LEAGUE_S, LEAGUE_SHARE * (now_s - began_s))
            return self._rows

    def forget(self) -> None:
        """Ask anew: a name was deleted."""
        with self._lock:
            self._next_s = -math.inf


class Pages(Struct, frozen=True):
    """What a club's pages are made from."""

    hub: Hub
    room: Room
    records: Records
    door: Door
    league: League
    cards: Cards
    clock: Clock
    strict_words: bool = False

    def words(self) -> Words:
        """Return the words of whoever asks."""
        return Words(g.get("language", "fr"), (), self.strict_words)

    def tables(self, *, big: bool = False) -> list[Card]:
        """Return the tables, those that need help first; *big* as a wall shows them."""
        language, now_s = self.words().language, self.clock.wall()
        # A wall is for the whole room, whoever has signed in at it.
        why = g.get("staff", False) and not big
        cards = [
            self.cards.of(seen, language, now_s, big=big, why=why)
            for seen in self.room.tables
        ]
        return sorted(cards, key=lambda card: not card.asks)

    def names(self) -> dict[str, str]:
        """Return what people call the tables."""
        return {seen.id: seen.now.name for seen in self.room.tables}

    def results(self, day: date) -> list[SummaryLine]:
        """Return what was played in an evening, the newest first."""
        since, until = bounds(day)
        words, names = self.words(), self.names()
        games = self.records.played(since, until)
        return [summary_line(game, names, words) for game in games]


def show(made: Pages, template: str, status: int = 200, **values: Any) -> Response:
    """Return one of the pages, made from its template and what all have."""
    words = made.words()
    trouble = []
    if made.hub.trouble is not None:
        trouble.append(words.say("club.trouble.store"))
    if not made.hub.link.is_up:
        trouble.append(words.say("club.trouble.broker"))
    common = {
        "say": speaker(words),
        "language": words.language,
        "languages": NAMES,
        "staff": g.get("staff", False),
        "trouble": trouble,
        "path": request.path if request.method == "GET" else "/",
        "refresh_s": REFRESH_S if request.method == "GET" else 0,
        "time_of": lambda at: format_time(local(at), "short", locale=words.language),
        "date_of": lambda at: format_date(local(at), locale=words.language),
        # Whether results are of several evenings, so that a time alone tells little.
        "dated": False,
        "day_of": lambda day: format_date(day, "full", locale=words.language),
        "live": False,
        # Where a page hears of changes; results change with each game, and need none.
        "events": "",
        "onward": "",
        "sheet_s": SHEET_S,
        "body": "club",
    }
    page = render_template(f"club/{template}", **(common | values))
    return Response(page, status, content_type="text/html; charset=utf-8")


def local(at: float) -> datetime:
    """Return a moment as the hub's clock on the wall shows it."""
    return datetime.fromtimestamp(at, UTC).astimezone()
