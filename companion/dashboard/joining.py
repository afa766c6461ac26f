"""How phones come to the table: the network, the page, and each seat, as codes."""

import segno
from markupsafe import Markup
from msgspec import Struct

from companion.dashboard.site import Site
from companion.wifi import Wifi


class Joining(Struct, frozen=True):
    """What all may see: the network, and the page as a *link* with its *code*."""

    wifi: Wifi | None
    wifi_code: Markup | None
    link: str
    code: Markup


class Place(Struct, frozen=True):
    """A seat as the host hands it out; *taken* once a phone sits there."""

    name: str
    link: str
    path: str
    code: Markup
    taken: bool


def joining(site: Site) -> Joining:
    """Return how a phone comes to the page. The big screen alone tells the password."""
    wifi, link = site.wifi, site.link()
    return Joining(wifi, qr(wifi.code) if wifi else None, link, qr(link))


def places(site: Site) -> list[Place]:
    """Return every seat of the game with its code, for the host alone."""
    snapshot = site.table.snapshot
    if snapshot.story is None or snapshot.game_id is None:
        return []
    taken = {
        token.seat
        for token in site.table.tokens()
        if (token.role, token.game_id) == ("seat", snapshot.game_id)
    }
    found = []
    for seat, name in enumerate(snapshot.story.header.players):
        path = f"/j/{site.door.seat_code(snapshot.game_id, seat)}"
        link = site.link(path)
        found.append(Place(name, link, path, qr(link), seat in taken))
    return found


def qr(text: str) -> Markup:
    """Return *text* as a drawn code; segno writes nothing but figures and our class."""
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass="qr"))
