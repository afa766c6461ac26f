"""Keeps the pictures that readings rest on: a folder a game, beside the games' file.

Written by a thread of its own: a slow or full disk loses pictures, never a move. What
no entry came to rest on is never written.
"""

import logging
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO, TypeAlias

from msgspec import Struct

from companion.capsule.file import pack
from companion.files import rename, write_whole
from companion.running.snapshot import RunningTable, Snapshot
from companion.story.evidence import picture_names
from companion.story.log import Story

logger = logging.getLogger(__name__)

MOST_BYTES = 200_000_000
"""All pictures together: some 50 games, at 20 kB a picture and 200 of them a game."""

FRESH_BYTES = 8_000_000
"""Kept in memory till an entry rests on them, and while the disk takes its time."""

LOOK_S = 0.5
"""How long the store waits for news; a disk that refused is tried again then."""

STOP_S = 10.0
"""How long the end of the program waits for a disk that hangs."""

ROOM = 0.95
"""So full is the store at most once it has made room: not anew for each picture."""


PHOTO = "table.jpg"
"""The photo of the final table, in the folder of its game, if anybody asked for one."""

GONE = ".gone-"
"""How a folder of pictures begins whose game was deleted, until the disk lets it go."""

Trouble: TypeAlias = Callable[[str, OSError | None], object]
"""Told which part the disk refuses now, and why; None once it takes it again."""


class _Owed(Struct, frozen=True):
    """A picture that is still to be written."""

    game_id: str
    seq: int
    name: str


class EvidenceStore:
    """The pictures of all games; safe in any thread.

    Args:
        folder: Where the games' folders are; made with the first picture.
        most_bytes: All pictures together; the oldest of other games go first.
        trouble: Told when ``pictures`` cannot be kept and ``old_pictures``, those of a
            deleted game, cannot be deleted; in any thread.
    """

    def __init__(
        self,
        folder: Path,
        most_bytes: int = MOST_BYTES,
        trouble: Trouble = lambda _, __: None,
    ) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._fresh: OrderedDict[str, bytes] = OrderedDict()
        self._fresh_bytes = 0
        self._kept: dict[str, dict[str, Path]] = {}
        self._read_upto: dict[str, int] = {}
        self._owed: tuple[_Owed, ...] = ()
        self._bytes: int | None = None
        self._trouble = trouble
        self._refused: set[str] = set()
        # A start may find what the one before could not delete.
        self._must_clear = True
        self._gone: set[str] = set()
        self._stop = threading.Event()
        self._table: RunningTable | None = None
        self._thread: threading.Thread | None = None

    # What watchers and pages may call.

    def keep(self, jpeg: bytes) -> str:
        """Remember a picture for the entry that may come of it; return its name."""
        name = fingerprint(jpeg)
        with self._lock:
            self._fresh_bytes += len(jpeg) - len(self._fresh.pop(name, b""))
            self._fresh[name] = jpeg
            while self._fresh_bytes > FRESH_BYTES and len(self._fresh) > 1:
                _, old = self._fresh.popitem(last=False)
                self._fresh_bytes -= len(old)
        return name

    def has(self, game_id: str, name: str) -> bool:
        """Tell whether a picture is kept still."""
        with self._lock:
            return name in self._fresh or name in self._names(game_id)

    def picture(self, game_id: str, name: str) -> bytes | None:
        """Return a picture as JPEG; None when it is kept no more, or not whole."""
        with self._lock:
            jpeg, path = self._fresh.get(name), self._names(game_id).get(name)
        if jpeg is None and path is not None:
            try:
                jpeg = path.read_bytes()
            except OSError:
                return None
        # A power cut may leave half a picture behind; its name tells.
        return jpeg if jpeg is not None and fingerprint(jpeg) == name else None

    def drop(self, game_id: str) -> None:
        """Delete all pictures of a game, again and again while the disk refuses."""
        with self._lock:
            for name in self._names(game_id):
                self._fresh_bytes -= len(self._fresh.pop(name, b""))
            self._kept[game_id] = {}
            self._bytes = None
            self._gone.add(game_id)
            self._must_clear = True
        self._clear_away()

    def pack(self, to: IO[bytes], game_id: str, story: Story) -> None:
        """Write a game as a capsule, its secrets left out till it is over.

        Raises:
            OSError: The disk cannot be read or written.
        """
        pack(to, game_id, story, self._folder / game_id)

    def photo(self, game_id: str) -> bytes | None:
        """Return the photo of a game's final table, None where nobody took one."""
        try:
            return (self._folder / game_id / PHOTO).read_bytes()
        except OSError:
            return None

    def keep_photo(self, game_id: str, jpeg: bytes) -> None:
        """Keep the photo of a game's final table, in the place of an earlier one.

        It goes with the game's other pictures: last of them when room is made.

        Raises:
            OSError: The disk refuses.
        """
        folder = self._folder / game_id
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / PHOTO, jpeg)
        with self._lock:
            self._bytes = None

    def drop_photo(self, game_id: str) -> None:
        """Delete the photo of a game's final table.

        Raises:
            OSError: The disk refuses.
        """
        (self._folder / game_id / PHOTO).unlink(missing_ok=True)
        with self._lock:
            self._bytes = None

    # What the thread of the store does.

    def start(self, table: RunningTable) -> None:
        """Begin to keep what the entries of *table* rest on."""
        self._table = table
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns when the last picture was written, or could not be."""
        self._stop.set()
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(STOP_S)

    def _run(self) -> None:
        assert self._table is not None
        version = -1
        while not self._stop.is_set():
            version = self._look(self._table.wait(version, LOOK_S))
        self._look(self._table.snapshot)

    def _look(self, shown: Snapshot) -> int:
        assert self._table is not None
        self.take_in(shown, self._games())
        return shown.version

    def _games(self) -> Iterator[str]:
        """Yield all games, the newest first; only when somebody asks for them."""
        assert self._table is not None
        yield from (game.id for game in self._table.games())

    def take_in(self, shown: Snapshot, games: Iterable[str]) -> None:
        """Write the pictures that new entries rest on.

        *games* are newest first, and not looked at while there is room.
        """
        story, game_id = shown.story, shown.game_id
        if story is not None and game_id is not None:
            upto = self._read_upto.get(game_id, -1)
            new = story.entries[upto + 1 :]
            self._owed += tuple(
                _Owed(game_id, entry.seq, name)
                for entry in new
                for name in picture_names(entry.body)
            )
            self._read_upto[game_id] = story.seq
        self._clear_away()
        if self._owed:
            self._write_owed(games)

    def _write_owed(self, games: Iterable[str]) -> None:
        owed, self._owed = self._owed, ()
        done = 0
        try:
            for one in owed:
                self._write(one)
                done += 1
            if self._is_too_much():
                self._make_room(tuple(games), owed[-1].game_id)
        except OSError as error:
            self._tell("pictures", error)
            # Tried again for as long as they are in memory.
            self._owed = tuple(one for one in owed[done:] if one.name in self._fresh)
        else:
            self._tell("pictures", None)

    def _clear_away(self) -> None:
        """Delete the pictures of deleted games.

        They get another name first, by which a later start knows them.
        """
        with self._lock:
            if not self._must_clear:
                return
            try:
                for game_id in sorted(self._gone):
                    if (self._folder / game_id).exists():
                        gone = self._folder / f"{GONE}{game_id}"
                        rename(self._folder / game_id, gone)
                    self._gone.remove(game_id)
                for path in self._folder.glob(f"{GONE}*"):
                    shutil.rmtree(path)
            except OSError as error:
                refused: OSError | None = error
            else:
                refused, self._must_clear = None, False
        self._tell("old_pictures", refused)

    def _tell(self, part: str, refused: OSError | None) -> None:
        """Tell what the disk refuses, once until it takes it again."""
        with self._lock:
            if (part in self._refused) == (refused is not None):
                return
            self._refused ^= {part}
        if refused is not None:
            logger.warning("%s: the disk refuses: %s", part, refused)
        self._trouble(part, refused)

    def _write(self, one: _Owed) -> None:
        with self._lock:
            jpeg = self._fresh.get(one.name)
            known = one.name in self._names(one.game_id)
        if jpeg is None or known:
            return
        folder = self._folder / one.game_id
        # Hands and faces may be in it: for the table's own user alone.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"{one.seq:06d}-{one.name}.jpg"
        write_whole(path, jpeg)
        with self._lock:
            self._kept[one.game_id][one.name] = path
            if self._bytes is not None:
                self._bytes += len(jpeg)

    def _is_too_much(self) -> bool:
        if self._bytes is None:
            self._bytes = sum(map(_size, self._all(self._folder)))
        return self._bytes > self._most_bytes

    def _make_room(self, games: tuple[str, ...], game_id: str) -> None:
        """Delete what is oldest, of *game_id* last."""
        assert self._bytes is not None
        found = sorted(p.name for p in self._folder.iterdir() if p.is_dir())
        strange = [name for name in found if name not in games]
        old = [name for name in reversed(games) if name in found and name != game_id]
        for name in (*strange, *old, game_id):
            for path in sorted(self._all(self._folder / name)):
                if self._bytes <= ROOM * self._most_bytes:
                    return
                self._delete(name, path)

    def _delete(self, game_id: str, path: Path) -> None:
        assert self._bytes is not None
        with self._lock:
            self._bytes -= _size(path)
            path.unlink(missing_ok=True)
            self._names(game_id).pop(path.stem.partition("-")[2], None)

    def _names(self, game_id: str) -> dict[str, Path]:
        """Return what is kept of a game; with the lock held."""
        if game_id not in self._kept:
            self._kept[game_id] = {
                path.stem.partition("-")[2]: path
                for path in self._all(self._folder / game_id)
                if path.name != PHOTO
            }
        return self._kept[game_id]

    @staticmethod
    def _all(folder: Path) -> list[Path]:
        return list(folder.rglob("*.jpg")) if folder.is_dir() else []


def _size(path: Path) -> int:
    """Return how long a file is; nothing where its game was deleted just now."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def fingerprint(jpeg: bytes) -> str:
    """Return a picture's name, which nothing but this picture has."""
    return blake2b(jpeg, digest_size=12).hexdigest()
