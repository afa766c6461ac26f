"""Finds the kits that a table may play with: folders, or one file that was exported."""

import hashlib
from pathlib import Path

from companion.cli.errors import BadInput
from companion.copies import unpack_to
from companion.kit import BadKit, Kit, load


def kit_name(path: Path) -> str:
    """Return what a kit is called: its folder's or file's name without endings."""
    return path.name.partition(".")[0]


def find_kits(data: Path, given: Path | None) -> dict[str, Kit]:
    """Return the owner's kits by name: those in the data folder, and the one given.

    Raises:
        BadInput: A kit cannot be used.
    """
    folder = data / "kits"
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    paths = [path for path in found if not path.name.startswith(".")]
    if given is not None:
        paths.append(given)
    kits = {}
    for path in paths:
        try:
            kits[kit_name(path)] = load(path)
        except BadKit as error:
            raise BadInput(str(error)) from error
    return kits


def as_folder(data: Path, kit: Path | None) -> Path | None:
    """Return the folder of a kit that was given as one file; else what was given.

    It is unpacked once and found again as long as the file stays the same.

    Raises:
        BadInput: The file is no kit.
    """
    if kit is None or not kit.is_file() or kit.suffix == ".toml":
        return kit
    try:
        content = kit.read_bytes()
        mark = hashlib.blake2b(content, digest_size=8).hexdigest()
        folder = data / "kits-from-files" / mark / kit_name(kit)
        if not folder.is_dir():
            unpack_to(content, folder)
    except BadKit as error:
        raise BadInput(f"{kit}: {error}") from error
    except OSError as error:
        raise BadInput(f"{kit} cannot be read or unpacked: {error}") from error
    return folder
