"""What every request and every answer goes through: who asks, from where, how much.

A home network is not a safe place: another page in the phone's browser may post here,
and a name on the internet may be made to point at the table.
"""

import logging
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from flask import Flask, Response, abort, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.sansio.http import parse_cookie

from companion.dashboard.api.replies import StrangeName, refuse
from companion.dashboard.context import Context, cookie_name, named
from companion.dashboard.door import language as languages
from companion.dashboard.door import probes
from companion.dashboard.door.access import is_allowed
from companion.dashboard.door.auth import ROLES, VIEWER, Who
from companion.dashboard.door.connections import BODY_BYTES, GUEST_BYTES
from companion.dashboard.door.hosts import is_ours

logger = logging.getLogger(__name__)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""The page loads nothing but its own files and runs nothing that stands in its HTML."""

YEAR_S = 365 * 24 * 3600
MAX_BODY_BYTES = 64 * 1024

UPLOAD = ("POST", "/api/teach/kit")
MOST_UPLOAD = 32 * 1024 * 1024
"""A kit as one file, to the one route that takes it: 52 cards of 200 by 300 pixels,
each shown three times, have 17 MB."""


def install(app: Flask, context: Context, own: Callable[[], Collection[str]]) -> None:
    """Put *app* under guard; *own* are the table's names beside those of `hosts`."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY_BYTES
    app.config["MAX_FORM_PARTS"] = 200

    def check() -> Response | None:
        probed = probes.answer(request)
        if probed is not None:
            g.probed = True
            return probed
        g.language = languages.choose(
            request.args, request.cookies, request.accept_languages
        )
        if not is_ours(request.headers.get("Host", ""), own):
            raise StrangeName
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_same_origin():
            abort(403, "origin")
        cookies = {r: request.cookies.get(cookie_name(r, request)) for r in ROLES}
        g.who = context.auth.who({role: text for role, text in cookies.items() if text})
        if not _may_use_route(g.who):
            abort(403)
        return None

    def fail(error: Exception) -> tuple[Response, int]:
        if not isinstance(error, HTTPException):
            # Not the path itself: codes that let in stand in some.
            rule = request.url_rule.rule if request.url_rule else "no route of ours"
            place = f"{request.method} {rule}"
            logger.error("%s failed", place, exc_info=error)
        return refuse(context, error)

    app.before_request(check)
    app.after_request(seal)
    app.register_error_handler(Exception, fail)


def longest_body(
    context: Context, port: int, method: str, path: str, cookies: str
) -> int:
    """Return how many bytes may follow a head, before anything of them is taken.

    Args:
        context: Whose page it is.
        port: Where it is served; the cookies' names carry it.
        method: As the head says.
        path: The same.
        cookies: What its header of that name says, "" where it has none.
    """
    known = parse_cookie(cookies)
    tokens = {role: known.get(named(role, port), "") for role in ROLES}
    who = context.auth.who(tokens)
    if who.host and (method, path) == UPLOAD:
        return MOST_UPLOAD
    return GUEST_BYTES if who == VIEWER else BODY_BYTES


def _may_use_route(who: Who) -> bool:
    rule = request.url_rule
    if rule is None or request.method == "OPTIONS":
        return True
    seated = who.seat is not None
    return is_allowed(request.method, rule.rule, seated=seated, host=who.host)


def is_same_origin() -> bool:
    """Tell whether a request that changes something comes from a page of our own.

    Sec-Fetch-Site is not sent over plain HTTP, so the Origin has to do.
    """
    origin = request.headers.get("Origin")
    try:
        return origin is None or urlsplit(origin).netloc == request.host
    except ValueError:  # what is no address, such as "http://["
        return False


def seal(response: Response) -> Response:
    """Say what a browser may do with an answer; keep the language that was chosen."""
    headers = response.headers
    headers["Content-Security-Policy"] = POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    # With "no-referrer" a browser would hide the origin of our own forms from us.
    headers["Referrer-Policy"] = "same-origin"
    headers["X-Frame-Options"] = "DENY"
    if (request.endpoint or "").rpartition(".")[2] != "static":
        headers["Cache-Control"] = "no-store"
    wish = None if "probed" in g else request.args.get("lang")
    if wish in languages.NAMES:
        response.set_cookie(
            languages.COOKIE, wish, max_age=YEAR_S, samesite="Lax", httponly=True
        )
    return response
