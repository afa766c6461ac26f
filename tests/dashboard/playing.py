"""Plays on at a fake table, as cameras and hands would."""

import random

from companion.story.log import Made
from tests.dashboard.fakes import FakeTable


def play_on(table: FakeTable, rng: random.Random, moves: int, until: str) -> None:
    """Make random legal moves that are no notes, till the phase is *until*."""
    for _ in range(moves):
        story = table.snapshot.story
        assert story is not None
        phase = getattr(story.state, "phase", None)
        if phase == until or story.game.outcome(story.state) is not None:
            return
        legal = [
            move
            for move in story.game.legal(story.state)
            if type(move).__name__ != "NoteGroup"
        ]
        table.tell(Made(rng.choice(legal), "camera", confidence=0.97))


def note(table: FakeTable, seat: int, group: int) -> None:
    """Let a seat note its group."""
    story = table.snapshot.story
    assert story is not None
    move = story.game.parse(story.state, f"note {seat} {group}")
    table.tell(Made(move, "phone", seat))
