"""What is new on a table that was seen clear, and whether it is a hand."""

import cv2
import numpy as np

from vision.ground.clear_table import ClearTable, reaches_in, shrink_to_compare

FELT, SKIN, RED = (60, 90, 50), (120, 140, 200), (40, 40, 200)
DIE = (300, 150, 24, RED)
HAND = ((560, 280, 80, SKIN), (500, 290, 60, SKIN))
AT_DIE, AT_HAND = (312 / 640, 162 / 360), (515 / 640, 310 / 360)


def table(*things, seed=0):
    """Return a picture of felt with squares (left, top, side, colour) on it."""
    noise = np.random.default_rng(seed).normal(0, 2, (360, 640, 3))
    picture = np.full((360, 640, 3), FELT, np.float64)
    for left, top, side, colour in things:
        picture[top : top + side, left : left + side] = colour
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_what_lies_there_is_told_from_what_reaches_in_over_the_rim():
    there = table(DIE, *HAND, seed=2)

    assert not reaches_in(table(), there, [AT_DIE])
    assert reaches_in(table(), there, [AT_HAND])
    assert not reaches_in(table(), there, [])


def test_a_figure_at_the_rim_is_smaller_than_a_hand():
    # Both squares of the hand are (80 x 80 + 60 x 60) / (640 x 360) = 0.043.
    assert reaches_in(table(), table(*HAND, seed=2), [AT_HAND], least=0.03)
    assert not reaches_in(table(), table(*HAND, seed=2), [AT_HAND], least=0.06)


def test_under_a_camera_that_was_moved_nothing_reaches_in():
    elsewhere = table((0, 0, 360, RED), seed=2)

    assert not reaches_in(table(), elsewhere, [(0.1, 0.1)])


def test_of_a_table_that_nobody_saw_no_hand_is_known():
    clear = ClearTable()

    assert not clear.is_known
    assert not clear.has_hand(table(*HAND), [AT_HAND])
    clear.keep(table())
    assert clear.has_hand(table(*HAND, seed=1), [AT_HAND])
    clear.forget()
    assert not clear.has_hand(table(*HAND, seed=2), [AT_HAND])


def test_a_hand_is_known_after_a_knock_and_what_lay_there_is_none():
    # A frame about the table, so that a knock by 12 pixels shows.
    lies = [(100, 60, 40, RED), (0, 200, 60, (200, 90, 40)), DIE]
    knock = np.array([(1, 0, 12), (0, 1, 9), (0, 0, 1)], np.float32)
    before = table(*lies)
    after = cv2.warpPerspective(
        table(*lies, seed=3), knock, (640, 360), borderMode=cv2.BORDER_REPLICATE
    )
    hand = after.copy()
    hand[280:360, 500:640] = SKIN
    at_frame = [(30 / 640, 240 / 360)]

    lost, clear = ClearTable(), ClearTable()
    lost.keep(before)
    clear.keep(before)
    clear.follow(knock, 640)

    assert lost.has_hand(after, [(2 / 640, 206 / 360), (30 / 640, 204 / 360)])
    assert not clear.has_hand(after, [*at_frame, (30 / 640, 204 / 360)])
    assert clear.has_hand(hand, [AT_HAND])


def test_a_picture_that_is_small_already_is_compared_as_it_is():
    large = np.zeros((720, 1280, 3), np.uint8)

    assert shrink_to_compare(large).shape == (360, 640, 3)
    assert shrink_to_compare(table()).shape == (360, 640, 3)
