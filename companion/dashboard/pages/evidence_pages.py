"""What everything rests on: the pictures of an entry, and the entries of a score."""

from functools import partial

from flask import Blueprint, Response, abort
from msgspec import Struct

from companion.dashboard.context import Context, asker, language
from companion.dashboard.door.auth import VIEWER
from companion.dashboard.pages.rulings import rulings
from companion.dashboard.showing import show
from companion.dashboard.view.history import HistoryLine, past_lines
from companion.games.core import (
    Score,
)
from companion.games.hidden import (
    Viewer,
    redact,
)
from companion.story.evidence import shown_to_all
from companion.story.log import Story
from companion.words import Words


class Gain(Struct, frozen=True):
    """An entry that changed a player's points, and these before and after."""

    line: HistoryLine
    before: str
    after: str


def routes(context: Context) -> Blueprint:
    """Return the routes of *context* that show what something rests on."""
    proof = Blueprint("proof", __name__)
    proof.add_url_rule(
        "/evidence/<game_id>/<name>", "picture", partial(picture, context)
    )
    proof.add_url_rule(
        "/past/<game_id>/points/<int:seat>", "points", partial(points, context)
    )
    return proof


def picture(context: Context, game_id: str, name: str) -> Response:
    """Show a picture that an entry rests on, as long as it is kept.

    What not everybody may see nobody gets, the names in a link notwithstanding.
    """
    story = _story(context, game_id)
    if context.evidence is None or name not in shown_to_all(story):
        abort(404)
    jpeg = context.evidence.picture(game_id, name)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


def points(context: Context, game_id: str, seat: int) -> Response:
    """Show which entries made a player's points, each with what it rests on."""
    story = _story(context, game_id)
    if seat >= len(story.header.players):
        abort(404)
    running = context.table.snapshot.game_id == game_id
    viewer = (asker() if running else VIEWER).viewer
    words = Words(language(), story.header.players)
    found = gains(story, seat, viewer, words)
    score = story.game.scores(redact(story.state, viewer))[seat]
    named = {name for gain in found for name in gain.line.rulings}
    known = rulings(story.game, story.header.options, words)
    return show(
        context,
        "points.html",
        title=story.game.title,
        name=words.name(seat),
        gains=found,
        total=points_range(score),
        parts=tuple((words.part(part), n) for part, n in score.parts),
        known=tuple(ruling for ruling in known if ruling.id in named),
        game_id=game_id,
        running=running,
        still_kept=context.views.still_kept(game_id),
    )


def gains(story: Story, seat: int, viewer: Viewer, words: Words) -> tuple[Gain, ...]:
    """Return the entries that changed the points of *seat*, in their order."""
    lines, _ = past_lines(story, viewer, words, len(story.entries))
    by_seq = {line.seq: line for line in lines}
    found = []
    before = _points(story, story.start, seat, viewer)
    for step in story.steps:
        after = _points(story, step.state, seat, viewer)
        if after != before and step.seq in by_seq:
            found.append(Gain(by_seq[step.seq], before, after))
        before = after
    return tuple(found)


def points_range(score: Score) -> str:
    """Return points in figures, from the least to the most where they are open."""
    exact = score.low == score.high
    return str(score.low) if exact else f"{score.low}–{score.high}"


def _points(story: Story, state: object, seat: int, viewer: Viewer) -> str:
    return points_range(story.game.scores(redact(state, viewer))[seat])


def _story(context: Context, game_id: str) -> Story:
    try:
        return context.table.story(game_id)
    except LookupError:
        abort(404)
