"""An ordinary die that a wide camera sees from far is read where dice fall."""

import cv2
import numpy as np
import pytest

from companion.table import Glimpse, Reading, Shown, UnsureSight
from companion.watching.plain_dice import read_plain_dice
from vision.camera.port import Frame
from vision.drawn.dice import draw_roll
from vision.ground.upper_side import PointBelow
from vision.reader import Awaited, Reader

WIDE, HIGH = 2304, 1296
TRAY = (0.5, 0.25, 0.75, 0.5)
"""From 1152, 324 to 1728, 648 px; 92 px more are looked at on each side."""


class Sees:
    """A reader that sees a die here and may see one there."""

    def read_frame(self, frame, awaited):
        self.frame = frame
        return Reading(
            (Glimpse(Shown("d6", "3", "tray"), 0.99, (10, 20, 43, 53)),),
            (UnsureSight("d6", "tray", (("5", 0.6),), (100, 120, 133, 153)),),
        )


def frame(**more):
    picture = np.zeros((HIGH, WIDE, 3), np.uint8)
    return Frame(picture, 7.0, 3, "f", **more)


def test_only_where_dice_fall_is_looked_at_and_boxes_are_in_the_whole_picture():
    reader = Sees()

    seen = read_plain_dice(reader, frame(), TRAY)

    # 576 by 324 px, and 92 on each side: it begins at 1060, 232.
    assert reader.frame.picture.shape == (508, 760, 3)
    assert reader.frame.taken_at == 7.0
    assert [one.box_px for one in seen.glimpses] == [(1070, 252, 1103, 285)]
    assert [one.box_px for one in seen.choices] == [(1160, 352, 1193, 385)]


def test_the_point_below_the_camera_is_that_of_the_part_that_is_looked_at():
    reader = Sees()

    read_plain_dice(reader, frame(below=PointBelow(1152.0, 648.0, WIDE)), TRAY)

    assert reader.frame.below == (92.0, 416.0, WIDE)


def test_a_tray_at_the_edge_of_the_picture_ends_there():
    reader = Sees()

    read_plain_dice(reader, frame(), (0.0, 0.0, 0.1, 0.1))

    # 230 and 130 px, and 92 to the right and below.
    assert reader.frame.picture.shape == (222, 323, 3)


@pytest.mark.parametrize("tray", [None, (0.5, 0.5, 0.3, 0.3)])
def test_where_nobody_knows_where_dice_fall_all_is_looked_at(tray):
    reader = Sees()

    seen = read_plain_dice(reader, frame(), tray)

    assert reader.frame.picture.shape == (HIGH, WIDE, 3)
    assert seen.glimpses[0].box_px == (10, 20, 43, 53)


def test_a_frame_without_a_picture_says_why():
    lost = Frame(None, 7.0, 3, "f", "it is gone")

    assert read_plain_dice(Reader(), lost, TRAY).trouble == "no_picture"


@pytest.mark.slow
def test_a_die_of_33_pixels_in_a_picture_of_2304_is_read_in_its_tray():
    """In the whole picture, which is read at 1400, it has 20."""
    roll = draw_roll(("3",), seed=4)
    dice = Reader().read(roll, Awaited()).glimpses
    ((left, _, right, _),) = (one.box_px for one in dice)
    small = cv2.resize(roll, None, fx=33 / (right - left), fy=33 / (right - left),
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    whole = frame()
    whole.picture[:] = (60, 84, 70)
    high, wide = small.shape[:2]
    whole.picture[400 : 400 + high, 1300 : 1300 + wide] = small
    tray = (1300 / WIDE, 400 / HIGH, (1300 + wide) / WIDE, (400 + high) / HIGH)

    seen = read_plain_dice(Reader(), whole, tray)

    assert [one.sight.face for one in seen.glimpses] == ["3"]
    ((x0, y0, x1, y1),) = (one.box_px for one in seen.glimpses)
    assert 1300 < x0 < x1 < 1300 + wide
    assert 400 < y0 < y1 < 400 + high
    assert read_plain_dice(Reader(), whole, None).glimpses == ()
