"""Who may open what of a club's pages: the room's screen, and staff with their PIN.

Without the PIN there is nothing that the room cannot see on its wall. The host names
and headers are those of a table's own pages (`companion.dashboard.door`).
"""

import hmac
import logging
from collections.abc import Callable

from flask import Flask, Response, abort, g, request, session
from werkzeug.exceptions import HTTPException

from companion.dashboard.door import language as languages
from companion.dashboard.door.auth import TRIES_OF_ALL, Throttle
from companion.dashboard.door.guard import is_same_origin, seal
from companion.dashboard.door.hosts import is_ours, own_names

logger = logging.getLogger(__name__)

STAFF_ONLY = frozenset({"player", "export_csv", "export_json", "forget", "forget_do"})
"""Routes that only staff may use; all others show what the wall shows."""


def pin_of(word: str) -> str:
    """Return the six digits that a club begins with, from a secret of its database."""
    return f"{int(word, 16) % 1_000_000:06d}"


class Door:
    """Lets staff in, and keeps everybody else to what the wall shows.

    Args:
        pin: The staff's.
        clock: Seconds that only ever grow, for wrong tries.
    """

    def __init__(self, pin: str, clock: Callable[[], float]) -> None:
        self._pin = pin
        self._tries = Throttle(clock, TRIES_OF_ALL)

    def wait_s(self) -> float:
        """Return how long whoever asks has to wait before the next try, 0 for not."""
        return self._tries.wait_s(request.remote_addr or "")

    def open(self, pin: str) -> bool:
        """Let whoever asks be staff, if the PIN is right; a wrong one is counted."""
        if hmac.compare_digest(pin.encode(errors="replace"), self._pin.encode()):
            session.clear()
            session["staff"] = self._mark()
            session.permanent = True
            return True
        self._tries.count(request.remote_addr or "")
        return False

    def is_staff(self) -> bool:
        """Tell whether whoever asks is staff; another PIN ends all that were let in."""
        mark = session.get("staff")
        return isinstance(mark, str) and hmac.compare_digest(mark, self._mark())

    def _mark(self) -> str:
        return hmac.digest(self._pin.encode(), b"staff", "sha256").hex()[:32]


def install(
    app: Flask, door: Door, secret: str, refuse: Callable[[Exception], Response]
) -> None:
    """Put *app* under guard; *refuse* makes the page that says why."""
    app.secret_key = bytes.fromhex(secret)
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    app.config["SESSION_COOKIE_NAME"] = "club"
    app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
    app.config["SESSION_COOKIE_HTTPONLY"] = True

    def check() -> Response | None:
        g.language = languages.choose(
            request.args, request.cookies, request.accept_languages
        )
        g.staff = False
        if not is_ours(request.headers.get("Host", ""), own_names):
            abort(421)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_same_origin():
            abort(403)
        g.staff = door.is_staff()
        if request.endpoint in STAFF_ONLY and not g.staff:
            if request.method == "GET":
                return Response(status=303, headers={"Location": "/pin"})
            abort(403)
        return None

    def fail(error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            place = request.url_rule.rule if request.url_rule else "no route of ours"
            logger.error("%s %s failed", request.method, place, exc_info=error)
        return refuse(error)

    app.before_request(check)
    app.after_request(seal)
    app.register_error_handler(Exception, fail)
