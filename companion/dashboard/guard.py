"""What every request and every answer goes through: who asks, from where, how much.

A home network is not a safe place: another page in the phone's browser may post here,
and a name on the internet may be made to point at the table.
"""

import logging
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, abort, g, request
from werkzeug.exceptions import HTTPException

from companion.dashboard import language as languages
from companion.dashboard.access import allowed
from companion.dashboard.replies import refuse
from companion.dashboard.site import Site, cookie_name

logger = logging.getLogger(__name__)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""The page loads nothing but its own files and runs nothing that stands in its HTML."""

YEAR_S = 365 * 24 * 3600
MAX_BODY_BYTES = 64 * 1024

MOST_UPLOAD = 32 * 1024 * 1024
"""A kit as one file, to the one route that takes it: 52 cards of 200 by 300 pixels,
each shown three times, have 17 MB."""


def install(app: Flask, site: Site, trusted_hosts: Collection[str]) -> None:
    """Put *app* under guard; *trusted_hosts* are names beside addresses and .local."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY_BYTES
    app.config["MAX_FORM_PARTS"] = 200

    def check() -> None:
        g.language = languages.choose(
            request.args, request.cookies, request.accept_languages
        )
        if not is_ours(request.host, trusted_hosts):
            abort(400, "host")
        if request.method not in ("GET", "HEAD", "OPTIONS") and not _same_origin():
            abort(403, "origin")
        roles = ("host", "seat")
        cookies = {r: request.cookies.get(cookie_name(r, request)) for r in roles}
        g.who = site.door.who({role: text for role, text in cookies.items() if text})
        rule = request.url_rule
        if rule is not None and request.method != "OPTIONS":
            seated = g.who.seat is not None
            if not allowed(request.method, rule.rule, seated=seated, host=g.who.host):
                abort(403)

    def fail(error: Exception) -> tuple[Response, int]:
        if not isinstance(error, HTTPException):
            place = f"{request.method} {request.path}"
            logger.error("%s failed", place, exc_info=error)
        return refuse(site, error)

    app.before_request(check)
    app.after_request(_seal)
    app.register_error_handler(Exception, fail)


def is_ours(host: str, trusted: Collection[str]) -> bool:
    """Tell whether *host* can only mean this table.

    An address, a name without a dot and a name in ``.local`` cannot be pointed here
    from the internet; any other name must be trusted by its owner.
    """
    name = urlsplit(f"//{host}").hostname
    if not name:
        return False
    if name in trusted or "." not in name or name.endswith(".local"):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _same_origin() -> bool:
    """Tell whether a request that changes something comes from a page of our own.

    Sec-Fetch-Site is not sent over plain HTTP, so the Origin has to do.
    """
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host


def _seal(response: Response) -> Response:
    headers = response.headers
    headers["Content-Security-Policy"] = POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    # With "no-referrer" a browser would hide the origin of our own forms from us.
    headers["Referrer-Policy"] = "same-origin"
    headers["X-Frame-Options"] = "DENY"
    if request.endpoint != "static":
        headers["Cache-Control"] = "no-store"
    wish = request.args.get("lang")
    if wish in languages.NAMES:
        response.set_cookie(
            languages.COOKIE, wish, max_age=YEAR_S, samesite="Lax", httponly=True
        )
    return response
