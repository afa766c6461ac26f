"""What a hand may not do at the table, and what it is told."""

import pytest
from msgspec.structs import replace

from companion.games.core import (
    LEGAL,
    NotNow,
    Unknown,
)
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.events import CardTurnedBack
from companion.games.eight_dragons.pieces import Card
from companion.games.eight_dragons.state import (
    ASK,
    LOOK,
    OVER,
    Draw,
    End,
    FreeToken,
    Lay,
    Phase,
    PlaceToken,
    Return,
    Shift,
    Take,
    Turn,
    TurnBack,
)
from companion.games.hidden import (
    Hidden,
)
from companion.words import LANGUAGES, Words
from tests.games.eight_dragons.tables import (
    config,
    hand,
    keen,
    parts,
    place,
    play,
    start,
    table,
    verdict,
)
from tests.games.eight_dragons.test_rulings_0_to_18 import REST, refused

OWN = "eight_dragons"


class TestTurningACard:
    def test_there_must_be_a_card(self):
        state = table(grid=f"- {REST}")

        assert refused(state, "turn a1 red_head") == (OWN, "nothing_there")

    def test_no_card_is_turned_twice(self):
        state = play(table(grid=f"red_head {REST}"), "turn a1 red_head")

        assert refused(state, "turn a1 red_head") == (OWN, "turned_already")

    @pytest.mark.parametrize("where", [-1, 42, 99])
    def test_there_must_be_such_a_place(self, where):
        said = GAME.judge(start(), Turn(where, Hidden(Card.RED_HEAD, ())))

        assert said.reason == "eight_dragons.no.no_such_place"

    def test_a_pair_comes_first(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        assert refused(state, "turn a3 red_tail") == (OWN, "waits_pair")

    def test_after_two_cards_that_are_no_pair_the_turn_is_over(self):
        state = table(grid=f"red_head gold_tail {REST}", tokens=(1, 1))
        state = play(state, "turn a1 red_head", "turn a2 gold_tail")
        state = play(state, "back a1", "back a2")

        assert refused(state, "turn a3 red_tail") == (OWN, "no_replay")

    @pytest.mark.parametrize(
        ("special", "line", "ruling"),
        [
            ("diamond", 98, "ED7"),
            ("fireball", 98, "ED7"),
            ("grab", 98, "ED7"),
            ("twin", 108, "ED7"),
        ],
    )
    def test_a_special_card_turned_first_ends_the_turn_by_its_own_rule(
        self, special, line, ruling
    ):
        state = play(
            table(grid=f"{special} {REST}", tokens=(1, 1)), f"turn a1 {special}"
        )

        said = verdict(state, "turn a2 red_tail")

        kind = "twin_first" if special == "twin" else "first"
        assert said.reason == f"eight_dragons.no.no_replay_{kind}"
        assert (said.ruling, said.cite.first, said.cite.last) == (ruling, line, line)

    @pytest.mark.parametrize(("special", "line"), [("diamond", 98), ("twin", 108)])
    def test_a_special_card_turned_second_ends_it_too(self, special, line):
        state = table(grid=f"red_head {special} {REST}", tokens=(1, 1))
        state = play(state, "turn a1 red_head", f"turn a2 {special}", "back a1")

        said = verdict(state, "turn a3 red_tail")

        assert (said.ruling, said.cite.first) == ("ED8", line)

    @pytest.mark.parametrize(("special", "line"), [("diamond", 98), ("twin", 108)])
    def test_the_first_card_goes_back_by_the_rule_of_the_special_one(
        self, special, line
    ):
        state = table(grid=f"red_head {special} {REST}")
        state = play(state, "turn a1 red_head", f"turn a2 {special}")

        for text in ("take a1", "end", "turn a3 red_tail"):
            said = verdict(state, text)
            assert said.reason == "eight_dragons.no.waits_back"
            assert (said.ruling, said.cite.first) == ("ED8", line)
        event = CardTurnedBack(0)
        assert GAME.grounds(state, event).cite.first == line
        assert GAME.grounds(state, event).rulings == ("ED8",)

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("return red_head g6", (82, 84)),
            ("lay red_tail red_legs red_claws red_head", (80, 86)),
        ],
    )
    def test_what_is_not_held_is_told_by_the_line_of_what_was_done(self, text, lines):
        hands = [TestHands.FIVE if text.startswith("return") else "red_tail"]
        said = verdict(table(grid=REST, hands=hands), text)

        assert said.reason == "eight_dragons.no.not_in_hand"
        assert (said.cite.first, said.cite.last) == lines

    def test_a_pair_before_it_in_the_same_turn_does_not_matter(self):
        state = table(grid=f"red_head gold_head diamond {REST}", tokens=(1, 1))
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        state = play(state, "take a1", "take a2", "turn a3 diamond")

        assert refused(state, "turn a4 red_tail") == ("ED7", "no_replay_first")

    def test_the_next_turn_knows_nothing_of_it(self):
        state = table(grid=f"twin red_head gold_tail {REST}", tokens=(1, 1))
        state = play(state, "turn a1 twin", "end")
        state = play(state, "turn a2 red_head", "turn a3 gold_tail")
        state = play(state, "back a2", "back a3")

        assert refused(state, "turn a4 red_tail") == (OWN, "no_replay")

    def test_a_card_that_is_laid_or_spent_for_good_cannot_come(self):
        gold = parts("gold_tail", "gold_legs", "gold_claws", "gold_head")
        state = replace(start(), laid=((gold,), ()))

        said = verdict(state, "turn a1 gold_head")

        assert said.reason == "eight_dragons.no.no_more_of_it"
        assert dict(said.params)["n"] == 1

    def test_no_card_told_is_unknown(self):
        said = verdict(start(), "turn a1 ?")

        assert said == Unknown("eight_dragons.no.card_not_told", (("square", "a1"),))

    def test_a_turned_card_is_for_all_to_see(self):
        said = GAME.judge(start(), Turn(0, Hidden(Card.RED_HEAD, (1,))))

        assert said.reason == "eight_dragons.no.card_not_secret"

    def test_a_known_card_and_a_card_known_elsewhere_are_refused_alike(self):
        state = table(grid=f"red_head ? gold_head {REST}")

        here = verdict(state, "turn a1 red_tail")
        elsewhere = verdict(state, "turn a2 gold_head")

        assert here.reason == elsewhere.reason == "eight_dragons.no.another_card"
        assert here.cite == elsewhere.cite


class TestTheTurnedCards:
    def test_only_they_are_taken_or_turned_back(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        for text in ("take a3", "back a3", "shift a3 g6"):
            assert refused(state, text) == (OWN, "not_turned")

    @pytest.mark.parametrize("text", ["take a1", "back a1", "shift a1 a2", "swap"])
    def test_before_the_first_card_there_are_none(self, text):
        assert refused(start(), text) == (OWN, "waits_first")

    def test_a_card_goes_to_a_place_of_the_rectangle(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        assert GAME.judge(state, Shift(0, 42)).reason.endswith("no_such_place")


class TestHands:
    FIVE = "red_tail red_legs green_tail gold_legs gold_head"

    def test_a_card_that_is_not_held_cannot_go_back(self):
        state = table(grid=REST, hands=[self.FIVE])

        assert refused(state, "return red_head g6") == (OWN, "not_in_hand")

    def test_a_card_that_goes_back_must_be_told_by_its_owner(self):
        state = table(grid=REST, hands=[self.FIVE])
        shown = Return(Hidden(Card.RED_TAIL, (0, 1)), place("g6"))

        assert isinstance(verdict(state, "return ? g6"), Unknown)
        assert GAME.judge(state, shown).reason.endswith("hand_not_secret")

    def test_nothing_goes_back_between_two_cards(self):
        state = play(table(grid=REST), "turn a1 red_head")

        assert refused(state, "return red_head g6") == (OWN, "waits_second")

    def drawing(self):
        state = table(grid=f"diamond {REST}", hands=["red_legs", "red_tail"])
        return play(state, "turn a1 diamond")

    def test_nobody_draws_from_the_own_hand_or_from_nobody(self):
        state = self.drawing()

        assert refused(state, "draw 0 red_legs") == (OWN, "own_hand")
        assert refused(state, "draw 2 red_legs") == (OWN, "no_such_seat")

    def test_a_drawn_card_must_be_told_and_have_been_there(self):
        state = self.drawing()

        assert isinstance(verdict(state, "draw 1 ?"), Unknown)
        assert refused(state, "draw 1 gold_tail") == (OWN, "not_in_hand")
        alone = Draw(1, Hidden(Card.RED_TAIL, (0,)))
        assert GAME.judge(state, alone).reason.endswith("hand_not_secret")

    def test_a_diamond_takes_no_whole_hand(self):
        assert refused(self.drawing(), "grab 1") == (OWN, "waits_draw")

    def test_without_a_gain_nobody_draws_or_declines(self):
        for text in ("draw 1 red_tail", "grab 1", "decline"):
            assert refused(start(), text) == (OWN, "waits_first")

    def test_after_a_fireball_the_next_draws_from_whoever_turned_it(self):
        state = table(
            grid=f"fireball {REST}", hands=["red_legs", "", "red_tail"], seats=3
        )
        state = play(state, "turn a1 fireball")

        said = verdict(state, "draw 2 red_tail")

        assert said.reason == "eight_dragons.no.draw_from_trap"
        assert dict(said.params) == {"seat": 1, "from_seat": 0}


class TestTokens:
    def test_not_while_a_pair_lies_open(self):
        state = table(grid=f"red_head gold_head {REST}", tokens=(1, 1))
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        assert refused(state, "token a3") == (OWN, "waits_pair")

    def test_nothing_is_freed_before_playing(self):
        assert refused(start(), "free a1") == (OWN, "waits_first")


class TestDragons:
    @pytest.mark.parametrize(
        ("special", "ruling"), [("diamond", OWN), ("twin", OWN), ("grab", "ED17")]
    )
    def test_a_special_card_is_no_part(self, special, ruling):
        # ED17 is about the multicolour head; the book leaves the others not open.
        said = refused(start(), f"lay red_tail red_legs red_claws {special}")

        assert said == (ruling, "special_no_part")

    def test_cards_out_of_order_are_no_legal_move_though_they_make_a_dragon(self):
        cards = "red_tail red_legs red_claws red_head"
        state = table(grid=REST, hands=[cards])
        backwards = Lay(tuple(Card(name) for name in reversed(cards.split())))

        assert GAME.judge(state, backwards) != LEGAL
        assert verdict(state, " ".join(["lay", *reversed(cards.split())])) == LEGAL

    def test_five_parts_are_too_many(self):
        five = parts("red_tail", "red_legs", "red_claws", "red_head", "gold_head")

        assert GAME.judge(start(), Lay(five)).reason.endswith("parts_missing")


class TestTheEnd:
    def test_a_turn_needs_two_cards(self):
        assert refused(start(), "end") == (OWN, "must_turn")

    def test_nobody_ends_the_turn_while_a_pair_lies_open(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")

        assert refused(state, "end") == (OWN, "waits_pair")

    def test_before_a_replay_the_replay_is_told(self):
        state = table(grid=f"red_head gold_head {REST}")
        state = play(state, "turn a1 red_head", "turn a2 gold_head")
        state = play(state, "take a1", "take a2")

        assert refused(state, "take a3") == (OWN, "waits_again")

    def asked(self):
        state = replace(table(grid=REST), phase=ASK, end=End.BARREN)
        return play(state, "play_on")

    def test_who_plays_on_may_still_end_the_game_while_nothing_changes(self):
        state = self.asked()

        assert "stop" in {GAME.notate(state, move) for move in GAME.legal(state)}
        assert play(state, "stop").end is End.BARREN
        assert refused(state, "play_on") == (OWN, "waits_first")
        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, "play_on"))

    def test_whoever_owes_cards_puts_them_back_before_that(self):
        state = replace(table(grid=REST, hands=[TestHands.FIVE]), answered=End.BARREN)

        assert refused(state, "stop") == ("ED13", "excess_first")

    def test_once_something_has_changed_nobody_ends_it_like_that(self):
        state = replace(self.asked(), tokens=(1, 1))

        state = play(state, "token a1", "turn a2 red_head", "turn a3 gold_tail")
        state = play(state, "back a2", "back a3")

        assert refused(state, "stop") == (OWN, "waits_first")

    @pytest.mark.parametrize("text", ["stop", "play_on", "pair", "no_pair"])
    def test_only_what_was_asked_is_answered(self, text):
        assert refused(start(), text) == (OWN, "waits_first")

    @pytest.mark.parametrize(
        ("phase", "text"),
        [(ASK, "pair"), (LOOK, "stop"), (OVER, "turn a1 red_head"), (OVER, "end")],
    )
    def test_what_is_waited_for_is_told(self, phase, text):
        state = replace(start(), phase=phase, end=End.BARREN)

        assert refused(state, text) == (OWN, f"waits_{phase}")


SENSELESS = [
    ("turn a1 ?", {}),
    ("turn g6 red_head", {"grid": REST}),
    ("take a1", {"phase": "pair"}),
    ("back a1", {"phase": "back"}),
    ("swap", {"phase": "pair"}),
    ("return ? g6", {"hands": ["red_tail"]}),
    ("return red_tail a1", {"grid": REST, "hands": ["red_tail"]}),
    ("draw 0 red_tail", {"phase": "draw"}),
    ("draw 1 red_tail", {"phase": "draw"}),
    ("grab 1", {"phase": "grab"}),
    ("token a1", {"grid": REST}),
    ("free a1", {"grid": REST}),
    ("lay red_tail red_tail red_claws red_head", {}),
    ("lay red_tail red_legs red_claws red_head", {}),
    ("stop", {}),
]


@pytest.mark.parametrize(("text", "made"), SENSELESS)
def test_what_makes_no_sense_is_not_even_done_as_a_house_rule(text, made):
    state = table(**made)

    with pytest.raises(NotNow):
        GAME.apply(state, GAME.parse(state, text))


def test_places_beside_the_rectangle_are_told_and_not_done():
    state = replace(start(), phase="pair")

    for move in (Take(77), TurnBack(-1), Shift(0, 77), Shift(77, 0)):
        assert GAME.judge(state, move) != LEGAL
        with pytest.raises(NotNow):
            GAME.apply(state, move)
    for move in (PlaceToken(77), FreeToken(-1)):
        assert GAME.judge(start(), move) != LEGAL
        assert GAME.evidence(start(), move) == frozenset()


def test_a_house_rule_may_do_what_is_refused():
    # A fifth card is kept and the next player plays.
    hands = ["red_tail red_legs green_tail gold_legs"]
    state = table(grid=f"red_head gold_head {REST}", hands=hands)
    state = play(state, "turn a1 red_head", "turn a2 gold_head", "take a1", "back a2")

    after, _ = GAME.apply(state, GAME.parse(state, "end"))

    assert after.seat == 1
    assert len(after.hands[0]) == 5


def test_a_hand_that_the_table_does_not_know_may_give_any_card():
    # After a correction the referee may know only how many cards a hand has.
    state = table(grid=f"fireball {REST}", hands=["red_tail"])
    state = replace(state, hands=((Hidden(None, (0,)),), ()))
    state = play(state, "turn a1 fireball")

    assert GAME.chance(state) == ()
    state = play(state, "draw 0 gold_head")
    assert hand(state, 1) == ["gold_head"]
    assert state.hands[0] == ()


def test_every_refusal_has_words_in_three_languages_that_name_the_case():
    state = table(grid=REST, hands=[TestHands.FIVE])
    said = verdict(state, "turn a1 red_head")

    told = [
        Words(language, ("Ana", "Bo"), strict=True).say(said.reason, said.params)
        for language in LANGUAGES
    ]

    assert told[1] == "Ana holds more than four cards: 1 has to go back first."
    assert len(set(told)) == 3


def test_the_judge_allows_exactly_the_legal_moves_in_every_phase():
    pool, states = {}, {}
    for seed in range(3):
        other = {"ED3": "swap", "ED35": "no", "ED29": "ask"} if seed % 2 else {}
        for step in keen(config(3, **other), seed):
            pool.update(dict.fromkeys(step.legal[:: 1 + len(step.legal) // 9]))
            states[step.before.phase, step.before.match, seed % 2] = step

    for step in states.values():
        legal = set(step.legal)
        for move in pool:
            assert (GAME.judge(step.before, move) == LEGAL) == (move in legal), move
    assert {step.before.phase for step in states.values()} >= {*Phase} - {LOOK, OVER}
