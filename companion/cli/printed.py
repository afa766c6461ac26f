"""What a terminal reads and prints for a table: its rulings, and a code to scan."""

import json
import tomllib
from io import StringIO
from pathlib import Path
from typing import Any

import segno

from companion.cli.errors import BadInput
from companion.words.said import Part, say


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
        values: dict[str, Part] = {"path": str(path), "why": str(error.strerror)}
        raise BadInput(say("terminal.unreadable", **values)) from error
    except (ValueError, RecursionError) as error:
        values = {"path": str(path), "why": str(error)}
        raise BadInput(say("terminal.no_options", **values)) from error
    if not isinstance(parsed, dict) or not all(
        isinstance(choice, str) for choice in parsed.values()
    ):
        raise BadInput(say("terminal.bad_options", path=str(path)))
    return tuple(sorted(parsed.items()))


def qr_text(link: str) -> str:
    """Return a QR code drawn with block characters, for a terminal."""
    text = StringIO()
    segno.make(link, error="l").terminal(text, border=2, compact=True)
    return text.getvalue().rstrip("\n")
