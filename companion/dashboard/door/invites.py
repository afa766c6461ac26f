"""How phones come to the table: the network, the page, and each seat, as codes."""

from functools import lru_cache

import segno
from flask import request
from markupsafe import Markup
from msgspec import Struct
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.context import Context, cookie_name
from companion.dashboard.door.guard import YEAR_S
from companion.running.wifi import Wifi


class Joining(Struct, frozen=True):
    """What all may see: the network, and the page as a *link* with its *code*.

    While a game lies there the code lets a phone pick a seat (*seats*); whoever types
    the link watches, and is offered a seat there.
    """

    wifi: Wifi | None
    wifi_code: Markup | None
    link: str
    code: Markup
    seats: bool

    @property
    def typed(self) -> str:
        """Return the link as somebody types it: no browser needs the rest."""
        return self.link.removeprefix("http://").rstrip("/")


class SeatInvite(Struct, frozen=True):
    """A seat as the host hands it out; *taken* once a phone sits there."""

    name: str
    link: str
    path: str
    code: Markup
    taken: bool


def joining(context: Context) -> Joining:
    """Return how a phone comes to the page. The big screen alone tells the password."""
    wifi, code = context.wifi, context.auth.table_code()
    return Joining(
        wifi=wifi,
        wifi_code=qr(wifi.code) if wifi else None,
        link=context.link(),
        code=qr(context.link(f"/j/{code}" if code else "")),
        seats=code is not None,
    )


def places(context: Context) -> list[SeatInvite]:
    """Return every seat of the game with its code, for the host alone."""
    snapshot = context.table.snapshot
    if snapshot.story is None or snapshot.game_id is None:
        return []
    taken = context.auth.taken()
    found = []
    for seat, name in enumerate(snapshot.story.header.players):
        path = f"/j/{context.auth.seat_code(snapshot.game_id, seat)}"
        link = context.link(path)
        found.append(SeatInvite(name, link, path, qr(link), seat in taken))
    return found


def remember(answer: BaseResponse, role: str, token: str) -> None:
    """Let the phone that gets *answer* keep its token."""
    answer.set_cookie(
        cookie_name(role, request),
        token,
        max_age=YEAR_S,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


@lru_cache(maxsize=32)
def qr(text: str) -> Markup:
    """Return *text* as a drawn code; segno writes nothing but figures and our class.

    Kept for as many seats, pages and networks as a table has: each took 3 ms anew.
    """
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass="qr"))
