"""How long a game has lasted."""

from itertools import pairwise

from companion.story.log import Story

BREAK_S = 30 * 60.0
"""Nobody thinks that long about a move: the game was put away meanwhile, or the clock
of the table was set."""


def minutes_played(story: Story) -> int:
    """Return how long a game was played, without the time between two evenings, min."""
    return round(seconds_played(story) / 60.0)


def seconds_played(story: Story) -> float:
    """Return how long a game was played until its newest entry, s."""
    times = [entry.at for entry in story.entries]
    gaps = (later - earlier for earlier, later in pairwise(times))
    return sum(gap for gap in gaps if 0.0 < gap < BREAK_S)
