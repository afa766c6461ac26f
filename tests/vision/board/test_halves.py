"""The floor of a room says which half is lit, in any light and however it is turned."""

import cv2
import numpy as np
import pytest

from companion.demo.tables import find as find_stand_in
from companion.games import find
from vision.board.halves import find_lit_ways
from vision.drawn.lessons import SIZE, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop

LIT, DIM, STONE = (122, 178, 202), (104, 74, 78), (96, 84, 92)
"""B, G, R of the floors of a room, and of what lies between rooms."""

SIDE_PX = 60


def board(*rooms):
    """Return a picture of rooms, each where it is, lit to where, or of one floor."""
    picture = np.full((360, 640, 3), STONE, np.uint8)
    x, y = np.meshgrid(np.arange(640), np.arange(360))
    for (left, top), way in rooms:
        right, down = x - left, y - top
        inside = np.maximum(abs(right), abs(down)) < SIDE_PX / 2 - 2
        picture[inside] = DIM
        if way is not None:
            picture[inside & (right * way[0] + down * way[1] > 0)] = LIT
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


def seen(picture, *middles):
    """Return the ways in pixels."""
    size = np.array(picture.shape[1::-1])
    rooms = [tuple(np.array(at) / size) for at in middles]
    return [tuple(np.array(way) * size) for way in find_lit_ways(picture, rooms)]


@pytest.mark.parametrize("light", sorted(LIGHTS))
def test_the_lit_half_of_each_room_of_the_demo_is_found(light):
    box = find("drachenhort").stand_in
    plan = find_stand_in("drachenhort").table(box)
    pose = random_pose(plan, 7)
    picture = Tabletop(plan, pose, LIGHTS[light], 7).picture("front", ())

    def at(place):
        spot = next(spot for spot in plan.spots if spot.place == place)
        return pose.project(np.array([(spot.x_mm, spot.y_mm, 0.0)], np.float32))[0]

    lit, dark = (
        np.array([at(f"cell/{n}/{half}") for n in range(1, 31)])
        for half in ("light", "dark")
    )
    middles = (lit + dark) / 2
    ways = seen(picture, *middles)

    assert picture.shape[:2] == SIZE
    off = np.linalg.norm(middles + np.array(ways) - lit, axis=1)
    apart = np.linalg.norm(lit - dark, axis=1)
    assert (off < 0.15 * apart).all()


def test_halves_lie_along_the_way_or_across_it_as_they_are_printed():
    rooms = ((100, 100), (1, 0)), ((160, 100), (-1, 0)), ((220, 100), (0, -1)), (
        (280, 100), (0, 1)
    )  # fmt: skip
    ways = seen(board(*rooms), *(at for at, _ in rooms))

    # A quarter of the 60 px from room to room.
    assert np.array(ways) == pytest.approx(
        np.array([(15, 0), (-15, 0), (0, -15), (0, 15)]), abs=0.1
    )


def test_halves_that_are_parted_aslant_are_seen_so():
    rooms = ((100, 100), (1, 1)), ((160, 100), (1, 1)), ((220, 100), (-1, 1))
    ways = np.array(seen(board(*rooms), *(at for at, _ in rooms)))

    turned = np.degrees(np.arctan2(ways[:, 1], ways[:, 0]))
    assert turned == pytest.approx([45, 45, 135], abs=6)


def test_a_room_of_one_light_is_parted_as_the_one_before_it():
    rooms = ((100, 100), (1, 0)), ((160, 100), None), ((220, 100), (0, 1))
    ways = seen(board(*rooms), *(at for at, _ in rooms))

    assert ways[1] == pytest.approx(ways[0])
    assert ways[2] == pytest.approx((0, 15), abs=0.1)


def test_where_no_room_has_halves_the_first_half_is_the_one_that_one_comes_to_first():
    ways = seen(board(), (100, 100), (160, 100), (220, 100))

    assert np.array(ways) == pytest.approx(np.array([(-15, 0)] * 3), abs=0.1)
