"""What is asked next in a lesson, from what was shown so far; values only.

Counts of shots and what the audit found go in, the next wish comes out. Pictures are
none of its business.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.games.copy import Item, Kind
from companion.kits.curriculum import CheckStep, Course, LessonStep, RollStep
from companion.table import Face, Piece

DIE_SHOTS = 3
"""Shots of each side of a die or round piece: of one, a poisoned one would go
unnoticed."""

CARD_SHOTS = 3
"""Shots of a card, each elsewhere: under a lamp that shines from it a card looks
otherwise, and with one shot 57 of 83 acts of cards were seen in warm light."""

ROLLS = 3
"""Test rolls of a die that must be read right. Of dice that misread every third roll
one passes 30 % of the time by three rolls, 67 % by one."""

MOST_ROLLS = 6
"""Test rolls after which a die that was asked about too often is left to people."""

MOST_WRONG = 2
"""Misread rolls after which a die is left to people: after the first its faces are
shown again."""


class PieceAudit(Struct, frozen=True):
    """What the camera says of the shots of one piece.

    *bad* are keys of shots, by the kit's picture file, that look like no other of their
    face or like another one; *alike* are pairs of faces that cannot be told apart and
    are always asked.
    """

    bad: tuple[str, ...] = ()
    alike: tuple[tuple[Face, Face], ...] = ()


class Progress(Struct, frozen=True):
    """How far a lesson has come; kept on disk.

    *at* is the number of the step that is asked, *again* the faces whose shots were
    doubtful, *passed* the dice whose test rolls were read right, *alike* what is always
    asked, by piece. *rolled* has the test rolls of each die, *retaken* the faces that
    were asked again: nothing is asked a third time. *left* are the dice that this
    camera does not read from where it stands.
    """

    at: int = 0
    again: tuple[tuple[Piece, Face], ...] = ()
    passed: tuple[Piece, ...] = ()
    alike: tuple[tuple[Piece, Face, Face], ...] = ()
    rolled: tuple[tuple[Piece, "RollVerdict"], ...] = ()
    retaken: tuple[tuple[Piece, Face], ...] = ()
    left: tuple[Piece, ...] = ()


class RollVerdict(StrEnum):
    """What a test roll came to."""

    RIGHT = "right"
    ASKED = "asked"  # the camera was not sure: nothing is wrong, roll again
    WRONG = "wrong"


Counts: TypeAlias = Mapping[tuple[str, Piece, Face], int]
"""Shots that are kept, by :attr:`Item.key`."""


def shots_wanted(item: Item) -> int:
    """Return how many shots of a face are wanted."""
    if item.kind is Kind.CARD:
        return CARD_SHOTS
    return DIE_SHOTS * item.sides


def missing(course: Course, counts: Counts, piece: Piece) -> int:
    """Return how many shots of a piece are still to be taken."""
    return sum(
        max(0, shots_wanted(item) - counts.get(item.key, 0))
        for item in course.of(piece)
    )


def shots_taken(course: Course, counts: Counts) -> tuple[int, int]:
    """Return how many shots were taken of all that are wanted."""
    each = [(counts.get(i.key, 0), shots_wanted(i)) for i in course.items]
    return sum(min(taken, most) for taken, most in each), sum(m for _, m in each)


def step_of(course: Course, progress: Progress) -> LessonStep | None:
    """Return the step that is asked now, None at the end."""
    if 0 <= progress.at < len(course.steps):
        return course.steps[progress.at]
    return None


def after_shot(course: Course, counts: Counts, progress: Progress) -> Progress:
    """Return the progress after a shot: at the next step once this one has its shots.

    A face that was asked again leads back to where it was asked: to the next doubtful
    face, and then to the test roll.
    """
    step = step_of(course, progress)
    if not isinstance(step, Item) or counts.get(step.key, 0) < shots_wanted(step):
        return progress
    again = tuple(one for one in progress.again if one != (step.piece, step.face))
    progress = replace(progress, again=again)
    return replace(progress, at=_next(course, counts, progress))


def after_check(course: Course, counts: Counts, progress: Progress) -> Progress:
    """Return the progress after a deck was looked over: at a card that wants shots."""
    step = step_of(course, progress)
    assert isinstance(step, CheckStep), "only a deck is looked over"
    for item in course.of(step.piece):
        if counts.get(item.key, 0) < shots_wanted(item):
            return go_to(course, progress, item.piece, item.face)
    passed = tuple(dict.fromkeys((*progress.passed, step.piece)))
    return replace(progress, passed=passed, at=progress.at + 1)


def _next(course: Course, counts: Counts, progress: Progress) -> int:
    """Return the next step that is not done yet; done ones are passed over."""
    at = progress.at + 1
    while at < len(course.steps):
        step = course.steps[at]
        done = step.piece in (*progress.passed, *progress.left)
        if isinstance(step, RollStep | CheckStep) and not done:
            return at
        if isinstance(step, Item) and counts.get(step.key, 0) < shots_wanted(step):
            return at
        at += 1
    return at


def one_step_back(progress: Progress) -> Progress:
    """Return the progress one step earlier."""
    return replace(progress, at=max(0, progress.at - 1))


def skip(course: Course, progress: Progress) -> Progress:
    """Return the progress one step on, whatever was shown."""
    return replace(progress, at=min(len(course.steps), progress.at + 1))


def go_to(course: Course, progress: Progress, piece: Piece, face: Face) -> Progress:
    """Return the progress at a face, which is to be shown anew.

    What a die was tested with is worth nothing when a face of it changes.

    Raises:
        LookupError: The course has no such face.
    """
    at = course.place_of(piece, face)
    if at is None:
        raise LookupError(f"the lesson has no face {face} of {piece}")
    return replace(
        progress,
        at=at,
        passed=tuple(one for one in progress.passed if one != piece),
        left=tuple(one for one in progress.left if one != piece),
        rolled=tuple(one for one in progress.rolled if one[0] != piece),
    )


def start_over(
    course: Course, progress: Progress, piece: Piece, face: Face
) -> Progress:
    """Return the progress at a face that people want to show anew.

    Raises:
        LookupError: The course has no such face.
    """
    retaken = tuple(one for one in progress.retaken if one[0] != piece)
    return go_to(course, replace(progress, retaken=retaken), piece, face)


def faces_to_retake(
    progress: Progress, piece: Piece, doubtful: tuple[Face, ...]
) -> tuple[Face, ...]:
    """Return the doubtful faces that were not asked again before.

    A lesson ends: what looks doubtful twice is what this camera sees from there.
    """
    return tuple(face for face in doubtful if (piece, face) not in progress.retaken)


def after_audit(
    course: Course,
    progress: Progress,
    piece: Piece,
    audit: PieceAudit,
    doubtful: tuple[Face, ...],
) -> Progress:
    """Return the progress after an audit: at the first face that was doubtful."""
    others = tuple(one for one in progress.alike if one[0] != piece)
    alike = (*others, *((piece, one, other) for one, other in audit.alike))
    progress = replace(progress, alike=alike)
    if not doubtful:
        return progress
    kept = tuple(one for one in progress.again if one[0] != piece)
    named = tuple((piece, face) for face in doubtful)
    progress = replace(
        progress, again=(*kept, *named), retaken=(*progress.retaken, *named)
    )
    return go_to(course, progress, piece, doubtful[0])


def leave_to_people(progress: Progress, piece: Piece) -> Progress:
    """Return the progress after a die that this camera does not read from there."""
    left = tuple(dict.fromkeys((*progress.left, piece)))
    return replace(progress, left=left, at=progress.at + 1)


def rolls_wanted(progress: Progress, piece: Piece) -> int:
    """Return how many test rolls of a die are still to be read right."""
    return ROLLS - _count(progress, piece, RollVerdict.RIGHT)


def _count(progress: Progress, piece: Piece, verdict: RollVerdict) -> int:
    return progress.rolled.count((piece, verdict))


def judge_roll(
    course: Course, progress: Progress, piece: Piece, read: Face | None, true: Face
) -> tuple[Progress, RollVerdict]:
    """Return what a roll came to that was read as *read* and truly shows *true*.

    The first that was misread leads back to the face that it truly shows and to that
    as which it was read, the earlier one first, as a lesson only goes on; after the
    second, or where too many were asked about, the die is left to people.
    """
    verdict = RollVerdict.ASKED
    if read is not None:
        verdict = RollVerdict.RIGHT if read == true else RollVerdict.WRONG
    progress = replace(progress, rolled=(*progress.rolled, (piece, verdict)))
    wrong = (piece, RollVerdict.WRONG)
    if verdict is RollVerdict.WRONG and progress.rolled.count(wrong) < MOST_WRONG:
        progress = replace(progress, again=(*progress.again, (piece, true)))
        assert read is not None
        first = min(read, true, key=lambda face: course.place_of(piece, face) or 0)
        progress = go_to(course, progress, piece, first)
        return replace(progress, rolled=(*progress.rolled, wrong)), verdict
    if verdict is RollVerdict.WRONG:
        return leave_to_people(progress, piece), verdict
    if rolls_wanted(progress, piece) <= 0:
        passed = tuple(dict.fromkeys((*progress.passed, piece)))
        return replace(progress, passed=passed, at=progress.at + 1), verdict
    if sum(one == piece for one, _ in progress.rolled) >= MOST_ROLLS:
        return leave_to_people(progress, piece), verdict
    return progress, verdict
