"""A photo of the final table: taken when the host asks for one, and never else.

It shows all that the camera sees, so nobody takes it in passing: the game has to be
over and on the table, and the page says what becomes of it.
"""

import logging
from functools import partial
from urllib.parse import quote

from flask import Blueprint, abort, request

from companion.dashboard.api.replies import (
    No,
    Reply,
    done_reply,
    error_reply,
    say,
    stale_reply,
)
from companion.dashboard.api.requests import PhotoBody, read_body
from companion.dashboard.context import Context
from companion.running.snapshot import Done, Snapshot, Stale

logger = logging.getLogger(__name__)


def routes(context: Context) -> Blueprint:
    """Return the route of *context* that takes the photo and deletes it."""
    photos = Blueprint("photo", __name__, url_prefix="/api")
    photos.add_url_rule("/photo", "photo", partial(photo, context), methods=["POST"])
    return photos


def may_take(context: Context, game_id: str) -> bool:
    """Tell whether there is something to take a photo of, and with."""
    return (
        context.frames is not None
        and context.evidence is not None
        and _lies_finished(context.table.snapshot, game_id)
    )


def photo(context: Context) -> Reply:
    """Take the photo of a game's final table, or delete it."""
    wish = read_body(request, PhotoBody)
    if context.evidence is None or context.frames is None:
        abort(404)
    try:
        if wish.do == "delete":
            context.evidence.drop_photo(_stored(context, wish.id))
            return done_reply(Done(0), f"/past/{quote(wish.id)}")
        if not _lies_finished(context.table.snapshot, wish.id):
            return stale_reply(context, Stale(0))
        jpeg = context.frames()
        if jpeg is None:
            no = No("refused", say(context, "dashboard.photo.dark"))
            return error_reply(context, no, 422)
        context.evidence.keep_photo(wish.id, jpeg)
    except OSError:
        logger.exception("the photo of the table could not be kept or deleted")
        no = No("busy", say(context, "dashboard.error.busy"))
        return error_reply(context, no, 503)
    return done_reply(Done(0), f"/past/{quote(wish.id)}")


def _lies_finished(snapshot: Snapshot, game_id: str) -> bool:
    """Tell whether this game is over, and still lies as it ended."""
    story = snapshot.story
    over = story is not None and story.game.outcome(story.state) is not None
    return over and snapshot.game_id == game_id


def _stored(context: Context, game_id: str) -> str:
    """Return the id of a game that is stored here: it becomes part of a path."""
    if all(game.id != game_id for game in context.table.games()):
        abort(404)
    return game_id
