"""Every ruling from ED19 to ED38, and every choice that a table has there."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from companion.games.core import with_value
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.pieces import PART, Card, Part
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    BACK,
    FIRST,
    LOOK,
    LYING,
    OVER,
    End,
    Match,
)
from companion.games.hidden import (
    Hidden,
    redact,
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
)
from tests.games.eight_dragons.test_rulings_0_to_18 import REST, refused

LONELY = "red_tail green_legs gold_claws multi_head"
"""Four parts of four colours: no two pair."""

RED = "red_tail red_legs red_claws red_head"


class TestED19:
    """What may be blocked. L. 114."""

    def test_a_card_face_down_without_a_token(self):
        state = table(grid=f"diamond! {REST}", tokens=(2, 0))

        assert "token a2" in offered(state)
        assert refused(state, "token a1") == ("ED19", "token_on_spent")
        assert refused(state, "token g6") == ("eight_dragons", "nothing_there")
        state = play(state, "token a2")
        assert refused(state, "token a2") == ("ED20", "blocked")


class TestED20:
    """A blocked card stays. L. 114."""

    def test_it_is_not_turned(self):
        state = table(grid=REST, blocked=((place("a2"), 1),))

        assert refused(state, "turn a2 red_head") == ("ED20", "blocked")
        assert not [text for text in offered(state) if text.startswith("turn a2")]


class TestED21:
    """Who frees. L. 114."""

    def paired(self, second):
        state = table(grid=f"red_head {second} {REST}", blocked=((place("a3"), 1),))
        return play(state, "turn a1 red_head", f"turn a2 {second}")

    def test_a_pair_of_shape_frees_and_the_card_may_be_turned_at_once(self):
        state = self.paired("gold_head")

        state = play(state, "free a3", "take a1", "take a2")

        assert state.again
        assert play(state, "turn a3 red_tail").up == (place("a3"),)

    def test_it_may_be_freed_after_the_cards_were_taken_too(self):
        state = play(self.paired("gold_head"), "take a1", "take a2")

        assert "free a3" in offered(state)

    def test_a_pair_of_colour_frees_none(self):
        state = self.paired("red_tail")

        assert refused(state, "free a3") == ("ED21", "no_shape_pair")

    def test_freeing_is_a_choice(self):
        state = play(self.paired("gold_head"), "take a1", "take a2", "end")

        assert state.blocked == ((place("a3"), 1),)

    def test_where_no_token_lies_none_is_freed(self):
        state = self.paired("gold_head")

        assert refused(state, "free a4") == ("eight_dragons", "no_token_there")


class TestED22:
    """Few free cards and no pair. L. 124."""

    def last(self, grid, **options):
        """Return what follows a turn that ends with these cards lying free."""
        state = table(grid=f"diamond! {grid}", state=start(**options))
        return GAME.apply(replace(state, phase=AFTER), GAME.parse(state, "end"))[0]

    def test_at_most_four_end_the_game(self):
        assert self.last("red_tail green_legs gold_claws twin").end is End.NO_PAIR
        assert self.last("red_tail green_legs twin").end is End.NO_PAIR

    def test_exactly_four_end_the_game(self):
        four = self.last("red_tail green_legs gold_claws twin", ED22="exactly")
        three = self.last("red_tail green_legs diamond", ED22="exactly")

        assert four.end is End.NO_PAIR
        assert (three.end, three.phase) == (None, FIRST)

    def test_a_pair_among_them_goes_on(self):
        state = self.last("red_tail green_legs red_claws twin")

        assert (state.end, state.phase) == (None, FIRST)

    def test_the_outcome_says_so(self):
        outcome = GAME.outcome(self.last("red_tail twin"))

        assert (outcome.cite.first, outcome.cite.last) == (124, 124)
        assert outcome.reason == "eight_dragons.end.no_pair"


def leave_a_pair(state):
    """Return the state after the seat to play left a pair of colour."""
    state = play(state, "turn a1 red_head", "turn a2 red_tail")
    return play(state, "back a1", "back a2")


class TestED23:
    """A pair left lets the table be asked a round later. L. 126."""

    GRID = "red_head red_tail green_legs gold_head multi_claws green_tail"

    def test_the_question_comes_before_that_players_next_turn(self):
        state = leave_a_pair(table(grid=self.GRID))
        assert (state.phase, state.seat) == (FIRST, 1)

        state = play(state, "turn a3 green_legs", "turn a4 gold_head")
        state = play(state, "back a3", "back a4")

        assert (state.phase, state.end) == (ASK, End.PAIR_LEFT)
        assert offered(state) == {"stop", "play_on"}
        assert all(GAME.actor(state, move) is None for move in GAME.legal(state))

    def asked(self):
        state = leave_a_pair(table(grid=self.GRID))
        state = play(state, "turn a3 green_legs", "turn a4 gold_head")
        return play(state, "back a3", "back a4")

    def test_the_table_may_end_the_game(self):
        state = play(self.asked(), "stop")

        assert (state.phase, state.end) == (OVER, End.PAIR_LEFT)
        assert GAME.outcome(state).cite.first == 126

    def test_one_question_for_each_pair_left(self):
        state = play(self.asked(), "play_on")
        assert (state.phase, state.seat, state.end) == (FIRST, 0, None)

        for _ in range(2):
            state = play(state, "turn a3 green_legs", "turn a4 gold_head")
            state = play(state, "back a3", "back a4")

        assert state.phase is FIRST

    def test_who_freed_a_token_is_not_asked_about(self):
        grid = "red_head gold_head green_legs gold_tail multi_claws red_legs green_tail"
        state = table(grid=grid, blocked=((place("a6"), 1),))
        state = play(state, "turn a1 red_head", "turn a2 gold_head", "free a6")

        state = play(state, "back a1", "back a2", "end")

        assert state.left == ()

    def test_a_pair_left_before_a_replay_counts_too(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        state = play(state, "back a1", "back a2", "turn a3 diamond")
        assert state.seat == 1
        state = play(state, "turn a4 green_legs", "turn a5 multi_tail")
        state = play(state, "back a4", "back a5")

        assert (state.phase, state.end) == (ASK, End.PAIR_LEFT)

    def test_freeing_with_a_later_pair_leaves_the_earlier_one_to_ask_about(self):
        # The heads are left; the tails, turned in the replay, free a token.
        grid = f"red_head gold_head red_tail gold_tail {REST} ?"
        state = table(grid=grid, blocked=((place("b5"), 1),))
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        state = play(state, "back a1", "back a2")
        state = play(state, "turn a3 red_tail", "turn a4 gold_tail", "free b5")

        state = play(state, "back a3", "back a4", "end")

        assert state.left == ((0, place("a1"), place("a2")),)

    @pytest.mark.parametrize("taken", ["a1", "a2"])
    def test_a_pair_that_the_next_player_takes_is_not_asked_about(self, taken):
        # L. 126: it was left on the table, and there it is no more.
        left = "a2" if taken == "a1" else "a1"
        state = leave_a_pair(table(grid=f"{self.GRID} {REST}"))

        state = play(state, "turn a1 red_head", "turn a2 red_tail")
        state = play(state, f"take {taken}", f"back {left}")

        assert (state.phase, state.seat) == (FIRST, 0)

    def test_a_pair_that_was_moved_is_asked_about_where_it_lies_now(self):
        state = table(grid=f"{self.GRID} {REST}")
        state = play(state, "turn a1 red_head", "turn a2 red_tail")
        state = play(state, "shift a1 g6", "back a2")
        assert state.left == ((0, place("g6"), place("a2")),)

        # The next player swaps one of its cards with another.
        state = play(state, "turn a2 red_tail", "turn a6 green_tail", "swap", "end")

        assert state.left[0] == (0, place("g6"), place("a6"))
        assert (state.phase, state.end) == (ASK, End.PAIR_LEFT)

    def test_a_pair_under_a_token_is_not_asked_about(self):
        # Nobody can turn it any more (ED20).
        state = leave_a_pair(table(grid=f"{self.GRID} {REST}", tokens=(0, 1)))
        state = play(state, "token a2", "turn a3 green_legs", "turn a4 gold_head")

        state = play(state, "back a3", "back a4")

        assert (state.phase, state.seat) == (FIRST, 0)

    def test_the_same_table_is_not_asked_about_twice(self):
        # The same pair is left again and again, and nothing else happens.
        state = play(self.asked(), "play_on")

        for _ in range(3):
            state = leave_a_pair(state)
            state = play(state, "turn a3 green_legs", "turn a4 gold_head")
            state = play(state, "back a3", "back a4")
            assert (state.phase, state.seat) == (FIRST, 0)

    def test_once_something_has_changed_it_is_asked_again(self):
        state = play(self.asked(), "play_on")
        state = leave_a_pair(state)

        # A card has come into the other hand.
        state = play(state, "turn a4 gold_head", "turn a1 red_head")
        state = play(state, "take a4", "back a1", "end")

        assert (state.phase, state.end) == (ASK, End.PAIR_LEFT)


class TestED24:
    """Whether a pair is possible, from all that the table has seen. L. 114, 124."""

    def end(self, state):
        return GAME.apply(replace(state, phase=AFTER), GAME.parse(state, "end"))[0]

    def census(self, free, blocked, counts_left):
        """Return a table where only *counts_left* cards are not accounted for."""
        state = start()
        rest = [
            card
            for card, count in zip(Card, state.setting.counts, strict=True)
            for _ in range(count)
        ]
        for name in (*counts_left, *(w for w in free.split() if w != "?")):
            rest.remove(Card(name))
        # All the rest is in the hand of who plays, where it is no excess to come.
        hidden = tuple(Hidden(card, (0,)) for card in rest if card in PART)
        spent = [f"{card}!" for card in rest if card not in PART and card != "twin"]
        grid = f"{free} {' '.join(spent)}"
        made = table(grid=grid, state=state, tokens=(0, 0))
        at = tuple((place(square), 0) for square in blocked)
        return replace(made, hands=(hidden, ()), blocked=at, seat=0)

    def test_a_card_that_only_lies_under_a_token_makes_no_pair(self):
        # The third red part is blocked: what is free does not pair.
        state = self.census("red_head green_legs twin red_tail", ["a4"], [])

        assert self.end(state).end is End.NO_PAIR

    def test_where_the_table_cannot_know_people_look(self):
        # Either gold or red lies under the token; red would pair with the head.
        state = self.census(
            "red_head green_legs twin ? ?", ["a5"], ["red_tail", "gold_tail"]
        )

        state = self.end(state)

        assert state.phase is LOOK
        assert offered(state) == {"pair", "no_pair"}
        assert play(state, "no_pair").end is End.NO_PAIR
        seen = play(state, "pair")
        assert seen.phase is FIRST

        # Nobody has to look at the same cards again before something changes.
        same = replace(seen, seat=0, held=len(seen.hands[0]))
        assert self.end(same).phase is FIRST
        assert self.end(replace(same, took=True)).phase is LOOK
        assert self.end(replace(same, moved_on=True)).phase is LOOK

    def test_what_shows_that_they_looked_wrong_ends_the_game(self):
        state = self.census(
            "red_head green_legs twin ? ?", ["a5"], ["red_tail", "gold_tail"]
        )
        state = play(self.end(state), "pair")
        state = replace(state, seat=0, held=len(state.hands[0]))

        # The free one turned out as the gold tail: the red one lies under the token.
        grid = with_value(state.grid, place("a4"), LYING[Card.GOLD_TAIL])
        state = self.end(replace(state, grid=grid))

        assert (state.phase, state.end) == (OVER, End.NO_PAIR)

    def test_what_cannot_matter_is_not_asked(self):
        # Gold and multicolour tail: neither pairs with what is free.
        state = self.census(
            "red_head green_legs twin ? ?", ["a5"], ["gold_tail", "multi_tail"]
        )

        assert self.end(state).end is End.NO_PAIR


class TestED25:
    """A tie. L. 51."""

    def tied(self, **options):
        red = parts(*RED.split())
        gold = parts("gold_tail", "gold_legs", "gold_claws", "gold_head")
        # 15 + 15 and 30
        state = table(
            grid="red_tail twin", laid=[(red, red), (gold,)], state=start(**options)
        )
        return GAME.apply(replace(state, phase=AFTER), GAME.parse(state, "end"))[0]

    def test_shared_both_win(self):
        assert GAME.outcome(self.tied()).winners == (0, 1)

    def test_dragons_who_has_more_of_them_wins(self):
        assert GAME.outcome(self.tied(ED25="dragons")).winners == (0,)


class TestED26:
    """Cards in hand count nothing. L. 86."""

    def test_a_whole_dragon_in_hand_is_worth_nothing(self):
        state = table(grid="red_tail twin", hands=[RED])

        state = GAME.apply(replace(state, phase=AFTER), GAME.parse(state, "end"))[0]

        assert state.phase is OVER
        assert [score.low for score in GAME.scores(state)] == [0, 0]


class TestED27:
    """Who begins, and one token each. L. 70."""

    def test_any_seat_may_begin_and_play_goes_round_in_the_order_of_seats(self):
        state = start(3, first=2)
        assert (state.seat, state.tokens) == (2, (1, 1, 1))

        state = play(state, "turn a1 twin", "end")

        assert state.seat == 0


class TestED28:
    """Playing on after a dragon. L. 86."""

    def laid(self, one, other):
        state = table(
            grid=f"{one} {other} {REST}", hands=["red_tail red_legs"], tokens=(1, 0)
        )
        return play(state, f"turn a1 {one}", f"turn a2 {other}", "take a1", "take a2")

    def test_after_a_pair_of_shape_one_plays_again(self):
        state = table(
            grid=f"red_head gold_head {REST}", hands=["red_tail red_legs red_claws"]
        )
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        state = play(state, "take a1", "back a2", f"lay {RED}")

        assert (state.seat, state.again) == (0, True)
        assert "turn a2 gold_head" in offered(state)

    def test_after_a_pair_of_colour_one_does_not(self):
        state = self.laid("red_head", "red_claws")

        state = play(state, f"lay {RED}")

        assert refused(state, "turn a3 gold_tail") == ("ED1", "no_replay_colour")
        assert offered(state) >= {"end", "token a3"}


class TestED29:
    """The twin card and four lonely parts. L. 122-126."""

    def dead_end(self, **options):
        state = table(grid=f"{LONELY} twin", state=start(**options))
        return GAME.apply(replace(state, phase=AFTER), GAME.parse(state, "end"))[0]

    def test_end_the_game_is_over(self):
        state = self.dead_end()

        assert (state.phase, state.end) == (OVER, End.DEAD_END)

    def test_ask_the_table_is_asked_after_a_round(self):
        state = self.dead_end(ED29="ask")
        assert (state.phase, state.quiet) == (FIRST, 1)

        state = play(state, "turn a1 red_tail", "turn a2 green_legs")
        state = play(state, "back a1", "back a2")

        assert (state.phase, state.end) == (ASK, End.DEAD_END)
        assert play(state, "play_on").phase is FIRST

    def test_ask_but_once(self):
        state = self.dead_end(ED29="ask")
        state = play(state, "turn a1 red_tail", "turn a2 green_legs")
        state = play(state, "back a1", "back a2", "play_on")

        for _ in range(4):
            state = play(state, "turn a1 red_tail", "turn a2 green_legs")
            state = play(state, "back a1", "back a2")
            assert state.phase is FIRST

    def test_an_unspent_gain_goes_on(self):
        state = table(grid=f"{LONELY} diamond")

        state = GAME.apply(replace(state, phase=AFTER), GAME.parse(state, "end"))[0]

        assert (state.phase, state.end) == (FIRST, None)


class TestED30:
    """A full round that changes nothing. L. 122-126."""

    FULL = "green_tail green_legs gold_claws gold_head"
    GRID = f"red_head red_tail multi_legs gold_tail {REST}"

    def test_pairs_taken_and_put_back_for_a_round_let_the_table_be_asked(self):
        state = table(grid=self.GRID, hands=[self.FULL])
        state = play(state, "turn a1 red_head", "turn a2 red_tail")
        state = play(state, "take a1", "take a2")
        state = play(state, "return red_head a1", "return red_tail a2", "end")
        assert (state.phase, state.quiet) == (FIRST, 1)

        state = play(state, "turn a1 red_head", "turn a3 multi_legs")
        state = play(state, "back a1", "back a3")

        assert (state.phase, state.end) == (ASK, End.BARREN)
        assert play(state, "stop").end is End.BARREN
        assert play(state, "play_on").quiet == 0

    def test_a_pair_left_with_four_free_cards_counts_too(self):
        state = table(grid="red_head red_tail green_legs gold_head")
        state = leave_a_pair(state)
        assert state.quiet == 1

        state = play(state, "turn a3 green_legs", "turn a4 gold_head")
        state = play(state, "back a3", "back a4")

        assert (state.phase, state.end) == (ASK, End.BARREN)

    def test_what_is_asked_hangs_on_nothing_that_only_one_hand_knows(self):
        # Six cards, two go back: whether the same ones, no other player has seen.
        for back in ("red_head red_tail", "green_tail gold_head"):
            one, other = back.split()
            state = table(grid=self.GRID, hands=[self.FULL])
            state = play(state, "turn a1 red_head", "turn a2 red_tail")
            state = play(state, "take a1", "take a2")
            state = play(state, f"return {one} a1", f"return {other} a2", "end")
            state = play(state, "turn a3 multi_legs", "turn a4 gold_tail")
            state = play(state, "back a3", "back a4")

            assert (state.phase, state.end) == (ASK, End.BARREN)

    @pytest.mark.parametrize("change", ["token a5", "turn a6 diamond"])
    def test_a_round_in_which_something_changed_is_not_asked_about(self, change):
        state = table(grid=self.GRID, hands=[self.FULL], tokens=(0, 1))
        state = play(state, "turn a1 red_head", "turn a2 red_tail")
        state = play(state, "take a1", "take a2")
        state = play(state, "return red_head a1", "return red_tail a2", "end")

        state = play(state, change)
        if change.startswith("token"):
            state = play(state, "turn a1 red_head", "turn a3 multi_legs")
            state = play(state, "back a1", "back a3")
        else:
            state = play(state, "decline", "end")

        assert (state.phase, state.seat, state.quiet) == (FIRST, 0, 0)

    def test_a_card_that_came_back_has_changed_the_table(self):
        # A fifth card out of a fireball goes back: one more lies there than before.
        state = table(grid=self.GRID, hands=[f"{self.FULL} red_legs"], quiet=1)
        state = play(state, "return red_legs g6")

        state = play(state, "turn a1 red_head", "turn a3 multi_legs")
        state = play(state, "back a1", "back a3", "end")

        assert (state.phase, state.quiet) == (FIRST, 0)

    def test_the_same_table_is_not_asked_about_twice(self):
        state = table(grid=self.GRID, hands=[self.FULL])
        for number in range(3):
            state = play(state, "turn a1 red_head", "turn a2 red_tail")
            state = play(state, "take a1", "take a2")
            state = play(state, "return red_head a1", "return red_tail a2", "end")
            state = play(state, "turn a1 red_head", "turn a3 multi_legs")
            state = play(state, "back a1", "back a3")
            assert state.phase is (FIRST if number else ASK)
            state = state if number else play(state, "play_on")

    def test_bad_luck_alone_is_no_reason_to_ask(self):
        state = table(grid=f"red_head multi_legs {REST}")

        for _ in range(4):
            state = play(state, "turn a1 red_head", "turn a2 multi_legs")
            state = play(state, "back a1", "back a2")

        assert (state.phase, state.quiet) == (FIRST, 0)

    def test_a_laid_dragon_begins_the_count_anew(self):
        state = table(grid=self.GRID, hands=[self.FULL, RED], quiet=1, seat=1)
        state = play(state, f"lay {RED}", "turn a1 red_head", "turn a3 multi_legs")

        state = play(state, "back a1", "back a3")

        assert (state.phase, state.quiet) == (FIRST, 0)


class TestED31:
    """How many tokens a pair frees. L. 114."""

    def freed(self, **options):
        state = table(
            grid=f"red_head gold_head {REST}",
            state=start(**options),
            blocked=((place("a3"), 0), (place("a4"), 1)),
        )
        return play(state, "turn a1 red_head", "turn a2 gold_head", "free a3")

    def test_one(self):
        state = self.freed()

        assert refused(state, "free a4") == ("ED31", "freed_already")
        assert "free a4" not in offered(state)

    def test_all(self):
        assert play(self.freed(ED31="all"), "free a4").blocked == ()


class TestED32:
    """When a dragon is laid. L. 86."""

    def test_before_playing(self):
        state = play(table(grid=REST, hands=[RED]), f"lay {RED}")

        assert (state.phase, state.seat) == (FIRST, 0)
        assert "turn a1 gold_tail" in offered(state)

    def test_not_between_the_two_cards(self):
        state = play(table(grid=f"gold_head {REST}", hands=[RED]), "turn a1 gold_head")

        assert refused(state, f"lay {RED}") == ("eight_dragons", "waits_second")

    def test_it_is_never_compulsory(self):
        state = table(grid=f"gold_head red_tail {REST}", hands=[RED])
        state = play(state, "turn a1 gold_head", "turn a2 red_tail")

        state = play(state, "back a1", "back a2", "end")

        assert state.seat == 1

    def test_a_dragon_that_is_not_held_is_not_laid(self):
        state = table(grid=REST, hands=["red_tail red_legs red_claws green_head"])

        assert refused(state, f"lay {RED}") == ("eight_dragons", "not_in_hand")
        assert refused(state, "lay red_tail red_tail red_claws red_head") == (
            "eight_dragons",
            "parts_missing",
        )


class TestED33:
    """What may be declined. L. 72, 102, 106."""

    def test_a_gain_may(self):
        state = table(grid=f"grab {REST}", hands=["", "red_tail"])

        state = play(state, "turn a1 grab", "decline")

        assert hand(state, 1) == ["red_tail"]

    def test_a_replay_may(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        assert play(state, "take a1", "take a2", "end").seat == 1

    def test_a_fireball_may_not_and_comes_before_laying(self):
        state = table(grid=f"fireball {REST}", hands=[RED])
        state = play(state, "turn a1 fireball")

        assert refused(state, "decline") == ("ED33", "must_give")
        assert refused(state, f"lay {RED}") == ("eight_dragons", "waits_give")
        assert {GAME.actor(state, move) for move in GAME.legal(state)} == {1}


class TestED34:
    """A token between a pair and its replay. L. 112."""

    def paired(self, **options):
        state = table(
            grid=f"red_head gold_head {REST}", tokens=(1, 1), state=start(**options)
        )
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        return play(state, "take a1", "take a2")

    def test_yes_one_plays_again_after_it(self):
        state = play(self.paired(), "token a3")

        assert state.again
        assert "turn a4 red_tail" in offered(state)

    def test_no_placing_it_gives_the_replay_up(self):
        state = table(
            grid=f"red_head gold_head {REST}",
            tokens=(2, 1),
            state=start(ED34="no"),
        )
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        state = play(state, "take a1", "take a2", "token a3")

        assert refused(state, "turn a4 red_tail") == ("ED34", "no_replay_token")
        assert play(self.paired(ED34="no"), "token a3", "end").seat == 1

    def test_never_between_the_two_cards_of_a_turn(self):
        state = play(table(grid=REST, tokens=(1, 1)), "turn a1 red_head")

        assert refused(state, "token a2") == ("ED34", "token_between_cards")

    def test_before_the_first_card(self):
        state = play(table(grid=REST, tokens=(1, 1)), "token a2")

        assert (state.phase, state.seat, state.tokens) == (FIRST, 0, (0, 1))


class TestED35:
    """One card kept, one left. L. 78."""

    def paired(self, **options):
        state = table(grid=f"red_head gold_head {REST}", state=start(**options))
        return play(state, "turn a1 red_head", "turn a2 gold_head")

    def test_yes_they_go_different_ways(self):
        state = play(self.paired(), "take a1", "back a2")

        assert hand(state, 0) == ["red_head"]
        assert state.grid[place("a2")].value is Card.GOLD_HEAD
        assert state.left == ()

    def test_no_both_or_none(self):
        state = self.paired(ED35="no")
        taken, left = play(state, "take a1"), play(state, "back a1")

        assert offered(taken) == {"take a2"}
        assert refused(taken, "back a2") == ("ED35", "pair_not_split")
        assert "take a2" not in offered(left)
        assert refused(left, "take a2") == ("ED35", "pair_not_split")
        assert play(taken, "take a2").phase is AFTER
        assert play(left, "back a2").phase is AFTER


class TestED36:
    """When the end is judged. L. 82, 126."""

    def test_at_the_end_of_a_turn_after_laying(self):
        state = table(
            grid="red_head gold_head twin multi_tail",
            hands=["red_tail red_legs red_claws"],
        )
        state = play(state, "turn a1 red_head", "turn a2 gold_head", "take a1")
        assert play(state, "take a2").phase is AFTER  # nothing pairs, but not yet

        state = play(state, "take a2", "return gold_head a1", f"lay {RED}", "end")

        assert (state.phase, state.end) == (OVER, End.NO_PAIR)
        assert [score.low for score in GAME.scores(state)] == [15, 0]


FEW = "twin green_tail"
"""Two free cards that make no pair."""

LAID = (
    parts("silver_tail", "silver_legs", "silver_claws", "silver_head"),  # 40
    parts("green_tail", "green_legs", "green_claws", "green_head"),  # 20
    parts("red_tail", "red_legs", "red_claws", "red_head"),  # 15
    parts("gold_tail", "gold_legs", "gold_claws", "gold_head"),  # 30
    parts("multi_tail", "multi_legs", "multi_claws", "multi_head"),  # 30
    parts("red_tail", "red_legs", "red_claws", "red_head"),  # 15
)
"""40 + 20 + 15 = 75 and 30 + 30 + 15 = 75 points; a red and a green one are left."""


class TestED36WhileCardsAreOwed:
    """A fireball's receiver with five cards: l. 82 comes before l. 124. ED13, ED36.

    The book: nobody ever has more than four cards; who gets more by a draw puts the
    excess back in the own turn. So what lies free is only known once that is done.
    """

    def burnt(self, **more):
        """Return the table after a fireball gave a whole red dragon a fifth card."""
        held = {
            "hands": ["red_head green_legs green_claws", "red_tail red_legs red_claws"],
            "laid": (LAID[:3], LAID[3:]),
        }
        held["hands"][1] += " green_head"
        state = table(grid=f"fireball {FEW} fireballs! diamond!", **held, **more)
        return play(state, "turn a1 fireball", "draw 0 red_head")

    def test_the_end_waits_until_the_excess_has_gone_back(self):
        # Free are the twin card and the green tail: two, and no pair (l. 124). But the
        # next player owes a card, and the green head pairs with the green tail.
        state = self.burnt()

        assert (state.phase, state.seat, state.end) == (FIRST, 1, None)
        assert [score.low for score in GAME.scores(state)] == [75, 75]
        state = play(state, "return green_head b1", f"lay {RED}")
        assert [score.low for score in GAME.scores(state)] == [75, 90]
        assert "turn a3 green_tail" in offered(state)

    def test_if_it_makes_no_pair_the_game_ends_with_that_turn(self):
        # The green legs went out of the first hand; what goes back pairs with nothing.
        state = table(
            grid="fireball twin green_tail",
            hands=["red_head", "red_tail red_legs red_claws multi_head"],
        )
        state = play(state, "turn a1 fireball", "draw 0 red_head")

        state = play(state, "return multi_head b1", f"lay {RED}")
        assert state.phase is FIRST
        state = play(state, "turn a2 twin")

        assert (state.phase, state.end) == (OVER, End.NO_PAIR)
        assert [score.low for score in GAME.scores(state)] == [0, 15]

    def test_no_question_is_asked_before_either(self):
        # The pair that the receiver left still lies there.
        state = table(
            grid=f"red_head red_tail fireball {REST}",
            hands=["red_legs green_legs gold_legs multi_legs", "silver_legs"],
        )
        state = leave_a_pair(state)
        state = play(state, "end", "turn a3 fireball", "draw 1 silver_legs")

        assert (state.phase, state.seat, len(state.hands[0])) == (FIRST, 0, 5)


class TestED37:
    """Blind draws, cards back face down, a single free card. L. 72-106."""

    def test_a_draw_is_seen_by_the_two_hands_alone(self):
        state = table(grid=f"diamond {REST}", hands=["", "red_tail", ""], seats=3)
        state = play(state, "turn a1 diamond")

        told, after = events(state, "draw 1 red_tail")

        assert told[0].card == Hidden(Card.RED_TAIL, (0, 1))
        assert redact(told[0], 2).card.value is None
        assert after.hands[0] == (Hidden(Card.RED_TAIL, (0,)),)
        assert GAME.evidence(state, GAME.parse(state, "draw 1 red_tail")) == frozenset()

    def test_a_trap_draws_each_card_of_the_hand_alike(self):
        state = table(
            grid=f"fireball {REST}", hands=["red_tail red_tail gold_legs multi_head"]
        )
        state = play(state, "turn a1 fireball")

        odds = {GAME.notate(state, move): part for move, part in GAME.chance(state)}

        assert odds == {
            "draw 0 red_tail": Fraction(1, 2),
            "draw 0 gold_legs": Fraction(1, 4),
            "draw 0 multi_head": Fraction(1, 4),
        }

    def test_a_returned_card_lies_face_down(self):
        state = table(
            grid=REST, hands=["red_tail red_legs green_tail gold_legs gold_head"]
        )

        state = play(state, "return gold_head g6")

        assert state.grid[place("g6")] == Hidden(Card.GOLD_HEAD, ())
        assert ("card", "back", "grid/6/7") in GAME.layout(state)

    def test_a_single_free_card_is_turned_and_goes_back(self):
        state = table(grid="red_head")

        state = play(state, "turn a1 red_head")

        assert offered(state) == {"back a1"}
        assert play(state, "back a1").end is End.NO_PAIR

    def test_where_none_is_free_the_turn_ends(self):
        state = table(grid="red_head", blocked=((0, 1),), state=start(ED29="ask"))

        assert offered(state) == {"end"}
        assert play(state, "end").end is End.NO_PAIR

    def test_with_a_second_card_free_the_first_does_not_go_back(self):
        state = play(table(grid=REST), "turn a1 red_head")

        assert refused(state, "back a1") == ("ED37", "second_card_first")
        assert refused(state, "end") == ("ED37", "second_card_first")


class TestED38:
    """Arms and claws. L. 57, 80, 88."""

    def test_there_are_four_parts_and_claws_is_one_of_them(self):
        assert [part.value for part in Part] == ["tail", "legs", "claws", "head"]

    def test_claws_pair_with_claws(self):
        state = table(grid=f"red_claws gold_claws {REST}")

        state = play(state, "turn a1 red_claws", "turn a2 gold_claws")

        assert state.match is Match.SHAPE


@pytest.mark.parametrize("text", ["take a1", "swap", "shift a1 g6"])
def test_cards_that_are_no_pair_are_not_taken_or_moved(text):
    """L. 74."""
    state = table(grid=f"red_head gold_tail {REST}")
    state = play(state, "turn a1 red_head", "turn a2 gold_tail")

    assert state.phase is BACK
    assert refused(state, text) == ("eight_dragons", "no_pair")
