"""The worked examples of the rulebook, DH-E1 to DH-E7.

The first one's die is missing from the text. A search over all tables that fit its
sentences leaves 1, 3 and 6, so it is told here once for each of them.
"""

from itertools import product

import pytest
from msgspec.structs import replace

from companion.games.drachenhort import GAME, track
from companion.games.drachenhort.state import FLIP, SHOW
from tests.games.drachenhort.tables import (
    HEROES,
    legal,
    medal,
    new_game,
    play,
    refused,
    scene,
    story,
    where,
)

# The throw, then the cells of the trap and of the green jewel that go with it.
WAYS = [(1, 2, 7), (3, 7, 9), (6, 10, 12)]
RED_JEWEL = 8
LONG_WAY = 20


class TestE1:
    """DH-E1, l. 125-139: a throw in sight of a trap and two jewels."""

    @staticmethod
    def example(pips, trap, jewel):
        letters = {trap: "t", jewel: "j", RED_JEWEL: "j"}
        way = "".join(letters.get(cell, ".") for cell in range(1, 15))
        return scene(way, pips=pips, green="1", red="4d", blue="5", orange="6d")

    @pytest.mark.parametrize("way", WAYS)
    def test_green_falls_into_the_trap_and_goes_three_ahead_of_the_dragon(self, way):
        _, trap, _ = way

        told = story(self.example(*way), "advance green")

        # the dragon in the hall counts start, 1, 2; where 2 is the trap it leads to 3
        ahead = 3 if trap == 2 else 2
        assert told == [
            f"advanced green {trap}",
            f"trapped green {trap}",
            f"put_ahead green {ahead}",
        ]

    @pytest.mark.parametrize("hero", ["red", "orange"])
    @pytest.mark.parametrize("way", WAYS)
    def test_red_and_orange_stand_in_shadow_and_cannot_move(self, way, hero):
        assert refused(self.example(*way), f"advance {hero}")[1] == "in_shadow"

    @pytest.mark.parametrize("way", WAYS)
    def test_blue_reaches_the_green_jewel(self, way):
        _, _, jewel = way

        told = story(self.example(*way), "advance blue")

        assert told == [f"advanced blue {jewel}", f"jewel_won {jewel}"]

    def test_with_a_2_anybody_could_move(self):
        assert legal(self.example(2, *WAYS[1][1:])) == {
            "advance green",
            "advance red",
            "advance blue",
            "advance orange",
        }

    def test_with_a_2_green_ends_just_behind_red(self):
        state = play(self.example(2, *WAYS[1][1:]), "advance green")

        assert (where(state, "green"), where(state, "red")) == ("3d", "4d")

    @pytest.mark.parametrize("hero", ["red", "blue", "orange"])
    def test_with_a_2_the_others_reach_the_red_jewel(self, hero):
        state = play(self.example(2, *WAYS[1][1:]), f"advance {hero}")

        assert where(state, hero) == f"{RED_JEWEL}d"
        assert state.won == (1, 0)


class TestE1WithOtherThrows:
    """The same sentences hold on other ways for a 1 and a 6, and on none for a 4."""

    @pytest.mark.parametrize(
        ("pips", "fits"), [(1, True), (3, True), (4, False), (6, True)]
    )
    def test_a_way_exists_for_1_3_and_6_only(self, pips, fits):
        assert any(map(self.holds, *zip(*self.ways(pips), strict=True))) is fits

    @staticmethod
    def ways(pips):
        """Yield places of green, red, blue, orange, and the throw."""
        for cells in product(range(1, 9), repeat=4):
            if len(set(cells)) == 4:
                yield cells, pips

    @staticmethod
    def holds(cells, pips):
        """Tell whether some trap and jewels make all sentences of the example true."""
        green, red, _, _ = cells
        landings = {
            throw: [landing(cells, index, throw) for index in range(4)]
            for throw in (2, pips)
        }
        trap, green_jewel = landings[pips][0], landings[pips][2]
        red_jewels = set(landings[2][1:])
        behind_red = max(
            (cell for cell in range(red) if cell not in cells or cell == green),
            default=0,
        )
        return (
            len(red_jewels) == 1
            and landings[2][0] == behind_red
            and len({trap, green_jewel, *red_jewels}) == 3
        )


def landing(cells, index, pips):
    """Return where a hero lands on a plain long way."""
    others = cells[:index] + cells[index + 1 :]
    return track.walk(LONG_WAY, others, cells[index], pips)


class TestE2:
    """DH-E2, l. 163-167: blue escapes, three were captured before."""

    def test_medals_go_by_nearness_to_the_exit(self):
        state = scene(
            green="6", red="9", orange="3", blue="11", pips=4
        )  # white, yellow and violet hold 1, 2 and 3

        state = play(state, "advance blue")

        assert medal(state, "blue") == 8
        assert medal(state, "red") == 6
        assert medal(state, "green") == 5
        assert medal(state, "orange") == 4
        assert state.phase is FLIP


class TestE3:
    """DH-E3, l. 171-173: the last but one is captured."""

    def test_he_gets_the_6_and_the_free_one_the_8(self):
        state = scene(dragon=1, orange="4", violet="9d", pips=1)

        state = play(state, "advance orange", "dragon")

        assert medal(state, "orange") == 6
        assert medal(state, "violet") == 8
        captured = [
            medal(state, h) for h in ("green", "red", "blue", "white", "yellow")
        ]
        assert captured == [1, 2, 3, 4, 5]


class TestE4:
    """DH-E4, l. 155-156: the first captured gets 1, the second 2, the third 3."""

    def test_medals_rise_with_each_capture(self):
        state = scene(
            "." * 30,
            dragon=0,
            green="1d",
            red="3d",
            blue="5d",
            orange="21d",
            white="22d",
            yellow="23d",
            violet="24",
            pips=1,
        )

        state = play(state, "advance violet", "dragon")  # stops on 1
        for _ in range(2):  # then on 4 and on 7, where all have gone one cell on
            state = play(self.all_one_cell_on(state), "dragon")

        assert [medal(state, hero) for hero in ("green", "red", "blue")] == [1, 2, 3]

    @staticmethod
    def all_one_cell_on(state):
        for hero in reversed(HEROES):
            if where(state, hero) != "off":
                state = play(state, "throw 1", f"advance {hero}")
        return state


class TestE5:
    """DH-E5, l. 205-213: 6 for green, 5 for red, 9 for white, 6 jewels."""

    def test_the_total_is_26(self):
        state = replace(
            new_game(),
            round=2,
            phase=SHOW,
            #        green red blue orange white yellow violet
            medals=((1, 2, 5, 6, 8, 3, 4), (5, 3, 2, 4, 1, 6, 8)),
            won=(6, 0),
        )

        state = play_out(state)

        assert GAME.scores(state)[0].low == 26  # 1 + 5, 2 + 3, 8 + 1, and 6


def play_out(state):
    """Show the cards 0 (green, red, white) and 1; jewels that no board laid may be."""
    for text in ("show 0 0", "show 1 1"):
        state, _ = GAME.apply(state, GAME.parse(state, text))
    return state


class TestE6:
    """DH-E6, l. 148, 154, 187: one cell first, five later, none after a capture."""

    def test_one_then_five_then_stopped(self):
        state = scene("." * 20, green="8", red="16d", blue="15d", pips=1)

        state = play(state, "advance green", "dragon")
        first = state.dragon
        state = play(state, "throw 1", "advance green", "throw 1", "advance red")
        state = play(state, "throw 1", "advance blue", "dragon")
        later = state.dragon
        state = play(state, "throw 1", "advance red", "throw 1", "advance blue")
        state = play(state, "throw 1", "advance green", "dragon")

        assert (first, later, state.dragon) == (0, 5, 10)


class TestE7:
    """DH-E7, l. 91-105: shadow and the 2."""

    @pytest.mark.parametrize("pips", [1, 3, 4, 6])
    def test_any_other_throw_leaves_him_where_he_is(self, pips):
        state = scene(green="4d", red="start", pips=pips)

        assert legal(state) == {"advance red"}

    def test_a_2_moves_anybody(self):
        state = scene(green="4d", red="start", pips=2)

        assert legal(state) == {"advance green", "advance red"}


def test_all_seven_examples_are_here():
    assert {f"TestE{number}" for number in range(1, 8)} <= set(globals())
