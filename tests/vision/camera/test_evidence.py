"""Only the table is kept of a picture: what was read, and a little around it."""

import cv2
import numpy as np

from companion.demo.tables import find as table_of
from companion.games import find
from companion.table import Flipped, Glimpse, Reading, Removed, UnsureSight
from vision.camera.evidence import (
    TABLE_ONLY,
    Framing,
    attach_pictures,
    crop_around,
    grey_out_beyond,
)
from vision.drawn.lessons import random_pose
from vision.tabletop.framing import framing

WHITE = np.full((100, 200, 3), 255, np.uint8)


def test_a_crop_is_the_thing_and_a_little_around_it():
    picture = WHITE.copy()
    picture[40:60, 50:70] = 0

    found = crop_around(picture, (50, 40, 70, 60))

    # 8 pixels on each side, as 0.3 x 20 is less.
    assert found.shape == (36, 36, 3)
    assert (found == 0).sum() == 3 * 20 * 20


def test_a_crop_ends_where_the_picture_does():
    assert crop_around(WHITE, (0, 0, 20, 20)).shape == (28, 28, 3)
    assert crop_around(WHITE, (300, 0, 320, 20)) is None


def test_what_lies_beyond_the_rim_of_the_table_is_never_kept():
    rim = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], np.float32)

    whole = grey_out_beyond(WHITE, rim)
    part = crop_around(WHITE, (90, 40, 110, 60), rim)

    assert (whole[:, :100] == 255).all()
    assert (whole[:, 101:] == TABLE_ONLY).all()
    assert (part[:, 0] == 255).all()
    assert (part[:, -1] == TABLE_ONLY).all()


def test_each_thing_of_a_reading_has_its_picture_and_two_in_one_place_share_it():
    kept = []

    def keep(jpeg):
        kept.append(jpeg)
        return f"name-{len(kept)}"

    places = Framing(None, lambda piece, place: (9, 9, 29, 29))
    card, gone = Flipped("card", "3", "grid/1"), Removed("card", "grid/2")
    reading = Reading(
        (Glimpse(card, 0.9, (50, 50, 70, 70)), Glimpse(gone, 0.9)),
        (UnsureSight(None, "grid/1", (), (50, 50, 70, 70)),),
    )

    told = attach_pictures(reading, WHITE, keep, places)

    assert [one.evidence_id for one in told.glimpses] == ["name-1", "name-2"]
    assert [one.evidence_id for one in told.choices] == ["name-1"]
    assert all(jpeg.startswith(b"\xff\xd8") for jpeg in kept)


def test_of_a_new_deal_not_every_card_is_photographed():
    seen = tuple(
        Glimpse(Removed("card", f"grid/{n}"), 0.9, (n, 0, n + 20, 20)) for n in range(9)
    )

    told = attach_pictures(Reading(seen), WHITE, lambda _: "x", Framing())

    assert [one.evidence_id for one in told.glimpses] == ["x"] * 6 + [None] * 3


def test_places_of_a_drawn_table_lie_within_its_rim():
    plan = table_of("drachenhort").table(find("drachenhort").stand_in)
    rim = framing(plan, random_pose(plan, 1))

    left, top, right, bottom = rim.box_of("red", "cell/3/dark")

    assert 0 <= left < right <= 1280
    assert 0 <= top < bottom <= 720
    assert rim.box_of("red", "nowhere") is None
    assert rim.outline.shape[1] == 2


def test_a_knock_slides_no_part_of_the_table_beyond_what_is_kept():
    """By 26 pixels at most is a picture put back, to each side."""
    plan = table_of("drachenhort").table(find("drachenhort").stand_in)
    pose = random_pose(plan, 1)
    wide, high = plan.width_mm, plan.height_mm
    corners = np.array([(x, y, 0) for x in (0, wide) for y in (0, high)], np.float32)

    rim = framing(plan, pose).outline

    for slid in ((26, 26), (-26, 26), (26, -26), (-26, -26)):
        for x, y in pose.project(corners) + np.array(slid, np.float32):
            assert cv2.pointPolygonTest(rim, (float(x), float(y)), True) >= -0.1
