import cv2
import msgspec
import numpy as np
import pytest

from companion.table import Shown
from vision.camera.files import PictureUnreadable
from vision.camera.port import Frame
from vision.drawn.dice import draw_roll
from vision.reader import Awaited, Reader
from vision.see import draw_sighting, read_picture_file, save_overlay

ROLL = ("4", "5", "6")


@pytest.fixture(scope="module")
def roll():
    return draw_roll(ROLL, 1)


@pytest.fixture
def photo(tmp_path, roll):
    path = tmp_path / "roll.png"
    assert cv2.imwrite(str(path), roll)
    return path


class TestLookingAtAPicture:
    def test_gives_the_contract_s_json(self, photo):
        told = msgspec.json.decode(msgspec.json.encode(read_picture_file(photo)))

        assert list(told) == ["photo", "size", "ms", "seen", "unsure"]
        assert told["photo"] == str(photo)
        assert told["size"] == [720, 1280]
        assert sorted(thing["face"] for thing in told["seen"]) == list(ROLL)
        for thing in told["seen"]:
            assert list(thing) == ["kind", "piece", "face", "confidence", "box"]
            assert (thing["kind"], thing["piece"]) == ("die", "d6")
            assert 0 <= thing["confidence"] <= 1
            assert len(thing["box"]) == 4

    def test_sees_no_pip_dice_when_something_else_is_expected(self, photo):
        assert read_picture_file(photo, expect="card").seen == ()

    def test_sees_pip_dice_when_they_are_expected(self, photo):
        assert len(read_picture_file(photo, expect="d6").seen) == 3

    def test_takes_its_milliseconds_from_the_clock(self, photo):
        ticks = iter([1.0, 1.25])

        assert read_picture_file(photo, clock=lambda: next(ticks)).ms == 250.0

    def test_refuses_what_is_no_picture(self, tmp_path):
        with pytest.raises(PictureUnreadable):
            read_picture_file(tmp_path)

    def test_can_be_drawn_on_a_copy(self, photo, roll, tmp_path):
        sighting = read_picture_file(photo)

        drawn = draw_sighting(roll, sighting)
        save_overlay(photo, tmp_path / "drawn.png", sighting)

        assert drawn.shape == roll.shape
        assert not np.array_equal(drawn, roll)
        assert np.array_equal(cv2.imread(str(tmp_path / "drawn.png")), drawn)


class TestReadingForTheReferee:
    def test_gives_glimpses_of_dice_in_the_tray(self, roll):
        reading = Reader().read(roll, Awaited(), taken_at=2.5)

        shown = {glimpse.sight for glimpse in reading.glimpses}
        assert shown == {Shown("d6", face, "tray") for face in ROLL}
        assert reading.taken_at == 2.5
        assert all(glimpse.box_px is not None for glimpse in reading.glimpses)

    def test_asks_about_all_dice_when_there_are_too_many(self, roll):
        reading = Reader().read(roll, Awaited(dice=2))

        assert reading.glimpses == ()
        assert len(reading.choices) >= 3

    def test_looks_for_nothing_that_is_not_awaited(self, roll):
        reading = Reader().read(roll, Awaited(piece="card"))

        assert (reading.glimpses, reading.choices) == ((), ())

    def test_passes_on_that_a_frame_has_no_picture(self):
        frame = Frame(None, 4.0, 7, "a.jpg", "a.jpg is no picture")

        reading = Reader().read_frame(frame, Awaited())

        assert (reading.trouble, reading.position, reading.taken_at) == (
            "no_picture",
            7,
            4.0,
        )
