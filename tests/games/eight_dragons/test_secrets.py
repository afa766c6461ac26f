"""Nothing that was turned back is ever told: views, buttons, news and refusals."""

import json
import random

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.census import FOURS
from companion.games.eight_dragons.events import SpecialTurned
from companion.games.eight_dragons.pieces import CARDS, PARTS, Card
from companion.games.eight_dragons.state import Draw, Return, Turn
from companion.games.hidden import (
    Hidden,
    redact,
)
from companion.words import Words
from tests.games.eight_dragons.tables import (
    config,
    dealt,
    hand,
    keen,
    offered,
    place,
    play,
    start,
    table,
)
from tests.games.eight_dragons.test_rulings_0_to_18 import REST


def seen_by(state, viewer):
    return msgspec.json.encode(redact(state, viewer))


class TestCardsInTheRectangle:
    def test_a_card_turned_back_looks_to_everybody_like_one_never_turned(self):
        before = table(grid=f"? ? {REST}")
        after = play(before, "turn a1 red_head", "turn a2 gold_tail")

        after = play(after, "back a1", "back a2")

        assert after.grid[0] == Hidden(Card.RED_HEAD, ())
        for viewer in (None, 0, 1):
            assert redact(after, viewer).grid == before.grid

    def test_the_twin_card_looks_like_one_never_turned(self):
        after = play(table(grid=f"? {REST}"), "turn a1 twin")

        assert redact(after, 0).grid == table(grid=f"? {REST}").grid

    def test_a_card_that_lies_open_is_seen_by_all(self):
        state = play(table(grid=REST), "turn a1 red_head")

        assert redact(state, None).grid[0] is Card.RED_HEAD

    def test_buttons_offer_every_card_of_the_public_census(self):
        state = play(dealt(), "token a1")
        known = redact(state, 0)

        for square in ("a2", "g6"):
            cards = {text.split()[2] for text in offered(known)
                     if text.startswith(f"turn {square} ")}  # fmt: skip
            assert cards == {card.value for card in CARDS}
        assert len([t for t in offered(state) if t.startswith("turn a2 ")]) == 1

    def test_what_lies_open_is_no_longer_offered(self):
        state = play(table(grid=REST), "turn a1 silver_head")

        texts = offered(redact(state, 1))

        assert "turn a2 silver_head" not in texts
        assert "turn a2 red_head" in texts


class TestHands:
    def test_only_the_owner_sees_a_hand(self):
        state = table(grid=REST, hands=["red_tail red_legs", "gold_head"])

        assert [held.value for held in redact(state, 0).hands[0]] == [
            Card.RED_TAIL,
            Card.RED_LEGS,
        ]
        assert [held.value for held in redact(state, 0).hands[1]] == [None]
        assert all(
            held.value is None for cards in redact(state, None).hands for held in cards
        )

    def test_who_draws_is_offered_every_card_that_could_be_there(self):
        state = table(grid=f"diamond {REST}", hands=["red_tail", "gold_head"])
        state = play(state, "turn a1 diamond")

        assert offered(state) == {"draw 1 gold_head", "decline"}
        assert offered(redact(state, 0)) == {"decline"} | {
            f"draw 1 {card}" for card in PARTS
        }

    def test_a_card_that_is_shown_elsewhere_is_not_among_them(self):
        state = table(grid=f"diamond {REST}", hands=["silver_tail", "gold_head"])
        state = play(state, "turn a1 diamond")

        assert "draw 1 silver_tail" not in offered(redact(state, 0))

    def test_who_watches_is_offered_every_dragon_and_every_return(self):
        four = "red_tail red_legs red_claws red_head"
        whole = table(grid=REST, hands=[four])
        five = table(grid=REST, hands=[f"{four} gold_head"])

        watched = offered(redact(whole, None))

        assert {text for text in watched if text.startswith("lay")} == {
            f"lay {' '.join(dragon)}" for dragon in FOURS
        }
        assert f"lay {four}" in offered(redact(whole, 0))
        assert {
            t.split()[1] for t in offered(redact(five, 1)) if t.startswith("ret")
        } == {card.value for card in PARTS}

    def test_a_dragon_that_cannot_be_held_is_not_among_them(self):
        state = table(
            grid=f"gold_head! {REST}", hands=["red_tail red_legs red_claws red_head"]
        )
        half = replace(
            state, hands=((*state.hands[0][:3], Hidden(None, (0,))), state.hands[1])
        )

        assert not [t for t in offered(redact(state, None)) if "gold_head" in t]
        assert {t for t in offered(half) if t.startswith("lay")} == {
            "lay red_tail red_legs red_claws red_head",
            "lay red_tail red_legs red_claws silver_head",
        }

    def test_a_turn_ends_by_itself_whatever_the_hand_holds(self):
        # Four cards might be a dragon: the table waits for both hands alike.
        for cards in (
            "red_tail red_legs red_claws red_head",
            "red_tail red_tail gold_claws multi_head",
        ):
            state = table(grid=f"red_head gold_tail {REST}", hands=[cards])
            state = play(state, "turn a1 red_head", "turn a2 gold_tail")
            assert play(state, "back a1", "back a2").phase == "after"


class TestMovesAndNews:
    def test_a_move_in_the_log_tells_nobody_the_card_of_a_place(self):
        move = Turn(0, Hidden(Card.RED_HEAD, ()))

        for viewer in (None, 0, 1):
            assert redact(move, viewer) == Turn(0, Hidden(None, ()))

    def test_a_return_is_read_by_its_owner_alone(self):
        move = Return(Hidden(Card.RED_HEAD, (1,)), 4)

        assert redact(move, 0).card.value is None
        assert redact(move, 1).card.value is Card.RED_HEAD

    def test_a_draw_is_read_by_those_two(self):
        move = Draw(2, Hidden(Card.RED_HEAD, (1, 2)))

        assert [redact(move, seat).card.value for seat in range(4)] == [
            None,
            Card.RED_HEAD,
            Card.RED_HEAD,
            None,
        ]

    @pytest.mark.parametrize("seed", range(3))
    def test_no_news_names_a_part_of_a_dragon_or_a_place_of_a_card(self, seed):
        words = Words("en", ("Ana", "Bo", "Cy"), strict=True)
        names = {words.say(f"eight_dragons.card.{card}") for card in PARTS}
        for step in keen(config(3), seed):
            for event in step.events:
                line = words.part(GAME.describe_event(redact(event, None)))
                assert GAME.describe_event(event) == GAME.describe_event(
                    redact(event, None)
                )
                if not isinstance(event, SpecialTurned):  # stays open for good
                    assert not any(name in line for name in names), line

    def test_no_prompt_names_a_card(self):
        words = Words("en", ("Ana", "Bo"), strict=True)
        names = {words.say(f"eight_dragons.card.{card}") for card in PARTS}
        for step in keen(config(2), 5):
            for prompt in GAME.expects(step.before):
                line = words.say(prompt.line, prompt.params)
                assert not any(name in line for name in names), line

    def test_a_whole_dragon_in_hand_is_told_to_its_owner_alone(self):
        state = table(grid=REST, hands=["red_tail red_legs red_claws red_head"])

        told = [p for p in GAME.expects(state) if p.line.endswith("may_lay")]

        assert [(prompt.who, prompt.only_for) for prompt in told] == [(0, 0)]
        assert not [
            p for p in GAME.expects(redact(state, 1)) if p.line.endswith("may_lay")
        ]


class TestResampling:
    def test_every_view_stays_the_same_to_the_byte(self):
        for seed in range(5):
            for step in list(keen(config(3), seed))[::31]:
                for viewer in (None, 0, 1, 2):
                    other = GAME.resample(step.after, viewer, seed)
                    assert seen_by(other, viewer) == seen_by(step.after, viewer)
                    assert GAME.check(other) == ()

    @pytest.mark.long
    def test_every_view_of_a_thousand_games_stays_the_same_to_the_byte(self):
        dice = random.Random(3)
        for seed in range(1000):
            steps = list(keen(config(2 + seed % 3), seed))
            for step in dice.sample(steps, 3):
                for viewer in (None, *range(2 + seed % 3)):
                    other = GAME.resample(step.after, viewer, seed)
                    assert seen_by(other, viewer) == seen_by(step.after, viewer)
                    assert offered(redact(other, viewer)) == offered(
                        redact(step.after, viewer)
                    )
                    assert GAME.check(other) == ()

    def test_my_hand_stays_and_the_others_change(self):
        held = table(hands=["red_tail", "gold_head multi_head"]).hands
        state = replace(start(), hands=held, grid=(*start().grid[:39], *[None] * 3))

        hands = {tuple(hand(GAME.resample(state, 0, seed), 1)) for seed in range(40)}

        assert len(hands) > 20
        assert {
            tuple(hand(GAME.resample(state, 0, seed), 0)) for seed in range(40)
        } == {("red_tail",)}

    def test_every_card_comes_to_a_place_as_often_as_there_are_such_cards(self):
        cards = [dealt(seed=seed).grid[7].value for seed in range(1260)]

        # 3 of 42 are red heads: 90 expected, 9.1 is one standard deviation; 4 of 42
        # are diamonds: 120, 10.4.
        assert 54 < cards.count(Card.RED_HEAD) < 126
        assert 79 < cards.count(Card.DIAMOND) < 161

    def test_the_same_seed_gives_the_same_table_everywhere(self):
        first = [
            dealt(seed=1).grid[place(square)].value for square in ("a1", "d4", "g6")
        ]

        assert first == ["fireball", "multi_head", "gold_head"]

    def test_special_cards_are_never_dealt_to_a_hand(self):
        four = "red_tail red_legs red_claws red_head"
        state = replace(start(), hands=table(hands=[four, four]).hands)
        state = replace(state, grid=(*state.grid[:34], *[None] * 8))

        for seed in range(30):
            assert GAME.check(GAME.resample(state, None, seed)) == ()


def test_a_view_as_json_holds_no_name_of_a_hidden_card():
    state = dealt(3)

    told = json.dumps(json.loads(seen_by(state, 1)))

    assert not any(card.value in told for card in PARTS)
