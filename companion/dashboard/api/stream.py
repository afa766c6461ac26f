"""The stream of what changes, and the state as one JSON document.

A stream starts with everything its viewer may see and then sends the parts that
changed. Nothing is queued: a phone that slept gets the newest state, not the old ones.
It says which entry it has seen, so that what it missed is read out to its owner.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import msgspec
from flask import Blueprint, Response, request
from msgspec import Struct

from companion.dashboard.api.replies import say
from companion.dashboard.api.streams import Full
from companion.dashboard.context import Context, asker, cookie_name, language
from companion.dashboard.door.auth import ROLES, VIEWER, Who
from companion.dashboard.view.calls import SILENT
from companion.dashboard.view.view_cache import RenderedView, text_to_read_out
from companion.running.snapshot import Snapshot

RETRY_AFTER_S = 5


class PageChange(Struct, frozen=True):
    """One event: what the page is, its changed parts, and what to read out.

    *news* is for the phone's owner alone; *call* may be said aloud in front of all, and
    *corrects* tells that what was said before was wrong.
    """

    page: str
    seq: int
    version: int
    parts: dict[str, str]
    news: str = ""
    call: str = ""
    corrects: bool = False


def page_key(context: Context, snapshot: Snapshot, who: Who) -> str:
    """Return what a page was made for; a page with another key must be loaded anew."""
    # The lobby says nothing new but what went wrong with the games' memory.
    warned = ",".join(line.line for line in snapshot.warnings)
    game = snapshot.game_id or f"lobby{warned}"
    # Whoever watches is offered the free seats.
    offered = sorted(context.auth.taken()) if who == VIEWER else ""
    role = f"{who.role}/{who.seat}/{'host' if who.host else ''}"
    return f"{context.asset}/{game}/{role}/{offered}"


def routes(context: Context, clock: Callable[[], float]) -> Blueprint:
    """Return the routes that tell scripts the state of *context*."""
    blueprint = Blueprint("stream", __name__, url_prefix="/api")

    @blueprint.get("/state")
    def state() -> Response:
        """Give all that the phone may see."""
        rendered = context.views.rendered(context.table.snapshot, asker(), language())
        return Response(msgspec.json.encode(rendered.view), mimetype="application/json")

    @blueprint.get("/events")
    def events() -> Response:
        """Send all that the phone may see, and then what changes."""
        address = request.remote_addr or ""
        try:
            place = context.streams.take(address, _known(asker()))
        except Full:
            text = say(context, "dashboard.error.busy") + "\n"
            headers = {"Retry-After": str(RETRY_AFTER_S)}
            return Response(text, 503, headers, mimetype="text/plain")
        viewing = request.args.get("as") == "viewer"
        who = _who(context, {} if viewing else _tokens())
        seen = request.args.get("seen", -1, type=int)
        stream = _Stream(context, who, language(), clock, seen)
        response = Response(stream.events(), mimetype="text/event-stream")
        # Also runs for a phone that was gone before the first word.
        response.call_on_close(lambda: context.streams.leave(place))
        return response

    return blueprint


def _known(who: Who) -> str:
    """Return what a phone was let in as, empty for a guest."""
    return "" if who == VIEWER else f"{who.role} {who.seat}"


def _tokens() -> Mapping[str, str]:
    names = {role: cookie_name(role, request) for role in ROLES}
    return {role: request.cookies.get(name, "") for role, name in names.items()}


def _who(context: Context, tokens: Mapping[str, str]) -> Callable[[], Who]:
    return lambda: context.auth.who(tokens) if tokens else VIEWER


class Sent(Struct, frozen=True):
    """What a stream has sent already; nothing at its start."""

    snapshot: Snapshot | None = None
    seq: int = -1
    who: Who | None = None
    parts: dict[str, str] = {}

    @property
    def version(self) -> int:
        """Return the number of the snapshot that was sent, -1 for none."""
        return -1 if self.snapshot is None else self.snapshot.version


class _Stream(Struct, frozen=True):
    """One phone's stream. *who* is asked again each time: a seat ends with its game."""

    context: Context
    who: Callable[[], Who]
    language: str
    clock: Callable[[], float]
    seen: int

    def events(self) -> Iterator[bytes]:
        streams, table, views = (
            self.context.streams,
            self.context.table,
            self.context.views,
        )
        ends = self.clock() + streams.life_s
        snapshot, sent = table.snapshot, Sent(seq=self.seen)
        while True:
            who = self.who()
            if who != sent.who:
                sent = Sent(seq=sent.seq)  # whoever is somebody else gets a new page
            rendered = views.rendered(snapshot, who, self.language)
            write = partial(self._written, snapshot, who, rendered, sent)
            before = (sent.version, sent.seq)
            yield views.event(snapshot, who, self.language, before, write)
            sent = Sent(snapshot, rendered.view.seq, who, rendered.parts)
            while snapshot.version == sent.version:
                if streams.ended.is_set() or self.clock() >= ends:
                    return
                snapshot = table.wait(sent.version, streams.beat_s)
                if snapshot.version == sent.version:
                    yield _event("beat", sent.seq, b"{}")

    def _written(
        self, snapshot: Snapshot, who: Who, rendered: RenderedView, sent: Sent
    ) -> bytes:
        view, parts = rendered.view, rendered.parts
        known = sent.parts
        fresh = {name: html for name, html in parts.items() if known.get(name) != html}
        read_out = text_to_read_out(view, sent.seq) if 0 <= sent.seq != view.seq else ""
        views, before = self.context.views, sent.snapshot
        # Nothing is said aloud to a phone that has just come, or come back.
        call = views.call(before, snapshot, self.language) if before else SILENT
        if call.corrects:
            read_out = call.text
        page = page_key(self.context, snapshot, who)
        change = PageChange(
            page, view.seq, view.version, fresh, read_out, call.text, call.corrects
        )
        return _event("change", change.seq, msgspec.json.encode(change))


def _event(kind: str, seq: int, data: bytes) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (seq, kind.encode(), data)
