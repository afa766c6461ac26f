"""Writes what an owner teaches: box facts, shots that were bad, and all as one file.

`kit` reads; this writes. Files are replaced as a whole, so that a power cut leaves the
kit as before or as wanted. Pictures are bytes here.
"""

import contextlib
import re
import shutil
import zipfile
from collections.abc import Collection, Iterator
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

import msgspec
import tomli_w
from msgspec import Struct

from companion.files import (
    BROKEN_ZIP,
    UNREADABLE,
    put_in_place,
    read_part,
    write_whole,
)
from companion.games.player_names import tidy
from companion.kits.kit import (
    BadKit,
    KeptShot,
    Kit,
    change_shots,
    kept_shots,
    load,
)
from companion.kits.spaces import Spaces, can_be
from companion.table import BoxPx

FACTS, SHOTS, LESSON, SPACES, BARE, TAPPED = (
    "kit.toml", "shots.json", "lesson.json", "spaces.json", "bare.png", "tapped.png",
)  # fmt: skip

PARTS = re.compile(
    r"(kit\.toml|(shots|lesson|spaces)\.json|(bare|tapped)\.png|shots/[0-9a-f]{16}\.png)"
)
"""What a kit's file may hold; anything else in it is not ours to unpack."""

MOST_FILES = 2_000
MOST_BYTES = 128 * 1024 * 1024
"""Of all that is unpacked: 52 cards with three shots each come to 40 MB."""

MOST_TEXT_BYTES = 2 * 1024 * 1024
"""Of a part that is no picture: 156 shots are listed in 30 kB."""

MOST_SIDE = 4_000
"""Pixels of a picture: a card that fills that of a Pi's camera has 2,600."""

MOST_PIXELS = 48_000_000
"""Of all pictures together, as they are unpacked when their kit is learned, into three
bytes each: 52 cards of 200 by 300 pixels, each shown three times, have 9 million."""

MOST_SHOTS = 2_000

PNG = b"\x89PNG\r\n\x1a\n"
PNG_HEAD = PNG + b"\0\0\0\rIHDR"
UNTOLD = ".untold"
"""Marks a kit whose board is still our own: it was begun to be shown, not described."""

T = TypeVar("T")


def begin_kit(folder: Path, kit: Kit) -> None:
    """Make the folder of a new kit; until its facts are entered it has the stand-in's.

    Raises:
        BadKit: There is such a kit already.
        OSError: The folder cannot be written.
    """
    if folder.exists():
        raise BadKit(f"there is a kit {folder.name} already; give it another name")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _new_folder(folder.parent) as fresh:
        write_facts(fresh, kit, ordinary_die=True)
        put_in_place(fresh, folder)


def write_facts(folder: Path, kit: Kit, *, ordinary_die: bool) -> None:
    """Keep the box facts of a kit; *ordinary_die* may stand in for the box's.

    Raises:
        OSError: The folder cannot be written.
    """
    facts = {
        "game": kit.game,
        "name": kit.name,
        "ordinary_die": ordinary_die,
        "box": msgspec.to_builtins(kit.box),
    }
    write_whole(folder / FACTS, tomli_w.dumps(facts).encode())


def drop_shots(folder: Path, files: Collection[str]) -> tuple[KeptShot, ...]:
    """Take shots out of a kit, by their picture files, and return those left.

    Raises:
        BadKit: The list of pictures is broken.
        OSError: The folder cannot be written.
    """
    with change_shots(folder) as change:
        left = tuple(shot for shot in change.shots if shot.file not in files)
        change.shots = left
    used = {shot.file for shot in left}
    for file in set(files) - used:
        if PARTS.fullmatch(file):
            (folder / file).unlink(missing_ok=True)
    return left


def keep(folder: Path, name: str, thing: Struct) -> None:
    """Keep progress or spaces beside a kit's facts.

    Raises:
        OSError: The folder cannot be written.
    """
    write_whole(folder / name, msgspec.json.format(msgspec.json.encode(thing)))


def load_kept(folder: Path, name: str, kind: type[T]) -> T:
    """Return what was kept, and what a kit begins with where nothing was.

    A file that is broken is as good as none: it costs a few taps.
    """
    with contextlib.suppress(*UNREADABLE):
        return msgspec.json.decode((folder / name).read_bytes(), type=kind)
    return kind()


def kept_draft(kits: Path, game: str) -> dict[str, str]:
    """Return what was told of a box that is not described to its end yet, by lines.

    A file that is broken is as good as none.
    """
    with contextlib.suppress(*UNREADABLE):
        return msgspec.json.decode(_draft(kits, game).read_bytes(), type=dict[str, str])
    return {}


def keep_draft(kits: Path, game: str, form: dict[str, str] | None) -> None:
    """Keep what was told of a box so far; None forgets it.

    Raises:
        OSError: The folder cannot be written.
    """
    if form is None:
        _draft(kits, game).unlink(missing_ok=True)
        return
    kits.mkdir(parents=True, exist_ok=True)
    write_whole(_draft(kits, game), msgspec.json.encode(form))


def _draft(kits: Path, game: str) -> Path:
    return kits / f".{game}.draft.json"  # its dot tells that it is no kit


def kept_spaces(folder: Path) -> Spaces:
    """Return the spaces that were tapped; none where the file says what cannot be."""
    spaces = load_kept(folder, SPACES, Spaces)
    return spaces if can_be(spaces) else Spaces()


def pack(folder: Path) -> bytes:
    """Return a kit as the content of one file.

    Raises:
        BadKit: It is none, or a picture of it is gone.
    """
    load(folder)
    shots = kept_shots(folder)
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as file:
        for name in (FACTS, SHOTS, LESSON, SPACES, BARE, TAPPED):
            if (folder / name).is_file():
                file.writestr(_entry(name), (folder / name).read_bytes())
        for name in sorted({shot.file for shot in shots}):
            try:
                file.writestr(_entry(name), (folder / name).read_bytes())
            except OSError as error:
                raise BadKit(f"the kit {folder.name} lacks {name}") from error
    return content.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    # Without a time of day: the same kit is the same file, and a Pi may not know it.
    return zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))


def unpack(content: bytes, kits: Path) -> Path:
    """Put the kit of a file among *kits* and return its folder.

    It gets the name that it was given, with a number where there is one like it.

    Raises:
        BadKit: The file is no kit; one line says why. Nothing is left of it then.
        OSError: The folder cannot be written.
    """
    kits.mkdir(parents=True, exist_ok=True)
    with _unpacked(content, kits) as fresh:
        kit = _checked(fresh)
        target = free_name(kits, plain_name(kit.name) or kit.game)
        put_in_place(fresh, target)
    return target


def unpack_to(content: bytes, target: Path) -> None:
    """Make the kit of a file the folder *target*, which must not be there yet.

    Raises:
        BadKit: The file is no kit, or there is such a folder.
        OSError: The folder cannot be written.
    """
    if target.exists():
        raise BadKit(f"there is a {target} already; name a kit that is not there")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _unpacked(content, target.parent) as fresh:
        _checked(fresh)
        put_in_place(fresh, target)


@contextlib.contextmanager
def _unpacked(content: bytes, beside: Path) -> Iterator[Path]:
    """Unpack a file into a folder of its own; what goes wrong leaves nothing of it."""
    with _new_folder(beside) as fresh:
        for part, data in _parts(content):
            path = fresh / part
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        yield fresh


@contextlib.contextmanager
def _new_folder(beside: Path) -> Iterator[Path]:
    """Make a folder to be put in place; of what goes wrong nothing is left."""
    fresh = Path(mkdtemp(prefix=".new-", dir=beside))
    try:
        yield fresh
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _parts(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of a kit's file.

    Raises:
        BadKit: It is broken, too large or holds what is no part of a kit.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as file:
            entries = file.infolist()
            _check_count(content, len(entries))
            if FACTS not in {entry.filename for entry in entries}:
                raise BadKit(f"this file is no kit: it has no {FACTS}")
            large = sum(entry.file_size for entry in entries) > MOST_BYTES
            if large or len(entries) > MOST_FILES:
                raise BadKit("this file is too large for a kit")
            for entry in entries:
                if not PARTS.fullmatch(entry.filename):
                    raise BadKit(
                        f"this is no kit: {entry.filename[:60]!r} is no part of one"
                    )
                is_text = not entry.filename.endswith(".png")
                if is_text and entry.file_size > MOST_TEXT_BYTES:
                    raise BadKit(f"this kit's {entry.filename} is too large")
                yield entry.filename, read_part(file, entry)
    except BadKit:
        raise
    except BROKEN_ZIP as error:
        raise BadKit("this file is no kit, or it is broken; fetch it again") from error


def _check_count(content: bytes, count: int) -> None:
    """See that an archive has as many files as its end says.

    One flipped bit may let the first swallow the heads of all others as its comment;
    to zipfile they were never there.

    Raises:
        zipfile.BadZipFile: It has not.

    Source: PKWARE APPNOTE.TXT 6.3.10, 4.3.16, end of central directory record.
    """
    at = content.rfind(b"PK\5\6")
    if int.from_bytes(content[at + 10 : at + 12], "little") != count:
        raise zipfile.BadZipFile("some of its files are missing")


def _checked(folder: Path) -> Kit:
    """Return the kit that was unpacked.

    Raises:
        BadKit: A part is missing or not what it should be.
    """
    try:
        kit = load(folder)
        shots = kept_shots(folder)
    except BadKit as error:
        why = str(error).replace(f"{folder}/", "").replace(str(folder), "the kit")
        raise BadKit(why) from error
    for shot in shots:
        path = folder / shot.file
        if not PARTS.fullmatch(shot.file) or not path.is_file():
            raise BadKit(f"this kit lacks its picture {shot.file[:60]!r}")
        if not _holds(_size(path), shot.box):
            raise BadKit(f"this kit's {shot.file} is no picture of what it should show")
    _check_pixels(folder, shots)
    return kit


def _check_pixels(folder: Path, shots: tuple[KeptShot, ...]) -> None:
    """See that the pictures of a kit can be unpacked all together.

    Raises:
        BadKit: They are too large, or one of the table is none.
    """
    # One that many shots are cut from is unpacked for each of them.
    pictures = [folder / shot.file for shot in shots]
    for name in (BARE, TAPPED):
        if (folder / name).is_file():
            pictures.append(folder / name)
            if _size(folder / name) is None:
                raise BadKit(f"this kit's {name} is no picture that can be read")
    sizes = [size for size in map(_size, pictures) if size is not None]
    pixels = sum(wide * high for wide, high in sizes)
    if pixels > MOST_PIXELS or len(shots) > MOST_SHOTS:
        raise BadKit(
            f"the pictures of this kit are too large: {pixels // 1_000_000} megapixels "
            f"in {len(shots)} shots, of {MOST_PIXELS // 1_000_000} in {MOST_SHOTS}"
        )


def _size(path: Path) -> tuple[int, int] | None:
    """Return width and height of a PNG; None for what none of ours can be.

    They stand at the same place in every PNG, before anything is unpacked.
    """
    with path.open("rb") as file:
        head = file.read(26)
    if not head.startswith(PNG_HEAD) or len(head) < 26:
        return None
    wide, high = (int.from_bytes(head[at : at + 4]) for at in (16, 20))
    # Eight bits a colour: more would take more room than is reckoned with.
    sound = 0 < wide <= MOST_SIDE and 0 < high <= MOST_SIDE and head[24] <= 8
    return (wide, high) if sound else None


def _holds(size: tuple[int, int] | None, box: BoxPx) -> bool:
    """Tell whether a picture of a size that a shot may have holds a box."""
    if size is None:
        return False
    left, top, right, bottom = box
    return (
        0 <= left < right - 3
        and 0 <= top < bottom - 3
        and right <= size[0]
        and bottom <= size[1]
    )


def plain_name(text: str) -> str:
    """Return a name as that of a folder: letters, digits, blanks and dashes."""
    return " ".join(re.sub(r"[^\w -]", " ", tidy(text)).split())[:40].strip()


def free_name(kits: Path, name: str) -> Path:
    """Return the folder of a new kit, with a number where the name is taken."""
    number, path = 1, kits / name
    while path.exists():
        number += 1
        path = kits / f"{name} {number}"
    return path
