"""Whatever a table does in whatever order, log and state stay one and the same.

Hypothesis plays each game: legal moves, moves that are refused, taking back, setting
the record to what lies on the table, and reading the log anew as after a power cut.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.games import GAMES
from companion.games.core import (
    LEGAL,
)
from companion.games.hidden import (
    redact,
)
from companion.story.codec import decode, encode
from companion.story.log import (
    Edited,
    Header,
    Made,
    Undone,
    begin,
    extend,
)
from companion.story.log import fold as folded
from tests.games import contract

MACHINE = settings(
    max_examples=20,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(MACHINE, max_examples=300, stateful_step_count=80)


class Evening(RuleBasedStateMachine):
    """One table of one game; a subclass a game names it."""

    game: Any = None

    @initialize(data=st.data())
    def sit_down(self, data):
        seats = data.draw(st.sampled_from(list(self.game.seats)))
        first = data.draw(st.integers(0, seats - 1))
        options = tuple(
            (ruling.id, data.draw(st.sampled_from(ruling.choices)))
            for ruling in self.game.rulings
            if ruling.choices and data.draw(st.integers(0, 9)) == 0
        )
        names = tuple(f"Player {n}" for n in range(seats))
        header = Header(self.game.id, names, self.game.stand_in, options, first)
        self.seats = seats
        self.story = begin(self.game, header, 0.0)
        self.past = [self.story.state]
        self.seen: list[Any] = []

    def moves(self):
        return list(self.game.legal(self.story.state))

    def append(self, body):
        self.story = extend(self.story, body, float(len(self.story.entries)))

    @precondition(lambda self: self.game.outcome(self.story.state) is None)
    @rule(data=st.data())
    def a_legal_move_is_made(self, data):
        moves = self.moves()
        assert moves, "a game that is not over lets somebody move"
        move = data.draw(st.sampled_from(moves))
        self.seen.append(move)

        assert self.game.judge(self.story.state, move) == LEGAL
        self.append(Made(move, "phone"))
        self.past.append(self.story.state)

    @precondition(lambda self: self.seen)
    @rule(data=st.data())
    def a_move_of_another_moment_is_judged(self, data):
        move = data.draw(st.sampled_from(self.seen))
        before = contract.coded(self.story.state)

        verdict = self.game.judge(self.story.state, move)

        assert (verdict == LEGAL) == (move in self.moves())
        assert contract.coded(self.story.state) == before

    @precondition(lambda self: self.story.steps)
    @rule()
    def the_last_move_is_taken_back(self):
        self.append(Undone("phone"))
        self.past.pop()

    @precondition(lambda self: len(self.past) > 1)
    @rule(data=st.data())
    def the_table_is_right(self, data):
        # Whatever lay there once may lie there again, such as after two missed moves.
        state = data.draw(st.sampled_from(self.past))
        self.append(Edited(state, "as it lies on the table"))
        self.past.append(state)

    @rule()
    def the_power_fails(self):
        lines = [encode(entry) for entry in self.story.entries]

        again = folded(self.game, tuple(decode(self.game, line) for line in lines))

        assert [encode(entry) for entry in again.entries] == lines
        assert again.state == self.story.state
        assert again.steps == self.story.steps
        self.story = again

    @invariant()
    def the_state_is_the_one_that_was_reached(self):
        assert self.story.state == self.past[-1]
        assert len(self.story.steps) == len(self.past) - 1

    @invariant()
    def the_state_is_sound(self):
        assert self.game.check(self.story.state) == ()

    @invariant()
    def nobody_sees_what_is_not_theirs(self):
        for viewer in contract.viewers(self.seats):
            seen = redact(self.story.state, viewer)
            assert contract.open_secrets(seen, viewer) == []
            # What a phone is offered is reckoned from what it may see, and is there.
            assert list(self.game.legal(seen)) is not None


def machine(game):
    return type(f"Evening_{game.id}", (Evening,), {"game": game})


each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@pytest.mark.slow
@each_game
def test_log_and_state_stay_one_whatever_is_done(game):
    run_state_machine_as_test(machine(game), settings=MACHINE)


@pytest.mark.long
@each_game
def test_log_and_state_stay_one_for_long(game, record_property):
    run_state_machine_as_test(machine(game), settings=LONG)

    record_property(
        "figures",
        f"{LONG.max_examples} evenings of up to {LONG.stateful_step_count} acts",
    )
