import pytest

from companion.table import Glimpse, Reading, Shown, UnsureSight
from vision.camera.best_look import choose_reading, is_reading_sure

HERE, THERE = (100, 100, 160, 160), (300, 200, 360, 260)
DOUBT = UnsureSight("d6", "tray", (("3", 0.6), ("5", 0.3)), HERE)


def _sure(face, box=HERE):
    return Glimpse(Shown("d6", face, "tray"), 0.995, box)


def _one_after_another(*readings):
    """Yield readings, and fail when more are taken than there are."""
    yield from readings
    pytest.fail("a picture was read that nobody needed")


def test_a_look_that_leaves_nothing_in_doubt_is_believed_without_another():
    clear = Reading((_sure("3"), _sure("5", THERE)))

    assert choose_reading(_one_after_another(clear)) is clear


def test_where_one_look_is_in_doubt_the_next_is_believed_if_it_is_clear():
    clear = Reading((_sure("3"),), taken_at=1.1)

    assert choose_reading(iter((Reading((), (DOUBT,)), clear))) is clear


def test_where_both_are_in_doubt_the_one_that_tells_more_is_believed():
    more = Reading((_sure("5", THERE),), (DOUBT,))
    less = Reading((), (DOUBT,))

    assert choose_reading(_one_after_another(more, less)) is more
    assert choose_reading(_one_after_another(less, more)) is more


def test_of_two_that_tell_as_much_the_later_is_believed():
    first = Reading((), (DOUBT,), taken_at=1.0)
    second = Reading((), (DOUBT,), taken_at=1.1)

    assert choose_reading(_one_after_another(first, second)) is second


def test_a_look_that_shows_nothing_is_followed_by_another():
    clear = Reading((_sure("3"),))

    assert not is_reading_sure(Reading(()))
    assert choose_reading(iter((Reading(()), clear))) is clear


def test_trouble_stays_only_when_both_looks_have_it():
    blind = Reading((), trouble="no_picture")
    empty = Reading(())

    assert choose_reading(iter((blind, empty))) is empty
    assert choose_reading(iter((blind, blind))).trouble == "no_picture"


def test_no_reading_at_all_is_refused():
    with pytest.raises(ValueError, match="give at least one"):
        choose_reading(iter(()))
