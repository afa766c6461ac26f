"""The games that were played here: a list, each one, its files, deleting a name."""

import logging
from functools import partial
from tempfile import TemporaryFile
from urllib.parse import quote

from flask import Blueprint, Response, abort, request, send_file
from markupsafe import Markup
from msgspec import Struct
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.api.photo import may_take
from companion.dashboard.context import Context, asker, language
from companion.dashboard.door.auth import VIEWER
from companion.dashboard.pages.game_summaries import GameSummaries, Played
from companion.dashboard.pages.lobby import Kept, day_of, stored_game_line
from companion.dashboard.pages.result_picture import result_svg
from companion.dashboard.showing import show
from companion.games import find
from companion.games.core import WinsBy
from companion.games.player_names import common_form
from companion.running.snapshot import Snapshot
from companion.running.storage import game_file
from companion.story.duration import minutes_played
from companion.story.log import Story
from companion.words import Words

logger = logging.getLogger(__name__)

PARTS = ("turn", "board", "scores", "history")
"""What is shown of an old game; there is nothing to do in it."""

MOST_LINES = 2_000

BG_STATS = "bgstats://app.bgstatsapp.com/createPlay.html?data="
"""Opens the app itself, so that nothing has to reach the internet.

Source: BG Stats, "Push plays to BG Stats from other apps or websites"."""


class Files(Struct, frozen=True):
    """Where a game can be taken along; *bg_stats* only once it is over.

    *capsule* is None for whoever may not have one yet; *result* is the picture of it.
    """

    json: str
    csv: str
    bg_stats: str | None
    capsule: str | None = None
    result: str | None = None


class End(Struct, frozen=True):
    """How a game of the past ended: who won, what all have, how long it took."""

    winners: tuple[str, ...]
    points: str
    minutes: int


def routes(context: Context, summaries: GameSummaries) -> Blueprint:
    """Return the routes of *context* that show games of the past.

    *summaries* remembers how they ended.
    """
    past = Blueprint("past", __name__)
    past.add_url_rule("/past", "games", partial(games, context, summaries))
    past.add_url_rule("/past/<game_id>", "game", partial(game, context))
    past.add_url_rule("/past/<game_id>/<form>", "file", partial(file, context))
    past.add_url_rule(
        "/past/<game_id>/delete", "delete", partial(ask_to_delete, context)
    )
    past.add_url_rule("/forget", "forget", partial(ask_to_forget, context))
    return past


def games(context: Context, summaries: GameSummaries) -> Response:
    """Show all stored games, the newest first, and how they ended."""
    played, _ = summaries.played()
    ends = {one.id: _end(one) if one.seats else None for one in played}
    stored = [stored_game_line(one, language()) for one in context.table.games()]
    names = _names(context) if asker().host else {}
    running = context.table.snapshot.game_id
    return show(
        context, "past.html", games=stored, names=names, running=running, ends=ends
    )


def _end(played: Played) -> End:
    """Return how a game ended, the winners first; a race has no points."""
    wins_by = find(played.game).wins_by
    sign = 1 if wins_by is WinsBy.FEWEST else -1
    seats = sorted(played.seats, key=lambda one: (not one.won, sign * one.points))
    points = [f"{one.name} {one.points}" for one in seats]
    return End(
        tuple(one.name for one in seats if one.won),
        "" if wins_by is WinsBy.FIRST else " · ".join(points),
        played.minutes,
    )


def game(context: Context, game_id: str) -> Response:
    """Show one game: its end, its points, its board, and everything that happened."""
    story = _story(context, game_id)
    snapshot = Snapshot(game_id=game_id, story=story)
    picture = context.views.render(snapshot, VIEWER, language(), MOST_LINES)
    listed = _kept(context, game_id)
    frozen = story.frozen
    return show(
        context,
        "past_game.html",
        view=picture.view,
        # Our own templates rendered them, with everything escaped.
        parts={name: Markup(picture.parts[name]) for name in PARTS},
        game=listed,
        minutes=minutes_played(story),
        trouble=Words(language()).part(frozen) if frozen else listed and listed.trouble,
        frozen=frozen is not None,
        files=_files(game_id, story, may=_may_have_capsule(context, story)),
        running=context.table.snapshot.game_id == game_id,
        photo=context.evidence is not None
        and context.evidence.photo(game_id) is not None,
        may_take=asker().host and may_take(context, game_id),
    )


def file(context: Context, game_id: str, form: str) -> BaseResponse:
    """Give a game as a file: every move as JSON, or the points as CSV."""
    story = _story(context, game_id)
    match form:
        case "game.json":
            body, kind = game_file.as_json(game_id, story), "application/json"
        case "points.csv":
            body, kind = _points(story).encode(), "text/csv; charset=utf-8"
        case "result.svg":
            return result(game_id, story)
        case "table.jpg":
            return photo(context, game_id)
        case "game.capsule":
            return capsule(context, game_id, story)
        case _:
            abort(404)
    name = f"{story.game.id}-{game_id}-{form}"
    headers = {"Content-Disposition": f"attachment; filename={quote(name)}"}
    return Response(body, headers=headers, content_type=kind)


def result(game_id: str, story: Story) -> Response:
    """Give the result of a game that is over as a picture."""
    words = Words(language(), story.header.players)
    drawn = result_svg(story, day_of(story.entries[0].at, language()), words)
    if drawn is None:
        abort(404)
    name = quote(f"{story.game.id}-{game_id}-result.svg")
    # Shown by a page, and kept by whoever follows the link.
    headers = {"Content-Disposition": f"inline; filename={name}"}
    return Response(drawn, headers=headers, content_type="image/svg+xml")


def photo(context: Context, game_id: str) -> Response:
    """Give the photo of the final table, where somebody took one."""
    kept = context.evidence.photo(game_id) if context.evidence is not None else None
    if kept is None:
        abort(404)
    return Response(kept, mimetype="image/jpeg")


def _points(story: Story) -> str:
    """Return the points as a spreadsheet of the phone's language opens them."""
    words = Words(language())
    headings = (words.say(f"dashboard.csv.{name}") for name in game_file.COLUMNS)
    # Where numbers have a comma, it parts no cells.
    parted_by = "," if words.language == "en" else ";"
    return game_file.as_csv(story, parted_by, tuple(headings))


def capsule(context: Context, game_id: str, story: Story) -> BaseResponse:
    """Give a game as a capsule, to all once it is over, before only to the host."""
    if context.evidence is None:
        abort(404)
    if not _may_have_capsule(context, story):
        abort(403)
    file = TemporaryFile()  # noqa: SIM115 -- closed with the answer
    try:
        context.evidence.pack(file, game_id, story)
    except OSError:
        file.close()
        logger.exception("a capsule could not be made")
        abort(503)
    file.seek(0)
    name = f"{story.game.id}-{game_id}.capsule"
    return send_file(file, "application/zip", as_attachment=True, download_name=name)


def _may_have_capsule(context: Context, story: Story) -> bool:
    over = story.game.outcome(story.state) is not None
    return context.evidence is not None and (over or asker().host)


def ask_to_forget(context: Context) -> Response:
    """Ask the host once more before a name is deleted."""
    name = request.args.get("name", "")
    count = _names(context).get(name)
    if count is None:
        abort(404)
    aside = ", ".join(context.table.kept_aside())
    return show(context, "forget.html", name=name, count=count, aside=aside)


def ask_to_delete(context: Context, game_id: str) -> Response:
    """Ask the host once more before a game is deleted."""
    stored = _kept(context, game_id)
    if stored is None:
        abort(404)
    return show(context, "delete.html", game=stored)


def _names(context: Context) -> dict[str, int]:
    """Return the players' names, each with the number of its games.

    One that was written in several ways is listed as it was written last. A number
    stands where no name was given, or where one was deleted.
    """
    found: dict[str, list[str]] = {}
    for one in context.table.games():
        for name in one.players:
            if not name.isdecimal():
                found.setdefault(common_form(name), []).append(name)
    return dict(sorted((names[0], len(names)) for names in found.values()))


def _story(context: Context, game_id: str) -> Story:
    try:
        return context.table.story(game_id)
    except LookupError:
        abort(404)


def _kept(context: Context, game_id: str) -> Kept | None:
    stored = (one for one in context.table.games() if one.id == game_id)
    return next((stored_game_line(one, language()) for one in stored), None)


def _files(game_id: str, story: Story, *, may: bool) -> Files:
    over = story.game.outcome(story.state) is not None
    play = quote(game_file.as_bg_stats(game_id, story), safe="") if over else ""
    at = f"/past/{quote(game_id, safe='')}"
    return Files(
        f"{at}/game.json",
        f"{at}/points.csv",
        f"{BG_STATS}{play}" if over else None,
        f"{at}/game.capsule" if may else None,
        f"{at}/result.svg" if over else None,
    )
