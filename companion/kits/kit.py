"""What an owner taught once about their copy: box facts, and what its dice show.

A kit is a folder with a ``kit.toml``; without one, a game's stand-in kit serves, with
a board of our own and an ordinary die. Pictures are bytes here; vision opens them.
"""

import fcntl
import hashlib
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.files import UNREADABLE, write_whole
from companion.games import find
from companion.games.copy import Kind
from companion.games.core import Game
from companion.table import Meaning


class BadKit(ValueError):
    """A kit cannot be used; the message says where and what to do."""


class Kit(Struct, frozen=True):
    """The box facts of one copy, and the meanings of what its dice show."""

    game: str
    name: str
    box: Any
    meanings: tuple[Meaning, ...] = ()

    def digest(self) -> str:
        """Return a short fingerprint, so that a log names the copy it was played on."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()


def stand_in_kit(game: Game[Any, Any, Any]) -> Kit:
    """Return the kit that needs no box: our own board, and an ordinary die."""
    return Kit(game.id, "stand-in", game.stand_in, plain_die(game))


def plain_die(game: Game[Any, Any, Any]) -> tuple[Meaning, ...]:
    """Return what the faces of an ordinary die stand for in *game*."""
    return tuple(
        Meaning(("d6", face), (piece, stands_for))
        for face, piece, stands_for in game.plain_die
    )


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a ``kit.toml``."""

    game: str
    name: str
    box: dict[str, Any]
    ordinary_die: bool = True


def load(folder: Path) -> Kit:
    """Return the kit in *folder*, its sums checked.

    Raises:
        BadKit: There is no such kit, it is for an unknown game, or its facts are
            impossible; the message names the first fault.
    """
    path = folder / "kit.toml" if folder.is_dir() else folder
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadKit(f"cannot read the kit {path}: {error}") from error
    try:
        file = msgspec.convert(tomllib.loads(text), _File)
        game = find(file.game)
        box = msgspec.convert(file.box, game.box_type)
        faults = game.check_box(box)
    except Exception as error:
        # Anybody may edit this file, and the sums may fail on what it says.
        why = error.args[0] if error.args else type(error).__name__
        raise BadKit(f"{path} is not a kit: {why}") from error
    if faults:
        fault = faults[0]
        values = ", ".join(f"{name} {value}" for name, value in fault.params)
        raise BadKit(f"{path} cannot be a {game.title} box: {fault.code} ({values})")
    meanings = plain_die(game) if file.ordinary_die else ()
    return Kit(game.id, file.name, box, meanings)


def kits_in(folder: Path) -> Iterator[tuple[Path, Kit | BadKit]]:
    """Yield where each kit of a folder lies, and the kit, or why it cannot be read."""
    try:
        found = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        yield folder, BadKit(f"{folder} cannot be read: {error.strerror}")
        return
    for path in found:
        if not path.name.startswith("."):
            try:
                yield path, load(path)
            except BadKit as error:
                yield path, error


class KeptShot(Struct, frozen=True, omit_defaults=True):
    """A picture that an owner showed of one face of a die, or of one card.

    *piece* is the name of the die or deck, *file* the picture in the kit's folder,
    *box* what shows the face in it, px, and *long_px* the longer side of the whole
    photograph. *still* tells that this is the size of the camera's stills: the piece is
    read in these then, and in the video's pictures where it was shown in those.
    """

    kind: Kind
    piece: str
    face: str
    file: str
    box: tuple[int, int, int, int]
    long_px: float
    still: bool = False


class NewShot(Struct, frozen=True):
    """A shot to keep: as :class:`KeptShot`, with the picture itself as PNG."""

    kind: Kind
    piece: str
    face: str
    content: bytes
    box: tuple[int, int, int, int]
    long_px: float
    still: bool = False


def still_px(shots: Iterable[KeptShot]) -> float | None:
    """Return the longer side of the stills that a kit was taught in; None without any.

    All stills of a kit are brought to one size, by whatever camera they were taken.
    """
    return next((shot.long_px for shot in shots if shot.still), None)


_SHOTS, _PICTURES = "shots.json", "shots"


def kept_shots(folder: Path) -> tuple[KeptShot, ...]:
    """Return what was shown of a copy, nothing for a kit without pictures.

    Raises:
        BadKit: There is no such folder, or its list of pictures is broken.
    """
    if not folder.is_dir():
        raise BadKit(f"there is no kit {folder}; teach one with dragon-table enrol")
    path = folder / _SHOTS
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[KeptShot, ...])
    except FileNotFoundError:
        return ()
    except UNREADABLE as error:
        raise BadKit(f"{path} is broken ({error}); enrol the pictures again") from error


def shot_content(folder: Path, shot: KeptShot) -> bytes:
    """Return the picture of a shot, as PNG.

    Raises:
        BadKit: It is gone.
    """
    try:
        return (folder / shot.file).read_bytes()
    except OSError as error:
        raise BadKit(
            f"the kit {folder} lacks its picture {shot.file}; enrol {shot.kind}:"
            f"{shot.piece}/{shot.face} again"
        ) from error


class ShotsChange:
    """The shots of a kit while nobody else may change them; set *shots* to keep."""

    def __init__(self, shots: tuple[KeptShot, ...]) -> None:
        self.shots = shots


@contextmanager
def change_shots(folder: Path) -> Iterator[ShotsChange]:
    """Change the list of shots in one stroke; of two programs one waits for the other.

    Raises:
        BadKit: There is no such folder, or its list of pictures is broken.
        OSError: The folder cannot be written.
    """
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        change = ShotsChange(kept_shots(folder))
        yield change
        text = msgspec.json.format(msgspec.json.encode(change.shots))
        write_whole(folder / _SHOTS, text)


def keep_shots(folder: Path, shots: Iterable[NewShot]) -> tuple[KeptShot, ...]:
    """Add shots to the kit in *folder*, made if it is not there, and return all.

    Pictures come first, then the list in one stroke: after a power cut the kit is as
    before or as wanted.

    Raises:
        BadKit: A shot was shown as another face before.
        OSError: The folder cannot be written.
    """
    (folder / _PICTURES).mkdir(parents=True, exist_ok=True)
    with change_shots(folder) as change:
        known = {_shown(shot): shot for shot in change.shots}
        for shot in shots:
            mark = hashlib.blake2b(shot.content, digest_size=8).hexdigest()
            file = f"{_PICTURES}/{mark}.png"
            kept = KeptShot(
                shot.kind, shot.piece, shot.face, file, shot.box, shot.long_px,
                shot.still,
            )  # fmt: skip
            before = known.setdefault(_shown(kept), kept)
            if before.face != kept.face:
                raise BadKit(
                    f"this picture was shown as {before.face} before, now as "
                    f"{kept.face}; show another one"
                )
            write_whole(folder / file, shot.content)
        change.shots = tuple(known.values())
    return change.shots


def _shown(shot: KeptShot) -> tuple[str, str, str, tuple[int, int, int, int]]:
    return shot.kind, shot.piece, shot.file, shot.box
