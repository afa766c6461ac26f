"""Every ruling from ED0 to ED18, and every choice that a table has there."""

import pytest
from msgspec.structs import replace

from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.events import (
    HandGrabbed,
    HandsExchanged,
    NothingToDraw,
    NothingToGive,
    TwinTurned,
)
from companion.games.eight_dragons.pieces import Card
from companion.games.eight_dragons.state import (
    AFTER,
    BACK,
    DRAW,
    FIRST,
    GIVE,
    GRAB,
    PAIR,
    Match,
)
from tests.games.eight_dragons.tables import (
    events,
    hand,
    offered,
    parts,
    place,
    play,
    start,
    table,
    verdict,
)

REST = "? ? ? ? ? ?"
"""Enough free cards for no end to come near."""


def refused(state, text):
    """Return ruling and reason of a refusal."""
    said = verdict(state, text)
    return said.ruling, said.reason.removeprefix("eight_dragons.no.")


class TestED0:
    """Long or short game. L. 53, 116-118."""

    def test_long_is_42_cards(self):
        assert len(start().grid) == 42

    def test_short_is_36_cards(self):
        assert len(start(ED0="short").grid) == 36


class TestED1:
    """Two equal parts of one colour. L. 72-74."""

    def turned(self, **options):
        state = table(grid=f"red_head red_head {REST}", state=start(**options))
        return play(state, "turn a1 red_head", "turn a2 red_head", "take a1", "take a2")

    def test_shape_they_let_one_play_again(self):
        state = self.turned()

        assert (state.match, state.phase, state.again) == (Match.SHAPE, AFTER, True)

    def test_colour_they_end_the_turn(self):
        state = self.turned(ED1="colour")

        assert (state.phase, state.seat) == (FIRST, 1)


class TestED2:
    """A pair of shape that is left lets one play again too. L. 72, 126."""

    def test_one_plays_again_after_leaving_the_pair(self):
        state = table(grid=f"red_head gold_head {REST}")

        state = play(
            state, "turn a1 red_head", "turn a2 gold_head", "back a1", "back a2"
        )

        assert (state.phase, state.seat, state.again) == (AFTER, 0, True)
        assert "turn a3 red_tail" in offered(state)


class TestED3:
    """Where the cards of a left pair go. L. 78."""

    def paired(self, **options):
        state = table(grid=f"red_head gold_head - {REST}", state=start(**options))
        return play(state, "turn a1 red_head", "turn a2 gold_head")

    def test_anywhere_on_any_empty_place_or_swapped(self):
        state = self.paired()

        assert {"shift a1 a3", "shift a2 a3", "shift a1 g6", "swap"} <= offered(state)
        moved = play(state, "shift a1 a3")
        assert moved.grid[place("a1")] is None
        assert moved.grid[place("a3")].value is Card.RED_HEAD
        assert "shift a2 a1" in offered(moved)

    def test_swapped_cards_lie_on_each_others_places(self):
        state = play(self.paired(), "swap")

        assert state.grid[place("a1")].value is Card.GOLD_HEAD
        assert state.grid[place("a2")].value is Card.RED_HEAD
        assert state.up == ()

    def test_swap_only_with_each_other(self):
        state = self.paired(ED3="swap")

        assert "swap" in offered(state)
        assert not [text for text in offered(state) if text.startswith("shift")]
        assert refused(state, "shift a1 a3") == ("ED3", "only_swap")

    def test_a_swap_takes_both_cards(self):
        state = play(self.paired(), "take a1")

        assert "swap" not in offered(state)
        assert refused(state, "swap") == ("ED3", "one_left_to_swap")

    def test_a_taken_place_takes_no_card(self):
        assert refused(self.paired(), "shift a1 a4") == ("ED3", "place_taken")
        assert verdict(self.paired(), "shift a1 a4").cite.first == 78


class TestED4:
    """Four cards at most. L. 82-84."""

    def test_the_excess_goes_back_before_the_turn_ends(self):
        full = ["red_tail red_legs green_tail gold_legs"]
        state = table(grid=f"red_head red_claws {REST}", hands=full)
        state = play(state, "turn a1 red_head", "turn a2 red_claws")
        state = play(state, "take a1", "take a2")

        said = verdict(state, "end")

        assert (said.ruling, dict(said.params)["n"]) == ("ED4", 2)  # six cards
        assert all(text.startswith("return") for text in offered(state))
        state = play(state, "return gold_legs a1", "return green_tail a2")
        assert hand(state, 0) == ["red_tail", "red_legs", "red_claws", "red_head"]

    def test_with_four_or_fewer_nothing_goes_back(self):
        state = table(grid=REST, hands=["red_tail red_legs"])

        said = verdict(state, "return red_tail g6")

        assert (said.ruling, dict(said.params)["n"]) == ("ED4", 2)

    def test_excess_may_go_back_while_the_other_card_of_the_pair_still_lies_open(self):
        full = ["red_tail red_legs green_tail gold_legs"]
        state = table(grid=f"red_head gold_head {REST}", hands=full)
        state = play(state, "turn a1 red_head", "turn a2 gold_head", "take a1")

        state = play(state, "return gold_legs a1")

        assert state.phase is PAIR
        assert len(hand(state, 0)) == 4


class TestED5:
    """A dragon among five cards: one goes back first. L. 82-84."""

    def test_the_player_chooses_which_and_keeps_the_dragon(self):
        state = table(
            grid=f"red_head gold_head {REST}", hands=["red_tail red_legs red_claws"]
        )
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        state = play(state, "take a1", "take a2")
        dragon = "lay red_tail red_legs red_claws red_head"

        assert refused(state, dragon) == ("ED5", "excess_first")
        state = play(state, "return gold_head a1", dragon)
        assert state.laid[0] == (
            parts("red_tail", "red_legs", "red_claws", "red_head"),
        )


class TestED6:
    """Excess goes to empty places. L. 82."""

    def test_a_card_goes_back_to_any_empty_place_and_to_no_other(self):
        state = table(
            grid=f"red_head - {REST}",
            hands=["red_tail red_legs green_tail gold_legs gold_head"],
        )

        assert {"return red_tail a2", "return gold_head g6"} <= offered(state)
        assert refused(state, "return red_tail a1") == ("ED6", "place_taken")


class TestED7:
    """A gain turned first. L. 98-108."""

    def test_ends_the_turn(self):
        state = table(grid=f"diamond {REST}", hands=["", "red_tail"])

        state = play(state, "turn a1 diamond", "draw 1 red_tail")

        assert (state.phase, state.seat) == (FIRST, 1)

    def test_goes_on_with_two_more_cards(self):
        state = table(
            grid=f"diamond {REST}", hands=["", "red_tail"], state=start(ED7="goes_on")
        )

        state = play(state, "turn a1 diamond", "draw 1 red_tail")

        assert (state.phase, state.seat, state.again) == (AFTER, 0, True)
        state = play(state, "turn a2 red_head", "turn a3 gold_tail")
        assert state.phase is BACK

    def test_a_trap_ends_it_all_the_same(self):
        state = table(grid=f"twin {REST}", state=start(ED7="goes_on"))

        assert play(state, "turn a1 twin").seat == 1

    def test_a_gain_turned_second_ends_it_all_the_same(self):
        state = table(grid=f"red_head diamond {REST}", state=start(ED7="goes_on"))

        state = play(state, "turn a1 red_head", "turn a2 diamond", "back a1")

        assert state.seat == 1


class TestED8:
    """A special card turned second. L. 98-108."""

    @pytest.mark.parametrize("special", ["diamond", "grab", "fireball", "twin"])
    def test_the_first_card_goes_back_and_the_turn_ends(self, special):
        state = table(grid=f"red_head {special} {REST}")

        state = play(state, "turn a1 red_head", f"turn a2 {special}")

        assert offered(state) == {"back a1"}
        state = play(state, "back a1")
        assert (state.phase, state.seat) == (FIRST, 1)
        assert state.grid[place("a1")].value is Card.RED_HEAD


class TestED9:
    """Spent cards stay face up and take no part any more. L. 98, 124."""

    def test_a_spent_card_stays_and_is_neither_turned_nor_counted(self):
        state = table(grid=f"diamond {REST}")

        state = play(state, "turn a1 diamond")

        assert state.grid[place("a1")] is Card.DIAMOND
        assert ("card", "diamond", "grid/1/1") in GAME.layout(state)
        assert refused(state, "turn a1 diamond") == ("ED9", "spent")

    def test_only_unspent_specials_count_as_free(self):
        # Two unspent cards and two lonely parts are four: a pair cannot be made.
        lonely = "diamond fireball red_tail gold_legs diamonds!"
        state = table(grid=lonely, hands=["", "red_head"])

        state = play(state, "turn a1 diamond", "decline")

        assert state.end == "no_pair"


class TestED10:
    """The twin card. L. 98, 108, 124."""

    def test_never_spent_it_looks_as_before_and_may_be_turned_again(self):
        state = table(grid=f"twin {REST}")

        told, state = events(state, "turn a1 twin")

        assert TwinTurned(0) in told
        assert ("card", "back", "grid/1/1") in GAME.layout(state)
        assert play(state, "turn a1 twin").seat == 0

    def test_spent_it_is_turned_only_once(self):
        state = table(grid=f"twin {REST}", state=start(ED10="spent"))

        state = play(state, "turn a1 twin")

        assert ("card", "back", "grid/1/1") in GAME.layout(state)
        assert refused(state, "turn a1 twin") == ("ED9", "spent")

    def test_spent_it_still_counts_among_the_free(self):
        # L. 124 names it: with it five are free, so it is no case for ED22.
        lonely = "diamond red_tail gold_legs multi_claws red_head twin!"
        state = table(grid=lonely, state=start(ED10="spent"), moved_on=True)

        state = play(state, "turn a1 diamond")

        assert state.phase is FIRST

    def test_no_camera_sees_it_turn(self):
        state = table(grid=f"twin {REST}")

        assert GAME.evidence(state, GAME.parse(state, "turn a1 twin")) == frozenset()


class TestED11:
    """A gain where nobody else holds a card. L. 102."""

    @pytest.mark.parametrize("gain", ["diamond", "diamonds", "grab"])
    def test_it_has_no_effect(self, gain):
        state = table(grid=f"{gain} {REST}", hands=["red_tail"])

        told, state = events(state, f"turn a1 {gain}")

        assert NothingToDraw(0) in told
        assert (state.phase, state.seat) == (FIRST, 1)
        assert hand(state, 0) == ["red_tail"]

    def test_an_empty_hand_is_no_choice(self):
        state = table(grid=f"diamond {REST}", hands=["", "red_tail", ""], seats=3)

        state = play(state, "turn a1 diamond")

        assert offered(state) == {"draw 1 red_tail", "decline"}
        assert refused(state, "draw 2 red_tail") == ("ED11", "empty_hand")


class TestED12:
    """A fireball with too few cards. L. 106."""

    def test_two_fireballs_take_the_only_card(self):
        state = table(grid=f"fireballs {REST}", hands=["red_tail"])

        state = play(state, "turn a1 fireballs")

        assert (state.phase, state.draws) == (GIVE, 1)
        state = play(state, "draw 0 red_tail")
        assert (hand(state, 0), hand(state, 1)) == ([], ["red_tail"])

    def test_without_cards_nothing_happens(self):
        state = table(grid=f"fireball {REST}")

        told, state = events(state, "turn a1 fireball")

        assert NothingToGive(0) in told
        assert state.seat == 1


class TestED13:
    """Who receives a fifth card. L. 82."""

    def test_after_a_fireball_it_goes_back_when_that_players_turn_begins(self):
        hands = ["red_tail", "red_legs green_tail gold_legs multi_head"]
        state = table(grid=f"fireball {REST}", hands=hands)

        state = play(state, "turn a1 fireball", "draw 0 red_tail")

        assert (state.phase, state.seat, len(state.hands[1])) == (FIRST, 1, 5)
        assert refused(state, "turn a2 red_head") == ("ED13", "excess_first")
        state = play(state, "return red_legs g6")
        assert "turn a2 red_head" in offered(state)

    def test_after_a_diamond_it_goes_back_at_once(self):
        hands = ["red_legs green_tail gold_legs multi_head", "red_tail"]
        state = table(grid=f"diamond {REST}", hands=hands)

        state = play(state, "turn a1 diamond", "draw 1 red_tail")

        assert (state.phase, state.seat) == (AFTER, 0)
        assert all(text.startswith("return") for text in offered(state))


class TestED14:
    """The multicolour head. L. 102."""

    def turned(self, **options):
        hands = ["red_tail", "gold_tail gold_legs"]
        state = table(grid=f"grab {REST}", hands=hands, state=start(**options))
        return play(state, "turn a1 grab")

    def test_take_the_whole_hand(self):
        state = self.turned()

        assert state.phase is GRAB
        told, state = events(state, "grab 1")
        assert HandGrabbed(0, 1, 2) in told
        assert hand(state, 0) == ["red_tail", "gold_tail", "gold_legs"]
        assert hand(state, 1) == []

    def test_exchange_hands(self):
        told, state = events(self.turned(ED14="exchange"), "grab 1")

        assert HandsExchanged(0, 1) in told
        assert hand(state, 0) == ["gold_tail", "gold_legs"]
        assert hand(state, 1) == ["red_tail"]
        assert all(held.seen_by == (1,) for held in state.hands[1])

    def test_more_than_four_go_back(self):
        hands = ["red_tail red_legs red_claws", "gold_tail gold_legs"]
        state = table(grid=f"grab {REST}", hands=hands)

        state = play(state, "turn a1 grab", "grab 1")

        assert refused(state, "end") == ("ED4", "excess_first")


class TestED15:
    """One silver part, in red, green or gold. L. 88."""

    @pytest.mark.parametrize("colour", ["red", "green", "gold"])
    def test_it_completes_a_dragon(self, colour):
        cards = f"{colour}_legs {colour}_claws {colour}_head silver_tail"
        state = table(grid=REST, hands=[cards])

        (score, _) = GAME.scores(play(state, f"lay {cards}"))

        full = {"red": 15, "green": 20, "gold": 30}[colour]
        assert (score.low, score.high) == (full - 5, full - 5)

    def test_it_does_not_complete_the_multicolour_dragon(self):
        cards = "multi_legs multi_claws multi_head silver_tail"
        state = table(grid=REST, hands=[cards])

        assert refused(state, f"lay {cards}") == ("ED15", "silver_in_multi")
        assert not [text for text in offered(state) if text.startswith("lay")]

    def test_two_silver_parts_are_too_many(self):
        cards = "red_legs red_claws silver_head silver_tail"
        state = table(grid=REST, hands=[cards])

        said = verdict(state, f"lay {cards}")

        assert (said.ruling, dict(said.params)["n"]) == ("ED15", 2)


class TestED16:
    """Only dragons of one colour count. L. 51, 88-96."""

    def test_a_mixture_is_no_dragon(self):
        cards = "red_legs red_claws red_head gold_tail"
        state = table(grid=REST, hands=[cards])

        said = verdict(state, f"lay {cards}")

        assert (said.ruling, dict(said.params)["n"]) == ("ED16", 2)


class TestED17:
    """The gain with the multicolour head is no part. L. 98-102."""

    def test_it_completes_nothing(self):
        cards = "multi_tail multi_legs multi_claws"
        state = table(grid=REST, hands=[cards])

        assert refused(state, f"lay {cards} grab") == ("ED17", "special_no_part")


class TestED18:
    """What becomes of a freed token. L. 112-114."""

    def freed(self, **options):
        state = table(
            grid=f"red_head gold_head {REST}",
            state=start(**options),
            blocked=((place("a3"), 1),),
        )
        state = play(state, "turn a1 red_head", "turn a2 gold_head", "free a3")
        assert state.blocked == ()
        return state

    def test_retired_it_is_out_of_the_game(self):
        assert self.freed().tokens == (0, 0)

    def test_owner_it_goes_back_to_who_placed_it(self):
        assert self.freed(ED18="owner").tokens == (0, 1)

    def test_liberator_it_goes_to_who_freed_the_card(self):
        assert self.freed(ED18="liberator").tokens == (1, 0)

    def test_without_a_token_none_can_be_placed(self):
        state = table(grid=REST)

        assert refused(state, "token a1") == ("ED18", "no_token")


def test_two_diamonds_draw_from_one_or_two_hands():
    """L. 102."""
    state = table(
        grid=f"diamonds {REST}",
        hands=["", "red_tail red_legs", "gold_tail"],
        seats=3,
    )
    state = play(state, "turn a1 diamonds")
    assert (state.phase, state.draws) == (DRAW, 2)

    one = play(state, "draw 1 red_tail", "draw 1 red_legs")
    two = play(state, "draw 1 red_tail", "draw 2 gold_tail")
    declined = play(state, "draw 1 red_tail", "decline")

    assert hand(one, 0) == ["red_tail", "red_legs"]
    assert hand(two, 0) == ["red_tail", "gold_tail"]
    assert hand(declined, 0) == ["red_tail"]
    assert {one.seat, two.seat, declined.seat} == {1}


def test_two_diamonds_draw_one_card_where_there_is_but_one():
    """L. 102; ED11."""
    state = table(grid=f"diamonds {REST}", hands=["", "red_tail"])

    state = play(state, "turn a1 diamonds", "draw 1 red_tail")

    assert (state.seat, state.draws) == (1, 0)


def test_two_fireballs_give_two_cards_to_the_next_player():
    """L. 106."""
    state = table(
        grid=f"fireballs {REST}", hands=["red_tail red_legs", "", ""], seats=3
    )
    state = replace(state, seat=0)

    state = play(state, "turn a1 fireballs", "draw 0 red_legs", "draw 0 red_tail")

    assert hand(state, 1) == ["red_tail", "red_legs"]
    assert state.seat == 1
