"""The worked examples of the rulebook, RU-E1 to RU-E9; one that is missing fails."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games.dragon_run import GAME
from companion.games.dragon_run.turns import hopeful
from tests.games.dragon_run.tables import legal, new_game, play, scene, story


def test_every_example_has_its_test():
    text = Path(__file__).read_text(encoding="utf-8")

    assert set(re.findall(r"^class TestE(\d)", text, re.M)) == set("123456789")


class TestE1:
    """Rulebook l. 41-45."""

    @pytest.mark.parametrize(("seats", "anger"), [(5, 8), (4, 7), (3, 6), (2, 5)])
    def test_the_dragon_starts_as_angry_as_there_are_players(self, seats, anger):
        assert new_game(seats=seats).anger == anger


class TestE2:
    """Rulebook l. 50-54, the set-up for four."""

    def test_four_players(self):
        state = new_game(seats=4)

        assert state.anger == 7
        assert sum(state.pile) == 10
        assert state.hands == (4, 4, 4, 4)
        assert state.stock == 22  # 38 less 16


class TestE3:
    """Rulebook l. 41-54, the set-up for two."""

    def test_two_players_leave_two_talismans_in_the_box(self):
        state = new_game(seats=2)

        assert sum(state.setting.copies) == 36
        assert state.hands == (4, 4)
        assert state.stock == 28
        assert state.anger == 5


# How many place cards may lie open with the Dragon still in the pile, by kind.
OPEN = ["room", "room", "room", "room", "room", "bridge", "crypt", "chest", "mirror"]


class TestE4:
    """Rulebook l. 82-93: the stealth test."""

    @pytest.mark.parametrize(
        ("left", "faces"),
        [
            (1, 8),
            (2, 7),
            (3, 6),
            (4, 5),
            (5, 4),
            (6, 3),
            (7, 2),
            (8, 1),
            (9, 0),
            (10, 0),
        ],
    )
    def test_odds_by_cards_left(self, left, faces):
        state = scene(turned=" ".join(OPEN[: 10 - left]), phase="roll", need=1, paid=1)

        passed = [
            move
            for move, odds in GAME.chance(state)
            if odds == Fraction(1, 10)
            and "stealth_passed" in story(state, GAME.notate(state, move))
        ]

        assert len(passed) == faces == hopeful(state)
        assert [move.pips for move in passed] == list(range(left + 1, 10))

    def test_with_no_card_left_nine_faces_would_do(self):
        # No game gets there, as the Dragon lies in the pile until it is turned.
        assert hopeful(replace(scene(), pile=(0,) * 6)) == 9

    def test_a_0_fails_even_when_any_other_number_would_do(self):
        # One card left and a talisman of +2 would make 0 + 2 > 1.
        state = scene(
            turned=" ".join(OPEN), phase="roll", need=1, paid=1, fronts={0: "languor"}
        )

        assert "stealth_failed" in story(state, "roll 0")
        assert "stealth_passed" in story(state, "roll 1")
        assert hopeful(state) == 9


class TestE5:
    """Rulebook l. 113-118, 163: the Dragon card."""

    def test_a_fit_adventurer_is_wounded(self):
        state = scene(turned="room chest", tilted=(0, 2))

        assert story(state, "turn dragon") == [
            "place_turned place.dragon 7",
            "breathed",
            "wounded",
            "calmed 5",
            "places_shuffled",
            "straightened",
        ]

        state = play(state, "turn dragon")
        assert state.health == ("wounded", "fit", "fit")
        assert sum(state.pile) == 10
        assert state.turned == ()
        assert state.tilted == (False, False, False)
        assert state.seat == 1

    def test_a_wounded_one_is_out_and_loses_all_cards(self):
        state = scene(wounded=(0,), noted={0: "gold-5 gold-1"})

        state = play(state, "turn dragon")

        assert state.health == ("out", "fit", "fit")
        assert state.hands[0] == 0
        assert state.discard == (None, None)  # nobody saw them
        assert GAME.scores(state)[0].high == 0


class TestE6:
    """Rulebook l. 99-103: what crying costs."""

    def test_a_single_5_pays_and_no_change_is_given(self):
        state = scene(noted={0: "gold-5 gold-1"})

        assert story(state, "cry", "discard gold-5") == ["paid gold-5", "overpaid 3"]
        state = play(state, "cry", "discard gold-5", "pass")
        assert state.hands[0] == 1
        assert state.seat == 1

    def test_two_1s_pay_too(self):
        state = play(scene(noted={0: "gold-1 gold-1"}), "cry", "discard gold-1")

        assert legal(state) == {"discard gold-1"}
        assert play(state, "discard gold-1").phase == "cried"


class TestE7:
    """Rulebook l. 171: a tie."""

    def test_the_dearest_card_decides(self):
        state = scene(
            anger=1,
            noted={0: "gold-2 gold-3", 1: "gold-1 gold-4", 2: "gold-1"},
            phase="roll",
            need=1,
            paid=1,
            turned=" ".join(OPEN),
        )

        state = play(state, "roll 9")

        assert [score.low for score in GAME.scores(state)] == [5, 5, 1]
        assert GAME.outcome(state).winners == (1,)
        assert GAME.outcome(state).reason == "dragon_run.end.dearest"


class TestE8:
    """Rulebook l. 173: a lone survivor."""

    def test_whoever_is_alone_plays_on_until_the_dragon_sleeps(self):
        state = scene(out=(1, 2), anger=2, noted={0: "gold-1"})

        state = play(state, "turn dragon")
        assert GAME.outcome(state) is None
        assert state.seat == 0

        after = play(state, "sneak", "discard gold-1", "roll 1")
        assert after.phase == "forced"
        assert play(after, "turn dragon").anger == 0
        assert GAME.outcome(play(after, "turn dragon")).winners == ()

    def test_and_then_wins(self):
        state = scene(
            out=(1, 2),
            anger=1,
            noted={0: "gold-1"},
            turned=" ".join(OPEN),
            phase="roll",
            need=1,
            paid=1,
        )

        state = play(state, "roll 9")

        assert GAME.outcome(state).winners == (0,)
        assert GAME.outcome(state).reason == "dragon_run.end.lone"


class TestE9:
    """Rulebook l. 175: nobody is left."""

    def test_the_dragon_wins(self):
        state = scene(seats=2, out=(1,), wounded=(0,), anger=3)

        assert story(state, "turn dragon")[-1] == "dragon_won"
        outcome = GAME.outcome(play(state, "turn dragon"))
        assert outcome.winners == ()
        assert (outcome.cite.first, outcome.cite.last) == (175, 175)
