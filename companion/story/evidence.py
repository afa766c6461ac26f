"""Which pictures a game's log rests on, and which of them everybody may see.

Knows names alone: the pictures themselves are in `companion.capsule.evidence_store`.
"""

import re
from collections.abc import Callable

from companion.games.hidden import (
    is_of_memory,
    redact,
)
from companion.story.log import Asked, Body, Made, Story

_NAME = re.compile(r"[0-9a-f]{24}")


def picture_names(body: Body) -> tuple[str, ...]:
    """Return the names of the pictures that an entry rests on.

    Of a log from before pictures were kept, or one that somebody wrote, any other name
    leads nowhere.
    """
    match body:
        case Made(evidence=names):
            found = names
        case Asked(reading=reading):
            seen = [glimpse.evidence_id for glimpse in reading.glimpses]
            seen += [choice.evidence_id for choice in reading.choices]
            found = tuple(name for name in seen if name is not None)
        case _:
            found = ()
    return tuple(dict.fromkeys(name for name in found if _NAME.fullmatch(name)))


def open_to_all(story: Story) -> Callable[[Body], bool]:
    """Return what tells whether everybody may see the pictures of an entry now.

    Once a game is over they may see all. Before, a picture of what the log keeps from
    anybody is nobody's; and where a game is one of memory (the referee remembers what
    no screen may tell) none is shown, as a neighbour may lie open in it.
    """
    if story.game.outcome(story.state) is not None:
        return lambda _: True
    if is_of_memory(story.state):
        return lambda _: False
    return lambda body: redact(body, None) is body


def shown_to_all(story: Story) -> frozenset[str]:
    """Return the names of the pictures that everybody may see now."""
    may_be_seen = open_to_all(story)
    return frozenset(
        name
        for entry in story.entries
        if may_be_seen(entry.body)
        for name in picture_names(entry.body)
    )
