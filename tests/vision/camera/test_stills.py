"""Which picture is read of a table at rest: a still, or the video in its place."""

import numpy as np
import pytest

from tests.vision.camera.faulty import large_scene, scene
from vision.camera.port import Frame
from vision.camera.stills import Stills


def stills(picture, taken):
    """Return stills of a camera that always shows *picture*; it counts what it took."""
    made = Stills()

    def take():
        taken.append(1)
        return None if picture is None else Frame(picture, 9.0, None, "pi camera")

    made.serve(take)
    return made


def test_of_a_camera_without_stills_the_video_is_made_as_large():
    picture = Stills().in_size(scene(1), 512)

    assert picture.shape == (288, 512, 3)
    # Enlarged, and nothing else: the middle of the red die is red.
    assert np.abs(picture[210, 394].astype(int) - scene(1)[105, 197]).max() <= 9


def test_a_still_is_taken_where_the_camera_has_some():
    large, taken = large_scene(2), []

    assert stills(large, taken).in_size(scene(1), 512) is large
    assert taken == [1]


@pytest.mark.parametrize("long_px", [256, 400, 1024])
def test_one_of_another_camera_is_brought_to_the_size_that_was_taught(long_px):
    picture = stills(large_scene(2), []).in_size(scene(1), long_px)

    assert picture.shape == (round(long_px * 9 / 16), long_px, 3)


def test_one_that_failed_is_replaced_by_the_video():
    assert stills(None, []).in_size(scene(1), 512).shape == (288, 512, 3)


def test_a_hand_that_came_meanwhile_is_not_read():
    large = large_scene(2)
    # 60 x 60 of 512 x 288 are 0.024 of the picture: as much as a hand covers.
    large[228:, 200:260] = (150, 190, 230)

    assert stills(large, []).of(scene(1)) is None


def test_a_lamp_that_was_dimmed_meanwhile_is_no_hand():
    assert stills(np.uint8(large_scene(2) * 0.8), []).of(scene(1)) is not None


def test_no_still_belongs_to_a_picture_before_the_last_that_got_one():
    taken = []
    camera = stills(large_scene(2), taken)
    assert camera.of(scene(1), 4.0) is not None

    assert camera.of(scene(1), 3.5) is None
    assert taken == [1]
    # A second look at the same rest gets its own.
    assert camera.of(scene(1), 4.0) is not None
