"""Where a table keeps its games, and the secrets that its first start makes."""

import logging
import secrets
from pathlib import Path

from msgspec import Struct

from companion.cli.errors import BadInput
from companion.running.storage.store import Store
from companion.running.storage.trouble import StoreTrouble

logger = logging.getLogger(__name__)

STORE_NAME = "table.sqlite3"
PICTURES_NAME = "pictures"

RIG_NAME = "rig.json"
"""Where ``calibrate --save`` leaves what a table's camera sees by, if it does."""


class Secrets(Struct, frozen=True):
    """What was made at the first start: the key of all links, and the host's PIN."""

    key: bytes
    pin: str


def default_data() -> Path:
    """Return where games are kept when nothing is said: under the user's home."""
    return Path.home() / ".local" / "share" / "dragon-table"


def open_store(data: Path) -> Store:
    """Return the store in *data*, made where there is none.

    Raises:
        BadInput: The folder cannot be used.
    """
    try:
        return Store(data / STORE_NAME)
    except StoreTrouble as error:
        raise BadInput(str(error)) from error


def first_secrets(store: Store) -> Secrets:
    """Return the table's key and PIN, made at the first start and kept since."""
    kept = store.keys()
    if kept is not None:
        return Secrets(bytes.fromhex(kept.key), kept.pin)
    key, pin = secrets.token_hex(32), f"{secrets.randbelow(1_000_000):06d}"
    try:
        store.keep_keys(key, pin)
    except StoreTrouble as error:
        logger.warning("key and PIN are not kept yet: %s", error)
    return Secrets(bytes.fromhex(key), pin)
