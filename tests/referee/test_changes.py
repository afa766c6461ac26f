"""The same change is the same, however the eye or the rules put it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import GAMES
from companion.games.hidden import is_private
from companion.referee.changes import (
    apply_changes,
    changes_between,
    explanations,
    find_seen,
    not_yet_moved,
    plain_changes,
    take_out,
    under_way,
)
from companion.table import Flipped, Moved, Placed, Pressed, Removed, Shown, Turned
from tests.games import contract
from tests.running.table_setup import new_story, played


class TestPlainWords:
    @pytest.mark.parametrize(
        ("sights", "changes"),
        [
            ([Shown("card", "red", "a")], {Placed("card", "red", "a")}),
            ([Flipped("card", "back", "a")], {Placed("card", "back", "a")}),
            (
                [Moved("green", "a", "b")],
                {Removed("green", "a"), Placed("green", None, "b")},
            ),
            ([Pressed("undo", None)], set()),
            ([Turned("tile", "a", 1)], {Turned("tile", "a", 1)}),
            # A marker that comes and is turned over came face down: one change.
            (
                [Moved("marker", "a", "b"), Flipped("marker", "back", "b")],
                {Removed("marker", "a"), Placed("marker", "back", "b")},
            ),
        ],
    )
    def test_a_sight_is_what_came_and_what_went(self, sights, changes):
        assert plain_changes(sights) == changes


class TestDifference:
    def test_a_card_turned_over_has_come_with_another_face(self):
        before, after = {("card", "back", "a1")}, {("card", "red", "a1")}

        assert changes_between(frozenset(before), frozenset(after)) == {
            Placed("card", "red", "a1")
        }

    def test_a_card_of_another_face_is_another_card(self):
        before, after = {("card", "blue", "a1")}, {("card", "red", "a1")}

        assert changes_between(frozenset(before), frozenset(after)) == {
            Placed("card", "red", "a1"),
            Removed("card", "a1", "blue"),
        }

    things = st.frozensets(
        st.tuples(
            st.sampled_from(["card", "green"]),
            st.sampled_from(["red", "blue", "back", None]),
            st.sampled_from(["a", "b", "c"]),
        ),
        max_size=5,
    ).filter(lambda layout: len({(p, place) for p, _, place in layout}) == len(layout))

    @given(things, things)
    def test_what_changed_leads_from_the_one_to_the_other(self, before, after):
        assert apply_changes(before, changes_between(before, after)) == after

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_so_it_does_for_every_move_of_a_game(self, game):
        for step in contract.steps(game, contract.config(game, game.seats[0]), seed=4):
            before, after = game.layout(step.before), game.layout(step.after)
            assert apply_changes(before, changes_between(before, after)) == after


class TestWithout:
    def test_any_face_will_do_where_none_is_told(self):
        seen = frozenset({Placed("card", "red", "a"), Removed("green", "b")})

        assert take_out(seen, frozenset({Placed("card", None, "a")})) == {
            Removed("green", "b")
        }

    def test_a_face_that_is_told_must_be_seen(self):
        seen = frozenset({Placed("card", None, "a")})

        assert take_out(seen, frozenset({Placed("card", "red", "a")})) is None

    def test_of_what_is_gone_the_eye_need_not_know_the_face(self):
        seen = frozenset({Removed("card", "a")})

        assert find_seen(Removed("card", "a", "red"), seen) == Removed("card", "a")
        assert find_seen(Removed("card", "b", "red"), seen) is None
        assert find_seen(Turned("card", "a", 1), seen) is None


class TestOwed:
    def test_nothing_is_owed_before_anybody_looked(self):
        assert not_yet_moved(frozenset({("green", None, "a")}), None) == frozenset()

    def test_what_was_told_but_not_done_is_owed(self):
        record = frozenset({("green", None, "b"), ("die", "3", "tray")})
        lying = frozenset({("green", None, "a"), ("die", "5", "tray")})

        assert not_yet_moved(record, lying) == {
            Removed("green", "b"),
            Placed("green", None, "a"),
        }


class TestUnderWay:
    def test_a_piece_taken_up_is_the_beginning_of_its_move(self):
        story = played(new_story(), "throw 3")
        taken = frozenset({Removed("green", "start")})

        assert under_way(story.game, story.state, taken)

    def test_a_piece_put_where_no_move_leads_is_not(self):
        story = played(new_story(), "throw 3")
        wrong = plain_changes([Moved("green", "start", "cell/9/dark")])

        assert not under_way(story.game, story.state, wrong)


class TestExplanations:
    def test_a_throw_and_what_it_is_used_for_are_told_by_one_look(self):
        state = new_story().state
        game = new_story().game
        after = played(new_story(), "throw 3", "advance green").state
        seen = changes_between(game.layout(state), game.layout(after))
        thrown = frozenset({Placed("die", "3", "tray")})

        found = explanations(game, state, (seen - thrown) | thrown)

        moves = [
            [game.notate(state, row.moves[0]), type(row.moves[1]).__name__]
            for row in found
        ]
        assert moves == [["throw 3", "Advance"]]

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_every_move_that_can_be_seen_explains_what_it_changes(self, game):
        dice = random.Random(1)
        steps = list(contract.steps(game, contract.config(game, game.seats[-1]), 2))
        for step in dice.sample(steps, 25):
            evidence = plain_changes(game.evidence(step.before, step.move))
            if not evidence:
                continue
            found = explanations(game, step.before, evidence)
            assert (step.move,) in [row.moves for row in found]


def test_a_record_that_was_set_is_nobodys_private_act():
    assert not is_private(None)
