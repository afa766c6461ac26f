"""Two cards that are no pair, entered at once and without a name. L. 72-74."""

import pytest

from companion.games.core import NotNow
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.events import NoPairTurned, TurnBegan
from companion.games.eight_dragons.state import FIRST, OVER, Miss
from companion.games.hidden import redact
from companion.referee.changes import explanations
from companion.table import Placed
from tests.games.eight_dragons.tables import (
    dealt,
    events,
    offered,
    place,
    play,
    start,
    table,
)
from tests.games.eight_dragons.test_rulings_0_to_18 import REST, refused

OWN = "eight_dragons"
MISSED = ("turn a1 red_head", "turn a2 green_tail", "back a1", "back a2")


class TestAMiss:
    def test_hands_the_turn_on_and_leaves_every_card_where_it_lies(self):
        state = start()

        told, after = events(state, "miss")

        assert told == (NoPairTurned(0), TurnBegan(1))
        assert (after.seat, after.phase, after.grid) == (1, FIRST, state.grid)

    @pytest.mark.parametrize("tokens", [(0, 0), (1, 1)])
    def test_comes_to_the_same_as_both_cards_by_name(self, tokens):
        state = table(grid=f"red_head green_tail {REST}", tokens=tokens)
        # Who holds a token ends the turn; else it ends by itself.
        end = ("end",) if tokens[0] else ()

        assert play(state, "miss") == play(state, *MISSED, *end)

    def test_after_a_pair_of_shape_it_comes_to_the_same_too(self):
        grid = f"red_head green_tail gold_legs silver_legs {REST}"
        replay = play(
            table(grid=grid),
            "turn a3 gold_legs",
            "turn a4 silver_legs",
            "take a3",
            "take a4",
        )

        assert play(replay, "miss") == play(replay, *MISSED)

    def test_says_nothing_of_what_lies_there(self):
        one, other = dealt(seed=1), dealt(seed=2)

        assert redact(play(one, "miss"), None) == redact(play(other, "miss"), None)

    def test_ends_a_game_in_which_no_pair_is_left(self):
        # Four free cards at most, and no two of them pair (l. 124, ED22).
        state = table(grid="red_head green_tail gold_legs")

        assert play(state, "miss").phase is OVER


class TestNoMiss:
    def test_between_two_cards(self):
        state = play(start(), "turn a1 red_head")

        assert refused(state, "miss") == (OWN, "waits_second")
        with pytest.raises(NotNow):
            GAME.apply(state, Miss())

    def test_after_a_pair_of_colour(self):
        state = table(grid=f"red_head red_tail {REST}", tokens=(1, 0))
        state = play(
            state, "turn a1 red_head", "turn a2 red_tail", "take a1", "take a2"
        )

        assert refused(state, "miss") == ("ED1", "no_replay_colour")

    def test_while_cards_have_to_go_back(self):
        five = "red_head red_tail red_legs green_head green_tail"
        state = table(grid=f"- - {REST}", hands=[five])

        assert refused(state, "miss") == ("ED13", "excess_first")

    def test_of_a_single_card(self):
        state = table(grid="red_head ?", blocked=((1, 1),))

        assert refused(state, "miss") == ("ED37", "too_few_to_miss")
        assert "miss" not in offered(state)
        with pytest.raises(NotNow, match="no two cards"):
            GAME.apply(state, Miss())


def test_nobody_takes_a_miss_for_granted():
    # Bo still has a token and Ana has none. One that comes to a card in Ana's turn is
    # not explained by a turn of hers that nobody told of.
    state = table(
        grid="red_head green_tail gold_head red_tail gold_tail red_legs", tokens=(0, 1)
    )
    came = Placed("token", None, "grid/1/1")
    after = play(state, "miss", "token a1")
    assert after.blocked == ((place("a1"), 1),)
    assert came in GAME.evidence(play(state, "miss"), GAME.parse(state, "token a1"))

    assert explanations(GAME, state, frozenset({came})) == ()
