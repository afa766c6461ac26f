"""What is news about a whole table: what a look tells that the record does not."""

from collections.abc import Iterator

from companion.referee.changes import explanations, not_yet_moved, plain_changes
from companion.referee.difference import find_differences
from companion.referee.meanings import meaning_of
from companion.running.snapshot import Snapshot
from companion.story.log import PUT_BACK, Asked, Made, Noted, Story
from companion.table import (
    TRAY,
    Flipped,
    Glimpse,
    Meaning,
    Piece,
    Place,
    Placed,
    Reading,
    Removed,
    Sight,
    SurePiece,
    UnsurePiece,
)
from vision.tabletop.seen import TableReading


def tells_of_dice(reading: Reading) -> bool:
    """Tell whether something is new in the tray."""
    places = {getattr(glimpse.sight, "place", None) for glimpse in reading.glimpses}
    return TRAY in places | {choice.place for choice in reading.choices}


def as_thrown(
    lying: tuple[SurePiece, ...], dice: frozenset[Piece]
) -> Iterator[Glimpse]:
    """Yield what dice would show if they were thrown."""
    for thing in lying:
        if thing.place == TRAY and thing.piece in dice:
            sight = Placed(thing.piece, thing.face, TRAY)
            yield Glimpse(sight, thing.confidence, thing.box_px)


def is_paid(shown: Snapshot, story: Story) -> bool:
    """Tell whether hands have meanwhile made the moves that were recorded before.

    A dragon that left unseen would else be thought to stand there still, and its coming
    back would be no news.
    """
    lying = shown.lying
    return story.asked is None and bool(
        not_yet_moved(story.game.layout(story.state), lying)
    )


def still_waived(waived: frozenset[Sight], seen: frozenset[Sight]) -> frozenset[Sight]:
    """Return the waived sights that the camera still reports.

    A card that was read wrongly is missed as well. Once nothing is seen in its place,
    it is gone indeed.
    """
    left = waived & seen
    mistaken = _lain(waived) - _lain(left)
    return frozenset(
        sight
        for sight in left
        if not (isinstance(sight, Removed) and sight.place in mistaken)
    )


def _lain(sights: frozenset[Sight]) -> set[Place]:
    """Return where something is said to lie."""
    return {sight.place for sight in sights if isinstance(sight, Placed | Flipped)}


def in_game_words(
    seen: TableReading, meanings: tuple[Meaning, ...]
) -> tuple[tuple[SurePiece, ...], tuple[UnsurePiece, ...]]:
    """Return what was seen in the game's words: a five on a die may be a second two."""
    lying = tuple(
        SurePiece(
            *meaning_of(meanings, one.piece, one.face),
            one.place,
            one.confidence,
            one.box_px,
        )
        for one in seen.found
    )
    unclear = tuple(
        UnsurePiece(
            doubt.place,
            tuple(
                (*meaning_of(meanings, piece, face), chance)
                for piece, face, chance in doubt.choices
            ),
            doubt.box_px,
        )
        for doubt in seen.doubts
    )
    return lying, unclear


def thrown_meanwhile(
    story: Story, lying: tuple[SurePiece, ...], unclear: tuple[UnsurePiece, ...]
) -> frozenset[Piece]:
    """Return the dice that were thrown while nobody looked.

    A die alone tells nothing: it may lie there from before. Together with a figure that
    went just as far it was thrown.
    """
    dice = frozenset(thing.piece for thing in lying if thing.place == TRAY)
    glimpses, choices = find_differences(
        story.game.layout(story.state), lying, unclear, dice
    )
    seen = plain_changes(glimpse.sight for glimpse in glimpses)
    seen -= {s for s in seen if isinstance(s, Removed) and s.place == TRAY}
    if choices or all(sight.place == TRAY for sight in seen):
        return frozenset()
    return dice if explanations(story.game, story.state, seen) else frozenset()


def is_answered(story: Story) -> bool:
    """Tell whether the newest move is somebody's answer to a question.

    A pause may lie between the two, or after them; what was put back was the answer.
    """
    bodies = [entry.body for entry in story.entries[-4:]]
    match [b for b in bodies if not isinstance(b, Noted) or b.kind == PUT_BACK]:
        case [*_, Asked(), Made(source=source)]:
            return source != "camera"
        case _:
            return False


def may_be_put_back(story: Story) -> bool:
    """Tell whether a question stands that a table in order answers.

    A throw is not put back: a die that lies still in the tray says nothing new.
    """
    if story.asked is None or not story.asked.reading.whole:
        return False
    return not tells_of_dice(story.asked.reading)
