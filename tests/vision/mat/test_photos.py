"""Photographs of tables without a mat show no marker, whatever lies there."""

import os
from pathlib import Path

import pytest

from vision.camera.files import open_picture
from vision.camera.port import PICTURE_ENDINGS
from vision.mat.markers import find_markers

ROOT = Path(__file__).parents[3]
FOLDER = Path(os.environ.get("DRAGON_TABLE_PHOTOS", ROOT / "../shared/photos"))

pytestmark = [
    pytest.mark.photos,
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no photographs in {FOLDER}"),
]


def test_no_marker_is_seen_where_there_is_none(record_property):
    photos = [
        path
        for photo_set in sorted(FOLDER.iterdir())
        if photo_set.is_dir()
        # Twenty of each set: a thousand single cards say little more.
        for path in sorted(photo_set.iterdir())[:20]
        if path.suffix.lower() in PICTURE_ENDINGS
    ]

    seen = {
        path.name: [one.number for one in find_markers(open_picture(path).picture)]
        for path in photos
    }

    record_property("figures", f"{len(photos)} photographs")
    assert len(seen) > 0
    assert {name: numbers for name, numbers in seen.items() if numbers} == {}
