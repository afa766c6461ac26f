"""Rulings DX1 to DX18: placing, heroes, taking back, exchanging."""

from fractions import Fraction

from companion.games.dragonix import GAME
from companion.games.dragonix.pieces import HERO
from companion.games.dragonix.state import BEGIN, OVER
from tests.games.dragonix.tables import (
    cards,
    legal,
    names,
    new_game,
    play,
    refused,
    row,
    scene,
    story,
)

OPENED = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")
TIED = (
    *("reveal 0 forest1", "reveal 0 forest2", "reveal 0 forest9"),  # 12
    *("reveal 1 sun3", "reveal 1 sun4", "reveal 1 sun5"),  # 12
)


class TestDX1:
    """When does the last card win?"""

    def test_by_default_at_once(self):
        state = scene(hands=("sun5", "sun6"), camps=(0, 1), I="sun4", red="II")

        state = play(state, "play sun5 I")

        assert state.phase is OVER
        assert GAME.outcome(state).winners == (0,)

    def test_after_the_flight_the_dragon_has_to_fly_first(self):
        state = scene(
            hands=("sun5", "sun6"),
            camps=(0, 1),
            I="sun4",
            red="II",
            options={"DX1": "after_flight"},
        )

        state = play(state, "play sun5 I")
        assert GAME.outcome(state) is None
        assert legal(state) == {"fly red I", "fly red III", "fly red IV"}

        assert GAME.outcome(play(state, "fly red I")).winners == (0,)


class TestDX2:
    """Who begins among equals?"""

    def test_by_default_lots_with_equal_odds(self):
        state = play(new_game(), *OPENED, *TIED)

        assert state.phase is BEGIN
        odds = [(GAME.notate(state, m), part) for m, part in GAME.chance(state)]
        assert odds == [("begin 0", Fraction(1, 2)), ("begin 1", Fraction(1, 2))]
        assert play(state, "begin 1").seat == 1

    def test_the_youngest_is_told_and_not_drawn(self):
        state = play(new_game(options={"DX2": "youngest"}), *OPENED, *TIED)

        assert GAME.chance(state) == ()
        assert legal(state) == {"begin 0", "begin 1"}

    def test_only_the_highest_may_begin(self):
        lower = ("reveal 2 sun6", "reveal 2 rock1", "reveal 2 rock2")  # 9
        state = play(new_game(3), *OPENED, *TIED, *lower)

        assert legal(state) == {"begin 0", "begin 1"}
        assert refused(state, "begin 2") == ("DX2", "not_the_highest", (30, 30))


class TestDX3:
    """A hero counts one more or less than the card before."""

    def test_a_rise_by_one_and_a_fall_by_one(self):
        state = scene(hands=("hero",), I="sun4", II="rock4", red="III")

        rising = play(state, "play hero I")
        falling = play(state, "play hero II")

        assert rising.rows[0].values == (4, 5)
        assert falling.rows[1].values == (4, 3)


class TestDX4:
    """A hero on an empty army leaves most room."""

    def test_it_counts_1_where_values_rise_and_12_where_they_fall(self):
        state = scene(hands=("hero",), red="III")

        assert play(state, "play hero I").rows[0].values == (1,)
        assert play(state, "play hero IV").rows[3].values == (12,)

    def test_the_next_troop_sets_the_people(self):
        state = scene(hands=("hero sun4 rock5",), red="I")

        state = play(state, "play hero III", "play sun4 III")

        assert refused(state, "play rock5 III")[1] == "wrong_people"


class TestDX5:
    """There is no value beyond 12 and below 1."""

    def test_no_hero_on_a_12_or_on_a_1(self):
        state = scene(hands=("hero",), I="sun12", II="sun1", red="III")

        for name in ("I", "II"):
            refusal = refused(state, f"play hero {name}")
            assert refusal == ("DX5", "no_value_for_hero", (62, 62))


class TestDX6:
    """Any number of cards on one army, or one troop on the tower."""

    def test_three_cards_go_to_one_army(self):
        state = scene(hands=("sun5 rock6 sun7",), I="sun4", red="II")

        state = play(state, "play sun5 I", "play rock6 I", "play sun7 I")

        assert row(state, "I") == "sun4 sun5 rock6 sun7"

    def test_but_not_to_two(self):
        state = play(scene(hands=("sun5 rock6",), I="sun4", red="II"), "play sun5 I")

        assert refused(state, "play rock6 III") == ("DX6", "bound_elsewhere", (80, 80))

    def test_the_tower_takes_one(self):
        state = play(scene(hands=("sun5 sun6",)), "play sun5 tower")

        assert refused(state, "play sun6 tower") == (
            "DX6",
            "one_on_the_tower",
            (47, 47),
        )
        assert refused(state, "play sun6 II")[1] == "one_on_the_tower"


class TestDX7:
    """Six cards leave; the army may be begun anew."""

    def test_the_hand_goes_on_with_the_emptied_army(self):
        state = scene(hands=("sun9 rock2",), I="sun1 sun2 sun3 sun4 sun5", red="II")

        state = play(state, "play sun9 I")
        assert row(state, "I") == ""
        assert set(cards("sun1 sun2 sun3 sun4 sun5 sun9")) <= set(state.boxed)

        assert row(play(state, "play rock2 I"), "I") == "rock2"

    def test_the_tower_is_emptied_but_takes_no_second_card(self):
        state = scene(hands=("sun9 rock2",), tower="sun1 sun2 sun3 sun4 sun5")

        state = play(state, "play sun9 tower")

        assert row(state, "tower") == ""
        assert refused(state, "play rock2 tower")[1] == "one_on_the_tower"


class TestDX8:
    """A first card that nothing can follow stays."""

    def test_a_12_that_opens_army_i_stays(self):
        moves = ("open sun12 I", "open rock1 II", "open krak12 III", "open krak1 IV")

        state = play(new_game(1), *moves)

        assert [row(state, name) for name in ("I", "II", "III", "IV")] == [
            "sun12",
            "rock1",
            "krak12",
            "krak1",
        ]


class TestDX9:
    """Does the tower count as a place where one can place?"""

    def test_by_default_who_can_place_on_the_tower_takes_nothing_back(self):
        state = scene(
            hands=("sun5",), I="sun9", II="sun2", III="rock9", IV="rock2", red="I"
        )

        assert legal(state) == {"play sun5 tower"}
        assert refused(state, "back II") == ("DX9", "can_place", (66, 66))

    def test_armies_only_lets_one_take_back(self):
        state = scene(
            hands=("sun5",),
            I="sun9",
            II="sun2",
            III="rock9",
            IV="rock2",
            red="I",
            options={"DX9": "armies_only"},
        )

        assert legal(state) == {"play sun5 tower", "back II", "back III", "back IV"}

    def test_a_card_that_fitted_cannot_come_out_of_a_hand_nobody_knew(self):
        state = scene(
            hands=("?",),
            I="sun9",
            II="sun2",
            III="rock9",
            IV="rock2",
            prison_by=1,
            red="I",
            rest="rock10 rock5",
        )

        state = play(state, "back II")

        assert refused(state, "play rock10 II") == (
            "DX9",
            "could_have_been_placed",
            (66, 66),
        )
        assert legal(state) == {"play rock5 II", "play krak12 II"}


STUCK = {
    "II": "forest1",
    "III": "rock9",
    "IV": "rock1",
    "tower": "krak1",
    "red": "III",
}
"""Rows where neither a sun nor a hero goes."""


class TestDX10:
    """Only what is in the way is taken back."""

    def test_one_card_is_enough_for_a_5_behind_a_9(self):
        state = play(scene(hands=("sun5",), I="sun4 sun9", **STUCK), "back I")

        assert refused(state, "back I") == ("DX10", "not_in_the_way", (66, 70))
        assert legal(state) == {"play sun5 I"}

    def test_a_set_that_needs_two_may_have_two(self):
        # 4 fits on 3 only; 8 would have fitted behind 6
        state = scene(hands=("sun4 sun8",), I="sun3 sun6 sun9", **STUCK)

        state = play(state, "back I", "back I")

        assert refused(state, "play sun8 I") == ("DX10", "not_in_the_way", (66, 70))
        assert row(play(state, "play sun4 I", "play sun8 I"), "I") == "sun3 sun4 sun8"

    def test_a_hero_taken_back_for_a_hero_and_another_card(self):
        # the 8 fits once the 12 is gone; for the hero the other hero has to go, too
        state = scene(hands=("hero sun8",), I="sun3 hero sun12", **STUCK)

        state = play(state, "back I", "back I", "play sun8 I")
        assert refused(state, "fly red IV") == ("DX10", "place_what_needed", (66, 66))

        state = play(state, "play hero I")
        assert state.rows[0].values == (3, 8, 9)
        assert "fly red IV" in legal(state)

    def test_a_hero_counts_less_on_the_shorter_army(self):
        # on 3 the hero counts 4 and 8 goes on; on 9 it would count 10
        state = scene(hands=("hero sun8",), I="sun3 sun9 sun12", **STUCK)

        state = play(state, "back I")
        assert legal(state) == {"back I", "play hero I"}
        state = play(state, "back I", "play hero I")

        # The 8, behind the hero or in its place, is what the 9 was in the way of.
        assert legal(state) == {"play sun8 I", "swap sun8 I"}
        assert "fly red IV" in legal(play(state, "swap sun8 I"))

    def test_a_set_that_fits_in_another_order_needs_nothing_back(self):
        # First the hero, as 5, and then the 6 would need the 5 gone. But behind the 5
        # lie the 6 and then the hero as well, as 7: the set needs only the 12 back.
        state = scene(hands=("hero sun6",), I="sun4 sun5 sun12", **STUCK)

        state = play(state, "back I")

        assert refused(state, "back I") == ("DX10", "not_in_the_way", (66, 70))
        assert legal(state) == {"play hero I", "play sun6 I"}

    def test_a_hero_that_finds_no_value_there_needs_the_card_back(self):
        # 10, 11 and 12 leave a hero no value behind the 9, before them or after.
        hand = "hero sun10 sun11 sun12"
        state = scene(hands=(hand,), I="sun8 sun9 forest12", **STUCK)

        state = play(state, "back I")
        assert refused(state, "fly red IV")[1] == "place_what_needed"
        state = play(state, "back I")

        assert legal(state) == {"play hero I"}
        state = play(state, "play hero I")
        assert state.rows[0].values == (8, 9)
        assert legal(state, "play") == {"play sun10 I"}
        state = play(state, "play sun10 I", "play sun11 I")
        assert refused(state, "fly red IV")[1] == "place_what_needed"
        assert "fly red IV" in legal(play(state, "play sun12 I"))

    def test_a_gap_leaves_the_hero_a_value(self):
        # 10 and 12 leave it the 11.
        state = scene(hands=("hero sun10 sun12",), I="sun8 sun9 rock12", **STUCK)

        state = play(state, "back I")

        assert refused(state, "back I") == ("DX10", "not_in_the_way", (66, 70))

    def test_a_card_that_would_have_filled_the_army_had_nothing_in_its_way(self):
        state = scene(
            hands=("sun8",),
            I="sun1 sun2 sun3 sun4 sun9",
            tokens=("reinforce",),
            rest="sun10",
            **STUCK,
        )

        state = play(state, "back I", "token reinforce")

        assert refused(state, "play sun10 I") == ("DX10", "not_in_the_way", (66, 70))
        assert "play sun8 I" in legal(state)


class TestDX11:
    """The wrong people: as many as need be."""

    def test_a_whole_row_goes_for_another_people(self):
        state = scene(
            hands=("sun5",),
            I="sun9",
            II="sun1",
            III="rock4 rock6 rock8",
            IV="rock2",
            tower="krak1",
            red="I",
        )

        state = play(state, "back III", "back III", "back III", "play sun5 III")

        assert row(state, "III") == "sun5"
        assert names(state.sides[0].under) == "rock8 rock6 rock4"


class TestDX12:
    """Heroes taken back go under the camp too."""

    def test_a_hero_in_the_way_lies_under_the_camp(self):
        state = scene(hands=("sun5",), I="sun4 hero", **STUCK)

        state = play(state, "back I", "play sun5 I")

        assert state.sides[0].under == (HERO,)


class TestDX13:
    """Any army without a dragon."""

    def test_the_armies_of_both_dragons_are_left_alone(self):
        state = scene(
            hands=("sun5",),
            I="sun9",
            II="sun1",
            III="rock9",
            IV="rock2",
            tower="krak1",
            red="III",
            undead="IV",
            undead_by=1,
        )

        assert legal(state) == {"back I", "back II"}
        assert refused(state, "back IV") == ("DX13", "take_back_dragon", (66, 66))


class TestDX14:
    """Is an exchange enough for a turn?"""

    def test_by_default_a_card_has_to_be_placed_too(self):
        state = scene(hands=("sun5 sun8",), I="sun4 hero", red="III")

        state = play(state, "swap sun5 I")
        assert refused(state, "fly red II")[1] == "place_first"
        assert "fly red II" in legal(play(state, "play sun8 I"))

    def test_an_exchange_after_which_nothing_fits_is_refused(self):
        state = scene(hands=("sun5 sun2",), I="sun4 hero", red="III")

        assert refused(state, "swap sun5 I") == ("DX14", "swap_needs_a_card", (64, 64))

    def test_alone_lets_the_dragon_fly(self):
        state = scene(
            hands=("sun5 sun2",), I="sun4 hero", red="III", options={"DX14": "alone"}
        )

        assert "fly red II" in legal(play(state, "swap sun5 I"))


class TestDX15:
    """Which card takes the place of a hero?"""

    def test_by_default_any_between_its_neighbours(self):
        state = scene(hands=("sun7 rock6 sun11",), I="sun4 hero sun9", red="III")

        assert legal(state, "swap") == {"swap sun7 I", "swap rock6 I"}
        assert refused(state, "swap sun11 I") == ("DX15", "unfit_for_hero", (64, 64))

    def test_of_its_value_only_where_a_table_wants_it(self):
        state = scene(
            hands=("sun7 rock5 sun11",),
            I="sun4 hero sun9",
            red="III",
            options={"DX15": "same_value"},
        )

        assert legal(state, "swap") == {"swap rock5 I"}

    def test_of_the_people_that_the_army_asks_for(self):
        state = scene(hands=("sun7 rock7 sun11",), III="sun4 hero sun9", red="I")

        assert legal(state, "swap") == {"swap sun7 III"}


class TestDX16:
    """An exchanged hero goes under the camp."""

    def test_it_is_drawn_again_only_after_the_rest(self):
        state = scene(hands=("sun5 sun8",), camps=(2, 1), I="sun4 hero", red="III")

        state = play(state, "swap sun5 I", "play sun8 I")

        assert state.sides[0].under == (HERO,)
        assert state.sides[0].camp == 3


class TestDX17:
    """A hero for a hero is no exchange."""

    def test_it_is_refused(self):
        state = scene(hands=("hero sun8",), I="sun4 hero", red="III")

        assert refused(state, "swap hero I") == ("DX17", "hero_for_hero", (64, 64))


class TestDX18:
    """One exchange a turn."""

    def test_a_second_one_is_refused(self):
        state = scene(hands=("sun5 hero sun8",), I="sun4 hero", red="III")

        state = play(state, "swap sun5 I", "play hero I")

        assert refused(state, "swap sun8 I") == ("DX18", "swapped_already", (64, 64))


def test_an_exchange_is_told_with_its_army():
    state = scene(hands=("sun5 sun8",), I="sun4 hero", red="III")

    assert story(state, "swap sun5 I") == ["swapped sun5 I"]
