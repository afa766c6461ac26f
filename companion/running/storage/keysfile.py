"""Keeps the table's key and PIN a second time, in a small file beside the games.

Should the games' file be lost or damaged, links and PIN stay as everybody knows them;
and that this file is there tells that games were kept here before.
"""

import hashlib
import hmac
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.files import UNREADABLE, write_whole
from companion.running.snapshot import PhoneToken

NAME = "keys.json"


class Keys(Struct, frozen=True):
    """The key of all links, in hex, the host's PIN, and what the host's phones hold."""

    key: str
    pin: str
    tokens: tuple[PhoneToken, ...] = ()


class _Kept(Struct, frozen=True):
    keys: Keys
    check: str


def _digest(keys: Keys) -> str:
    return hashlib.blake2b(msgspec.json.encode(keys), digest_size=16).hexdigest()


def read_keys(path: Path) -> Keys | None:
    """Return what is kept, None where nothing is or not a byte of it can be trusted."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
    except UNREADABLE:
        return None
    return kept.keys if hmac.compare_digest(kept.check, _digest(kept.keys)) else None


def write_keys(path: Path, keys: Keys) -> None:
    """Keep *keys*; whenever the power goes, the old or the new ones are there.

    Raises:
        OSError: The disk refuses; what was kept is as it was.
    """
    # Only the table's own user may read them.
    write_whole(path, msgspec.json.encode(_Kept(keys, _digest(keys))), mode=0o600)
