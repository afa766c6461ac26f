"""« Mise en place »: what is dealt, with which odds, and what stands at the start."""

from fractions import Fraction

import pytest

from companion.games.core import (
    BadSetup,
    Config,
)
from companion.games.dragonix import GAME
from companion.games.hidden import (
    redact,
)
from tests.games.dragonix.tables import new_game, play, scene

OPENED = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (Config(0, GAME.stand_in), "0 cannot play Dragonix; 1 to 4 can"),
        (Config(5, GAME.stand_in), "5 cannot play Dragonix; 1 to 4 can"),
        (
            Config(2, GAME.stand_in, first=2),
            "seat 2 cannot begin; choose one of 0 to 1",
        ),
        (Config(2, GAME.stand_in, (("DX3", "chosen"),)), "option 'DX3' is not one"),
        (Config(2, GAME.stand_in, (("DX1", "later"),)), "option DX1 cannot be 'later'"),
    ],
)
def test_a_set_up_that_cannot_be_is_told(setting, said):
    with pytest.raises(BadSetup) as told:
        GAME.setup(setting)

    assert said in str(told.value)


class TestOdds:
    def test_each_troop_may_open_an_army_alike(self):
        state = new_game()

        odds = GAME.chance(state)

        assert {part for _, part in odds} == {Fraction(1, 48)}
        assert len(odds) == 48
        assert len(GAME.chance(play(state, "open sun1 I"))) == 47

    @pytest.mark.parametrize(("seats", "hero"), [(2, (2, 24)), (4, (1, 12))])
    def test_heroes_and_troops_of_a_camp(self, seats, hero):
        state = play(new_game(seats), *OPENED)

        odds = {GAME.notate(state, move): part for move, part in GAME.chance(state)}

        assert odds["reveal 0 hero"] == Fraction(*hero)  # 1/12 for two and for four
        assert odds["reveal 0 sun2"] == Fraction(11, 12) / 44
        assert sum(odds.values()) == 1

    def test_who_has_shown_all_heroes_shows_no_more(self):
        state = play(new_game(4), *OPENED, "reveal 0 hero")

        odds = {GAME.notate(state, move): part for move, part in GAME.chance(state)}

        assert "reveal 0 hero" not in odds
        assert odds["reveal 0 sun2"] == Fraction(1, 44)

    def test_what_a_hand_decides_has_no_odds(self):
        assert GAME.chance(scene(hands=("sun5",))) == ()


class TestStanding:
    def test_cards_left_are_the_points_and_open_to_all(self):
        state = scene(hands=("sun5 ?", "sun6"), camps=(3, 4))

        points = [(score.low, score.high) for score in GAME.scores(redact(state, None))]

        assert points == [(5, 5), (5, 5)]

    def test_two_players_have_an_undead_dragon_each_and_all_know(self):
        state = new_game()

        assert [side.open_tokens for side in state.sides] == [("undead",)] * 2
        assert "undead" not in state.tokens

    def test_what_a_viewer_has_noted_of_tokens_is_nobody_elses(self):
        reveals = [
            f"reveal {seat} {people}{value}"
            for seat, people in enumerate(("sun", "rock"))
            for value in (5, 6, 8 + seat)
        ]
        state = play(new_game(), *OPENED, *reveals)
        state = play(state, "token-note 0 flight", "token-note 0 plague")

        for seed in range(10):
            other = GAME.resample(state, 0, seed)
            assert not {"flight", "plague"} & set(other.sides[1].noted_tokens.value)
            assert GAME.check(other) == ()
