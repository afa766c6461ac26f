"""What a card in an area may be, and at which of its places people have laid it."""

from types import SimpleNamespace

import numpy as np
import pytest

from companion.games.copy import Zone
from companion.table import LinePart
from companion.watching.zone_cards import (
    Known,
    UnsureCard,
    ZoneRules,
    fitting_others,
    identify,
    others_put_right,
    places_of,
)
from vision.cards.reader import CardQuestion, SureCard, UnknownCard

ASKS = (LinePart("teach.space.army_area"), LinePart("teach.space.army_area_end"))
ROW = Zone("row", 1, ASKS, ("army/1",), ("card",))
OTHER_ROW = Zone("row", 2, ASKS, ("army/2",), ("card",))
BEFORE = Zone(
    "before", 1, ASKS, ("seat/0", "front/0/", "open/0/"), ("tile", "gold"),
    across="/across",
)  # fmt: skip
PICTURE, CORNERS = np.zeros((9, 9, 3), np.uint8), np.zeros((4, 2), np.float32)


class Reads:
    """A deck that reads one verdict, and takes note of the faces that it may be."""

    deck = SimpleNamespace(card_px=(30.0, 45.0))

    def __init__(self, verdict):
        self.verdict, self.possible = verdict, None

    def among(self, faces):
        self.possible = set(faces)
        return self

    def read(self, picture, corners):
        return self.verdict

    def thumb_distance(self, picture, corners):
        return 1.0


def rules(zone=BEFORE, record=(), legal=()):
    return ZoneRules(zone, tuple(record), tuple(legal))


class TestPlaces:
    def test_a_card_of_the_record_lies_where_the_record_says(self):
        known = rules(record=[("gold", "2", "open/0/1"), ("gold", "5", "open/0/2")])

        assert list(places_of(known, [("gold", "5"), ("gold", "2")])) == [
            ("gold", "5", "open/0/2"),
            ("gold", "2", "open/0/1"),
        ]

    def test_a_new_card_lies_where_a_move_lays_it(self):
        known = rules(
            record=[("gold", "2", "open/0/1")],
            legal=[("gold", "5", "front/0/1"), ("gold", "4", "open/0/2")],
        )

        assert list(places_of(known, [("gold", "5"), ("gold", "2")])) == [
            ("gold", "2", "open/0/1"),
            ("gold", "5", "front/0/1"),
        ]

    def test_what_nobody_lays_is_at_the_next_free_place(self):
        known = rules(record=[("gold", "2", "open/0/1")])

        fresh = list(places_of(known, [("gold", "2"), ("gold", "3"), ("tile", "elf")]))
        assert fresh[1:] == [("gold", "3", "open/0/2"), ("tile", "elf", "seat/0")]

    def test_of_equal_cards_each_has_a_place(self):
        known = rules(ROW, [("card", "sun1", "army/1")])

        lying = list(places_of(known, [("card", "sun1"), ("card", "sun1")]))
        assert lying == [("card", "sun1", "army/1")] * 2

    def test_a_card_whose_face_the_record_does_not_know_may_be_any(self):
        known = rules(record=[("gold", None, "open/0/1")])

        assert list(places_of(known, [("gold", "3")])) == [("gold", None, "open/0/1")]


class TestIdentify:
    LEGAL = (("gold", "3", "front/0/1"), ("gold", "5", "front/0/1"))

    def test_a_card_is_read_among_what_may_lie_there(self):
        gold, tile = Reads(SureCard("3", 0.9)), Reads(SureCard("elf", 0.8))
        known = rules(record=[("gold", "2", "open/0/1")], legal=self.LEGAL)

        seen = identify({"gold": gold, "tile": tile}, PICTURE, CORNERS, known, [])

        assert seen == Known(("gold", "3"))
        assert gold.possible == {"2", "3", "5"}
        assert tile.possible is None  # no move lays a tile: it is not even read

    def test_a_card_that_lies_there_already_is_not_awaited_again(self):
        gold = Reads(SureCard("3", 0.9))
        known = rules(record=[("gold", "2", "open/0/1")], legal=self.LEGAL)

        identify({"gold": gold}, PICTURE, CORNERS, known, [("gold", "2")])

        assert gold.possible == {"3", "5"}

    def test_where_nothing_is_awaited_it_may_be_any_card_or_none_of_ours(self):
        sure, unknown = Reads(SureCard("4", 0.9)), Reads(UnknownCard(0.9))

        assert identify({"gold": sure}, PICTURE, CORNERS, rules(), []) == Known(
            ("gold", "4")
        )
        assert sure.possible is None
        assert identify({"gold": unknown}, PICTURE, CORNERS, rules(), []) == Known(None)

    def test_what_nobody_is_sure_of_is_asked(self):
        gold = Reads(CardQuestion((("3", 0.5), ("5", 0.3))))

        seen = identify({"gold": gold}, PICTURE, CORNERS, rules(legal=self.LEGAL), [])

        assert seen == UnsureCard((("gold", "3", 0.5), ("gold", "5", 0.3)))

    @pytest.mark.parametrize(
        "verdict", [CardQuestion((("3", 0.5), ("2", 0.3))), UnknownCard(0.9)]
    )
    def test_what_people_have_entered_is_believed_of_a_card_nobody_reads(self, verdict):
        known = rules(record=[("gold", "2", "open/0/1")], legal=self.LEGAL)

        seen = identify({"gold": Reads(verdict)}, PICTURE, CORNERS, known, [])

        assert seen == Known(("gold", "2"), is_entered=True)

    def test_a_card_that_lay_there_and_is_not_found_was_not_entered(self):
        """Another one lies on it, and nobody has said so yet."""
        known = rules(record=[("gold", "2", "open/0/1")], legal=self.LEGAL)
        gold = Reads(CardQuestion((("3", 0.5), ("2", 0.3))))

        seen = identify({"gold": gold}, PICTURE, CORNERS, known, [], [("gold", "2")])

        assert seen == UnsureCard((("gold", "3", 0.5), ("gold", "2", 0.3)))

    def test_a_tile_is_awaited_across_or_upright_and_printed_the_same(self):
        tile = Reads(SureCard("elf/fit", 0.9))
        known = rules(legal=[("tile", "elf/fit/across", "seat/0")])

        seen = identify({"tile": tile}, PICTURE, CORNERS, known, [])

        assert tile.possible == {"elf/fit"}
        assert seen == Known(("tile", "elf/fit/across"))
        assert BEFORE.turned("elf/fit") == "elf/fit/across"
        assert BEFORE.turned("elf/fit/across") == "elf/fit"


class TestOtherThings:
    HERE = frozenset({("red", None, "army/1")})
    THERE = frozenset({("red", None, "army/2")})
    ZONES = (ROW, OTHER_ROW)

    def test_a_figure_has_flown_where_just_both_rows_have_changed(self):
        both = set(self.ZONES)

        assert fitting_others(self.HERE, [self.THERE], both, self.ZONES) == [self.THERE]
        assert fitting_others(self.HERE, [self.THERE], {ROW}, self.ZONES) == []

    def test_what_people_have_entered_is_carried_out_once_both_rows_changed(self):
        def put_right(*changed):
            return others_put_right(self.HERE, self.THERE, changed, self.ZONES)

        assert put_right(ROW) == put_right(OTHER_ROW) == self.HERE
        assert put_right(*self.ZONES) == self.THERE

    def test_one_thing_is_carried_out_while_another_is_not(self):
        record = self.THERE | {("undead", None, "army/1")}

        seen = others_put_right(self.HERE, record, [ROW], self.ZONES)

        assert seen == self.HERE | {("undead", None, "army/1")}
