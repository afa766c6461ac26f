"""One thing on a bare table is found; hands, shadows and a moved camera are told."""

import numpy as np
import pytest

from vision.lesson import (
    TableContent,
    crop_with_margin,
    find_shown_thing,
    is_unmoved,
)
from vision.taught_dice.bodies import Body
from vision.taught_dice.hues import decide_by_hue, read_hues, teach_hues
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.looks import FaceShot
from vision.taught_dice.own_dice import choose_top_faces

FELT = (60, 90, 50)
RED, GREEN, BLUE, PALE_RED = (40, 40, 200), (60, 200, 60), (200, 90, 40), (44, 44, 208)
COLOURS = {"red": RED, "green": GREEN, "blue": BLUE}


def table(*things, light: float = 1.0, seed: int = 0):
    """Return a picture of felt with squares (left, top, side, colour) on it."""
    noise = np.random.default_rng(seed).normal(0, 2, (360, 640, 3))
    picture = np.full((360, 640, 3), FELT, np.float64)
    for left, top, side, colour in things:
        picture[top : top + side, left : left + side] = colour
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


BARE = table()
DIE = (300, 150, 24, RED)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
def test_one_thing_has_its_box_in_any_light(light):
    shown = find_shown_thing(BARE, table(DIE, light=light, seed=1))

    assert shown.content is TableContent.ONE
    assert np.abs(np.subtract(shown.box, (300, 150, 324, 174))).max() <= 2
    assert np.abs(np.subtract(shown.top, (301, 151, 323, 173))).max() <= 2


def test_a_shadow_to_which_a_second_lamp_gives_a_colour_is_no_part_of_a_die():
    # 0.75, 0.55 and 0.5 of the felt: too uneven for a shadow of one lamp.
    shadow = (303, 168, 20, (45, 50, 25))

    shown = find_shown_thing(BARE, table(shadow, DIE, seed=1))

    # With its shadow the die seems to be pushed by half a side.
    assert np.abs(np.subtract(shown.top, (301, 151, 323, 173))).max() <= 2
    assert np.abs(np.subtract(shown.facets, (301, 151, 323, 173))).max() <= 2


def test_a_die_that_is_darker_than_its_ground_all_over_is_no_shadow():
    black = (300, 150, 24, (12, 20, 10))

    shown = find_shown_thing(BARE, table(black, seed=1))

    assert np.abs(np.subtract(shown.top, (301, 151, 323, 173))).max() <= 2


@pytest.mark.parametrize(
    ("things", "kind"),
    [
        ((), TableContent.NOTHING),
        # A shadow: 0.7 of the felt.
        (
            ((300, 150, 24, (42, 63, 35)),),
            TableContent.NOTHING,
        ),
        ((DIE, (400, 150, 24, BLUE)), TableContent.SEVERAL),
        ((DIE, (600, 300, 60, (150, 170, 220))), TableContent.HAND),  # it reaches in
        (((10, 10, 340, (150, 170, 220)),), TableContent.MOVED),
    ],
)
def test_all_else_is_told_by_its_name(things, kind):
    assert find_shown_thing(BARE, table(*things, seed=2)).content is kind


def test_a_picture_of_another_size_is_another_camera():
    assert find_shown_thing(BARE, BARE[:100]).content is TableContent.MOVED


def test_a_thing_that_was_turned_is_not_as_before():
    one, same = table(DIE, seed=1), table(DIE, seed=2)
    turned = table(DIE, (306, 156, 12, BLUE), seed=3)
    box = (300, 150, 324, 174)

    assert is_unmoved((one, box), (same, box))
    assert not is_unmoved((one, box), (turned, box))


@pytest.mark.slow
class TestADieOfColours:
    def model(self, colours):
        shots = []
        for face, colour in colours.items():
            for number in range(3):
                one = (200 + 40 * number, 100, 24, colour)
                picture = table(one, seed=number)
                cut, box = crop_with_margin(
                    picture, (one[0], 100, one[0] + 24, 124), 1.2
                )
                shots.append(FaceShot(face, cut, box, 640.0))
        return teach_hues(shots)

    @pytest.mark.parametrize("light", [0.6, 1.0, 1.2])
    @pytest.mark.parametrize("face", ["red", "green", "blue"])
    def test_is_read_in_any_light(self, face, light):
        thrown = table((400, 200, 24, COLOURS[face]), light=light, seed=9)

        read = read_hues(thrown, self.model(COLOURS))

        assert [(die.faces[0][0], die.sure) for die in read] == [(face, True)]

    def test_is_asked_where_two_things_may_be_it(self):
        two = table((400, 200, 24, RED), (100, 60, 24, BLUE), seed=9)

        read = read_hues(two, self.model(COLOURS))

        assert [die.sure for die in read] == [False, False]

    def test_is_not_asked_for_a_thing_too_small_for_it_beside_it(self):
        # Half the side of the die, as a strip of the rim after a knock.
        two = table((400, 200, 24, RED), (100, 60, 12, BLUE), seed=9)

        read = read_hues(two, self.model(COLOURS))

        assert [(die.faces[0][0], die.sure) for die in read] == [("red", True)]

    def test_is_asked_where_its_colour_was_never_shown(self):
        thrown = table((400, 200, 24, (200, 200, 40)), seed=9)

        read = read_hues(thrown, self.model(COLOURS))

        assert [die.sure for die in read] == [False]

    def test_with_two_faces_alike_asks_for_both(self):
        model = self.model({"red": RED, "rose": PALE_RED, "green": GREEN})

        assert model.always_ask == (("red", "rose"),)
        read = read_hues(table((400, 200, 24, RED), seed=9), model)
        assert [die.sure for die in read] == [False]

    def test_with_a_face_shown_wrongly_once_leaves_that_shot_out(self):
        shots = []
        for face, colours in (("red", (RED, RED, BLUE)), ("blue", (BLUE,) * 3)):
            for number, colour in enumerate(colours):
                picture = table((200, 100, 24, colour), seed=number)
                cut, box = crop_with_margin(picture, (200, 100, 224, 124), 1.2)
                shots.append(FaceShot(face, cut, box, 640.0))

        assert teach_hues(shots).mistaken == ((2, "blue"),)

    @pytest.mark.parametrize(
        ("faces", "alike", "told"),
        [
            # Signs say one of two; the colour says which.
            ((("green", 0.5), ("red", 0.4)), (("green", "red"),), ("red", True)),
            ((("green", 0.5), ("red", 0.4)), (("blue", "green"),), ("green", False)),
            # A third face that is likely keeps it open, an unlikely one does not.
            ((("green", 0.4), ("red", 0.3), ("blue", 0.2)), (("green", "red"),),
             ("green", False)),
            ((("green", 0.5), ("red", 0.4), ("blue", 0.05)), (("green", "red"),),
             ("red", True)),
            # The pair that looks alike has nothing to do with this throw.
            ((("green", 0.9),), (("blue", "red"),), ("green", False)),
        ],
    )  # fmt: skip
    def test_tells_signs_that_look_alike_apart(self, faces, alike, told):
        thrown = table((400, 200, 24, RED), seed=9)
        read = DetectedTaughtDie(faces, False, (400, 200, 424, 224))

        after = decide_by_hue(thrown, read, self.model(COLOURS), alike)

        assert (after.faces[0][0], after.sure) == told

    @pytest.mark.parametrize("corner", [(0, 0), (616, 336)])
    def test_tells_them_apart_at_the_edge_of_the_picture_too(self, corner):
        left, top = corner
        thrown = table((left, top, 24, RED), seed=9)
        # What a sign was fitted to may reach over the edge.
        over = left - 4 if left == 0 else left + 4, top - 4 if top == 0 else top + 4
        box = (*over, over[0] + 24, over[1] + 24)
        read = DetectedTaughtDie((("green", 0.5), ("red", 0.4)), False, box)

        after = decide_by_hue(thrown, read, self.model(COLOURS), (("green", "red"),))

        assert (after.faces[0][0], after.sure) == ("red", True)


class TestWhatLiesOnTop:
    body = Body((100, 100, 200, 200), (100, 100, 200, 200))

    def at(self, face, x, y, *, sure=True):
        return DetectedTaughtDie(((face, 0.9),), sure, (x - 10, y - 10, x + 10, y + 10))

    def test_is_nearest_to_the_middle_of_its_die(self):
        seen = (self.at("5", 120, 150), self.at("7", 155, 155))

        assert choose_top_faces(seen, [self.body]) == [seen[1]]

    def test_is_nearest_to_the_upper_side_of_one_that_is_seen_askew(self):
        """A die on the right of a wide picture: its left side is in the middle."""
        seen = (self.at("5", 140, 150), self.at("7", 170, 150))
        askew = Body(self.body.box, (130, 115, 200, 185))

        assert choose_top_faces(seen, [self.body]) == [seen[0]]
        assert choose_top_faces(seen, [askew]) == [seen[1]]

    def test_is_asked_where_another_is_about_as_near(self):
        """14 and 20 pixels of 100 away: 0.06 of a side between them."""
        seen = (self.at("5", 130, 150), self.at("7", 160, 160))

        assert [read.sure for read in choose_top_faces(seen, [self.body])] == [False]

    def test_is_asked_where_a_side_is_sure_and_the_middle_is_not(self):
        seen = (self.at("8", 120, 150), self.at("6", 152, 150, sure=False))

        assert [read.sure for read in choose_top_faces(seen, [self.body])] == [False]

    def test_a_doubtful_corner_of_the_tray_is_none_beside_a_doubtful_die(self):
        die, corner = (
            self.at("6", 150, 150, sure=False),
            self.at("1", 10, 10, sure=False),
        )

        assert choose_top_faces((corner, die), [self.body]) == [die]

    def test_a_sure_face_stays_though_no_body_was_found_there(self):
        die, other = self.at("6", 150, 150, sure=False), self.at("1", 10, 10)

        assert choose_top_faces((die, other), [self.body]) == [die, other]

    def test_stays_where_no_body_was_found(self):
        seen = (self.at("5", 120, 150),)

        assert choose_top_faces(seen, []) == list(seen)
