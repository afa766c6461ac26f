"""Where labelled photographs lie, and what tests that read them are marked with."""

import os
from pathlib import Path

import pytest

FOLDER = Path(
    os.environ.get("DRAGON_TABLE_PHOTOS")
    or Path(__file__).parents[1] / ".." / "shared" / "photos"
).resolve()
"""They belong to other people and are never part of the project."""

ON_PHOTOGRAPHS = [
    pytest.mark.photos,
    pytest.mark.skipif(
        not (FOLDER / "labels.csv").is_file(),
        reason=f"no labelled photographs at {FOLDER}; set DRAGON_TABLE_PHOTOS",
    ),
]
