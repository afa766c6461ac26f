"""What lies in a tray is found, with its upper side, and where it is bare."""

import cv2
import numpy as np

from vision.ground.upper_side import PointBelow
from vision.taught_dice.bodies import look_at_bare_ground
from vision.taught_dice.own_dice import as_large

FELT, SHADE, LAMP_SHADE = (60, 90, 50), (20, 30, 17), (45, 55, 28)
PALE, SIDE_GREY = (200, 210, 215), (110, 120, 125)
BELOW = PointBelow(-700.0, 120.0, 1600.0)
"""The tray lies on the right of a wide picture."""


def tray(*polygons, seed=0):
    """Return a tray of 300 x 240 pixels with polygons (colour, points) on it."""
    picture = np.full((240, 300, 3), FELT, np.float32)
    # Something that is printed or grown on the ground, as large as a die.
    cv2.circle(picture, (60, 60), 12, (80, 120, 70), 2)
    for colour, points in polygons:
        cv2.fillConvexPoly(picture, np.array(points, np.int32), colour)
    noise = np.random.default_rng(seed).normal(0, 1.5, picture.shape)
    return np.clip(cv2.blur(picture, (3, 3)) + noise, 0, 255).astype(np.uint8)


TOP = (PALE, [(160, 100), (200, 100), (200, 140), (160, 140)])
LEFT = (SIDE_GREY, [(135, 102), (160, 100), (160, 140), (135, 138)])
SHADOW = [(140, 138), (200, 138), (190, 165), (130, 160)]


def upper_side(*polygons):
    seen = look_at_bare_ground(tray(*polygons, seed=1), 40.0, tray(), BELOW)
    (body,) = seen.bodies
    return np.array(body.top)


def test_the_upper_side_of_a_die_is_its_outer_end():
    assert np.abs(upper_side(LEFT, TOP) - (160, 100, 200, 140)).max() <= 5


def test_its_shadow_is_none_of_it_though_two_lamps_give_it_a_colour():
    for shade in (SHADE, LAMP_SHADE):
        seen = upper_side((shade, SHADOW), LEFT, TOP)
        assert np.abs(seen - (160, 100, 200, 140)).max() <= 5


def test_a_dark_die_is_not_taken_for_a_shadow():
    dark = upper_side(((12, 14, 10), TOP[1]))

    assert np.abs(dark - (160, 100, 200, 140)).max() <= 5


def test_what_was_there_without_dice_is_bare():
    seen = look_at_bare_ground(tray(TOP, seed=1), 40.0, tray(), BELOW)

    assert seen.is_bare_at((45, 45, 75, 75))
    assert not seen.is_bare_at((160, 100, 200, 140))


def test_where_nobody_has_seen_the_bare_tray_nothing_is_known_to_be_bare():
    seen = look_at_bare_ground(tray(TOP, seed=1), 40.0, None, BELOW)

    assert not seen.is_bare_at((45, 45, 75, 75))


class TestABareTrayInOtherPixels:
    """A still is read beside the video's picture of the tray without dice."""

    def test_is_brought_to_those_of_the_picture(self):
        large = cv2.resize(tray(), None, fx=2, fy=2)
        # Ends are whole pixels: of a tray a pixel may be missing.
        assert as_large(tray()[:, :-1], large).shape == large.shape

    def test_of_another_view_is_left_as_it_is(self):
        other = tray()[:, :200]
        assert as_large(other, tray()) is other

    def test_of_the_same_size_is_itself(self):
        bare = tray()
        assert as_large(bare, tray(seed=1)) is bare
