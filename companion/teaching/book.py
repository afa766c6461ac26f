"""The lesson that is open, and what is kept of it: for pages and camera alike."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.games import find
from companion.kits import curriculum
from companion.kits.kit import BadKit, KeptShot, Kit, kept_shots, kits_in, load
from companion.kits.kit_files import (
    BARE,
    LESSON,
    drop_shots,
    keep,
    kept_spaces,
    load_kept,
    write_facts,
)
from companion.kits.next_step import Progress
from companion.kits.shots import counts_of
from companion.kits.spaces import Spaces
from companion.table import BoxPx, Face
from companion.teaching.page import CannotTeach, Lesson, Message
from vision.arrays import Picture
from vision.camera.files import PictureUnreadable, decode_png


class Open(Struct, frozen=True):
    """The lesson that is open, with what only the edge knows of it."""

    folder: Path
    kit: Kit
    lesson: Lesson
    spaces: Spaces = Spaces()
    bare: Picture | None = None
    last: tuple[Picture, BoxPx] | None = None
    corner: tuple[float, float] | None = None
    rolled: tuple[Face | None, ...] = ()


class Book:
    """Holds the open lesson; whoever changes it holds *lock*.

    Args:
        home: Folder of the owner's kits.
        knows: Called with a kit that is new or has changed, for the lobby.
        beside: Other kits by name, as one that the command line was given.
        looked: Called with each kit that was looked at, or why it cannot be read.
    """

    def __init__(
        self,
        home: Path,
        knows: Callable[[str, Kit], object],
        beside: Mapping[str, Path],
        looked: Callable[[str, Kit | BadKit], object],
    ) -> None:
        self.home = home
        self._beside = dict(beside)
        self.knows = knows
        self.lock = threading.RLock()
        self._looked = looked
        self.open_now: Open | None = None

    @property
    def lesson(self) -> Lesson | None:
        """Return the lesson that is open."""
        now = self.open_now
        return now.lesson if now is not None else None

    def kits(self) -> tuple[tuple[str, str], ...]:
        """Return the kits of this table: name and game."""
        found = tuple(kits_in(self.home))
        for folder, kit in found:
            self._looked(folder.name, kit)
        return tuple(
            (folder.name, kit.game) for folder, kit in found if isinstance(kit, Kit)
        )

    def open(self, name: str) -> None:
        """Open the lesson of a kit where it was left.

        Raises:
            CannotTeach: There is no such kit.
            BadKit: It is broken.
        """
        folder = self.folder(name)
        kit = load(folder)
        spaces = kept_spaces(folder)
        bare = _opened(folder / BARE)
        lesson = Lesson(
            folder.name,
            curriculum.course(kit.game, kit.box),
            load_kept(folder, LESSON, Progress),
            counts_of(kept_shots(folder)),
            bare is not None,
            tray=spaces.tray is not None,
            high=bare.shape[0] / bare.shape[1] if bare is not None else 0.5625,
            version=self.lesson.version + 1 if self.lesson else 0,
        )
        self.open_now = Open(folder, kit, lesson, spaces, bare)

    def now(self) -> Open:
        """Return the open lesson.

        Raises:
            CannotTeach: There is none.
        """
        if self.open_now is None:
            raise CannotTeach("teach.no.lesson")
        return self.open_now

    def folder(self, name: str) -> Path:
        """Return the folder of a kit; a name never leads out of the kits' own.

        Raises:
            CannotTeach: There is no such kit.
        """
        if name in self._beside:
            return self._beside[name]
        if name not in {kit for kit, _ in self.kits()}:
            raise CannotTeach("teach.no.kit")
        return self.home / name

    def update(self, message: Message | None, **changes: object) -> None:
        """Show what came of a wish or a look, and what changes in the lesson."""
        with self.lock:
            if self.open_now is None:
                return
            now = self.open_now
            lesson = replace(
                now.lesson, message=message, version=now.lesson.version + 1, **changes
            )
            if lesson.hint != now.lesson.hint or message or changes.keys() - {"hint"}:
                self.open_now = replace(now, lesson=lesson)

    def keep(self, progress: Progress) -> None:
        """Keep progress on disk, then show it."""
        now = self.now()
        if progress == now.lesson.progress:
            return
        keep(now.folder, LESSON, progress)
        lesson = replace(now.lesson, progress=progress, version=now.lesson.version + 1)
        # What lies there now is known: the next shot needs a hand in between.
        self.open_now = replace(now, lesson=lesson, rolled=())

    def drop(self, bad: Callable[[KeptShot], bool]) -> None:
        """Take shots out of the open kit."""
        now = self.now()
        files = {shot.file for shot in kept_shots(now.folder) if bad(shot)}
        left = drop_shots(now.folder, files)
        lesson = replace(now.lesson, counts=counts_of(left))
        self.open_now = replace(now, lesson=lesson, last=None)

    def use_own_die(self) -> None:
        """Let the box's own die count alone once it was tested."""
        now = self.now()
        stands_for = {piece for _, piece, _ in find(now.kit.game).plain_die}
        if stands_for & set(now.lesson.progress.passed):
            write_facts(now.folder, now.kit, ordinary_die=False)
            self.knows(now.lesson.kit, load(now.folder))


@contextmanager
def refuse_disk_errors() -> Iterator[None]:
    """Turn what went wrong on disk into a refusal that a page can show."""
    try:
        yield
    except BadKit as error:
        raise CannotTeach("teach.no.because", why=str(error)) from error
    except OSError as error:
        raise CannotTeach("teach.no.disk") from error


def _opened(path: Path) -> Picture | None:
    """Return a picture that was kept, None where there is none."""
    try:
        return decode_png(path.read_bytes())
    except (OSError, PictureUnreadable):
        return None
