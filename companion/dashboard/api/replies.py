"""Answers that say yes or no: in JSON to a script, as a page to a person."""

from typing import Any, Literal, TypeAlias

from flask import (
    Response,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
)
from msgspec import Struct, to_builtins
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    MethodNotAllowed,
    TooManyRequests,
)
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.context import Context
from companion.dashboard.showing import show
from companion.dashboard.view.view import Source, source
from companion.games.core import Refused
from companion.running.snapshot import Done, Rejected, Stale
from companion.table import Value

Reply: TypeAlias = BaseResponse | tuple[Response, int]

KINDS = {
    400: "malformed",
    403: "forbidden",
    404: "not_found",
    405: "wrong_method",
    409: "stale",
    413: "too_large",
    415: "malformed",
    429: "too_often",
    503: "busy",
}


class StrangeName(BadRequest):
    """A request for a name that may belong to anybody on the internet."""


class Yes(Struct, frozen=True, omit_defaults=True):
    """That something was done.

    *next* is the page that shows what came of it, *seq* the newest entry of the game on
    the table. *stored* is false while the disk still has to take it.
    """

    ok: Literal[True]
    next: str
    seq: int | None = None
    game_id: str | None = None
    stored: bool = True


class No(Struct, frozen=True, omit_defaults=True):
    """Why something was not done.

    *error* is a word for scripts, *text* a sentence for people. *detail* says what is
    malformed. A refused move names its *ruling* with *cite*, in words in *source*; no
    ruling where the rulebook itself is plain.
    """

    error: str
    text: str
    detail: str | None = None
    seq: int | None = None
    ruling: str | None = None
    cite: Source | None = None
    source: str | None = None


FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
"""What a browser sends without a script, also for a form that holds nothing."""


def done_reply(done: Done, then: str = "/") -> Reply:
    """Return the answer that it was done: 202 while the disk still has to take it."""
    if not wants_json():
        return redirect(then, 303)
    yes = Yes(True, then, done.seq, done.game_id, done.stored)
    return jsonify(to_builtins(yes)), 200 if done.stored else 202


def wants_json() -> bool:
    """Tell whether a script asks: it sends JSON, or uses the API without a form."""
    if request.mimetype == "application/json":
        return True
    return request.path.startswith("/api/") and request.mimetype not in FORMS


def say(context: Context, line: str, **values: Any) -> str:
    """Return *line* in the language of the request."""
    words = context.views.words(context.table.snapshot, g.get("language", "fr"))
    return words.say(line, values)


def refuse(context: Context, error: Exception) -> tuple[Response, int]:
    """Return the answer to a request that failed; nothing inner is shown."""
    code = _code(error)
    if isinstance(error, StrangeName):
        return _turned_away(No("host", say(context, "dashboard.error.host"))), code
    kind = KINDS.get(code, "failed")
    # Only what we found wrong with a body is worth telling its sender.
    detail = str(error) if isinstance(error, HTTPException) and code == 400 else None
    no = No(kind, say(context, f"dashboard.error.{kind}"), detail=detail)
    response, _ = error_reply(context, no, code)
    if isinstance(error, TooManyRequests) and isinstance(error.retry_after, int):
        response.headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, MethodNotAllowed):
        # Source: RFC 9110, 15.5.6: such an answer names the methods that there are.
        response.allow.update(error.valid_methods or ())
    return response, code


def _turned_away(no: No) -> Response:
    """Return *no* and nothing of the table, as a stranger's page may read this.

    No link is given either: none of our pages and files is found under that name, and
    of one that cannot be a name at all, such as ``dragon.lan..``, Flask makes no link.
    """
    if wants_json():
        return jsonify(to_builtins(no))
    language = g.get("language", "fr")
    return make_response(
        render_template("stranger.html", text=no.text, language=language)
    )


def _code(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.code or 500
    # The running table did not answer in time; it may do so yet.
    return 503 if isinstance(error, TimeoutError) else 500


def stale_reply(context: Context, answer: Stale) -> tuple[Response, int]:
    """Return the kind answer to a wish that came too late."""
    no = No("stale", say(context, "dashboard.error.stale"), seq=answer.seq)
    return error_reply(context, no, 409)


def rejected_reply(context: Context, answer: Rejected) -> tuple[Response, int]:
    """Return the answer to a move that the rules refuse, with their source."""
    words = context.views.words(context.table.snapshot, g.language)
    text = words.part(answer.why)
    verdict = answer.verdict
    if not isinstance(verdict, Refused):
        return error_reply(context, No("refused", text), 422)
    cite = source(verdict.cite, words, verdict.named)
    values: dict[str, Value] = {"sections": cite.sections}
    # Where the book itself is plain there is no ruling, and our id is not for people.
    line = "dashboard.cite" if verdict.named else "dashboard.cite.book"
    values["ruling"] = verdict.named or ""
    no = No(
        error="refused",
        text=text,
        ruling=verdict.named,
        cite=cite,
        source=words.say(line, values),
    )
    return error_reply(context, no, 422)


def error_reply(context: Context, no: No, code: int) -> tuple[Response, int]:
    """Return *no* as JSON to a script, as a page to a person."""
    if wants_json():
        return jsonify(to_builtins(no)), code
    return show(context, "error.html", no=no), code
