"""What a terminal reads and prints for a table: its rulings, and a code to scan."""

import json
import tomllib
from pathlib import Path
from typing import Any

import segno

from companion.cli.errors import BadInput


def read_options(path: Path | None) -> tuple[tuple[str, str], ...]:
    """Return the rulings that a table has set, from a TOML or JSON file.

    Raises:
        BadInput: The file cannot be read or is no table of choices.
    """
    if path is None:
        return ()
    try:
        text = path.read_text(encoding="utf-8")
        parsed: Any = (
            json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        )
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is neither TOML nor JSON: {error}") from error
    if not isinstance(parsed, dict) or not all(
        isinstance(choice, str) for choice in parsed.values()
    ):
        raise BadInput(f'{path} should hold lines such as DH1 = "optional"')
    return tuple(sorted(parsed.items()))


def qr_text(link: str) -> str:
    """Return a QR code drawn with block characters, for a terminal."""
    code = segno.make(link, error="l")
    rows = [list(row) for row in code.matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return "\n".join(
        "".join(blocks[(upper, lower)] for upper, lower in zip(up, low, strict=True))
        for up, low in zip(rows[::2], rows[1::2], strict=True)
    )
