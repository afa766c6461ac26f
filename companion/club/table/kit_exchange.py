"""A copy that was taught at one table is offered to all: teach once, play everywhere.

Each kit that was taught here is published once, as the file that an owner could also
carry over; each of another table is fetched once and stands in the lobby with our own.
"""

import contextlib
import hashlib
import logging
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec
from msgspec import Struct

from companion.club.broker import Link
from companion.club.messages import (
    KitLabel,
    decode,
    encode,
    kit_topic,
    label_topic,
    table_id,
)
from companion.files import UNREADABLE, write_whole
from companion.kits.kit import BadKit, Kit, kits_in, load
from companion.kits.kit_files import pack, unpack
from companion.running.wishes import Clock

logger = logging.getLogger(__name__)

STILL_S = 600.0
"""A kit that nothing was added to for so long is taught; till then each picture would
make another file of it."""

LOOK_S = 30.0

MOST_BYTES = 32 * 1024 * 1024
"""Of a kit as one file; what a table's own page takes as well."""

ROOM = 10
"""A kit is fetched if the disk has so many times its size to spare."""

NAME = "club-kits.json"


class Fetched(Struct, frozen=True):
    """What was fetched from other tables: labels' topics, and the folders they became.

    A folder of these is not offered again: its teacher does so.
    """

    folders: dict[str, str] = {}


class KitExchange:
    """Offers and fetches kits, in a thread of its own.

    Args:
        link: The connection to the broker.
        table: What this table is called in topics.
        data: The table's folder; its kits are in ``kits``.
        clock: Where time comes from.
        take: Lets the table play with a kit.
    """

    def __init__(
        self,
        link: Link,
        table: str,
        data: Path,
        clock: Clock,
        take: Callable[[str, Kit], object],
    ) -> None:
        self._link = link
        self._table = table
        self._home = data / "kits"
        self._path = data / NAME
        self._clock = clock
        self._take = take
        self._messages: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        self._labels: dict[str, KitLabel] = {}
        self._digests: dict[Path, tuple[float, str]] = {}
        self._fetched = _read(self._path)
        self._thread = threading.Thread(target=self._run, name="kits", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """End."""
        self._messages.put(None)
        self._thread.join(timeout_s)

    def hear(self, topic: str, payload: bytes) -> None:
        """Take a label or a kit that has come; in any thread, and at once."""
        self._messages.put((topic, payload))

    def _run(self) -> None:
        while True:
            try:
                message = self._messages.get(timeout=LOOK_S)
            except Empty:
                self._offer_all()
                continue
            if message is None:
                return
            topic, payload = message
            if topic.endswith("/label"):
                self._note(topic, payload)
            elif payload:
                self._unpack(topic.removesuffix("/file") + "/label", payload)

    # What was taught here.

    def _offer_all(self) -> None:
        ours = set(self._fetched.folders.values())
        for folder, kit in kits_in(self._home):
            if isinstance(kit, BadKit) or folder.name in ours or not self._link.is_up:
                continue
            try:
                self._offer(folder, kit)
            except (BadKit, OSError) as error:
                logger.warning("the kit %s is not offered: %s", folder.name, error)

    def _offer(self, folder: Path, kit: Kit) -> None:
        """Publish a kit, unless it is still taught or published already.

        Raises:
            BadKit | OSError: It cannot be read.
        """
        changed = max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
        if self._clock.wall() - changed < STILL_S:
            return
        if self._digests.get(folder, (0.0, ""))[0] == changed:
            content = b""
            digest = self._digests[folder][1]
        else:
            content = pack(folder)
            digest = _digest(content)
            self._digests[folder] = changed, digest
        if any(label.digest == digest for label in self._labels.values()):
            return
        content = content or pack(folder)
        if len(content) > MOST_BYTES:
            return
        name = table_id(folder.name)
        label = KitLabel(digest, kit.game, kit.name, len(content))
        # First what the label promises.
        self._link.publish(kit_topic(self._table, name), content, retain=True)
        self._link.publish(label_topic(self._table, name), encode(label), retain=True)
        self._labels[label_topic(self._table, name)] = label

    # What was taught elsewhere.

    def _note(self, topic: str, payload: bytes) -> None:
        """Take note of a label, and ask for its kit if it is one that is new here."""
        try:
            label = decode(payload, KitLabel)
        except msgspec.MsgspecError as error:
            logger.warning("%s is no label of a kit: %s", topic, error)
            return
        self._labels[topic] = label
        is_ours = topic.split("/")[2] == self._table
        if is_ours or topic in self._fetched.folders or self._has(label.digest):
            return
        free = shutil.disk_usage(self._path.parent).free
        if label.size_bytes > MOST_BYTES or free < ROOM * label.size_bytes:
            logger.warning("there is no room for the kit %s", label.name)
            return
        self._link.listen(topic.removesuffix("/label") + "/file")

    def _has(self, digest: str) -> bool:
        """Tell whether a kit here is the same, as where it was copied by hand."""
        for folder, kit in kits_in(self._home):
            with contextlib.suppress(BadKit, OSError):
                if isinstance(kit, Kit) and _digest(pack(folder)) == digest:
                    return True
        return False

    def _unpack(self, topic: str, content: bytes) -> None:
        """Put a kit among ours, if it is what its label says."""
        self._link.ignore(topic.removesuffix("/label") + "/file")
        label = self._labels.get(topic)
        if label is None or topic in self._fetched.folders:
            return
        if _digest(content) != label.digest:
            logger.warning("the kit %s is not what its label says", label.name)
            return
        try:
            folder = unpack(content, self._home)
            kit = load(folder)
            folders = {**self._fetched.folders, topic: folder.name}
            self._fetched = Fetched(folders)
            write_whole(self._path, msgspec.json.encode(self._fetched))
            self._take(folder.name, kit)
        except (BadKit, OSError, TimeoutError) as error:
            logger.warning("the kit %s cannot be used: %s", label.name, error)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _read(path: Path) -> Fetched:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Fetched)
    except UNREADABLE:
        return Fetched()
