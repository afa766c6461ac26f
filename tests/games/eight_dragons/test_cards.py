"""The cards: what is in the box, what they are worth, and what is a dragon."""

from collections import Counter
from itertools import combinations

import pytest

from companion.games.core import NotNow
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.census import FOURS, dragon_colour, has_pair, match
from companion.games.eight_dragons.pieces import (
    CARDS,
    COLOUR,
    LONG,
    PART,
    PARTS,
    SHORT,
    SQUARES,
    WORTH,
    Card,
    Colour,
    Part,
)
from companion.games.eight_dragons.scoring import worth
from tests.games.eight_dragons.tables import parts, start


class TestTheBox:
    """« Le jeu contient 42 cartes », l. 55-66, 116-118."""

    def test_the_long_game_has_these_42_cards(self):
        counts = dict(zip(CARDS, LONG, strict=True))

        assert sum(LONG) == 42
        assert sum(counts[card] for card in PARTS) == 32
        assert [counts[card] for card in CARDS[20:]] == [4, 1, 1, 2, 1, 1]

    @pytest.mark.parametrize(
        ("colour", "dragons"),
        [("red", 3), ("green", 2), ("gold", 1), ("multi", 1), ("silver", 1)],
    )
    def test_each_dragon_has_four_parts(self, colour, dragons):
        counts = dict(zip(CARDS, LONG, strict=True))

        of_it = [card for card in PARTS if COLOUR[card] == colour]

        assert {PART[card] for card in of_it} == set(Part)
        assert [counts[card] for card in of_it] == [dragons] * 4

    def test_the_short_game_leaves_out_gold_a_diamond_and_a_fireball(self):
        # 8D-E7, l. 118
        left_out = {
            card: long - short
            for card, long, short in zip(CARDS, LONG, SHORT, strict=True)
            if long != short
        }

        assert sum(SHORT) == 36
        assert left_out == {
            Card.GOLD_TAIL: 1,
            Card.GOLD_LEGS: 1,
            Card.GOLD_CLAWS: 1,
            Card.GOLD_HEAD: 1,
            Card.DIAMOND: 1,
            Card.FIREBALL: 1,
        }

    def test_seven_columns_by_six_rows_or_six_by_six(self):
        assert len(start().grid) == 42
        assert SQUARES[41] == "g6"
        assert len(start(ED0="short").grid) == 36
        assert SQUARES[35] == "f6"

    def test_the_box_leaves_nothing_to_tell(self):
        assert GAME.check_box(GAME.stand_in) == ()


class TestPoints:
    """« Barème des points », l. 90-96 and l. 88. 8D-E5."""

    @pytest.mark.parametrize(
        ("colour", "points"),
        [("red", 15), ("green", 20), ("gold", 30), ("multi", 30), ("silver", 40)],
    )
    def test_a_whole_dragon(self, colour, points):
        cards = parts(*(f"{colour}_{part}" for part in Part))

        assert WORTH[Colour(colour)] == points
        assert worth(cards) == points

    @pytest.mark.parametrize(
        ("colour", "points"), [("red", 10), ("green", 15), ("gold", 25)]
    )
    def test_one_silver_part_costs_five_points(self, colour, points):
        # 15 - 5, 20 - 5, 30 - 5
        cards = parts(
            f"{colour}_tail", f"{colour}_legs", f"{colour}_claws", "silver_head"
        )

        assert worth(cards) == points

    def test_all_dragons_of_the_long_game_are_worth_185(self):
        dragons = {"red": 3, "green": 2, "gold": 1, "multi": 1, "silver": 1}

        total = sum(WORTH[Colour(name)] * n for name, n in dragons.items())

        assert total == 185  # 45 + 40 + 30 + 30 + 40
        assert total - WORTH[Colour.GOLD] == 155  # the short game

    def test_what_is_no_dragon_has_no_worth(self):
        with pytest.raises(NotNow):
            worth(parts("red_tail", "red_legs", "red_claws", "green_head"))


def definition():
    """Yield every dragon by the definition alone: its cards, and its colour.

    There is a colour such that each of the four parts is there once, and each card is
    of that colour but at most one, which is silver; if it is multicolour, none.
    """
    for colour in Colour:
        for swapped in (None, *Part):
            if swapped is not None and colour in (Colour.MULTI, Colour.SILVER):
                continue
            names = (
                f"{'silver' if part is swapped else colour}_{part}" for part in Part
            )
            yield Counter(map(Card, names)), colour


DEFINED = tuple(definition())


def declared(four):
    """Return the colour of the dragon that four cards are by the definition."""
    cards = Counter(four)
    return next((colour for dragon, colour in DEFINED if dragon == cards), None)


class TestDragons:
    """« On peut constituer un dragon », l. 80, 88; ED15, ED16."""

    def test_all_sets_of_four_of_the_32_parts_are_judged_as_defined(self):
        pool = [
            card for card in PARTS for _ in range(LONG[CARDS.index(card)])
        ]  # 32 cards, equal ones as often as they are there
        found, seen = Counter(), 0
        known = {}
        for four in combinations(pool, 4):
            seen += 1
            if four not in known:
                known[four] = dragon_colour(four)
                assert known[four] is declared(four), four
            found[known[four]] += 1

        assert seen == 35_960  # C(32, 4)
        # Red: 3^4 pure and 4 * 3^3 with a silver part; green: 2^4 and 4 * 2^3; gold 1
        # and 4; one multicolour and one silver.
        assert found == {
            None: 35_960 - 189 - 48 - 5 - 1 - 1,
            Colour.RED: 189,
            Colour.GREEN: 48,
            Colour.GOLD: 5,
            Colour.MULTI: 1,
            Colour.SILVER: 1,
        }

    def test_seventeen_dragons_can_be_laid(self):
        assert len(FOURS) == 17  # 5 of one colour, 3 colours with 4 silver parts each
        assert all(list(four) == sorted(four, key=CARDS.index) for four in FOURS)

    def test_fewer_or_more_cards_or_a_special_head_are_none(self):
        red = parts("red_tail", "red_legs", "red_claws", "red_head")

        assert dragon_colour(red[:3]) is None
        assert dragon_colour((*red, Card.RED_HEAD)) is None
        assert dragon_colour((*red[:3], Card.GRAB)) is None


class TestPairs:
    """L. 72-74; ED1, ED24."""

    def test_every_two_cards_are_matched_as_defined(self):
        for one in CARDS:
            for other in CARDS:
                found = match(one, other, twins_are_colour=False)
                strict = match(one, other, twins_are_colour=True)
                special = one not in PART or other not in PART
                same_part = not special and PART[one] is PART[other]
                same_colour = not special and COLOUR[one] is COLOUR[other]
                shape = "shape" if same_part else None
                colour = "colour" if same_colour else None
                assert found == (shape or colour)
                assert strict == (colour or shape)
                if one != other:
                    assert has_pair((one, other)) == (found is not None)

    def test_four_parts_of_four_colours_make_no_pair(self):
        lonely = parts("red_tail", "green_legs", "gold_claws", "multi_head")

        assert not has_pair((*lonely, Card.TWIN, Card.DIAMOND, Card.DIAMOND))
        assert has_pair((*lonely, Card.SILVER_HEAD))
