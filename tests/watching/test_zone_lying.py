"""What becomes of a card of a pile that another one like it may cover."""

import numpy as np
from msgspec.structs import replace

from companion.games.copy import Zone
from companion.table import LinePart
from companion.watching.zone_cards import Known, UnsureCard, ZoneRules
from companion.watching.zone_lying import (
    CardInArea,
    Doubt,
    as_its_like,
    below_by_record,
    found_again,
    hidden_by_record,
)
from vision.cards.laid import LaidCard
from vision.cards.quads import Quad

ASKS = (LinePart("teach.space.army_area"), LinePart("teach.space.army_area_end"))
PILE = Zone("pile", 1, ASKS, ("path/",), ("place",), is_pile=True)
ROOM = ("place", "room")


def card(x_px):
    """Return a card of 20 by 30 pixels with its left side there."""
    around = ((x_px, 0), (x_px + 20, 0), (x_px + 20, 30), (x_px, 30))
    return LaidCard(Quad(around, 1.0), None)


CARD, UNTOUCHED, SLID = card(0.0), card(0.4), card(2.0)
BELOW, TOP = CardInArea(ROOM, CARD, is_hidden=True), CardInArea(ROOM, SLID)


def rules(rooms, legal=ROOM):
    record = tuple(("place", "room", f"path/{n + 1}") for n in range(rooms))
    return ZoneRules(PILE, record, ((*legal, "path/9"),))


def test_a_card_is_what_it_looks_like_where_the_reader_names_nothing_else():
    look = np.full((16, 12, 3), 0.5, np.float32)
    known, new = replace(CARD, look=look), replace(card(60.0), look=look + 0.01)
    lies = [CardInArea(ROOM, known)]
    alone = UnsureCard((("place", "room", 0.43), ("place", "gate", 0.09)))
    rival = UnsureCard((("place", "room", 0.43), ("place", "gate", 0.39)))
    other = UnsureCard((("place", "gate", 0.43),))
    faint = UnsureCard((("place", "room", 0.1),))

    assert as_its_like(alone, new, lies) == Known(ROOM)
    # Two that differ by a number are nearly as likely, and look alike.
    assert as_its_like(rival, new, lies) == rival
    assert as_its_like(other, new, lies) == other
    assert as_its_like(faint, new, lies) == faint
    assert as_its_like(alone, replace(new, look=None), lies) == alone


def test_a_card_on_its_like_and_the_one_below_both_lie_there():
    assert below_by_record(rules(2), [BELOW, TOP]) == [BELOW, TOP]


def test_what_the_record_took_away_lies_there_no_longer():
    assert below_by_record(rules(1), [BELOW, TOP]) == [TOP]


def test_what_the_record_has_below_a_top_that_was_seen_is_taken_to_lie_there():
    top, gate = CardInArea(ROOM, CARD), ("place", "gate")
    below = CardInArea(ROOM, None, is_hidden=True)

    assert hidden_by_record(rules(2), [top]) == [below]
    # A gate that a move lays now lies on both that the record has.
    laid = [CardInArea(gate, CARD)]
    assert hidden_by_record(rules(2, gate), laid) == [below, below]
    # Nobody lays a gate now: what lies below it is not known.
    assert hidden_by_record(rules(2), laid) == []
    assert hidden_by_record(rules(2), []) == []
    # Laid side by side, as people do too, nothing lies below.
    assert hidden_by_record(rules(3), [top, CardInArea(ROOM, SLID)]) == []


def test_a_card_that_was_laid_on_another_one_is_none_of_those_below():
    chest = CardInArea(("place", "chest"), CARD, is_hidden=True)
    laid = CardInArea(ROOM, SLID, is_laid=True)

    assert below_by_record(rules(1), [BELOW, laid]) == [BELOW, laid]
    assert below_by_record(rules(1), [BELOW, chest, laid]) == [BELOW, laid]


def again(card, rules, *, is_owed=False, may_ask=True):
    return found_again(
        CardInArea(ROOM, CARD), card, rules, is_owed=is_owed, may_ask=may_ask
    )


def test_a_card_that_lies_where_it_lay_is_no_question():
    assert again(UNTOUCHED, rules(1)) == ([CardInArea(ROOM, UNTOUCHED)], [])


def test_a_card_that_slid_is_asked_about_and_lies_where_it_lay_meanwhile():
    doubt = Doubt((("place", "room", 0.5),), CARD)
    assert again(SLID, rules(1)) == ([CardInArea(ROOM, CARD)], [doubt])


def test_once_people_have_played_on_it_has_only_slid():
    assert again(SLID, rules(1), may_ask=False) == ([CardInArea(ROOM, SLID)], [])


def test_a_card_that_no_move_lays_there_has_only_slid():
    assert again(SLID, rules(1, ("place", "bridge"))) == ([CardInArea(ROOM, SLID)], [])


def test_one_that_people_have_entered_lies_on_its_like():
    assert again(SLID, rules(2), is_owed=True) == ([BELOW, TOP], [])
