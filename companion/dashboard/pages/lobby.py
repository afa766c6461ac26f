"""The lobby: what a table may choose before a game, and the form that asks for it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date, format_time
from flask import Response, request
from msgspec import Struct

from companion.dashboard.api.replies import No, error_reply, say, wants_json
from companion.dashboard.api.stream import page_key
from companion.dashboard.context import Context, asker, language
from companion.dashboard.door.invites import Joining
from companion.dashboard.pages.rulings import choice_line
from companion.dashboard.showing import show
from companion.dashboard.view.views import status_of
from companion.games import GAMES, UnknownGame, find
from companion.running.snapshot import StoredGame
from companion.table import Value
from companion.words import Words


class RulingChoice(Struct, frozen=True):
    """One way to set a ruling, and whether it is set so."""

    value: str
    text: str
    chosen: bool


class RulingQuestion(Struct, frozen=True):
    """A ruling that a table may set, as a question with its answers."""

    id: str
    text: str
    choices: tuple[RulingChoice, ...]


class Chair(Struct, frozen=True):
    """A line for a name; *needed* for as many as the game asks for."""

    number: int
    name: str
    needed: bool
    first: bool


class Kept(Struct, frozen=True):
    """A stored game to go on with; *trouble* says what is wrong with it.

    One that is not *readable* is only listed.
    """

    id: str
    title: str
    players: str
    day: str
    time: str
    over: bool
    trouble: str | None = None
    readable: bool = True


class Lobby(Struct, frozen=True):
    """All that the lobby shows; *error* is why the last try was refused."""

    games: tuple[tuple[str, str], ...]
    game: str
    title: str
    least: int
    most: int
    chairs: tuple[Chair, ...]
    questions: tuple[RulingQuestion, ...]
    kits: tuple[str, ...]
    kit: str
    stored: tuple[Kept, ...]
    error: str | None = None


def page(
    context: Context, error: str | None = None, joining: Joining | None = None
) -> Response:
    """Return the lobby; what was typed stays when it is shown again with an *error*.

    *joining* says on the big screen how a phone comes here.
    """
    key = page_key(context.asset, context.table.snapshot, asker())
    lobby = _look(context, error)
    teaches = context.teacher is not None
    return show(
        context,
        "lobby.html",
        lobby=lobby,
        page=key,
        joining=joining,
        teaches=teaches,
        status=status_of(context.table.snapshot, Words(language())),
    )


def refuse(
    context: Context, line: str, values: Mapping[str, Value]
) -> tuple[Response, int]:
    """Return the answer to a set-up that cannot be, with what was typed kept."""
    text = say(context, line, **values)
    if wants_json():
        return error_reply(context, No("refused", text), 422)
    return page(context, text), 422


def _look(context: Context, error: str | None) -> Lobby:
    wish = request.values.get("game", "")
    known = {game.id: game for game in GAMES}
    game = known.get(wish, GAMES[0])
    words = Words(language())
    names = request.form.getlist("name")
    first = request.form.get("first", 0, type=int)
    return Lobby(
        games=tuple((game.id, game.title) for game in GAMES),
        game=game.id,
        title=game.title,
        least=game.seats.start,
        most=game.seats.stop - 1,
        chairs=tuple(_chairs(game.seats, names, first)),
        questions=tuple(_questions(game, words)),
        kits=context.table.kits(game.id),
        kit=request.form.get("kit", ""),
        stored=tuple(
            stored_game_line(stored, language()) for stored in context.table.games()
        ),
        error=error,
    )


def _chairs(seats: range, names: list[str], first: int) -> list[Chair]:
    typed = names + [""] * seats.stop
    return [
        Chair(n, typed[n], n < seats.start, n == first) for n in range(seats.stop - 1)
    ]


def _questions(game: Any, words: Words) -> list[RulingQuestion]:
    questions = []
    for ruling in game.rulings:
        if not ruling.choices:
            continue
        chosen = request.form.get(f"option-{ruling.id}", ruling.default)
        choices = tuple(
            RulingChoice(
                value, words.say(choice_line(game, ruling.id, value)), value == chosen
            )
            for value in ruling.choices
        )
        questions.append(RulingQuestion(ruling.id, words.say(ruling.line), choices))
    return questions


def stored_game_line(stored: StoredGame, language: str) -> Kept:
    """Return a stored game in words."""
    day = datetime.fromtimestamp(stored.begun_at, UTC).astimezone()
    words = Words(language)
    return Kept(
        id=stored.id,
        title=_title(stored.game),
        players=", ".join(stored.players),
        day=format_date(day, "medium", locale=language),
        time=format_time(day, "short", locale=language),
        over=stored.closed,
        trouble=None if stored.trouble is None else words.part(stored.trouble),
        readable=stored.readable,
    )


def _title(game: str) -> str:
    """Return a game's name, its id for one that is not known here."""
    try:
        return find(game).title
    except UnknownGame:
        return game
