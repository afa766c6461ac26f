"""What the files in ``step/`` and ``stl/`` were made from: ``made.toml``.

Reads and writes that file; draws nothing.
"""

import hashlib
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.cad.box_sizes import Triple
from hardware.cad.sizes import HERE, Sizes

MADE = HERE / "made.toml"


class Made(Struct, frozen=True):
    """One part as it was drawn.

    Attributes:
        name: Of the part and of its two files.
        size: Extent along x, y and z as it is printed, mm.
        volume: Of the exact solid, mm3.
        step, stl: SHA-256 of its files.
    """

    name: str
    size: Triple
    volume: float
    step: str
    stl: str


class Record(Struct, frozen=True):
    """All parts, and a digest of the sizes that they were drawn from."""

    sizes: str
    part: tuple[Made, ...]


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_of(sizes: Sizes) -> str:
    """Return the SHA-256 of all sizes; comments and order do not count."""
    return hashlib.sha256(msgspec.json.encode(sizes, order="sorted")).hexdigest()


def write_made(sizes: Sizes, parts: Sequence[Made], path: Path = MADE) -> None:
    """Note what was drawn from *sizes*."""
    lines = [
        "# Written by draw_parts.py beside step/ and stl/; do not edit.",
        f'sizes = "{digest_of(sizes)}"',
    ]
    for one in parts:
        lines += ["", "[[part]]"]
        lines += [f"{key} = {_toml(value)}" for key, value in _entries(one)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def read_made(path: Path = MADE) -> Record:
    """Return what was noted."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Record)


def _entries(one: Made) -> list[tuple[str, object]]:
    return [(key, getattr(one, key)) for key in one.__struct_fields__]


def _toml(value: object) -> str:
    # Text, numbers and lists of numbers are written alike in JSON and TOML.
    return msgspec.json.encode(value).decode()
