"""How a picture has slid is told by what lies behind the dice, or not at all."""

import cv2
import numpy as np
import pytest

from vision.drawn.dice import draw_roll
from vision.ground.knock import find_knock, find_landmarks, move_box, move_points

SIZE = (720, 1280)
KNOCKS = [(0.01, 0), (0.03, 0), (0, 3), (-0.03, -3)]


def knock_between(before, now, fine=False):
    return find_knock(*(find_landmarks(one, fine=fine) for one in (before, now)))


def moved(picture, share, degrees, seed=1):
    """Return a picture from a knocked camera, with noise of its own, and the way."""
    high, wide = picture.shape[:2]
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
    way[0, 2] += share * wide
    seen = cv2.warpAffine(picture, way, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(seed).normal(0, 1.6, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8), way


@pytest.mark.slow
@pytest.mark.parametrize(("share", "degrees"), KNOCKS)
def test_dice_on_felt_in_a_wooden_rim(share, degrees):
    """Where a point near the rim lies is told to 2 pixels: a die has 60."""
    picture = draw_roll(("3", "5"), 0)
    now, way = moved(picture, share, degrees)

    told = knock_between(picture, now)

    point = np.array([[1100.0, 150.0]], np.float32)
    wanted = point @ way[:, :2].T + way[:, 2]
    assert np.linalg.norm(move_points(point, told) - wanted) < 2.0


def seen_from_another_side(picture, light=1.0):
    """Return a picture after a knock that no shift and turn undoes, and the knock."""
    ends = np.array([(0, 0), (1280, 0), (1280, 720), (0, 720)], np.float32)
    moved = ends + np.array([(38, -20), (22, 30), (44, 12), (12, -24)], np.float32)
    knock = cv2.getPerspectiveTransform(ends, moved)
    seen = cv2.warpPerspective(
        picture, knock, (1280, 720), borderMode=cv2.BORDER_REPLICATE
    )
    noise = np.random.default_rng(3).normal(0, 1.6, seen.shape)
    return np.clip(seen * light + noise, 0, 255).astype(np.uint8), knock


@pytest.mark.parametrize("light", [1.0, 0.5])
def test_a_board_seen_from_another_side_is_found_to_a_pixel(light):
    """In half the light too; its rim has moved by 27 to 46 pixels."""
    chance = np.random.default_rng(4)
    cells = chance.integers(40, 220, (24, 40, 3), np.uint8)
    board = cv2.resize(cells, (1280, 720), interpolation=cv2.INTER_NEAREST)
    now, way = seen_from_another_side(board, light)
    rim = np.array([(100, 60), (1180, 60), (1180, 660), (100, 660)], np.float32)

    knock = knock_between(board, now, fine=True)

    assert np.abs(move_points(rim, knock) - move_points(rim, way)).max() < 1.0


@pytest.mark.slow
def test_what_moved_alone_is_no_knock():
    """A part of a picture lies elsewhere; the felt has not moved by half a pixel."""
    before = draw_roll(("3", "5"), 4)
    after, _ = moved(before, 0, 0)
    after[100:240, 800:940] = before[330:470, 560:700]

    told = knock_between(before, after)

    rim = np.array([(0, 0), (1280, 0), (1280, 720), (0, 720)], np.float32)
    np.testing.assert_allclose(move_points(rim, told), rim, atol=1.0)


def test_cloth_without_any_print_tells_nothing():
    chance = np.random.default_rng(2)
    one, other = (
        np.clip(90 + chance.normal(0, 2, (*SIZE, 3)), 0, 255).astype(np.uint8)
        for _ in range(2)
    )

    assert knock_between(one, other) is None


def test_a_picture_of_another_size_tells_nothing():
    picture = np.zeros((*SIZE, 3), np.uint8)

    assert knock_between(picture, picture[:360]) is None


def test_a_box_moves_along_and_keeps_its_size():
    """By 12 pixels to the right and 5 down."""
    way = np.array([[1, 0, 12], [0, 1, 5], [0, 0, 1]], np.float32)

    assert move_box((100, 200, 140, 240), way) == (112, 205, 152, 245)
