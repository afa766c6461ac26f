"""A card or board that turns out to differ while a game is played.

What was seen and made stays as it was; all that follows from it is reckoned anew on
the box as it is. Where the rules would not have allowed a move then, the game keeps its
box: nothing is rewritten silently.
"""

from companion.games.core import BadSetup, Legal
from companion.games.hidden import is_private
from companion.story.log import BadLog, Edited, Header, Story, begin, extend
from companion.table import LinePart

BREAKS = "core.box.breaks"
EDITED = "core.box.edited"
CANNOT = "core.box.cannot"


def on_another_box(story: Story, header: Header[object]) -> Story | LinePart:
    """Return *story* as it would have come with *header*, or why it cannot go on so.

    A private note is not judged again: whether it fits would tell something of it.
    """
    try:
        found = begin(story.game, header, story.entries[0].at)
    except BadSetup:
        return LinePart(CANNOT)
    for entry in story.entries[1:]:
        if isinstance(entry.body, Edited):
            # It holds the whole position, with the box that it had then.
            return LinePart(EDITED)
        try:
            found = extend(found, entry.body, entry.at)
        except (BadLog, ValueError, LookupError):
            return LinePart(BREAKS, (("n", entry.seq),))
    for before, after in zip(story.steps, found.steps, strict=True):
        move, judge = before.made.move, story.game.judge
        if move == after.made.move and is_private(move):
            continue
        was_legal = isinstance(judge(before.before, move), Legal)
        if was_legal and not isinstance(judge(after.before, move), Legal):
            return LinePart(BREAKS, (("n", before.seq),))
    return found
