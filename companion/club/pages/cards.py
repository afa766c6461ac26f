"""Tables of the room as cards, made anew only where something has changed.

Where 200 tables store an entry a second each, and a screen looks ten times a second,
nine cards in ten are as they were: their HTML is kept.
"""

from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct

from companion.club.hub.room import TableSeen
from companion.club.pages.views import minutes_played, table_view
from companion.dashboard.view.view_cache import speaker
from companion.words import Words


class Card(Struct, frozen=True):
    """A table of the room: its *state*, whether it *asks* for help, and its HTML."""

    state: str
    asks: bool
    html: Markup


class Made(Struct, frozen=True):
    """A card, and all that it was made from."""

    seen: TableSeen
    minutes: int | None
    card: Card


class Cards:
    """Makes cards, and keeps the newest of each table; safe in any thread.

    Args:
        env: Finds the templates.
        strict: Raise for a line without words, as tests want it.
    """

    def __init__(self, env: Environment, *, strict: bool = False) -> None:
        self._env = env
        self._strict = strict
        self._macros: dict[str, Any] = {}
        self._made: dict[tuple[str, str, bool, bool], Made] = {}

    def of(
        self,
        seen: TableSeen,
        language: str,
        clock_s: float,
        *,
        big: bool = False,
        why: bool = False,
    ) -> Card:
        """Return the card of a table.

        Args:
            seen: The table.
            language: That of the reader.
            clock_s: The hub's time of day; of it a card shows whole minutes.
            big: As a wall shows it, with nothing to tap.
            why: Say why it calls for help, as staff may know.
        """
        key, minutes = (seen.id, language, big, why), minutes_played(seen, clock_s)
        made = self._made.get(key)
        if made is None or made.seen is not seen or made.minutes != minutes:
            card = self._make(seen, language, clock_s, big=big, why=why)
            made = Made(seen, minutes, card)
            self._made[key] = made
        return made.card

    def _make(
        self, seen: TableSeen, language: str, clock_s: float, *, big: bool, why: bool
    ) -> Card:
        words = Words(language, (), self._strict)
        if language not in self._macros:
            parts = self._env.get_template("club/parts.html")
            self._macros[language] = parts.make_module({"say": speaker(words)})
        view = table_view(seen, words, clock_s)
        html = self._macros[language].one_table(view, big, why)
        return Card(view.state, bool(view.needs), html)
