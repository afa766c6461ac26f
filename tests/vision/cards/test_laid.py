"""Cards that lie in an area as people like: which stayed, slid, came or are gone."""

import numpy as np
import pytest
from msgspec.structs import replace

from vision.cards.laid import (
    LaidCard,
    cards_in_area,
    has_slid,
    has_turned,
    is_covered,
    match_cards,
    shows_ground,
)
from vision.cards.quads import Quad

SIZE = (160, 240)
AREA = np.array([(40, 60), (860, 60), (860, 640), (40, 640)], np.float32)


def seen(drawing, *placed, seed=0):
    """Return a picture and the cards in the area."""
    picture = drawing.table(*placed, seed=seed)
    return picture, cards_in_area(picture, AREA, SIZE)


def test_cards_of_the_area_are_found_and_none_beside_it(drawing, disc, square):
    _, cards = seen(drawing, (disc, 200, 300, 5), (square, 500, 300, -8))
    picture = drawing.table((disc, 200, 300, 5), (square, 500, 300, -8))

    assert len(cards) == 2
    assert all(card.look is not None for card in cards)
    left_half = np.array([(40, 60), (350, 60), (350, 640), (40, 640)], np.float32)
    (card,) = cards_in_area(picture, left_half, SIZE)
    assert card.middle == pytest.approx((200, 300), abs=4)
    assert card.short_px == pytest.approx(160, abs=6)
    far = AREA + 2000
    assert cards_in_area(picture, np.asarray(far, np.float32), SIZE) == []


def test_a_card_that_was_pushed_and_turned_is_the_same_card(drawing, disc, square):
    _, before = seen(drawing, (disc, 200, 300, 5), (square, 500, 300, -8))
    _, after = seen(drawing, (square, 620, 330, 80), (disc, 210, 290, 0), seed=1)

    matched = match_cards(before, after)

    assert matched.came == matched.missing == ()
    for k, n in matched.stayed.items():
        apart = np.linalg.norm(before[k].middle - after[n].middle)
        assert apart < 130  # each with itself: the two are 300 and 410 px apart
    turned = {
        round(float(before[k].middle[0]), -2): has_turned(before[k], after[n])
        for k, n in matched.stayed.items()
    }
    assert turned == {200.0: False, 500.0: True}


def test_a_card_like_it_elsewhere_is_not_the_one_that_lies_still(drawing, disc):
    """It was found in another frame: so it looks less like itself."""
    _, (before,) = seen(drawing, (disc, 200, 300, 0))
    _, now = seen(drawing, (disc, 200, 300, 0), (disc, 600, 300, 0), seed=1)
    blurred = replace(before, look=before.look[::-1])

    slid = match_cards([blurred], [replace(one, look=blurred.look) for one in now[1:]])
    lies = match_cards([blurred], now, still=[0])

    assert slid.stayed == {0: 0}
    assert (lies.stayed, lies.missing) == ({}, ())
    (came,) = lies.came
    assert now[came].middle[0] == pytest.approx(600, abs=10)


def test_another_card_in_its_place_has_come_and_it_is_covered(drawing, disc, square):
    _, before = seen(drawing, (disc, 300, 300, 0))
    _, after = seen(drawing, (square, 306, 304, 3), seed=1)

    matched = match_cards(before, after)

    assert (matched.stayed, matched.came, matched.missing) == ({}, (0,), (0,))
    assert is_covered(before[0], after)
    assert not is_covered(before[0], [])


def test_a_like_card_on_a_pile_lies_a_little_beside(drawing, disc):
    _, (before,) = seen(drawing, (disc, 300, 300, 0))
    _, (same,) = seen(drawing, (disc, 300, 300, 0), seed=1)
    _, (beside,) = seen(drawing, (disc, 325, 300, 0), seed=1)
    _, (turned,) = seen(drawing, (disc, 300, 300, 8), seed=1)

    assert not has_slid(before, same)
    assert has_slid(before, beside)
    assert has_slid(before, turned)


def framed(left, top, right, bottom):
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return LaidCard(Quad(corners, 1.0), None)


def test_a_card_whose_frame_ran_into_one_below_has_slid_if_both_its_sides_did():
    # 60 wide: both its upper and its lower rim lie 5 higher, 0.08 of that, at least.
    below = framed(100, 100, 160, 190)

    assert has_slid(below, framed(100, 90, 160, 185))
    # Only the upper rim lies higher: it is the same card in a longer frame.
    assert not has_slid(below, framed(100, 90, 160, 190))
    assert not has_slid(below, framed(96, 94, 164, 196))


def test_ground_is_seen_where_a_card_was_taken(drawing, disc, square):
    _, (card,) = seen(drawing, (disc, 300, 300, 0))

    assert shows_ground(drawing.table(seed=1), card)
    assert not shows_ground(drawing.table((disc, 300, 300, 0), seed=1), card)
    assert not shows_ground(drawing.table((square, 300, 300, 4), seed=1), card)
