"""Finds the kits that a table may play with: folders, or one file that was exported."""

import hashlib
from pathlib import Path

from companion.kits.kit import BadKit, Kit, kits_in, load
from companion.kits.kit_files import unpack_to
from companion.running.missing import MissingParts
from companion.table import LinePart


def kit_name(path: Path) -> str:
    """Return what a kit is called: its folder's or file's name without endings."""
    return path.name.partition(".")[0]


def find_kits(data: Path, given: Path | None, missing: MissingParts) -> dict[str, Kit]:
    """Return the owner's kits by name: those in the data folder, and the one given.

    One that cannot be read is left as it is, and said to be *missing*.
    """
    found = [(kit_name(path), kit) for path, kit in kits_in(data / "kits")]
    if given is not None:
        found.append((kit_name(given), _loaded(given)))
    for name, kit in found:
        if isinstance(kit, BadKit):
            note_kit(missing, name, kit)
    return {name: kit for name, kit in found if isinstance(kit, Kit)}


def _loaded(path: Path) -> Kit | BadKit:
    try:
        return load(path)
    except BadKit as error:
        return error


def note_kit(missing: MissingParts, name: str, why: Exception) -> None:
    """Say that a kit cannot be read, and why."""
    what = LinePart("core.missing.kit", (("name", name),))
    missing.note(kit_part(name), what, why)


def kit_part(name: str) -> str:
    """Return what a kit is called among what is missing."""
    return f"kit {name}"


def as_folder(data: Path, kit: Path | None, missing: MissingParts) -> Path | None:
    """Return the folder of a kit that was given as one file; else what was given.

    It is unpacked once and found again as long as the file stays the same. A file that
    is no kit, or cannot be unpacked, is said to be *missing*; then None.
    """
    if kit is None or not kit.is_file() or kit.suffix == ".toml":
        return kit
    try:
        content = kit.read_bytes()
        mark = hashlib.blake2b(content, digest_size=8).hexdigest()
        folder = data / "kits-from-files" / mark / kit_name(kit)
        if not folder.is_dir():
            unpack_to(content, folder)
    except (BadKit, OSError) as error:
        note_kit(missing, kit_name(kit), type(error)(f"{kit}: {error}"))
        return None
    return folder
