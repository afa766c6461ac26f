"""What would change if the table is right, for whoever may say so, before anybody does.

Board and points are shown as far as the viewer, or everybody, may know them.
"""

from msgspec import Struct

from companion.corrections.adopt import (
    Adoption,
    TableIsRight,
    adopt_bar,
    adoption,
)
from companion.dashboard import boards
from companion.dashboard.door.auth import Who
from companion.games.core import (
    Score,
)
from companion.games.hidden import (
    redact,
)
from companion.running.snapshot import Snapshot
from companion.story.log import Story, extend
from companion.table import TRAY, LinePart
from companion.words import Words


class PointsChange(Struct, frozen=True):
    """A player's points before and after, from the least to the most they may be."""

    name: str
    before: str
    after: str


class Remedy(Struct, frozen=True):
    """What the record says and what lies there, a sentence each, and the points.

    *chosen* says that a button of the table would take it over now.
    """

    now: tuple[str, ...]
    then: tuple[str, ...]
    points: tuple[PointsChange, ...]
    chosen: bool = False


def remedy(snapshot: Snapshot, story: Story, who: Who, words: Words) -> Remedy | None:
    """Return what *who* may take over from the table, None where nothing."""
    seat = None if who.host else who.seat
    if who.role == "viewer" or adopt_bar(story, seat) is not None:
        return None
    found = adoption(story, snapshot.lying)
    if found is None:
        return None
    now = _sentences(story, who, words)
    then = _sentences(_after(story, found), who, words)
    return Remedy(
        now=tuple(text for text in now if text not in then),
        then=tuple(text for text in then if text not in now),
        points=points_changes(found.scores, words),
        chosen=any(
            (snapshot.cursor, offer) in enumerate(snapshot.offers)
            for offer in TableIsRight
        ),
    )


def no_remedy(snapshot: Snapshot, story: Story) -> LinePart | None:
    """Return why the record cannot be set to what lies there, None where it can.

    Of what could not be read, or was thrown, it is not said: that is asked anyway.
    """
    asked = story.asked
    if asked is None or not asked.reading.whole or asked.reading.choices:
        return None
    seen = (glimpse.sight for glimpse in asked.reading.glimpses)
    if all(getattr(sight, "place", None) == TRAY for sight in seen):
        return None
    found = adoption(story, snapshot.lying)
    return LinePart("core.adopt.cannot") if found is None else None


def points_changes(
    scores: tuple[tuple[Score, Score], ...], words: Words
) -> tuple[PointsChange, ...]:
    """Return each player's points before and after, in words."""

    def points(score: Score) -> str:
        exact = score.low == score.high
        return str(score.low) if exact else f"{score.low}–{score.high}"

    return tuple(
        PointsChange(words.name(before.seat), points(before), points(after))
        for before, after in scores
    )


def _after(story: Story, found: Adoption) -> Story:
    return extend(story, found.as_entry_body(None, "", house=False), 0.0)


def _sentences(story: Story, who: Who, words: Words) -> tuple[str, ...]:
    state = redact(story.state, who.viewer)
    return boards.draw(story, state, (), who.viewer, words).twin
