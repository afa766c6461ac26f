import re
from pathlib import Path

import numpy as np
import pytest

import vision
from companion.referee.decisions import Thresholds
from vision.pips.candidates import FaceCandidates, points_off_dice
from vision.pips.company import decide_dice
from vision.pips.contest import WRONG_SHARES, DetectedDie, group_by_die
from vision.pips.limits import pip_limits
from vision.pips.outlines import TURNS, WIDTHS, frames_on_outlines
from vision.pips.pip_frames import PipFrames
from vision.pips.spots import find_spots

LIMITS = pip_limits()


def _claims(*dice, width=60.0, rough=0.02, at=None, pale=False, slant=1.0, whole=()):
    """Return one frame for each (face by the pips, face shown, chance), in a row.

    *at* gives the place of each, in steps of 200 pixels; frames of one place claim one
    die. *whole* are (frame, face, chance) of dice that were looked at whole.
    """
    count = len(dice)
    spots = range(count) if at is None else at
    chances = np.zeros((count, 7), np.float32)
    for k, (_, face, chance) in enumerate(dice):
        chances[k, 0], chances[k, face] = 1 - chance, chance
    sides = np.broadcast_to(np.float32(width), count).reshape(-1, 1)
    frames = PipFrames(
        middles=np.array([(200 * k, 100) for k in spots], np.float32),
        across=np.hstack([sides, 0 * sides]),
        down=np.hstack([0 * sides, sides]),
        faces=np.array([pips for pips, _, _ in dice]),
        misfits=np.full(count, 0.05, np.float32),
        pips=np.full((count, 6), -1),
        rough=np.full(count, rough, np.float32),
        pip_flatness=np.full(count, slant, np.float32),
    )
    looks = np.zeros((count, 7), np.float32)
    for k, face, chance in whole:
        looks[k, 0], looks[k, face] = 1 - chance, chance
    return FaceCandidates(frames, chances, frames.widths(), np.full(count, pale), looks)


def _sure(candidates, anywhere=False):
    groups = group_by_die(candidates, LIMITS)
    dice = decide_dice(candidates, groups, LIMITS, anywhere)
    return {die.faces[0][0]: die.sure for die in dice}


class TestHowSureADieIs:
    @pytest.mark.parametrize(
        ("chance", "confidence"),
        [(1.0, 0.9995), (0.98, 0.9995), (0.97, 0.994), (0.89, 0.977), (0.6, 0.977)],
    )
    def test_one_that_is_taken_is_as_sure_as_such_dice_have_proved(
        self, chance, confidence
    ):
        die = DetectedDie(((4, chance),), True, (0, 0, 9, 9), 8.0)

        assert die.confidence == pytest.approx(confidence)

    def test_one_that_is_not_taken_is_as_sure_as_its_frames_make_it(self):
        assert DetectedDie(((4, 0.7),), False, (0, 0, 9, 9), 8.0).confidence == 0.7

    def test_the_referee_takes_what_the_eye_takes(self):
        """It asked about each die below 0.9, one in nine, though the eye was sure."""
        doubts = [share for _, share in WRONG_SHARES]

        assert 1 - max(doubts) >= Thresholds().accept

    def test_shares_of_wrong_ones_are_those_that_the_readme_counted(self):
        readme = (Path(vision.__file__).parent / "README.md").read_text("utf-8")
        table = readme.partition("| chance | taken | wrong |\n")[2].partition("\n\n")[0]
        counts = [re.findall(r"\d+", row.partition("|")[2].partition("|")[2])
                  for row in table.splitlines()[1:]]  # fmt: skip

        # Half a wrong one is added to each: none is not never.
        told = [(int(wrong) + 0.5) / (int(taken) + 1) for taken, wrong in counts]
        shares = [share for _, share in WRONG_SHARES][::-1]
        assert told == pytest.approx(shares, rel=0.25)


class TestJudging:
    def test_takes_what_pips_and_network_say_alike(self):
        assert _sure(_claims((5, 5, 0.95))) == {5: True}

    def test_asks_where_pips_say_nothing(self):
        assert _sure(_claims((0, 5, 0.95))) == {5: False}

    def test_takes_crisp_pips_with_less_chance(self):
        assert _sure(_claims((4, 4, 0.75))) == {4: True}
        assert _sure(_claims((4, 4, 0.75), rough=0.12)) == {4: False}
        assert _sure(_claims((4, 4, 0.55))) == {4: False}

    def test_takes_a_likely_ace_alone_where_the_whole_die_shows_one(self):
        ace = (1, 1, 0.8)

        assert _sure(_claims(ace)) == {1: False}
        assert _sure(_claims(ace, whole=[(0, 1, 0.95)])) == {1: True}
        assert _sure(_claims(ace, whole=[(0, 1, 0.85)])) == {1: False}

    def test_a_shiny_pawn_is_no_ace_however_much_it_looks_like_one(self):
        """The spot of light on one: 0.53 by its frame, 0.98 as a whole die."""
        assert _sure(_claims((1, 1, 0.53), whole=[(0, 1, 0.98)])) == {1: False}

    def test_a_sign_of_a_card_is_no_ace_either_as_its_edge_is_rough(self):
        """Signs are 0.10 rough and more, and whole they look like dice with one pip."""
        sign = _claims((1, 1, 0.8), rough=0.10, whole=[(0, 1, 1.0)])

        assert _sure(sign) == {1: False}

    def test_what_is_in_doubt_needs_company_though_the_whole_die_shows_its_face(self):
        assert _sure(_claims((0, 6, 0.7), whole=[(0, 6, 1.0)])) == {6: False}

    def test_takes_what_no_pips_say_beside_a_sure_die_where_the_whole_die_does(self):
        sure, faint = (4, 4, 0.99), (0, 6, 0.7)

        assert _sure(_claims(sure, faint)) == {4: True, 6: False}
        assert _sure(_claims(sure, faint, whole=[(1, 6, 0.95)])) == {4: True, 6: True}
        assert _sure(_claims(sure, faint, whole=[(1, 6, 0.85)])) == {4: True, 6: False}

    def test_asks_where_the_whole_die_shows_another_face(self):
        """An ace beside a sure die would be taken; whole it looks like a two."""
        sure, ace = (4, 4, 0.99), (1, 1, 0.8)

        assert _sure(_claims(sure, ace)) == {4: True, 1: True}
        assert _sure(_claims(sure, ace, whole=[(1, 2, 0.99)])) == {4: True, 1: False}

    def test_takes_a_likely_ace_only_beside_a_die_of_its_size(self):
        six = (6, 6, 0.99)

        assert _sure(_claims((1, 1, 0.8))) == {1: False}
        assert _sure(_claims((1, 1, 0.8), six)) == {1: True, 6: True}
        small_ace = _claims((1, 1, 0.8), six, width=[30.0, 60.0])
        assert _sure(small_ace) == {1: False, 6: True}

    def test_takes_ragged_pips_with_little_chance_beside_a_die_of_their_size(self):
        six = (6, 6, 0.99)

        assert _sure(_claims((4, 4, 0.55), six, rough=0.12)) == {4: True, 6: True}
        assert _sure(_claims((3, 4, 0.55), six, rough=0.12)) == {4: False, 6: True}

    def test_takes_pips_that_are_crisp_only_without_white_beside_a_die(self):
        assert _sure(_claims((4, 4, 0.75), pale=True)) == {4: False}
        assert _sure(_claims((4, 4, 0.75), (6, 6, 0.99), pale=True))[4]

    @pytest.mark.parametrize(("pips", "sure"), [(2, True), (1, False), (0, False)])
    def test_takes_a_face_of_three_frames_beside_a_die_if_one_has_pips(
        self, pips, sure
    ):
        frames = (pips, 6, 0.97), (0, 6, 0.95), (0, 6, 0.9)

        candidates = _claims(*frames, (5, 5, 0.99), at=(0, 0, 0, 1))

        assert _sure(candidates) == {6: sure, 5: True}

    def test_takes_an_ace_beside_company_from_six_tenths(self):
        assert _sure(_claims((1, 1, 0.6), (6, 6, 0.99))) == {1: True, 6: True}

    def test_an_ace_is_as_wide_as_surer_frames_of_its_die_say(self):
        ace, outline, six = (1, 1, 0.9), (0, 1, 0.95), (6, 6, 0.99)

        alone = _claims(ace, six, width=[36.0, 60.0])
        outlined = _claims(ace, outline, six, at=(0, 0, 1), width=[36.0, 55.0, 60.0])

        assert _sure(alone) == {1: False, 6: True}
        assert _sure(outlined) == {1: True, 6: True}

    def test_a_row_of_a_six_is_no_other_face(self):
        six, row = (6, 6, 0.99), (3, 3, 0.7)
        claims = _claims(six, row, at=(0, 0.05))
        assert _sure(claims) == {6: False}

        claims.frames.pips[0] = range(6)
        claims.frames.pips[1, :3] = (0, 1, 4)

        assert _sure(claims) == {6: True}

    def test_a_whole_die_that_looks_like_a_pip_is_no_other_face(self):
        """A red die on dark felt: the one pip of an ace that is five times as wide."""
        six, ace = (6, 6, 0.99), (1, 1, 0.8)

        assert _sure(_claims(six, ace, at=(0, 0.02), width=[60.0, 300.0])) == {6: True}
        assert _sure(_claims(six, ace, at=(0, 0.02), width=[60.0, 90.0])) == {6: False}


class TestSideFaces:
    def test_are_asked_about_with_their_top_as_both_are_one_die(self):
        top, side, other = (5, 5, 0.99), (4, 4, 0.97), (6, 6, 0.99)

        # Of a die 60 wide the middles of a top and a side are 54 apart at most.
        assert _sure(_claims(top, side, other, at=(0, 0.26, 1))) == {
            5: False,
            4: False,
            6: True,
        }
        assert _sure(_claims(top, side, at=(0, 0.31))) == {5: True, 4: True}

    def test_a_lone_one_is_asked_about_as_its_pips_are_flat(self):
        # At 45 degrees: the cosine is 0.71.
        assert _sure(_claims((3, 3, 0.99), slant=0.71)) == {3: False}
        assert _sure(_claims((3, 3, 0.99), slant=0.87)) == {3: True}

    def test_none_is_taken_where_most_faces_are_seen_so_flat(self):
        claims = _claims((2, 2, 0.99), (3, 3, 0.99), (6, 6, 0.99), slant=0.71)
        claims.frames.pip_flatness[2] = 0.9

        assert not any(_sure(claims).values())

    def test_pips_lit_from_low_are_no_side_where_a_square_is_seen_square(self):
        four = (4, 4, 0.99)

        assert _sure(_claims((3, 3, 0.99), four, slant=0.71)) == {3: True, 4: True}


class TestOutsideTheTray:
    def test_a_doubt_is_asked_about_only_beside_a_die_of_its_size(self):
        doubt, six = (0, 2, 0.7), (6, 6, 0.99)

        assert _sure(_claims(doubt, six)) == {2: False, 6: True}
        assert _sure(_claims(doubt, six), anywhere=True) == {2: False, 6: True}
        large = _claims(doubt, six, width=[100.0, 60.0])
        assert _sure(large, anywhere=True) == {6: True}

    def test_no_doubt_is_asked_about_where_there_are_more_of_them_than_dice(self):
        squares, six = [(0, 2, 0.7), (0, 3, 0.7)], (6, 6, 0.99)

        assert _sure(_claims(*squares, six), anywhere=True) == {6: True}
        assert len(_sure(_claims(*squares, six, (5, 5, 0.99)), anywhere=True)) == 4

    def test_backs_of_cards_in_rows_are_not_asked_about(self):
        assert _sure(_claims(*[(1, 1, 0.9)] * 4), anywhere=True) == {}

    def test_without_any_die_only_what_pips_and_network_name_is_asked_about(self):
        assert _sure(_claims((0, 6, 0.7)), anywhere=True) == {}
        assert _sure(_claims((1, 1, 0.7)), anywhere=True) == {1: False}


class TestBodies:
    def test_are_tried_where_no_die_is_known(self):
        picture = np.full((200, 300, 3), 200, np.uint8)
        picture[60:120, 100:160] = (40, 40, 40)
        spots = find_spots(picture, pip_limits().spots)
        middles, widths = np.array([[130.0, 90.0]]), np.array([60.0])

        free = points_off_dice(spots.centres, middles, widths)
        every = frames_on_outlines(spots, np.ones(len(free), bool), 1)

        assert len(every.faces) == TURNS * len(WIDTHS)
        assert np.abs(every.middles - (129.5, 89.5)).max() < 3
        assert not len(frames_on_outlines(spots, free, 9).faces)
