"""The ends of rounds and of the game, l. 159-213, and what a table may bend."""

import pytest

from companion.games.core import NotNow
from companion.games.drachenhort import GAME
from companion.games.drachenhort.state import (
    FLIP,
    HALL,
    OVER,
    SHOW,
    START,
)
from tests.games.drachenhort.tables import (
    legal,
    medal,
    new_game,
    play,
    refused,
    scene,
    story,
    where,
)


class TestEndOfARound:
    """L. 159-175."""

    def test_an_escape_ends_it_with_the_8(self):
        state = scene(green="11", red="7", pips=4)

        state = play(state, "advance green")

        assert state.phase is FLIP
        assert medal(state, "green") == 8

    def test_the_others_get_what_is_left_by_nearness_to_the_exit(self):
        state = scene(green="11", red="3", blue="9", orange="4d", pips=4)

        state = play(state, "advance green")

        assert medal(state, "blue") == 6
        assert medal(state, "orange") == 5
        assert medal(state, "red") == 4

    def test_the_last_but_one_captured_ends_it(self):
        state = scene(dragon=1, green="4", red="9d", pips=1)

        told = story(state, "advance green", "dragon")

        assert told == [
            "dragon_moved 5",
            "captured green",
            "medal_given green silver 6",
            "medal_given red silver 8",
            "round_ended 1",
        ]

    def test_nobody_plays_on_before_the_board_is_turned(self):
        state = play(scene(green="11", red="7", pips=4), "advance green")

        assert legal(state) == {"flip"}
        assert refused(state, "throw 1") == ("drachenhort", "waits_flip", (175, 183))


class TestSecondRound:
    """« Deuxième manche », l. 177-193."""

    def test_everybody_begins_again_on_the_back(self):
        state = scene("j...........", green="11", red="7", pips=4)

        state = play(state, "advance green", "flip")

        assert state.round == 2
        assert state.cells == (START,) * 7
        assert state.lit == (True,) * 7
        assert state.dragon == HALL
        assert state.removed == 1  # nobody won the jewel of cell 1

    def test_silver_medals_and_won_jewels_stay(self):
        state = new_game("...j........")
        state = play(state, "throw 4", "advance green", "throw 6", "advance red")
        for _ in range(3):  # red, now on 7: 9, 11, out
            state = play(state, "throw 2", "advance red")
        state = play(state, "rank blue", "rank orange", "rank white", "rank yellow")
        silver = state.medals[0]

        state = play(state, "flip")

        assert silver == (6, 8, 5, 4, 3, 2, 1)
        assert state.medals == (silver, (0,) * 7)
        assert state.won == (1, 0)

    def test_the_board_is_not_turned_before(self):
        refusal = refused(new_game(), "flip")

        assert refusal == ("drachenhort", "waits_throw", (89, 89))


class TestEndOfTheGame:
    """« Fin de la partie », l. 197-213."""

    def test_after_the_second_round_the_groups_are_shown(self):
        state = at_the_end()

        assert state.phase is SHOW
        assert refused(state, "throw 1") == ("drachenhort", "waits_show", (203, 203))
        assert legal(state) == {f"show {s} {g}" for s in (0, 1) for g in range(7)}

    def test_a_card_is_shown_once(self):
        state = play(at_the_end(), "show 0 3")

        assert legal(state) == {f"show 1 {group}" for group in (0, 1, 2, 4, 5, 6)}
        assert refused(state, "show 0 4")[1] == "shown_already"
        assert refused(state, "show 1 3")[1] == "group_of_another"
        assert refused(state, "show 1 7")[1] == "no_such_group"

    def test_the_game_is_over_when_all_are_shown(self):
        state = play(at_the_end(), "show 0 3", "show 1 0")

        assert state.phase is OVER
        assert legal(state) == set()
        assert refused(state, "show 1 0")[1] == "waits_over"
        assert refused(state, "note 1 0")[1] == "waits_over"

    def test_points_are_both_medals_of_three_heroes_and_the_jewels(self):
        state = play(at_the_end(), "show 0 0", "show 1 1")

        scores = GAME.scores(state)

        # silver and gold alike: green 8, red 6, blue 5, orange 4, white 3, yellow 2,
        # violet 1; group 0 is green red white, group 1 is red yellow blue
        assert scores[0].low == scores[0].high == 2 * (8 + 6 + 3)
        assert scores[1].low == scores[1].high == 2 * (6 + 2 + 5)
        assert GAME.outcome(state).winners == (0,)


def at_the_end():
    """Return the position after two rounds that green ended with six behind."""
    state = new_game()
    for _ in range(2):
        for hero, pips in zip(RANKING, (6, 4, 3, 2, 1), strict=True):
            state = play(state, f"throw {pips}", f"advance {hero}")
        for _ in range(3):
            state = play(state, "throw 2", "advance green")
        state = play(state, "throw 2", "advance green", "rank yellow")
        if state.round == 1:
            state = play(state, "flip")
    return state


RANKING = ("green", "red", "blue", "orange", "white")


class TestHouseRules:
    def test_an_adventurer_may_be_moved_out_of_the_shadow_if_the_table_wants(self):
        state = scene(green="4d", red="start", pips=3)

        after, _ = GAME.apply(state, GAME.parse(state, "advance green"))

        assert where(after, "green") == "7d"

    @pytest.mark.parametrize(
        "text",
        [
            "throw 3",
            "advance blue",
            "advance pink",
            "rank green",
            "dragon",
            "flip",
            "show 0 0",
            "note 2 0",
            "note 0 7",
        ],
    )
    def test_what_makes_no_sense_is_not_applied(self, text):
        state = scene(green="4d", red="start", pips=3)

        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, text))

    def test_a_medal_goes_only_to_one_of_those_that_stand_level(self):
        state = scene(green="11", red="start", blue="start", pips=4)
        state = play(state, "advance green")

        with pytest.raises(NotNow, match="does not stand level"):
            GAME.apply(state, GAME.parse(state, "rank green"))
