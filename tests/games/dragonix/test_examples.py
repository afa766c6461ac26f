"""The worked examples of the rulebook, DX-E1 to DX-E9."""

import pytest

from companion.games.dragonix import GAME
from companion.games.dragonix.pieces import HERO, TOKENS
from companion.games.dragonix.state import PLAY
from tests.games.dragonix.tables import (
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


def test_e1_a_hero_on_a_4_counts_5_and_the_next_is_at_least_6():
    """Lines 62-64."""
    state = scene(hands=("hero sun5 sun6",), I="rock4", red="II")

    assert story(state, "play hero I") == ["hero_placed I 5"]
    state = play(state, "play hero I")

    assert refused(state, "play sun5 I") == ("dragonix", "must_rise", (53, 53))
    assert "play sun6 I" in legal(state)


def test_e2_for_a_5_on_army_ii_the_1_and_the_2_are_taken_back():
    """Line 70: the end of the army is 2, then 1."""
    state = scene(
        hands=("sun5",),
        I="sun9",
        II="rock9 rock2 rock1",
        III="rock10",
        IV="rock3",
        tower="krak1",
        red="III",
    )

    state = play(state, "back II", "back II", "play sun5 II")

    assert row(state, "II") == "rock9 sun5"
    assert names(state.sides[0].under) == "rock1 rock2"


def test_e3_a_hero_counts_13_in_the_draw_for_the_first_turn():
    """Line 30."""
    state = play(new_game(), *OPENED)

    assert story(state, "reveal 0 hero") == ["revealed hero 13"]
    state = play(state, "reveal 0 hero", "reveal 0 sun2", "reveal 0 sun3")  # 18
    state = play(state, "reveal 1 sun12", "reveal 1 sun4")
    assert story(state, "reveal 1 rock1") == ["revealed rock1 1", "began 18"]


class TestE4:
    """Line 25: with three players the fourth hero is shuffled in."""

    def test_everybody_has_16_cards(self):
        assert [side.camp for side in new_game(3).sides] == [16, 16, 16]

    def test_the_odds_of_a_hero_are_those_of_a_shuffled_camp(self):
        state = play(new_game(3), *OPENED)

        odds = dict(GAME.chance(state))

        # one sure hero of 16, and the fourth is in a third of the camps: 4/3 of 16
        hero = next(move for move in odds if move.card == HERO)
        assert odds[hero] == pytest.approx(4 / 3 / 16)
        assert odds[hero].denominator == 12

    def test_who_has_shown_two_has_the_fourth(self):
        state = play(new_game(3), *OPENED, "reveal 0 hero", "reveal 0 hero")

        assert "reveal 0 hero" not in legal(state)
        state = play(state, "reveal 0 sun2", "reveal 1 hero")
        assert "reveal 1 hero" not in legal(state)
        state = play(state, "reveal 1 sun3", "reveal 1 sun4")
        odds = {GAME.notate(state, move): part for move, part in GAME.chance(state)}
        assert odds["reveal 2 hero"].denominator == 16  # one hero among 16 cards


class TestE5:
    """Line 100: alone with a camp of 48 and five tokens."""

    def test_48_cards_of_which_three_are_drawn(self):
        state = new_game(1)

        assert state.sides[0].camp == 48
        assert len(state.sides[0].open_tokens) == state.sides[0].tokens == 5
        assert play(state, *OPENED).phase is PLAY

    @pytest.mark.parametrize(
        ("seats", "camp", "tokens"), [(2, 24, 3), (3, 16, 2), (4, 12, 2)]
    )
    def test_with_others_24_16_or_12(self, seats, camp, tokens):
        state = new_game(seats)

        assert {(side.camp, side.tokens) for side in state.sides} == {(camp, tokens)}
        assert len(TOKENS) == 8


def test_e6_the_sixth_card_sends_the_row_into_the_box():
    """Line 61."""
    state = scene(
        hands=("sun6 rock1 rock2",), II="sun12 sun11 sun10 sun9 sun8", red="I"
    )

    assert story(state, "play sun6 II") == ["placed sun6 II", "boxed II"]
    state = play(state, "play sun6 II", "play rock2 II", "play rock1 II")
    assert row(state, "II") == "rock2 rock1"


def test_e7_no_card_where_a_dragon_stands_and_never_two_dragons():
    """Lines 84-86."""
    state = scene(hands=("sun6 sun7", "rock1"), red="II", undead="III", undead_by=1)

    assert refused(state, "play sun6 II") == ("dragonix", "under_dragon", (86, 86))
    assert refused(state, "play sun6 III") == ("dragonix", "under_dragon", (86, 86))
    state = play(state, "play sun6 I")
    assert legal(state, "fly") == {"fly red I", "fly red IV"}


@pytest.mark.parametrize(
    ("deserters", "reason", "won"),
    [
        (0, "none", True),
        (1, "few", True),
        (4, "few", True),
        (5, "fair", True),
        (8, "fair", True),
        (9, "failure", False),
        (15, "failure", False),
        (16, "carnage", False),
    ],
)
def test_e8_deserters_are_graded(deserters, reason, won):
    """Lines 106-111; nine is in none of the book's grades, fifteen in two."""
    troops = " ".join(
        f"{people}{value}" for people in ("rock", "krak") for value in range(1, 12)
    ).split()[:deserters]
    state = scene(
        hands=("sun5",), camps=(0,), seats=1, I="sun4", red="II", beside=troops
    )

    outcome = GAME.outcome(play(state, "play sun5 I"))

    assert outcome.reason == f"dragonix.end.{reason}"
    assert outcome.winners == ((0,) if won else ())


def test_e9_alone_the_red_dragon_goes_from_army_to_army():
    """Line 102."""
    state = play(new_game(1), *OPENED)

    seen = []
    for _ in range(4):
        state = play(state, *sorted(legal(state, "play"))[:1])
        (flight,) = legal(state, "fly")
        seen.append(flight)
        state = play(state, flight, "recruit")

    assert seen == ["fly red II", "fly red III", "fly red IV", "fly red I"]
