"""Writes what a script of this folder draws, or says what of it is out of date."""

import operator
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent


def write_or_check(
    drawn: Mapping[Path, str | bytes],
    script: str,
    is_same: Callable[[bytes, bytes], bool] = operator.eq,
) -> int:
    """Write files, or with ``--check`` only compare them; return the exit code.

    A file that is as it should be is left alone.

    Args:
        drawn: What each file is to hold; text is written as UTF-8.
        script: Which one draws them, as it is named in what is said of old ones.
        is_same: Tells whether a file holds what was drawn, where that may be written
            in more than one way.
    """
    files = {
        path: content.encode() if isinstance(content, str) else content
        for path, content in drawn.items()
    }
    stale = {
        path: content
        for path, content in files.items()
        if not path.exists() or not is_same(path.read_bytes(), content)
    }
    if "--check" not in sys.argv:
        for path, content in stale.items():
            path.write_bytes(content)
        return 0
    if stale:
        names = ", ".join(path.name for path in stale)
        again = f"run python {Path(script).resolve().relative_to(HERE.parent)}"
        print(f"{names} out of date; {again}", file=sys.stderr)
    return 1 if stale else 0
