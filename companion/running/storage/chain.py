"""Chains a game's entries, so that none can be altered or taken out in silence.

Each entry carries a digest over the digest before it and its own bytes; a game carries
the number of its entries and the last digest. What was flipped, lost, moved or cut off
then shows, and all before it is sound.
"""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

DIGEST_BYTES = 16
"""128 bits of BLAKE2b, which the standard library brings: no accident makes two alike
(a CRC-32 lets one in 4 thousand million pass), it costs 1 us an entry, and a row grows
by 17 bytes."""


class StoredEntry(NamedTuple):
    """One entry as it is stored; *digest* is None where it never could be read.

    Of a damaged file nobody knows what comes: *body* is bytes where it is sound.
    """

    seq: int
    body: Any
    digest: bytes | None


def seed(game_id: str) -> bytes:
    """Return what the first entry of a game is chained to."""
    return game_id.encode("utf-8", "replace")


def link(previous: bytes, body: bytes) -> bytes:
    """Return the digest of an entry that follows the one with digest *previous*."""
    return hashlib.blake2b(previous + body, digest_size=DIGEST_BYTES).digest()


def chain_digests(previous: bytes, bodies: Iterable[bytes]) -> list[bytes]:
    """Return the digests of entries that follow each other."""
    digests = []
    for body in bodies:
        previous = link(previous, body)
        digests.append(previous)
    return digests


class Checked(NamedTuple):
    """The *rows* of a game that are sound, from the first on, and how many it had."""

    rows: tuple[StoredEntry, ...]
    had: int

    @property
    def whole(self) -> bool:
        """Tell whether nothing of the game is missing."""
        return len(self.rows) == self.had


def check_chain(
    game_id: str, rows: Iterable[StoredEntry], count: object, last: bytes | None
) -> Checked:
    """Return what is sound of a game.

    Args:
        game_id: Whose entries they are.
        rows: All that is stored of it, in order.
        count: How many entries it should have.
        last: The digest of the last of them.
    """
    found = [*rows]
    sound, previous = 0, seed(game_id)
    for seq, body, digest in found:
        if seq != sound or not isinstance(body, bytes):
            break
        previous = link(previous, body)
        if previous != digest:
            break
        sound += 1
    if 0 < sound == len(found) and previous == last:
        # Whatever the number says: the last entry is the one that was last.
        return Checked(tuple(found), sound)
    # Of a damaged row the number may be no number.
    return Checked(
        tuple(found[:sound]), max(len(found), count if isinstance(count, int) else 0)
    )
