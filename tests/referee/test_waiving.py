"""What somebody has said to be the eye's mistake is not asked again."""

from companion.table import Placed, Removed
from companion.watching.table_news import still_waived

GONE = Removed("card", "grid/4/1", "multi_legs")
MISREAD = Placed("card", "multi_tail", "grid/4/1")
ELSEWHERE = Removed("card", "grid/1/1", "back")


def waived(*sights, seen):
    return still_waived(frozenset(sights), frozenset(seen))


def test_as_long_as_the_same_is_read_wrongly_it_is_waived():
    assert waived(GONE, MISREAD, seen=[GONE, MISREAD]) == {GONE, MISREAD}


def test_what_is_read_rightly_again_is_waived_no_more():
    assert waived(GONE, MISREAD, seen=[]) == set()


def test_a_card_that_was_misread_and_is_taken_then_is_gone_indeed():
    """Else its way to another place was only half seen."""
    there = Placed("card", "back", "grid/2/5")

    assert waived(GONE, MISREAD, seen=[GONE, there]) == set()


def test_a_card_that_the_eye_never_sees_stays_waived():
    assert waived(ELSEWHERE, seen=[ELSEWHERE, GONE]) == {ELSEWHERE}
