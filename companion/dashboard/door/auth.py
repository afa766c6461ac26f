"""Who holds a phone: codes that let in, tokens that keep in, and the host's PIN.

A code is derived from the table's secret and never stored; so is a seat's token, which
all phones share that come by that seat's code. A host's token is random. Of both only
the hash is stored. None ends by the clock, as a Pi may not know the time of day. When a
seat is freed, or the host steps down, their tokens go and their code changes with a
random word that is stored.
"""

import base64
import hashlib
import hmac
import math
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from companion.games.hidden import (
    Viewer,
)
from companion.running.snapshot import PhoneToken, RunningTable
from companion.table import Seat

CODE_BYTES = 16
"""128 bits: a code cannot be guessed, and its QR code stays small enough to scan."""

MOST_HOSTS = 24
"""Phones that are the host's at once, at most; one of them goes when another comes."""

TRIES = 5
WINDOW_S = 60.0
TRIES_OF_ALL = 30
"""Wrong PINs a minute, for one address and for all strangers together.

With six digits that is 12 days for half of all PINs, however many addresses somebody
has. A phone that was let in is no stranger.
"""


class Who(Struct, frozen=True, gc=False):
    """Who asks. A phone may hold a seat and be the host's at the same time."""

    seat: Seat | None = None
    host: bool = False

    @property
    def role(self) -> str:
        """Return ``"seat"``, ``"host"`` or ``"viewer"``: whom the page is made for."""
        if self.seat is not None:
            return "seat"
        return "host" if self.host else "viewer"

    @property
    def viewer(self) -> Viewer:
        """Return whose secrets may be seen."""
        return self.seat


VIEWER = Who()

ROLES = ("host", "seat")
"""What a phone may hold a token for, each in a cookie of its own."""


FREED = "freed"
"""Role of the word that a code changes with, a seat's, or without one the host's; it
opens nothing itself."""


def seat_code(
    secret: bytes, game_id: str, seat: Seat, tokens: Iterable[PhoneToken] = ()
) -> str:
    """Return the code that seats a phone, for one seat of one game.

    *tokens* are those of the table: a seat that was freed has another code since.
    """
    freed = _freed(tokens, game_id, seat)
    return _code(secret, "/".join(("seat", game_id, str(seat), *freed)))


def table_code(secret: bytes, game_id: str) -> str:
    """Return the code that lets a phone pick one of the seats that are free."""
    return _code(secret, f"table/{game_id}")


def host_code(secret: bytes, tokens: Iterable[PhoneToken] = ()) -> str:
    """Return the code that makes a phone the host's.

    It is another one after each stepping down, or the old link, still in the phone that
    gave the table away, would open it again.
    """
    return _code(secret, "/".join(("host", *_freed(tokens, None, None))))


def _freed(
    tokens: Iterable[PhoneToken], game_id: str | None, seat: Seat | None
) -> list[str]:
    """Return the words that a code has changed with since the table was set up."""
    at = (FREED, game_id, seat)
    return sorted(t.hash for t in tokens if (t.role, t.game_id, t.seat) == at)


def _code(secret: bytes, what: str) -> str:
    digest = hmac.digest(secret, what.encode(), hashlib.sha256)[:CODE_BYTES]
    return base64.b32encode(digest).decode().rstrip("=").lower()


def seat_link(
    address: str,
    secret: bytes,
    game_id: str,
    seat: Seat,
    tokens: Iterable[PhoneToken] = (),
) -> str:
    """Return the link that seats a phone; *address* is ``http://host:port``."""
    return f"{address.rstrip('/')}/j/{seat_code(secret, game_id, seat, tokens)}"


def host_link(address: str, secret: bytes, tokens: Iterable[PhoneToken] = ()) -> str:
    """Return the link that makes a phone the host's."""
    return f"{address.rstrip('/')}/j/{host_code(secret, tokens)}"


def watch_link(address: str) -> str:
    """Return the link for everybody who only watches."""
    return f"{address.rstrip('/')}/"


def hash_of(token: str) -> str:
    """Return what is stored of a token; it has 256 bits, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


class Throttle:
    """Counts the wrong tries of each and of all, over the last minute.

    Args:
        clock: Seconds that only ever grow.
        of_all: So many may be wrong together.
    """

    def __init__(self, clock: Callable[[], float], of_all: float) -> None:
        self._clock = clock
        self._of_all = of_all
        self._lock = threading.Lock()
        self._tries: deque[tuple[float, str]] = deque()

    def wait_s(self, who: str) -> float:
        """Return how long *who* has to wait before the next try, 0 for not."""
        with self._lock:
            now = self._clock()
            while self._tries and self._tries[0][0] <= now - WINDOW_S:
                self._tries.popleft()
            own = [at for at, other in self._tries if other == who]
            if len(own) >= TRIES:
                return own[-TRIES] + WINDOW_S - now
            if len(self._tries) >= self._of_all:
                return self._tries[-int(self._of_all)][0] + WINDOW_S - now
            return 0.0

    def count(self, who: str) -> None:
        """Remember a try that was wrong."""
        with self._lock:
            self._tries.append((self._clock(), who))


class Authenticator:
    """Lets phones in and knows them again.

    Args:
        table: Remembers the tokens.
        secret: What all codes are derived from; at least 16 random bytes.
        pin: The host's six digits.
        clock: Seconds that only ever grow, for the wrong tries.
    """

    def __init__(
        self, table: RunningTable, secret: bytes, pin: str, clock: Callable[[], float]
    ) -> None:
        self._table = table
        self._secret = secret
        self._pin = pin
        self._taking = threading.Lock()
        self._strangers = Throttle(clock, TRIES_OF_ALL)
        # Nobody at the table is held up by what strangers try, nor by another seat.
        self._known = Throttle(clock, math.inf)

    def who(self, tokens: Mapping[str, str]) -> Who:
        """Return who holds *tokens*, by role; what is not known opens nothing."""
        game_id = self._table.snapshot.game_id
        host, seat = tokens.get("host"), tokens.get("seat")
        wanted = [hash_of(token) for token in (host, seat) if token]
        if not wanted:
            return VIEWER
        known = [one for digest in wanted for one in self._table.tokens_with(digest)]
        seats = [
            token.seat
            for token in known
            if token.role == "seat" and token.game_id == game_id
        ]
        return Who(
            seat=seats[-1] if seats and game_id is not None else None,
            host=any(token.role == "host" for token in known),
        )

    def read(self, code: str) -> Who | None:
        """Return what *code* lets a phone be, None for a code that opens nothing."""
        snapshot = self._table.snapshot
        if _same(code, host_code(self._secret, self._table.tokens_of(None))):
            return Who(host=True)
        if snapshot.game_id is None or snapshot.story is None:
            return None
        for seat in range(len(snapshot.story.header.players)):
            if _same(code, self.seat_code(snapshot.game_id, seat)):
                return Who(seat=seat)
        return None

    def let_in(self, who: Who) -> str:
        """Return a token for a host's phone, or for a seat of the present game."""
        if who.seat is None:
            return self._let_in_host()
        game_id = self._table.snapshot.game_id
        token = self._seat_token(game_id or "", who.seat)
        wanted = PhoneToken(hash_of(token), who.role, who.seat, game_id)
        # Whoever has a seat's link may open it a million times: it is written once.
        if wanted not in self._table.tokens_of(game_id):
            self._table.add_token(wanted)
        return token

    def _let_in_host(self) -> str:
        held = [one.hash for one in self._table.tokens_of(None) if one.role == "host"]
        if len(held) >= MOST_HOSTS:
            self._drop(held[: len(held) - MOST_HOSTS + 1])
        token = secrets.token_urlsafe(32)
        self._table.add_token(PhoneToken(hash_of(token), "host"))
        return token

    def _seat_token(self, game_id: str, seat: Seat) -> str:
        """Return what keeps a phone at a seat; another once the seat was freed."""
        what = f"token/{self.seat_code(game_id, seat)}"
        digest = hmac.digest(self._secret, what.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def table_code(self) -> str | None:
        """Return the code that opens the seats of the game on the table, if any."""
        game_id = self._table.snapshot.game_id
        return None if game_id is None else table_code(self._secret, game_id)

    def opens_table(self, code: str) -> bool:
        """Tell whether *code* lets a phone pick a seat now."""
        mine = self.table_code()
        return mine is not None and _same(code, mine)

    def taken(self) -> frozenset[Seat]:
        """Return the seats of the game on the table at which a phone sits."""
        game_id = self._table.snapshot.game_id
        return frozenset(
            token.seat
            for token in self._table.tokens_of(game_id)
            if token.role == "seat" and token.seat is not None
        )

    def take(self, seat: Seat) -> str | None:
        """Return a token for a seat that is free, None where a phone sits already."""
        with self._taking:  # of two phones that tap at once, one sits down
            return None if seat in self.taken() else self.let_in(Who(seat=seat))

    def wait_s(self, who: Who, address: str) -> float:
        """Return how long a phone has to wait before it may try a PIN, 0 for not."""
        throttle, counted_as = self._counted(who, address)
        return throttle.wait_s(counted_as)

    def open_with_pin(self, pin: str, who: Who, address: str) -> str | None:
        """Return a host's token for the right PIN; a wrong one is counted."""
        if _same(pin, self._pin):
            return self.let_in(Who(host=True))
        throttle, counted_as = self._counted(who, address)
        throttle.count(counted_as)
        return None

    def _counted(self, who: Who, address: str) -> tuple[Throttle, str]:
        """Return where a phone's wrong tries are counted, and as whose."""
        if who == VIEWER:
            return self._strangers, address
        return self._known, f"{who.role} {who.seat}"

    def put_out(self, game_id: str, seat: Seat) -> None:
        """Let no phone sit at a seat any more, and none come back by the old code."""
        old = [
            token.hash for token in self._table.tokens_of(game_id) if token.seat == seat
        ]
        # First the new word: should the power go in between, the old code is dead.
        self._table.add_token(PhoneToken(secrets.token_hex(16), FREED, seat, game_id))
        self._drop(old)

    def give_up(self, token: str) -> None:
        """Let the phone that holds a host's *token* be the host's no more.

        Nor does it come back by the link that made it so.
        """
        wanted = hash_of(token)
        held = [
            known.hash
            for known in self._table.tokens_with(wanted)
            if known.role == "host"
        ]
        if held:
            # First the new word, as with a seat.
            self._table.add_token(PhoneToken(secrets.token_hex(16), FREED))
            self._drop(held)

    def _drop(self, hashes: Iterable[str]) -> None:
        self._table.drop_tokens(frozenset(hashes))

    def host_link(self, address: str) -> str:
        """Return the link that makes another phone the host's, for the host to show."""
        return host_link(address, self._secret, self._table.tokens_of(None))

    def seat_code(self, game_id: str, seat: Seat) -> str:
        """Return the code of a seat, for the host to show."""
        tokens = self._table.tokens_of(game_id)
        return seat_code(self._secret, game_id, seat, tokens)


def _same(one: str, other: str) -> bool:
    """Compare two secrets in a time that tells nothing of where they differ."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
