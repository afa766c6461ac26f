"""The referee keeps the one move that the table proves, and asks otherwise."""

import pytest

from companion.games.core import Refused
from companion.referee.decisions import Ignored, NotUnderstood, Thresholds, TurnedAway
from companion.referee.meanings import translate
from companion.referee.referee import hear, judge_claim, offers
from companion.story.log import Asked, Made, extend
from companion.table import Glimpse, Moved, Reading, Shown, UnsureSight
from tests.running.table_setup import PLAIN_DIE, claim, doubted, new_story, played, saw

SURE = Thresholds()


class TestHearingTheDie:
    def test_a_sure_reading_of_the_die_is_the_throw(self):
        decision = hear(new_story(), saw("3", position=4), SURE)

        assert isinstance(decision, Made)
        assert decision.move.pips == 3
        assert decision.confidence == 0.99
        assert (decision.source, decision.position) == ("camera", 4)

    @pytest.mark.parametrize(
        ("reading", "why"),
        [
            (saw(), "core.ask.nothing"),
            (saw("3", confidence=0.5), "core.ask.unsure"),
            (doubted(("3", 0.6), ("2", 0.3)), "core.ask.unsure"),
            (saw("3", "6"), "core.ask.many"),
            (saw("3", "3"), "core.ask.many"),
            (saw("5"), "core.ask.unexpected"),
            (saw("3", piece="pawn"), "core.ask.unexpected"),
            (
                Reading((), trouble="core.ask.no_more_pictures"),
                "core.ask.no_more_pictures",
            ),
        ],
    )
    def test_what_proves_no_throw_is_asked(self, reading, why):
        decision = hear(new_story(), reading, SURE)

        assert isinstance(decision, Asked)
        assert decision.why.line == why
        assert set(decision.options) == {f"throw {n}" for n in (1, 2, 3, 4, 6)}

    def test_a_question_offers_what_was_nearly_seen_first(self):
        asked = hear(new_story(), doubted(("6", 0.5), ("4", 0.4)), SURE)

        assert asked.options[:2] == ("throw 6", "throw 4")

    def test_a_sure_die_beside_an_unsure_one_is_asked_with_the_sure_one_first(self):
        reading = Reading(
            (Glimpse(Shown("die", "4", "tray"), 0.99),),
            (UnsureSight("die", "tray", (("2", 0.5),)),),
        )

        assert hear(new_story(), reading, SURE).options[:2] == ("throw 4", "throw 2")

    def test_a_die_that_lies_there_while_nobody_throws_is_ignored(self):
        story = played(new_story(), "throw 3")

        assert isinstance(hear(story, saw("6"), SURE), Ignored)

    def test_a_change_that_nobody_can_explain_stops_the_throw(self):
        moved = Glimpse(Moved("green", "start", "cell/3/dark"), 0.99)
        reading = Reading((*saw("3").glimpses, moved))

        assert isinstance(hear(new_story(), reading, SURE), Asked)


class TestAnOrdinaryDie:
    def test_its_five_counts_as_the_second_two(self):
        reading = translate(saw("5", piece="d6"), PLAIN_DIE)

        assert hear(new_story(), reading, SURE).move.pips == 2

    def test_an_unsure_two_or_five_is_one_answer(self):
        reading = translate(doubted(("5", 0.5), ("2", 0.4), piece="d6"), PLAIN_DIE)

        assert reading.choices[0].faces == (("2", 0.9),)  # 0.5 + 0.4, both a two
        assert hear(new_story(), reading, SURE).options[0] == "throw 2"

    def test_what_the_copy_gives_no_meaning_is_passed_on(self):
        glimpse = Glimpse(Moved("green", "start", "cell/1/dark"), 0.9)
        reading = Reading((glimpse, *saw("7", piece="d10").glimpses),
                          (UnsureSight(None, "tray", (("?", 0.1),)),))  # fmt: skip

        assert translate(reading, PLAIN_DIE) == reading

    def test_a_choice_between_different_pieces_is_passed_on(self):
        reading = doubted(("5", 0.5), ("egg", 0.4), piece="d6")

        assert translate(reading, PLAIN_DIE) == reading


class TestClaims:
    def test_a_legal_claim_is_a_move_of_its_seat(self):
        story = new_story()

        decision = judge_claim(story, claim(story, "throw 4", "k1", seat=0), "phone")

        assert (decision.move.pips, decision.actor, decision.key) == (4, 0, "k1")

    def test_an_illegal_claim_comes_back_with_its_ruling(self):
        story = new_story()

        decision = judge_claim(story, claim(story, "advance green", "k"), "phone")

        assert isinstance(decision, TurnedAway)
        assert isinstance(decision.verdict, Refused)
        assert decision.verdict.cite.rulebook == "drachenhort"

    @pytest.mark.parametrize("seat", [0, 2, None])
    def test_a_private_note_of_another_seat_is_not_judged(self, seat: int | None):
        story = new_story()

        decision = judge_claim(story, claim(story, "note 1 4", "k", seat), "phone")

        why = "note 1 4: only its owner enters a private note"
        assert decision == NotUnderstood(why)

    @pytest.mark.parametrize("text", ["", "fly", "advance", "throw five", "é" * 400])
    def test_a_claim_that_is_no_move_is_said_in_one_line(self, text):
        story = new_story()

        decision = judge_claim(story, claim(story, text, "k"), "phone")

        assert isinstance(decision, NotUnderstood)
        assert "\n" not in decision.why


class TestOffers:
    def test_the_buttons_step_through_the_moves_that_everybody_may_see(self):
        assert offers(new_story()) == tuple(f"throw {n}" for n in (1, 2, 3, 4, 6))

    def test_the_buttons_step_through_the_answers_of_a_question(self):
        asked = hear(new_story(), doubted(("6", 0.5)), SURE)

        assert offers(extend(new_story(), asked, 1.0)) == asked.options
