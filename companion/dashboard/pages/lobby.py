"""The lobby: what a table may choose before a game, and the form that asks for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date, format_time
from flask import Response, request
from msgspec import Struct

from companion.dashboard.api.replies import No, error_reply, say, wants_json
from companion.dashboard.api.requests import OFFERED, OPTION
from companion.dashboard.api.stream import page_key
from companion.dashboard.context import Context, asker, language
from companion.dashboard.door.invites import Joining
from companion.dashboard.pages.chairs import Seating, next_to_begin, seating
from companion.dashboard.pages.rulings import choice_line
from companion.dashboard.showing import show
from companion.dashboard.view.moves import AnyGame, has_facts
from companion.dashboard.view.status import status_of
from companion.games import GAMES, UnknownGame, find
from companion.games.core import Config
from companion.running.snapshot import StoredGame
from companion.story.log import Header
from companion.table import Seat, Value
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
    """All that the lobby shows; *error* is why the last try was refused.

    *begins* is what the rulebook says of who begins, and *chosen* whether people say so
    here, as the cards do not. *elsewhere* are the choices for rulings of other games.
    *demo* tells that only our own board is there to play on, and *describe* whether the
    owner can tell of theirs: ``new``, ``begun`` or "". *offered* are copies of other
    tables: what the form sends for each, and its label.
    """

    games: tuple[tuple[str, str], ...]
    game: str
    title: str
    least: int
    most: int
    seating: Seating
    begins: str
    chosen: bool
    questions: tuple[RulingQuestion, ...]
    elsewhere: tuple[tuple[str, str], ...]
    kits: tuple[str, ...]
    offered: tuple[tuple[str, str], ...]
    kit: str
    demo: bool
    describe: str
    stored: tuple[Kept, ...]
    error: str | None = None


def page(
    context: Context, error: str | None = None, joining: Joining | None = None
) -> Response:
    """Return the lobby; what was typed stays when it is shown again with an *error*.

    *joining* says on the big screen how a phone comes here.
    """
    key = page_key(context, context.table.snapshot, asker())
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
    typed = request.values
    stored = context.table.games()
    known = {game.id: game for game in GAMES}
    # Whoever says nothing else plays again what they played last.
    wanted = (typed.get("to"), typed.get("game"), *(one.game for one in stored[:1]))
    game = next((known[one] for one in wanted if one in known), GAMES[0])
    words = Words(language())
    kits = context.table.kits(game.id)
    offered = tuple(_offered(context, game, words))
    ours = (*kits, *(value for value, _ in offered))
    kit = typed.get("kit", _usual_kit(context, game, ours, stored))
    begins, chosen = _who_begins(game, words)
    questions = tuple(_questions(game, words))
    return Lobby(
        games=tuple((game.id, game.title) for game in GAMES),
        game=game.id,
        title=game.title,
        least=game.seats.start,
        most=game.seats.stop - 1,
        seating=seating(game, typed, stored, _first_again(context, game, stored)),
        begins=begins,
        chosen=chosen,
        questions=questions,
        elsewhere=tuple(_elsewhere(questions)),
        kits=kits,
        offered=offered,
        kit=kit,
        demo=has_facts(game) and (not ours or kit in _untold(context, game)),
        describe=_describe(context, game),
        stored=tuple(stored_game_line(one, language()) for one in stored),
        error=error,
    )


def _who_begins(game: AnyGame, words: Words) -> tuple[str, bool]:
    """Return what the rulebook says of who begins, and whether people choose."""
    steps = game.setting_up(Config(game.seats[-1], game.stand_in))
    step = next((one for one in steps if one.begins is not None), steps[-1])
    return words.part(step.told), step.begins is not None


def _first_again(context: Context, game: AnyGame, stored: Sequence[StoredGame]) -> Seat:
    """Return who begins if those who sat there last play the same game again."""
    header = _header(context, stored[:1])
    if header is None or header.game != game.id:
        return 0
    return next_to_begin(game, header.first, len(header.players))


def _usual_kit(
    context: Context, game: AnyGame, kits: Sequence[str], stored: Sequence[StoredGame]
) -> str:
    """Return the owner's box: the one that was played last, and never our own board."""
    header = _header(context, [one for one in stored if one.game == game.id][:1])
    if header is not None and header.kit in kits:
        return header.kit
    return kits[0] if kits else ""


def _header(context: Context, stored: Sequence[StoredGame]) -> Header[Any] | None:
    """Return who played what in the first of some games, None where nobody knows."""
    try:
        return context.table.story(stored[0].id).header if stored else None
    except LookupError:
        return None


def _offered(
    context: Context, game: AnyGame, words: Words
) -> Iterator[tuple[str, str]]:
    """Yield the copies of other tables: what the form sends for one, and its label."""
    for kit in context.offered.of(game.id) if context.offered is not None else ():
        label = words.say("club.kits.label", {"name": kit.name, "table": kit.table})
        yield f"{OFFERED}{kit.digest}", label


def _untold(context: Context, game: AnyGame) -> tuple[str, ...]:
    """Return the kits that were begun to be shown and have our own board so far."""
    return context.teacher.untold(game.id) if context.teacher is not None else ()


def _describe(context: Context, game: AnyGame) -> str:
    """Return whether a box of *game* can be described, and whether that was begun."""
    if context.teacher is None or not has_facts(game):
        return ""
    return "begun" if context.teacher.draft(game.id) else "new"


def _questions(game: AnyGame, words: Words) -> list[RulingQuestion]:
    questions = []
    for ruling in game.rulings:
        if not ruling.choices:
            continue
        chosen = request.values.get(f"option-{ruling.id}", ruling.default)
        choices = tuple(
            RulingChoice(
                value, words.say(choice_line(game, ruling.id, value)), value == chosen
            )
            for value in ruling.choices
        )
        questions.append(RulingQuestion(ruling.id, words.say(ruling.line), choices))
    return questions


def _elsewhere(questions: Iterable[RulingQuestion]) -> Iterator[tuple[str, str]]:
    """Yield the fields by which rulings of other games are kept till they are back."""
    here = {f"option-{one.id}" for one in questions}
    for field, choice in request.values.items():
        if field.startswith(OPTION) and field not in here:
            yield field, choice


def stored_game_line(stored: StoredGame, language: str) -> Kept:
    """Return a stored game in words."""
    day = datetime.fromtimestamp(stored.begun_at, UTC).astimezone()
    words = Words(language)
    return Kept(
        id=stored.id,
        title=_title(stored.game),
        players=", ".join(stored.players),
        day=day_of(stored.begun_at, language),
        time=format_time(day, "short", locale=language),
        over=stored.closed,
        trouble=None if stored.trouble is None else words.part(stored.trouble),
        readable=stored.readable,
    )


def day_of(at: float, language: str) -> str:
    """Return the day of a moment, s since 1970, in words."""
    day = datetime.fromtimestamp(at, UTC).astimezone()
    return format_date(day, "medium", locale=language)


def _title(game: str) -> str:
    """Return a game's name, its id for one that is not known here."""
    try:
        return find(game).title
    except UnknownGame:
        return game
