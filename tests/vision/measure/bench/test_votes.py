import numpy as np
import pytest

from tests.evening.photographs import PHOTOS, need_photographs
from vision.measure.bench.votes import POLICIES, add_noise, votes_table
from vision.pips.contest import DetectedDie

HERE, THERE = (100, 100, 160, 160), (300, 200, 360, 260)


def die(face, box=HERE, sure=True):
    return DetectedDie(((face, 0.99),), sure, box, 60.0)


def told(rule, one, other):
    """Return what a rule takes of two looks, and how many dice it asks about."""
    dice = POLICIES[rule](one, other)
    faces = sorted(seen.faces[0][0] for seen in dice if seen.sure)
    return faces, sum(not seen.sure for seen in dice)


@pytest.mark.parametrize(
    ("rule", "taken"),
    [
        ("one look alone", ([3], 1)),
        ("again where in doubt", ([3, 5], 0)),
        ("two looks must agree", ([3], 1)),
    ],
)
def test_a_die_of_which_only_the_second_look_is_sure(rule, taken):
    one = (die(3), die(5, THERE, sure=False))

    assert told(rule, one, (die(3), die(5, THERE))) == taken


@pytest.mark.parametrize(
    ("rule", "taken"),
    [
        ("one look alone", ([3], 0)),
        ("again where in doubt", ([3], 0)),
        ("two looks must agree", ([], 1)),
    ],
)
def test_a_die_that_two_looks_read_otherwise(rule, taken):
    assert told(rule, (die(3),), (die(5),)) == taken


def test_a_die_that_the_second_look_misses_is_asked_about_where_both_must_agree():
    assert told("two looks must agree", (die(3), die(5, THERE)), (die(3),)) == ([3], 1)


def test_noise_is_another_each_time_and_large_photographs_become_a_cameras():
    random = np.random.default_rng(1)
    photo = np.full((1920, 2560, 3), 120, np.uint8)

    one, other = add_noise(photo, 3.0, random), add_noise(photo, 3.0, random)

    assert one.shape == other.shape == (960, 1280, 3)
    # JPEG keeps of three channels the brightness: 3 grey values x 0.67 x 1.41 for two
    # pictures are 2.8, and it rounds a part of that away.
    spread = (one.astype(float) - other.astype(float)).std()
    assert 1.0 < spread < 2.8


@pytest.mark.photos
@pytest.mark.slow
def test_a_row_for_each_noise_and_rule_comes_of_a_folder():
    need_photographs()

    rows = votes_table(PHOTOS, every=120).splitlines()[2:]

    assert len(rows) == 6
    assert all(row.endswith("| 0 |") for row in rows)  # none of some 10 dice is wrong
