"""A club's pages: room, wall, a table, results, standings, and what staff do."""

import csv
import io
import re
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import quote

import msgspec
from flask import (
    Flask,
    Response,
    abort,
    g,
    jsonify,
    request,
    send_from_directory,
    session,
)
from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined
from werkzeug.exceptions import HTTPException

from companion.club.hub.hub import Hub
from companion.club.hub.league import Rule, bounds, evening_of, places
from companion.club.hub.records import Records, RecordsError
from companion.club.hub.room import Room
from companion.club.pages import door as doors
from companion.club.pages.cards import Card, Cards
from companion.club.pages.context import (
    REFRESH_S,
    League,
    Pages,
    local,
    show,
)
from companion.club.pages.door import Door
from companion.club.pages.views import summary_line, table_view
from companion.dashboard.app import STATIC, YEAR_S
from companion.games.player_names import MOST_SIGNS, tidy
from companion.running.storage.game_file import BOM, FORMULA
from companion.running.wishes import Clock

HERE = Path(__file__).parent
TEMPLATES = STATIC.parent / "templates"

A_WALL = 8
"""Tables on one sheet of the wall: two rows of four fit with seven players at each."""

ROWS = 12
"""Lines of results, or places, on one sheet."""

MOST_STREAMS = 40
"""Screens that are told of each change at once; others ask every ten seconds."""

APART_S = 0.1
"""Between two words to a screen: 200 tables change more often than anybody reads."""

BEAT_S, STREAM_S = 10.0, 600.0
"""A quiet screen hears so often that the hub is there, and comes back after so long."""


def create_app(
    hub: Hub,
    room: Room,
    records: Records,
    pin: str,
    rule: Rule = Rule.BEATEN,
    clock: Clock | None = None,
    *,
    strict_words: bool = False,
) -> Flask:
    """Return the application of one hub.

    Args:
        hub: What listens to the tables.
        room: The tables.
        records: What was played.
        pin: The staff's.
        rule: How the club gives points.
        clock: Where time comes from.
        strict_words: Raise for a line without words, as tests want it.

    Raises:
        RecordsError: The database does not answer.
    """
    clock = clock or Clock()
    door = Door(pin, clock.monotonic)
    league = League(records, rule, clock)
    app = Flask(__name__, static_folder=str(HERE / "static"))
    app.jinja_loader = ChoiceLoader(
        [FileSystemLoader(HERE / "templates"), FileSystemLoader(TEMPLATES)]
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = YEAR_S
    app.extensions["club_room"] = room
    cards = Cards(app.jinja_env, strict=strict_words)
    made = Pages(hub, room, records, door, league, cards, clock, strict_words)
    doors.install(app, door, records.word("cookies"), lambda e: _refuse(made, e))
    _add_look(app)
    _add_room(app, made)
    _add_results(app, made)
    _add_exports(app, made)
    _add_pin(app, made)
    _add_forgetting(app, made)
    _add_streams(app, made)
    return app


def _add_look(app: Flask) -> None:
    """Serve the styles of a table's own pages, which these share."""

    @app.get("/look/<path:name>", endpoint="look.static")
    def look(name: str) -> Response:
        return send_from_directory(STATIC, name, max_age=YEAR_S)


def _refuse(made: Pages, error: Exception) -> Response:
    """Return the page that says in one line why something is not shown."""
    status = error.code or 500 if isinstance(error, HTTPException) else 500
    line = {403: "club.refused.origin", 404: "club.refused.missing"}.get(
        status, "club.refused.fault"
    )
    if isinstance(error, RecordsError):
        status, line = 503, "club.trouble.store"
    return show(made, "error.html", status, text=made.words().say(line))


def _add_room(app: Flask, made: Pages) -> None:
    @app.get("/")
    def room() -> Response:
        tables = made.tables()
        return show(
            made, "room.html", tables=tables, count=_counts(tables), live=True,
            events="/events",
        )  # fmt: skip

    @app.get("/wall")
    def wall() -> Response:
        sheets = _sheets(made)
        number = request.args.get("p", 0, type=int) % len(sheets)
        kind, values = sheets[number]
        return show(
            made, "wall.html", kind=kind, live=True, body="club wall",
            events="/events" if kind == "room" else "",
            number=number, sheets=len(sheets),
            onward=f"/wall?p={(number + 1) % len(sheets)}", **values,
        )  # fmt: skip

    @app.get("/table/<id_>")
    def table(id_: str) -> Response:
        seen = made.room.table(id_)
        if seen is None:
            abort(404)
        view = table_view(seen, made.words(), made.clock.wall())
        # The wall shows this evening; what was before is for staff.
        since = 0.0 if g.staff else bounds(evening_of(made.clock.wall()))[0]
        games = made.records.played(since, table=id_)[:ROWS]
        words, names = made.words(), made.names()
        lines = [summary_line(game, names, words) for game in games]
        return show(
            made, "table.html", table=view, lines=lines, live=True, dated=g.staff,
            events=f"/events?table={quote(id_)}",
        )  # fmt: skip

    @app.get("/now")
    def now() -> Response:
        seen = made.room.tables
        tables = [
            {"id": t.id, "name": t.now.name, "here": t.here, "moves": t.now.moves,
             "version": t.now.version, "game": t.now.game}
            for t in seen
        ]  # fmt: skip
        return jsonify({"version": made.room.version, "tables": tables})


def _counts(tables: list[Card]) -> dict[str, int]:
    states = [table.state for table in tables]
    return {
        "tables": len(tables),
        "playing": states.count("playing") + states.count("paused"),
        "free": states.count("free"),
        "help": sum(table.asks for table in tables),
    }


def _sheets(made: Pages) -> list[tuple[str, dict[str, Any]]]:
    """Return what the wall shows in turn: the tables, the evening, the league."""
    tables = made.tables(big=True)
    sheets: list[tuple[str, dict[str, Any]]] = [
        ("room", {"tables": tables[at : at + A_WALL], "count": _counts(tables)})
        for at in range(0, max(len(tables), 1), A_WALL)
    ]
    results = made.results(evening_of(made.clock.wall()))
    sheets += [
        ("evening", {"lines": results[at : at + A_WALL]})
        for at in range(0, len(results), A_WALL)
    ]
    rows = made.league.rows()
    sheets += [
        ("standings", {"rows": rows[at : at + ROWS], "rule": made.league.rule})
        for at in range(0, len(rows), ROWS)
    ]
    return sheets


def _add_results(app: Flask, made: Pages) -> None:
    @app.get("/evening")
    def evening() -> Response:
        today = evening_of(made.clock.wall())
        try:
            day = date.fromisoformat(request.args.get("day", today.isoformat()))
            before, after = day - timedelta(days=1), day + timedelta(days=1)
            lines = made.results(day)
        except (ValueError, OverflowError):
            abort(404)
        if day != today and not g.staff:
            return _see_other("/pin")
        return show(
            made, "evening.html", day=day, lines=lines, before=before,
            after=after if after <= today else None, live=day == today,
        )  # fmt: skip

    @app.get("/standings")
    def league() -> Response:
        rows, rule = made.league.rows(), made.league.rule
        return show(made, "standings.html", rows=rows, rule=rule, live=True)

    @app.get("/player")
    def player() -> Response:
        name = tidy(request.args.get("name", "")[:MOST_SIGNS])
        games = made.records.played(player=name) if name else ()
        words, names = made.words(), made.names()
        lines = [summary_line(game, names, words) for game in games]
        return show(made, "player.html", name=name, lines=lines, dated=True)


def _add_exports(app: Flask, made: Pages) -> None:
    @app.get("/export.csv")
    def export_csv() -> Response:
        file = io.StringIO()
        rows = csv.writer(file)
        rows.writerow(("table", "game", "game_id", "begun", "ended", "seat", "player",
                       "points", "place", "won"))  # fmt: skip
        for game in made.records.played():
            for number, (seat, place) in enumerate(
                zip(game.seats, places(game), strict=True)
            ):
                rows.writerow((
                    _cell(made.names().get(game.table, game.table)), game.game,
                    game.game_id, _stamp(game.begun_at), _stamp(game.ended_at or 0),
                    number + 1, _cell(seat.player),
                    "" if seat.points is None else seat.points, place, int(seat.won),
                ))  # fmt: skip
        return _file(BOM + file.getvalue(), "text/csv; charset=utf-8", "club.csv")

    @app.get("/export.json")
    def export_json() -> Response:
        games = msgspec.json.encode(made.records.played()).decode()
        return _file(games, "application/json", "club.json")


def _cell(text: str) -> str:
    """Return a text as a spreadsheet shows it and does not carry it out."""
    return FORMULA.sub(r"\1'\2", re.sub(r"\s", " ", text))


def _stamp(at: float) -> str:
    return local(at).isoformat(timespec="seconds")


def _file(content: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(content, content_type=kind, headers=headers)


def _add_pin(app: Flask, made: Pages) -> None:
    @app.get("/pin")
    def pin() -> Response:
        return show(made, "pin.html", wrong="")

    @app.post("/pin")
    def pin_do() -> Response:
        words, wait_s = made.words(), made.door.wait_s()
        if wait_s > 0:
            said = words.say("club.pin.wait", {"n": round(wait_s) + 1})
            return show(made, "pin.html", 429, wrong=said)
        if not made.door.open(request.form.get("pin", "").strip()):
            return show(made, "pin.html", 403, wrong=words.say("club.pin.wrong"))
        return _see_other("/")

    @app.post("/leave")
    def leave() -> Response:
        session.clear()
        return _see_other("/")


def _add_forgetting(app: Flask, made: Pages) -> None:
    @app.get("/forget")
    def forget() -> Response:
        return show(made, "forget.html", said="", wrong="")

    @app.post("/forget")
    def forget_do() -> Response:
        words = made.words()
        name = tidy(request.form.get("name", "")[:MOST_SIGNS])
        if not name:
            return _see_other("/forget")
        try:
            games = made.hub.forget(name)
            made.league.forget()
        except (RecordsError, ConnectionError) as error:
            wrong = words.say("club.forget.not", {"why": str(error)})
            return show(made, "forget.html", 503, said="", wrong=wrong)
        said = words.say("club.forget.done", {"name": name, "n": games})
        return show(made, "forget.html", said=said, wrong="")


def _see_other(path: str) -> Response:
    return Response(status=303, headers={"Location": path})


def _add_streams(app: Flask, made: Pages) -> None:
    free = BoundedSemaphore(MOST_STREAMS)

    @app.get("/events")
    def events() -> Response:
        if not free.acquire(blocking=False):
            return Response(status=503, headers={"Retry-After": str(REFRESH_S)})
        stream = _stream(made, request.args.get("table"), free.release)
        return Response(stream, content_type="text/event-stream")


def _stream(
    made: Pages, table: str | None, release: Callable[[], object]
) -> Iterator[bytes]:
    """Yield a word for each change of the room, and a beat while there is none.

    Of one *table*, where that is all that a page shows.
    """
    room, monotonic = made.room, made.clock.monotonic
    try:
        version, shown = -1, object()
        ends_s, beat_s = monotonic() + STREAM_S, monotonic()
        while monotonic() < ends_s and not room.ended:
            version = room.wait(version, BEAT_S)
            fresh = version if table is None else room.table(table)
            if fresh != shown:
                yield f"data: {version}\n\n".encode()
                shown, beat_s = fresh, monotonic()
            elif monotonic() - beat_s >= BEAT_S:
                yield b": beat\n\n"
                beat_s = monotonic()
            time.sleep(APART_S)
    finally:
        release()
