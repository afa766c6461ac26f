"""Bounds connections by what they keep waiting, not by how many share an address.

Thirty phones in a café come from one address, and so may whoever opens hundreds of
sockets and never says what he wants. A connection on which something is answered is a
phone's; one that waits may be closed when others come, the longest waiting first. A
phone asks in the moment in which it connects, so that it is never the longest.
"""

import copy
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError

CONNECTIONS = 700
"""In all. A process may have 1024 files, and the table has some of its own."""

WAITING_EACH = 240
"""On which nothing is answered, from one address; 30 phones keep six open each."""

REQUEST_S = 15.0
"""How long a request may take to come in, at the most; long bodies have longer."""

IDLE_S = 60.0
"""How long a connection may rest between two requests; browsers keep it that long."""

READ_S = 20.0
"""How long a phone may read an answer without getting on; long ones have longer."""

SLOWEST_BYTES_S = 2_000
"""Slower is nobody who wants something: a page has 8 kB, a kit of 17 MB as long as it
takes at this pace (`REQUEST_S`, `READ_S` on top)."""

UNREAD = 64
"""Long answers that may wait for their readers at once; each is kept until then."""

BODY_BYTES = 256 * 1024
"""Of a phone that was let in; the guard says no to more than 64 kB in kind words."""

GUEST_BYTES = 16 * 1024
"""Of anybody else: a PIN, a seat, and the count of Drachenhort, which has 2 kB."""

UPLOADS = 4
"""Long bodies on their way at once; there is one route that takes them."""

LongestBody: TypeAlias = Callable[[str, str, str], int]
"""Returns how many bytes may follow a head with this method, path and cookies."""


class Asking(HTTPRequestParser):  # type: ignore[misc]  # waitress ships no types
    """A request on its way in, of whose body no more is taken than its sender may send.

    Before a byte of it is: what is taken lies in memory or on the card.
    """

    adj: Any
    is_upload = False

    def __init__(self, longest_body: LongestBody, adj: Any) -> None:
        super().__init__(adj)
        self._longest_body = longest_body

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head, and hold the body that follows to what may be sent there.

        Raises:
            ParsingError: It asks for no address; or it says in two ways where the body
                ends, so that what follows may be a part of it or another request.

        Source: RFC 9112, 6.1.
        """
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # such as http://[::/, which would be logged
            raise ParsingError("The address is none") from error
        both = self.chunked and "CONTENT_LENGTH" in self.headers
        if both or "TRANSFER_ENCODING" in self.headers:  # which only 1.0 leaves there
            raise ParsingError("The body's end is told in two ways")
        cookies = self.headers.get("COOKIE", "")
        most = self._longest_body(self.command, self.path, cookies)
        self.is_upload = most > BODY_BYTES
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = most


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress ships no types
    """One connection, and since when it keeps the table waiting."""

    def __init__(
        self, server: Any, sock: Any, addr: Any, adj: Any, **rest: Any
    ) -> None:
        self.parser_class = partial(Asking, server.longest_body)
        self.since: float = server.clock()
        self.asking = True  # whoever connects wants something
        self.sending_since: float | None = None
        self.sent_bytes = 0
        super().__init__(server, sock, addr, adj, **rest)

    def received(self, data: bytes) -> bool:
        """Take in what came; the time of a request counts from its first byte."""
        if not self.asking:
            self.since, self.asking = self.server.clock(), True
        went_on: bool = super().received(data)
        if self.request is None:
            self.since, self.asking = self.server.clock(), False
        return went_on

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what the phone has room for."""
        sent: int = super().send(data, do_close=do_close)
        self.sent_bytes += sent
        if sent and not self.asking:
            self.since = self.server.clock()
        return sent

    @property
    def waits(self) -> bool:
        """Tell whether nothing is being answered here."""
        return not self.requests and not self.total_outbufs_len

    @property
    def is_unread(self) -> bool:
        """Tell whether a long answer waits here until the phone has read more."""
        return bool(self.total_outbufs_len > self.adj.outbuf_high_watermark)

    @property
    def uploads(self) -> bool:
        """Tell whether a long body is on its way in."""
        return self.request is not None and self.request.is_upload

    def is_overdue(self, now_s: float) -> bool:
        """Tell whether the table has waited long enough for this one."""
        if self.total_outbufs_len:
            if self.sending_since is None:
                self.sending_since, self.sent_bytes = now_s, 0
            spent_s = now_s - self.sending_since
            return spent_s > READ_S + self.sent_bytes / SLOWEST_BYTES_S
        self.sending_since = None
        if self.requests:
            return False
        spent_s = now_s - self.since
        if not self.asking:
            return spent_s > IDLE_S
        came = self.request.body_bytes_received if self.request is not None else 0
        return spent_s > REQUEST_S + came / SLOWEST_BYTES_S


def overdue(held: Iterable[Connection], now_s: float) -> list[Connection]:
    """Return the connections to close now: those too slow, and too many of a kind."""
    held = list(held)
    late = [one for one in held if one.is_overdue(now_s)]
    unread = [one for one in held if one.is_unread and one not in late]
    unread.sort(key=lambda one: one.sending_since or now_s)
    uploads = [one for one in held if one.uploads and one not in late]
    uploads.sort(key=lambda one: one.since)
    return [*late, *unread[: max(0, len(unread) - UNREAD)], *uploads[UPLOADS:]]


def gives_way(
    held: Iterable[Connection], address: str
) -> tuple[bool, Connection | None]:
    """Return whether another connection from *address* may come, and which goes for it.

    Where there are too many in all, one goes of the address with the most that wait.
    """
    held = list(held)
    waiting = [one for one in held if one.waits]
    each = Counter(one.addr[0] for one in waiting)
    if each[address] < WAITING_EACH:
        if len(held) < CONNECTIONS:
            return True, None
        if not waiting:
            return False, None
        address = each.most_common(1)[0][0]
    longest = min(
        (one for one in waiting if one.addr[0] == address), key=lambda one: one.since
    )
    return True, longest
