"""Evenings at which everything is done in any order: moves, corrections, breaks.

Every order goes through the real desk. What is refused is refused, as at a table.
"""

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.corrections.adopt import HOUSE, RIGHT
from companion.corrections.amend import alternatives_to
from companion.referee.changes import changes_between
from companion.referee.decisions import Thresholds
from companion.running.commands import Adopt, Amend, Heard, Rest, TakeBack
from companion.running.reducer import carry_out, with_story
from companion.running.snapshot import Snapshot
from companion.story.codec import decode, encode
from companion.story.log import (
    Edited,
    Header,
    Story,
    begin,
    extend,
    fold,
)
from companion.table import Claim, Glimpse, Pressed, Reading
from tests.dashboard.situations import random_move

NAMES = ("Ana", "Bo", "Chloé", "Đặng", "Eve", "Fay", "Gil")
ACTS = (
    ("move", 50), ("amend", 12), ("undo", 18), ("edit", 4), ("adopt", 8),
    ("rest", 3), ("leave", 2), ("look back", 3),
)  # fmt: skip
"""What is done, and of a hundred acts how often."""


class Evening:
    """One game of some players; `acts` does things and yields the table after each."""

    def __init__(self, game: Any, seed: int) -> None:
        self.rng = rng = random.Random(f"{game.id}/{seed}")
        self.game = game
        seats = rng.choice(list(game.seats))
        header = Header(game.id, NAMES[:seats], game.stand_in, (), rng.randrange(seats))
        self.shown = with_story(Snapshot(game_id="evening"), begin(game, header, 0.0))

    @property
    def story(self) -> Story:
        assert self.shown.story is not None
        return self.shown.story

    def acts(self, number: int) -> Iterator[tuple[str, Snapshot]]:
        """Yield what was done, and the table after it."""
        kinds = [kind for kind, _ in ACTS]
        weights = [weight for _, weight in ACTS]
        for _ in range(number):
            (kind,) = self.rng.choices(kinds, weights)
            getattr(self, "_" + kind.replace(" ", "_"))()
            self.shown = replace(self.shown, version=self.shown.version + 1)
            yield kind, self.shown

    def _carry_out(self, order: Any) -> None:
        self.shown = carry_out(self.shown, order, 0.0, Thresholds()).shown

    def _key(self) -> str:
        return str(self.shown.version)

    def _move(self) -> None:
        story = self.story
        move = random_move(self.rng, self.game, story.state)
        if move is not None:
            text = self.game.notate(story.state, move)
            seat = self.game.actor(story.state, move)
            self._carry_out(Claim(text, seat, story.seq, self._key()))

    def _amend(self) -> None:
        steps = [step for step in self.story.steps if step.made.move is not None]
        if not steps:
            return
        step = self.rng.choice(steps[-4:])
        texts = alternatives_to(self.story, step)
        if texts:
            text = self.rng.choice(texts)
            seq = self.story.seq
            self._carry_out(Amend(step.seq, text, None, seq, self._key()))

    def _undo(self) -> None:
        self._carry_out(TakeBack(None, self.story.seq, self._key()))

    def _edit(self) -> None:
        past = [self.story.start, *(step.state for step in self.story.steps)]
        rule = self.rng.choice(self.game.rulings).id
        note = self.rng.choice((RIGHT, HOUSE, f"{HOUSE}:{rule}", "the cat was here"))
        edited = Edited(self.rng.choice(past), note)
        self.shown = with_story(self.shown, extend(self.story, edited, 0.0))

    def _adopt(self) -> None:
        """Lay the table as it lay some moves ago, then say that it is right."""
        past = [self.story.start, *(step.state for step in self.story.steps)]
        there = self.game.layout(self.rng.choice(past[-5:]))
        changes = changes_between(self.game.layout(self.story.state), there)
        glimpses = tuple(Glimpse(change, 0.99) for change in changes)
        self._carry_out(Heard(Reading(glimpses, whole=True)))
        house = self.rng.random() < 0.3
        self._carry_out(Adopt(None, self.story.seq, self._key(), house))

    def _rest(self) -> None:
        self._carry_out(Rest(pause=not self.story.paused))

    def _leave(self) -> None:
        """Put the game away and take it up again."""
        lines = [encode(entry) for entry in self.story.entries]
        again = fold(self.game, tuple(decode(self.game, line) for line in lines))
        assert again == self.story
        self.shown = with_story(self.shown, again)

    def _look_back(self) -> None:
        buttons = ["undo.long", "next", "confirm", "next", "confirm"]
        for button in buttons[: self.rng.randint(1, 5)]:
            pressed = Glimpse(Pressed(button, None), 1.0)
            self._carry_out(Heard(Reading((pressed,), source="button")))
