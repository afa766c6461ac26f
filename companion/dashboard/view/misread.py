"""The newest move as it was read, and what else it may have been: one tap mends it.

Whoever could take it back and make another may do so; older moves are the host's, who
first looks at what would change.
"""

from msgspec import Struct

from companion.corrections.amend import alternatives_to, mendable
from companion.dashboard import boards
from companion.dashboard.boards.drawing import Icon
from companion.dashboard.door.auth import Who
from companion.dashboard.view.moves import may_make
from companion.games.hidden import (
    is_private,
    redact,
)
from companion.story.log import Step, Story
from companion.words import Words

MOST = 12
"""So many are offered: the five faces that a die may have shown instead, or the ten
throws that differ in one of two dice. All others are an undo away."""


class ReadInstead(Struct, frozen=True):
    """What the move may have been: its notation, its words, its pictures."""

    move: str
    text: str
    icons: tuple[Icon, ...]


class Misread(Struct, frozen=True):
    """The entry of the newest move, what it was read as, and what it may have been."""

    step: int
    was: str
    instead: tuple[ReadInstead, ...]


def misread(story: Story, who: Who, words: Words) -> Misread | None:
    """Return what *who* may put right with one tap, None where nothing."""
    step = story.steps[-1] if story.steps else None
    if step is None or story.paused or story.asked is not None:
        return None
    if not _was_read(step) or not may_mend(story, step.seq, who):
        return None
    if step not in mendable(story):
        return None
    game, known = story.game, redact(step.before, None)
    instead = []
    for text in alternatives_to(story, step)[:MOST]:
        move = game.parse(known, text)
        icons = boards.icons(game, known, move, words)
        instead.append(
            ReadInstead(text, words.part(game.describe_move(known, move)), icons)
        )
    was = words.part(game.describe_move(known, step.made.move))
    return Misread(step.seq, was, tuple(instead)) if instead else None


def may_mend(story: Story, number: int, who: Who) -> bool:
    """Tell whether *who* may put another move in the place of entry *number*.

    Of an entry that does not stand the table says so itself.
    """
    step = next((one for one in story.steps if one.seq == number), None)
    if step is None or who.host:
        return True
    if step is not story.steps[-1] or not _was_read(step):
        return False
    return may_make(story.game, step.before, step.made.move, who)


def _was_read(step: Step) -> bool:
    made = step.made
    read = made.source == "camera" and made.move is not None
    return read and not is_private(made.move)
