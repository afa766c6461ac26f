"""Copies that were taught at other tables: offered by name, fetched once chosen.

A club fills it in; at a table without one it stays empty. The lobby lists what is
offered, and what people choose there is fetched then and not before.
"""

from collections.abc import Callable
from threading import Condition

from msgspec import Struct

from companion.kits.kit import Kit


class OfferedKit(Struct, frozen=True):
    """A copy that another table offers.

    Attributes:
        digest: Fingerprint of the kit as one file.
        game: What it is a copy of.
        name: What is on its label.
        table: What people call the table that it was taught at.
    """

    digest: str
    game: str
    name: str
    table: str


class OfferedKits:
    """What other tables offer this one; safe in any thread.

    Args:
        take: Lets the table play with a kit that has come.
    """

    def __init__(self, take: Callable[[str, Kit], object]) -> None:
        self._take = take
        self._changed = Condition()
        self._offered: tuple[OfferedKit, ...] = ()
        self._order: Callable[[str], object] | None = None
        self._outcomes: dict[str, str | None] = {}

    # For the lobby.

    def of(self, game: str) -> tuple[OfferedKit, ...]:
        """Return the copies of a game that may be chosen, by their names."""
        with self._changed:
            return tuple(kit for kit in self._offered if kit.game == game)

    def fetch(self, digest: str, timeout_s: float) -> str | None:
        """Fetch what people have chosen; return what the kit is called here.

        None where it does not come in time, or cannot be used; it may come later.
        """
        with self._changed:
            if self._order is None:
                return None
            self._outcomes.pop(digest, None)
            self._order(digest)
            self._changed.wait_for(lambda: digest in self._outcomes, timeout_s)
            return self._outcomes.get(digest)

    # For the club.

    def served_by(self, order: Callable[[str], object]) -> None:
        """Let *order* begin to fetch what is chosen; it returns at once."""
        with self._changed:
            self._order = order

    def offer(self, kits: tuple[OfferedKit, ...]) -> None:
        """Offer these from now on, and no others."""
        with self._changed:
            self._offered = kits

    def take(self, name: str, kit: Kit) -> None:
        """Let the table play with a kit that has come; it is called *name* here.

        Raises:
            TimeoutError: The table does not answer.
        """
        self._take(name, kit)

    def settle(self, digest: str, name: str | None) -> None:
        """Say what came of an order: a kit's name, None where there will be none."""
        with self._changed:
            self._outcomes[digest] = name
            self._changed.notify_all()
