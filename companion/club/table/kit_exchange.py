"""A copy that was taught at one table is offered to all: teach once, play everywhere.

Each kit that was taught here is published once, as the file that an owner could also
carry over, with a label: its fingerprint, its game and its name. Other tables hear
labels alone. Whoever chooses one in the lobby of another table has the file fetched.
"""

import hashlib
import logging
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

import msgspec
from msgspec import Struct

from companion.club.broker import Link
from companion.club.messages import (
    KitLabel,
    decode,
    encode,
    kit_topic,
    label_topic,
    table_of,
)
from companion.files import UNREADABLE, put_in_place, write_whole
from companion.kits.kit import BadKit, Kit, kits_in, load
from companion.kits.kit_files import pack, unpack
from companion.running.offered_kits import OfferedKit, OfferedKits
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

SURE_S = 120.0
"""A broker that is killed forgets what it took since it last saved, a minute ago
(`companion.club.broker_files`): by chance the file, and not its label."""

NAME = "club-kits.json"


class Had(Struct, frozen=True):
    """A kit that was fetched: its fingerprint then, and the folder that it became."""

    digest: str
    folder: str


class Fetched(Struct, frozen=True):
    """What was fetched from other tables, by the topics of the labels.

    A folder of these is not offered again: its teacher does so.
    """

    kits: dict[str, Had] = {}


class Heard(Struct, frozen=True):
    """A label or a file that has come from the broker."""

    topic: str
    payload: bytes


class Wanted(Struct, frozen=True):
    """People have chosen the kit with this fingerprint."""

    digest: str


class Fresh(Struct, frozen=True):
    """The connection stands anew: the broker says all that it knows once more."""


Message: TypeAlias = Heard | Wanted | Fresh


class KitExchange:
    """Offers kits and fetches what is chosen, in a thread of its own.

    Args:
        link: The connection to the broker.
        table: What this table is called in topics.
        name: What people call it.
        data: The table's folder; its kits are in ``kits``.
        clock: Where time comes from.
        offered: Where this table's people see the kits of others.
    """

    def __init__(
        self,
        link: Link,
        table: str,
        name: str,
        data: Path,
        clock: Clock,
        offered: OfferedKits,
    ) -> None:
        self._link = link
        self._table = table
        self._name = name
        self._home = data / "kits"
        self._path = data / NAME
        self._clock = clock
        self._offered = offered
        self._messages: SimpleQueue[Message | None] = SimpleQueue()
        self._labels: dict[str, KitLabel] = {}
        self._digests: dict[Path, tuple[float, str]] = {}
        self._fetched = _read(self._path)
        self._published_s: dict[str, float] = {}
        self._doubtful: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="kits", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._offered.served_by(lambda digest: self._messages.put(Wanted(digest)))
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """End."""
        self._messages.put(None)
        self._thread.join(timeout_s)

    def hear(self, message: Message) -> None:
        """Take what has come; in any thread, and at once."""
        self._messages.put(message)

    def _run(self) -> None:
        while True:
            try:
                message = self._messages.get(timeout=LOOK_S)
            except Empty:
                self._publish_all()
                self._show()
                continue
            match message:
                case None:
                    return
                case Fresh():
                    self._doubt()
                case Wanted(digest=digest):
                    self._fetch(digest)
                case Heard(topic=topic, payload=payload) if topic.endswith("/label"):
                    self._note(topic, payload)
                case Heard(topic=topic, payload=payload):
                    self._take(topic.removesuffix("/file") + "/label", payload)

    # What was taught here.

    def _doubt(self) -> None:
        """Believe nothing of what the broker had until it says so again."""
        self._labels.clear()
        since_s = self._clock.monotonic() - SURE_S
        self._doubtful = {
            topic for topic, at_s in self._published_s.items() if at_s > since_s
        }

    def _publish_all(self) -> None:
        """Publish what was taught here and is not published yet."""
        if not self._link.is_up:
            return
        theirs = {had.folder for had in self._fetched.kits.values()}
        present = set()
        for folder, kit in kits_in(self._home):
            topic = label_topic(self._table, _kit_id(folder))
            present.add(topic)
            if isinstance(kit, BadKit) or folder.name in theirs:
                continue
            try:
                self._publish(topic, folder, kit)
            except (BadKit, OSError) as error:
                logger.warning("the kit %s is not offered: %s", folder.name, error)
        for topic in [*self._labels]:
            if table_of(topic) == self._table and topic not in present:
                self._withdraw(topic)

    def _publish(self, topic: str, folder: Path, kit: Kit) -> None:
        """Publish a kit, unless it is still taught or published already.

        Raises:
            BadKit | OSError: It cannot be read.
        """
        digest = self._digest_of(folder)
        if digest is None:
            return
        is_known = any(label.digest == digest for label in self._labels.values())
        if is_known and topic not in self._doubtful:
            return
        content = pack(folder)
        if len(content) > MOST_BYTES:
            return
        label = KitLabel(digest, kit.game, kit.name, self._name, len(content))
        # First what the label promises.
        file = kit_topic(self._table, _kit_id(folder))
        self._link.publish(file, content, retain=True)
        self._link.publish(topic, encode(label), retain=True)
        self._labels[topic] = label
        self._published_s[topic] = self._clock.monotonic()
        self._doubtful.discard(topic)

    def _withdraw(self, topic: str) -> None:
        """Offer a kit no more that was taken off this table."""
        for one in (topic, _file_of(topic)):
            self._link.publish(one, b"", retain=True)
        self._labels.pop(topic, None)

    def _digest_of(self, folder: Path) -> str | None:
        """Return the fingerprint of a kit, None while it is still being taught.

        Raises:
            BadKit | OSError: It cannot be read.
        """
        changed = max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
        if self._clock.wall() - changed < STILL_S:
            return None
        known = self._digests.get(folder)
        if known is None or known[0] != changed:
            known = changed, _digest(pack(folder))
            self._digests[folder] = known
        return known[1]

    # What was taught elsewhere.

    def _note(self, topic: str, payload: bytes) -> None:
        """Take note of a label; an empty one means that its kit is offered no more."""
        if not payload:
            self._labels.pop(topic, None)
            self._show()
            return
        try:
            self._labels[topic] = decode(payload, KitLabel)
        except msgspec.MsgspecError as error:
            logger.warning("%s is no label of a kit: %s", topic, error)
            return
        self._show()

    def _show(self) -> None:
        """Offer in the lobby what other tables have and this one has not."""
        ours = {*self._own_digests()}
        kits = {
            label.digest: OfferedKit(label.digest, label.game, label.name, label.table)
            for topic, label in self._labels.items()
            if table_of(topic) != self._table and label.digest not in ours
        }
        self._offered.offer(
            tuple(sorted(kits.values(), key=lambda kit: (kit.name, kit.table)))
        )

    def _own_digests(self) -> Iterator[str]:
        """Yield the fingerprints of all kits here, as they came or were copied."""
        for had in self._fetched.kits.values():
            if (self._home / had.folder).is_dir():
                yield had.digest
        for folder, kit in kits_in(self._home):
            try:
                digest = None if isinstance(kit, BadKit) else self._digest_of(folder)
            except (BadKit, OSError):
                continue  # `_publish_all` says so
            if digest is not None:
                yield digest

    def _fetch(self, digest: str) -> None:
        """Ask the broker for a kit that people have chosen."""
        for had in self._fetched.kits.values():
            if self._is_here(had, digest):
                self._offered.settle(digest, had.folder)  # chosen by two at once
                return
        found = [topic for topic, one in self._labels.items() if one.digest == digest]
        if not found or not self._link.is_up:
            self._offered.settle(digest, None)
            return
        label = self._labels[found[0]]
        free = shutil.disk_usage(self._path.parent).free
        if label.size_bytes > MOST_BYTES or free < ROOM * label.size_bytes:
            logger.warning("there is no room for the kit %s", label.name)
            self._offered.settle(digest, None)
            return
        self._link.listen(_file_of(found[0]))

    def _is_here(self, had: Had, digest: str) -> bool:
        return had.digest == digest and (self._home / had.folder).is_dir()

    def _take(self, topic: str, content: bytes) -> None:
        """Put a kit among ours, if it is what its label says."""
        if not content:
            return  # its teacher has taken it off
        self._link.ignore(_file_of(topic))
        label, before = self._labels.get(topic), self._fetched.kits.get(topic)
        if label is None:
            return
        if before is not None and self._is_here(before, label.digest):
            self._offered.settle(label.digest, before.folder)  # it came twice
            return
        if _digest(content) != label.digest:
            logger.warning("the kit %s is not what its label says", label.name)
            self._offered.settle(label.digest, None)
            return
        try:
            folder = self._unpack(topic, content)
            kit = load(folder)
            had = Had(label.digest, folder.name)
            self._fetched = Fetched({**self._fetched.kits, topic: had})
            write_whole(self._path, msgspec.json.encode(self._fetched))
            self._offered.take(folder.name, kit)
            name: str | None = folder.name
        except (BadKit, OSError, TimeoutError) as error:
            logger.warning("the kit %s cannot be used: %s", label.name, error)
            name = None
        self._show()
        self._offered.settle(label.digest, name)

    def _unpack(self, topic: str, content: bytes) -> Path:
        """Return the folder of a kit; one that was fetched before gives way to it.

        Unless something was changed in it here: then both stay.

        Raises:
            BadKit | OSError: It is none, or the disk refuses.
        """
        fresh = unpack(content, self._home)
        before = self._fetched.kits.get(topic)
        if before is None:
            return fresh
        old = self._home / before.folder
        if not old.is_dir() or _digest(pack(old)) != before.digest:
            return fresh
        shutil.rmtree(old)
        put_in_place(fresh, old)
        return old


def _kit_id(folder: Path) -> str:
    """Return what a kit is called in topics: its folder may have any name."""
    return hashlib.blake2b(folder.name.encode(), digest_size=6).hexdigest()


def _file_of(topic: str) -> str:
    return topic.removesuffix("/label") + "/file"


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _read(path: Path) -> Fetched:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Fetched)
    except UNREADABLE:
        return Fetched()
