"""What candidates of one place come to, without any picture."""

import numpy as np
import pytest
from msgspec.structs import replace

from vision.taught_dice.discs import coarse_disc, fine_disc
from vision.taught_dice.duels import Duel
from vision.taught_dice.joint_fit import find_throw_shape
from vision.taught_dice.judging import (
    DetectedTaughtDie,
    FaceKnowledge,
    FacesAtPlace,
    decide_place,
    merge_readings,
)
from vision.taught_dice.limits import taught_die_limits
from vision.taught_dice.looks import FaceLook, unify_sizes
from vision.taught_dice.parts import is_part_of
from vision.taught_dice.places import FittedFace, prepare_looks

BOX = (100, 100, 140, 140)


def fits(face, left, look=0, size=1.0, likeness=0.95, middle=(120.0, 120.0)):
    """Return a face that was fitted to a disc of 20 px."""
    turn = np.eye(2, dtype=np.float32) * np.float32(20 * size)
    return FittedFace(
        face=face, look=look, likeness=likeness, worst=left, residual=left, size=size,
        flatness=1.0, hue=0.0, strength=1.0, inside=1.0, turn=turn, middle=middle,
        radius=20.0 * size, ink=np.zeros(fine_disc().count, np.float32),
    )  # fmt: skip


def decided(*candidates, **known):
    """Return what a place shows, with no hint and no pairs to ask."""
    place = FacesAtPlace(candidates[0], candidates[1:])
    return decide_place(place, None, 1.0, FaceKnowledge(**known), taught_die_limits())


def pips(*places):
    """Return the look of a face with pips at places of the unit disc."""
    points = fine_disc().points
    ink = np.full(len(points), -0.3, np.float32)
    for place in places:
        ink[np.hypot(*(points - place).T) < 0.2] = 2.5
    many = np.tile(ink, (13, 1))
    rough = np.zeros((13, coarse_disc().count), np.float32)
    return FaceLook(
        str(len(places)), many, rough, (90, 128, 128), 20.0, 0.02, (0,), 0.1
    )


class TestAFaceThatIsPartOfAnother:
    def test_two_is_no_rival_of_a_four_that_fits_as_well(self):
        two, four = fits("2", 0.10), fits("4", 0.11)

        die = decided(
            two,
            four,
            part=lambda one, other: one is two and other is four,
            fight=lambda _: Duel(1.0, 0.1),
        )

        assert (die.sure, die.faces[0][0]) == (True, "4")

    def test_two_stays_a_rival_where_the_four_fits_worse(self):
        two, four = fits("2", 0.10), fits("4", 0.14)

        die = decided(two, four, part=lambda one, other: one is two and other is four)

        assert not die.sure

    def test_faces_that_fit_alike_and_share_nothing_are_asked(self):
        assert not decided(fits("2", 0.10), fits("4", 0.11)).sure

    def test_two_pips_of_a_four_are_part_of_it_and_not_the_other_way(self):
        corners = [(-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)]
        die = prepare_looks([pips(*corners[:2]), pips(*corners)])
        two, four = fits("2", 0.1, look=0), fits("4", 0.1, look=1)

        assert is_part_of(die, two, four)
        assert not is_part_of(die, four, two)

    def test_an_ace_on_a_pip_of_a_two_is_part_of_it(self):
        die = prepare_looks([pips((0, 0)), pips((-0.5, -0.5), (0.5, 0.5))])
        on_a_pip = fits("1", 0.1, middle=(130.0, 130.0))  # half of 20 px aside
        beside = fits("1", 0.1, middle=(120.0, 120.0))
        two = fits("2", 0.1, look=1)

        assert is_part_of(die, on_a_pip, two)
        assert not is_part_of(die, beside, two)


class TestAFaceThatFitsAsWellAsAnother:
    """Ten facets are one but for their signs: an eight and a nought fit as well."""

    def fought(self, won, left, **changes):
        eight, nought = replace(fits("8", 0.03), **changes), fits("0", 0.04)
        return decided(
            eight, nought, fight=lambda _: Duel(won, left), safe={"8": 0.2, "0": 0.3}
        )

    def test_is_taken_where_it_wins_where_the_two_differ(self):
        die = self.fought(0.9, 0.1)

        assert (die.sure, die.faces[0][0]) == (True, "8")

    def test_is_asked_where_it_is_nearly_as_near_to_the_other(self):
        assert not self.fought(0.3, 0.1).sure

    def test_is_asked_where_neither_explains_what_is_seen(self):
        assert not self.fought(0.9, 0.5).sure

    def test_is_asked_where_it_was_squeezed_or_has_another_colour(self):
        assert not self.fought(0.9, 0.1, flatness=0.7).sure
        assert not self.fought(0.9, 0.1, hue=30.0).sure


class TestALookThatWasShownOnce:
    def test_is_asked_about(self):
        die = decided(fits("1", 0.05, look=3), rare=frozenset({3}))

        assert (die.sure, die.faces[0][0]) == (False, "1")


class TestReadingTwice:
    def test_where_both_are_sure_of_different_faces_both_are_asked(self):
        first, second = (DetectedTaughtDie(((face, 0.9),), True, BOX) for face in "24")

        (die,) = merge_readings([first], [second])

        assert not die.sure
        assert {face for face, _ in die.faces} == {"2", "4"}

    def test_a_sure_reading_stands_where_the_second_asks_the_same(self):
        first = DetectedTaughtDie((("2", 0.9),), True, BOX)
        second = DetectedTaughtDie((("2", 0.6), ("1", 0.3)), False, (102, 99, 142, 139))

        assert merge_readings([first], [second]) == (first,)

    def test_what_is_asked_on_a_sure_die_is_part_of_it(self):
        two = DetectedTaughtDie((("2", 0.9),), True, BOX)
        pip = DetectedTaughtDie((("2", 0.4), ("1", 0.3)), False, (112, 112, 152, 152))

        assert merge_readings([two], [pip, two]) == (two,)

    def test_a_place_that_is_read_once_only_is_kept(self):
        first = DetectedTaughtDie((("2", 0.9),), True, BOX)
        second = DetectedTaughtDie((("4", 0.9),), True, (300, 300, 340, 340))

        assert set(merge_readings([first], [second])) == {first, second}


class TestDiceOfOneThrow:
    def test_share_their_size(self):
        places = [
            FacesAtPlace(fits("2", 0.1, size=size), ()) for size in (1.1, 1.2, 1.2, 2.0)
        ]

        throw = find_throw_shape(places, taught_die_limits())

        assert throw is not None
        assert throw.size == pytest.approx(1.2)
        assert throw.shape == pytest.approx(np.eye(2) * 24, abs=0.01)  # 20 px by 1.2

    def test_two_dice_share_nothing_yet(self):
        places = [FacesAtPlace(fits("2", 0.1), ()), FacesAtPlace(fits("4", 0.1), ())]

        assert find_throw_shape(places, taught_die_limits()) is None

    def test_looks_from_nearer_photographs_are_no_larger(self):
        one = pips((0, 0))
        near = FaceLook(
            "2", one.ink, one.rough, one.colour, 20.0, 0.026, (1, 2, 3), 0.1
        )
        far = FaceLook(
            "4", one.ink, one.rough, one.colour, 20.0, 0.02, (4, 5, 6, 7, 9), 0.1
        )
        other = FaceLook("5", one.ink, one.rough, one.colour, 20.0, 0.05, (8,), 0.1)

        assert [look.size for look in unify_sizes([near, far, other])] == [
            0.02,
            0.02,
            0.05,  # a larger die
        ]
