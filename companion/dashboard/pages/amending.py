"""The page that asks what an earlier move really was, and shows what would change."""

from functools import partial

from flask import Blueprint, Response, abort, request
from msgspec import Struct

from companion.corrections.amend import Amendment, alternatives_to, mendable, preview
from companion.dashboard.context import Context, language
from companion.dashboard.showing import show
from companion.dashboard.view.remedies import points_changes
from companion.games.hidden import (
    is_private,
    redact,
)
from companion.story.log import Step, Story
from companion.words import Words


class Alternative(Struct, frozen=True):
    """What the move may have been: its notation, its words."""

    notation: str
    text: str


def routes(context: Context) -> Blueprint:
    """Return the routes of *context* that prepare an amendment."""
    amending = Blueprint("amending", __name__)
    amending.add_url_rule("/amend/<int:step>", "ask", partial(ask, context))
    return amending


def ask(context: Context, step: int) -> Response:
    """Ask what a move was; with an answer, show what it would change."""
    story = context.table.snapshot.story
    if story is None:
        abort(404)
    wrong = next((done for done in mendable(story) if done.seq == step), None)
    if wrong is None:
        abort(404)
    words = context.views.words(context.table.snapshot, language())
    move = request.args.get("move")
    found = None if move is None else preview(story, step, move, None)
    return show(
        context,
        "amend.html",
        step=step,
        seq=story.seq,
        was=_said(story, wrong, words),
        choices=_choices(story, wrong, words),
        move=move,
        changes=points_changes(found.scores, words)
        if isinstance(found, Amendment)
        else (),
        breaks=found.breaks if isinstance(found, Amendment) else None,
        possible=isinstance(found, Amendment),
    )


def _said(story: Story, step: Step, words: Words) -> str:
    return words.part(story.game.describe_move(step.before, step.made.move))


def _choices(story: Story, step: Step, words: Words) -> tuple[Alternative, ...]:
    """Return the other moves of the same kind that were allowed then, in words."""
    game, known = story.game, redact(step.before, None)
    moves = {text: game.parse(known, text) for text in alternatives_to(story, step)}
    return tuple(
        Alternative(text, words.part(game.describe_move(known, move)))
        for text, move in moves.items()
        if not is_private(move)
    )
