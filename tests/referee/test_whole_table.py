"""An eye over the whole table proves moves by what came and went."""

import pytest

from companion.referee.decisions import Ignored, TableInOrder, Thresholds
from companion.referee.difference import find_differences
from companion.referee.referee import hear
from companion.story.log import Asked, Made
from companion.table import (
    Flipped,
    Glimpse,
    Moved,
    Placed,
    Reading,
    Removed,
    SurePiece,
    UnsurePiece,
    UnsureSight,
)
from tests.running.table_setup import GAME, new_story, played

SURE = Thresholds()
KNOWN = frozenset(
    {
        ("die", None, "tray"),
        ("green", None, "start"),
        ("jewel", None, "cell/2"),
        ("jewel", None, "cell/4"),
        ("egg", "snail", "seat/1"),
    }
)


def lies(*things: tuple[str, str | None, str], confidence: float = 0.99):
    return tuple(SurePiece(*thing, confidence) for thing in things)


def told(*away: tuple[str, str | None, str], come=(), unclear=(), thrown=()):
    """Return what is news when these things are away and others have come."""
    there = lies(*(KNOWN - {("die", None, "tray")} - set(away)))
    glimpses, choices = find_differences(
        KNOWN, there + lies(*come), unclear, frozenset(thrown)
    )
    return {g.sight for g in glimpses if not isinstance(g.sight, Removed)
            or g.sight.piece != "die"}, choices  # fmt: skip


def saw(*sights, confidence: float = 0.99, choices=(), trouble=None) -> Reading:
    glimpses = tuple(Glimpse(sight, confidence) for sight in sights)
    return Reading(glimpses, choices, trouble=trouble, whole=True)


class TestNews:
    def test_what_lies_as_the_record_says_is_no_news(self):
        assert told() == (set(), ())

    def test_one_figure_that_lies_elsewhere_has_moved(self):
        at_start, in_room = ("green", None, "start"), ("green", None, "cell/3/dark")

        sights, _ = told(at_start, come=[in_room])

        assert sights == {Moved("green", "start", "cell/3/dark")}

    def test_a_jewel_that_is_missing_was_taken_and_no_other_one_moved(self):
        assert told(("jewel", None, "cell/4"))[0] == {Removed("jewel", "cell/4")}

    def test_a_piece_with_another_face_was_turned_over(self):
        sights, _ = told(("egg", "snail", "seat/1"), come=[("egg", "back", "seat/1")])

        assert sights == {Flipped("egg", "back", "seat/1")}

    def test_of_a_card_that_lies_elsewhere_its_face_is_told(self):
        old, new = ("egg", "snail", "seat/1"), ("egg", "snail", "pool")

        sights, _ = told(old, come=[new])

        assert sights == {Removed("egg", "seat/1", "snail"), Placed(*new)}

    def test_of_an_open_piece_with_another_face_the_old_one_is_gone(self):
        """As a tile that lies across: it does not lie upright as well any more."""
        sights, _ = told(("egg", "snail", "seat/1"), come=[("egg", "red", "seat/1")])

        assert sights == {
            Flipped("egg", "red", "seat/1"),
            Removed("egg", "seat/1", "snail"),
        }

    def test_a_die_is_news_only_when_it_was_thrown(self):
        die = ("die", "3", "tray")

        assert told(come=[die])[0] == set()
        assert told(come=[die], thrown=["die"])[0] == {Placed("die", "3", "tray")}

    def test_a_doubt_that_may_be_what_the_record_says_is_no_news(self):
        doubt = UnsurePiece("cell/4", (("stone", None, 0.5), ("jewel", None, 0.4)))

        assert told(("jewel", None, "cell/4"), unclear=[doubt]) == (set(), ())

    def test_a_doubt_about_something_new_is_a_choice_with_its_guesses(self):
        doubt = UnsurePiece("cell/9", (("jewel", None, 0.95),), (1, 2, 3, 4))

        sights, choices = told(unclear=[doubt])

        assert sights == {Placed("jewel", None, "cell/9")}
        assert choices == (UnsureSight(None, "cell/9", (), (1, 2, 3, 4)),)


class TestHearing:
    def thrown(self):
        return played(new_story(), "throw 3")

    def test_a_figure_that_went_by_the_throw_is_the_move(self):
        decision = hear(
            self.thrown(), saw(Moved("green", "start", "cell/3/dark")), SURE
        )

        assert isinstance(decision, Made)
        assert decision.move == GAME.parse(self.thrown().state, "advance green")

    def test_a_die_that_may_lie_there_from_before_is_no_throw_after_the_move(self):
        moved = Moved("green", "start", "cell/3/dark")

        decision = hear(self.thrown(), saw(moved, Placed("die", "3", "tray")), SURE)

        assert isinstance(decision, Made)
        assert decision.move == GAME.parse(self.thrown().state, "advance green")

    def test_a_throw_and_its_move_are_understood_together(self):
        moved = Moved("green", "start", "cell/3/dark")

        decision = hear(new_story(), saw(moved, Placed("die", "3", "tray")), SURE)

        state = new_story().state
        told = [GAME.notate(state, made.move) for made in decision.made]
        assert told == ["throw 3", "advance green"]

    def test_a_throw_is_seen_in_the_tray(self):
        decision = hear(new_story(), saw(Placed("die", "3", "tray")), SURE)

        assert decision.move.pips == 3

    def test_nothing_new_is_no_question(self):
        assert isinstance(hear(self.thrown(), saw(), SURE), TableInOrder)

    def test_half_a_move_waits_for_the_rest(self):
        """Three pips lead onto no jewel; four would lead onto the one of room 4."""
        story = played(new_story(), "throw 4")

        half = hear(story, saw(Moved("red", "start", "cell/4/dark")), SURE)
        whole = hear(
            story,
            saw(Moved("red", "start", "cell/4/dark"), Removed("jewel", "cell/4")),
            SURE,
        )

        assert isinstance(half, Ignored)
        assert isinstance(whole, Made)

    @pytest.mark.parametrize(
        ("reading", "why"),
        [
            (saw(Moved("green", "start", "cell/9/dark")), "core.ask.table_unexpected"),
            (
                saw(Moved("green", "start", "cell/3/dark"), Removed("jewel", "cell/2")),
                "core.ask.table_unexpected",
            ),
            (
                saw(Moved("green", "start", "cell/3/dark"), confidence=0.6),
                "core.ask.table_unsure",
            ),
            (
                saw(
                    Moved("green", "start", "cell/3/dark"),
                    choices=(UnsureSight(None, "tray", ()),),
                ),
                "core.ask.table_unsure",
            ),
            (saw(trouble="core.ask.dark"), "core.ask.dark"),
        ],
    )
    def test_what_no_move_explains_is_asked_with_the_likeliest_first(
        self, reading, why
    ):
        decision = hear(self.thrown(), reading, SURE)

        assert isinstance(decision, Asked)
        assert decision.why.line == why
        if any(isinstance(g.sight, Moved) for g in reading.glimpses):
            assert decision.options[0] == "advance green"
