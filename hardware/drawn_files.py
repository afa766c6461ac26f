"""Writes what a script of this folder draws, or says what of it is out of date."""

import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent


def write_or_check(drawn: Mapping[Path, str | bytes], script: str) -> int:
    """Write files, or with ``--check`` only compare them; return the exit code.

    Args:
        drawn: What each file is to hold; text is written as UTF-8.
        script: Which one draws them, as it is named in what is said of old ones.
    """
    files = {
        path: content.encode() if isinstance(content, str) else content
        for path, content in drawn.items()
    }
    if "--check" not in sys.argv:
        for path, content in files.items():
            path.write_bytes(content)
        return 0
    stale = [
        path.name
        for path, content in files.items()
        if not path.exists() or path.read_bytes() != content
    ]
    if stale:
        again = f"run python {Path(script).resolve().relative_to(HERE.parent)}"
        print(f"{', '.join(stale)} out of date; {again}", file=sys.stderr)
    return 1 if stale else 0
