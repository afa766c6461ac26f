"""The worked examples of the rulebook, by their numbers."""

from companion.games.eight_dragons.state import AFTER, BACK, FIRST, PAIR, Match
from tests.games.eight_dragons.tables import (
    hand,
    offered,
    parts,
    place,
    play,
    start,
    table,
    verdict,
)


def test_8d_e1_two_heads_of_different_colours_may_be_kept_and_let_one_play_again():
    # L. 72. The book's second head is black, a colour that no dragon has (l. 59).
    state = table(grid="red_head green_head ? ?")

    state = play(state, "turn a1 red_head", "turn a2 green_head")

    assert state.match is Match.SHAPE
    state = play(state, "take a1", "take a2")
    assert hand(state, 0) == ["red_head", "green_head"]
    assert (state.phase, state.seat, state.again) == (AFTER, 0, True)
    assert "turn a3 red_tail" in offered(state)


def test_8d_e2_a_head_and_a_tail_of_one_colour_may_be_kept_and_end_the_turn():
    # L. 74
    state = table(grid="red_head red_tail ? ? ? ? ?")

    state = play(state, "turn a1 red_head", "turn a2 red_tail")

    assert state.match is Match.COLOUR
    state = play(state, "take a1", "take a2")
    assert hand(state, 0) == ["red_tail", "red_head"]
    assert (state.phase, state.seat) == (FIRST, 1)


def test_8d_e3_two_cards_that_are_no_pair_go_back_and_end_the_turn():
    # L. 74
    state = table(grid="red_head green_tail ? ? ? ? ?")

    state = play(state, "turn a1 red_head", "turn a2 green_tail")

    assert (state.phase, state.match) == (BACK, None)
    assert offered(state) == {"back a1", "back a2"}
    state = play(state, "back a2", "back a1")
    assert (state.phase, state.seat) == (FIRST, 1)
    assert state.grid[place("a1")].value == "red_head"


def test_8d_e4_three_red_parts_and_the_silver_head_are_a_dragon_of_ten_points():
    # L. 88: 15 - 5
    state = table(grid="? ? ? ? ? ?", hands=["red_tail red_legs red_claws silver_head"])

    state = play(state, "lay red_tail red_legs red_claws silver_head")

    assert state.laid[0] == (parts("red_tail", "red_legs", "red_claws", "silver_head"),)
    assert hand(state, 0) == []


def test_8d_e6_a_fifth_card_goes_back_before_one_plays_again_or_the_next_player_plays():
    # L. 82
    full = ["red_tail red_legs green_tail gold_legs"]
    state = table(grid="red_head green_head ? ? ? ? ?", hands=full)
    state = play(state, "turn a1 red_head", "turn a2 green_head", "take a1", "back a2")

    assert state.phase is AFTER
    assert state.phase is not PAIR
    assert verdict(state, "turn a3 red_claws").reason.endswith("excess_first")
    assert verdict(state, "end").reason.endswith("excess_first")
    state = play(state, "return gold_legs a1")
    assert "turn a3 red_claws" in offered(state)
    assert play(state, "end").seat == 1


def test_8d_e7_the_short_game_is_six_by_six():
    # L. 118
    state = start(ED0="short")

    assert len(state.grid) == 36
    assert verdict(state, "turn g1 red_head").reason.endswith("no_such_place")
    assert verdict(state, "turn f6 red_head").__class__.__name__ == "Legal"
    assert verdict(state, "turn f6 gold_head").reason.endswith("no_more_of_it")
