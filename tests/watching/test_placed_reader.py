"""A camera that was put up otherwise than on the evening of the taps."""

import cv2
import numpy as np
import pytest

from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.kits.spaces import WHOLE_PICTURE, Spaces
from companion.watching.for_game import PlacedReader
from vision.drawn.lessons import random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop
from vision.ground.knock import shrink_to_know
from vision.tabletop.seen import TableReading

CORNERS = ((0.2, 0.2), (0.8, 0.25), (0.75, 0.8), (0.15, 0.75))
TRAY = (0.4, 0.7, 0.6, 0.9)


class Made:
    """A reader that notes for which spaces it was made."""

    def __init__(self):
        self.spaces = []

    def __call__(self, spaces):
        self.spaces.append(spaces)
        return self

    def read(self, picture, **_):
        return TableReading()


@pytest.fixture(scope="module")
def picture():
    game = find("dragonix")
    plan = find_stand_in("dragonix").table(game.stand_in)
    tabletop = Tabletop(plan, random_pose(plan, 3), LIGHTS["good"], 3)
    return tabletop.picture(plan.grounds[0].name, ())


def moved(picture, x_part=0.05, y_part=-0.03, degrees=3.0):
    """Return the picture of a camera that was put up a little otherwise."""
    high, wide = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
    turn[:, 2] += (x_part * wide, y_part * high)
    seen = cv2.warpAffine(picture, turn, (wide, high), borderMode=cv2.BORDER_REPLICATE)

    def at(x, y):
        x_px, y_px = turn @ (x * wide, y * high, 1)
        return x_px / wide, y_px / high

    return seen, at


def first_spaces(spaces, tapped, seen):
    made = Made()
    reader = PlacedReader(spaces, shrink_to_know(tapped), made)
    reader.read(seen)
    reader.read(seen)
    (placed,) = made.spaces
    return placed


@pytest.mark.slow
def test_a_board_and_its_tray_lie_where_it_sees_them(picture):
    seen, at = moved(picture)

    placed = first_spaces(Spaces(CORNERS, (), TRAY), picture, seen)

    for now, was in zip(placed.corners, CORNERS, strict=True):
        assert now == pytest.approx(at(*was), abs=0.003)
    left, top, right, bottom = placed.tray
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(
        at(0.5, 0.8), abs=0.003
    )
    assert (right - left, bottom - top) == pytest.approx((0.2, 0.2))


@pytest.mark.slow
def test_areas_lie_where_it_sees_them(picture):
    seen, at = moved(picture)
    areas = (("row/1/1", 0.3, 0.2), ("row/1/2", 0.7, 0.4))

    placed = first_spaces(Spaces(WHOLE_PICTURE, areas), picture, seen)

    assert placed.corners == WHOLE_PICTURE
    for (place, *now), (was, x, y) in zip(placed.places, areas, strict=True):
        assert place == was
        assert now == pytest.approx(at(x, y), abs=0.003)


@pytest.mark.slow
def test_where_that_cannot_be_told_they_lie_as_tapped(picture):
    plain = np.full_like(picture, 120)

    assert first_spaces(Spaces(CORNERS), plain, picture) == Spaces(CORNERS)
