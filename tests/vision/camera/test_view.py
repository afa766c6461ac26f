"""A camera that comes back must show the table as before."""

import os
from itertools import pairwise
from pathlib import Path

import cv2
import pytest

from tests.vision.camera.faulty import scene
from vision.camera.view import is_swapped, is_turned, shrink_view

FIXED = ("pi_numeral_d6", "pi_pips", "symbol_dice", "webcam_d10")
"""Sets whose camera stood on a stand, as ours does."""


def test_the_same_table_in_other_light_is_neither_turned_nor_swapped():
    before, now = shrink_view(scene(1)), shrink_view(scene(2, light=0.6))

    assert not is_turned(before, now)
    assert not is_swapped(before, now)


def test_a_table_without_colours_tells_nothing_of_their_order():
    grey = cv2.cvtColor(cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)

    assert not is_swapped(shrink_view(grey), shrink_view(grey))


def test_a_table_that_looks_the_same_upside_down_tells_nothing():
    flat = shrink_view(scene() // 255)

    assert not is_turned(flat, flat)


@pytest.mark.photos
def test_on_photographs_no_view_is_called_turned_or_swapped_wrongly(record_property):
    folder = Path(os.environ.get("DRAGON_TABLE_PHOTOS", "../shared/photos"))
    if not folder.is_dir():
        pytest.skip(f"no photographs in {folder}")
    pairs = [pair for name in FIXED for pair in pairwise(_views(folder / name))]
    turned = [(a, b[::-1, ::-1]) for a, b in pairs]
    swapped = [(a, b[..., ::-1]) for a, b in pairs]

    seen = sum(is_turned(*p) for p in turned), sum(is_swapped(*p) for p in swapped)
    figures = f"{len(pairs)} pairs, turned seen {seen[0]}, swapped seen {seen[1]}"
    record_property("figures", figures)

    assert not any(is_turned(*p) or is_swapped(*p) for p in pairs)
    # A table that looks much alike upside down cannot be told; most can.
    assert seen[0] > 0.6 * len(pairs)
    assert seen[1] > 0.8 * len(pairs)


def _views(folder):
    pictures = (
        cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_4)
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".jpg", ".png")
    )
    return [shrink_view(picture) for picture in pictures if picture is not None]
