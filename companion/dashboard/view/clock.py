"""How long a game has run, and since when whose turn it is, for the phones' clocks.

Times of day are for people to read (`companion.story.log.Entry`): nothing is decided by
them, and a page that gets strange ones shows no clock.
"""

from typing import Any

from msgspec import Struct

from companion.dashboard.view.moves import AnyGame
from companion.story.duration import seconds_played
from companion.story.log import Story
from companion.table import Seat


class TurnClock(Struct, frozen=True, gc=False):
    """What a clock starts from.

    Args:
        played_s: How long the game was played until its newest entry, s.
        newest_at: When that was, s since 1970 by the table's clock.
        turn_at: When the turn of whoever has to act began, by the same clock.
    """

    played_s: int
    newest_at: float
    turn_at: float


def clock_of(story: Story) -> TurnClock | None:
    """Return what a clock shows; None where the game is over or rests."""
    if story.paused or story.game.outcome(story.state) is not None:
        return None
    return TurnClock(
        round(seconds_played(story)), story.entries[-1].at, _turn_at(story)
    )


def _turn_at(story: Story) -> float:
    """Return when the turn began: with the newest move that another's turn made."""
    seat = _to_act(story.game, story.state)
    for step in reversed(story.steps):
        if _to_act(story.game, step.before) != seat:
            return story.entries[step.seq].at
    return story.entries[0].at


def _to_act(game: AnyGame, state: Any) -> Seat | None:
    prompts = game.expects(state)
    return next((p.who for p in prompts if not p.reminder and p.only_for is None), None)
