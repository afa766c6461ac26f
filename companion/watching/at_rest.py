"""Where dice came to rest, and what has become of them since.

Pure. A die that lies where it lay was not thrown, nor one that a sleeve has pushed, nor
one whose throw somebody has entered already.
"""

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from typing import Any

from msgspec import Struct

from companion.story.log import Step, Story
from companion.table import TRAY, BoxPx, Face, Piece, Reading, Shown

SAME_DIE = 0.85
"""Overlap of two boxes above which they are of the same die, however it is read now: no
other die is taken to land in just the same place."""

PUSHED = 0.22
"""Sides of its box up to which a die that shows the same was pushed or turned. Vision
draws a box of 1 to 1.6 sides of the die: a die pushed by 0.15 of itself is in, one that
was put back half of itself away is not. A tray holds some 240 dice beside each other: a
throw ends so near in 1 of 600, and shows the same face in 1 of 4,000."""

NEARLY = 1.0
"""Sides of its box up to which nobody can tell a throw that shows the same from a die
that was taken up and put back: 1 throw in 200 ends like that, and is asked about."""

ADRIFT = 0.06
"""Share of the picture's width by which a die that shows the same may only seem to be
elsewhere, where nothing behind it tells whether the camera was knocked: 2 % and 3
degrees move what lies at the rim by so much."""

WAS_IT_THROWN = "core.ask.was_it_thrown"
"""The question about a die that may have been thrown."""


class RestingDie(Struct, frozen=True):
    """A die where it came to rest; *face* is None where it was not read for sure."""

    piece: Piece | None
    face: Face | None
    box: BoxPx


class DieFate(IntEnum):
    """What has become of a die, from what is sure to be no throw."""

    LIES = 0
    NEAR = 1
    ELSEWHERE = 2


def fate_of(was: RestingDie, now: RestingDie, near_px: float = 0.0) -> DieFate:
    """Return what has become of a die, if *now* it is the one that it *was*.

    Args:
        was: Where it lay.
        now: Where one lies.
        near_px: Up to so far it may be the same one that shows the same, where that is
            more than `NEARLY`: of a camera that may have been knocked, nobody knows by
            how much.
    """
    if not may_be_same(was.piece, now.piece):
        return DieFate.ELSEWHERE
    if overlap(was.box, now.box) > SAME_DIE:
        return DieFate.LIES
    if not may_be_same(was.face, now.face):
        return DieFate.ELSEWHERE
    apart_px = distance_px(was.box, now.box)
    side_px = min(mean_side_px(was.box), mean_side_px(now.box))
    if apart_px <= PUSHED * side_px:
        return DieFate.LIES
    return (
        DieFate.NEAR
        if apart_px <= max(near_px, NEARLY * side_px)
        else DieFate.ELSEWHERE
    )


def fates_of(
    before: Sequence[Sequence[RestingDie]],
    now: Sequence[RestingDie],
    near_px: float = 0.0,
) -> list[tuple[DieFate, int | None]]:
    """Return what each die that lies there *now* is: its fate, and which one it was.

    Each die that lay there *before* is one die now. It may have lain at several places,
    as where the camera may have been knocked: the one nearest to now is believed.
    """
    pairs = sorted(
        (
            min(
                (fate_of(was, die, near_px), distance_px(was.box, die.box))
                for was in lain
            ),
            i,
            k,
        )
        for k, lain in enumerate(before)
        for i, die in enumerate(now)
    )
    entered: list[tuple[DieFate, int | None]] = [(DieFate.ELSEWHERE, None)] * len(now)
    taken: set[int] = set()
    for (what, _), i, k in pairs:
        if what is not DieFate.ELSEWHERE and entered[i][1] is None and k not in taken:
            entered[i] = (what, k)
            taken.add(k)
    return entered


def may_be_same(one: str | None, other: str | None) -> bool:
    """Tell whether two names may be one; None is anything."""
    return None in (one, other) or one == other


def overlap(a: BoxPx, b: BoxPx) -> float:
    """Return the share of two boxes that both cover, 0 to 1."""
    wide = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    high = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    both = wide * high
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return both / (areas - both) if areas > both else 1.0


def distance_px(a: BoxPx, b: BoxPx) -> float:
    """Return how far the middles of two boxes are apart, px."""
    x, y = a[0] + a[2] - b[0] - b[2], a[1] + a[3] - b[1] - b[3]
    return float((x**2 + y**2) ** 0.5) / 2


def mean_side_px(box: BoxPx) -> float:
    """Return the side of a square as large as a box, px."""
    return float(max(1, (box[2] - box[0]) * (box[3] - box[1])) ** 0.5)


class MovedDice(Struct, frozen=True):
    """Dice that lie elsewhere than before.

    Attributes:
        reading: Of these dice alone, in the game's words.
        left: The story when they were touched; None where nobody saw that.
        known: The story when it was last known where they lay.
        near: Whether all lie nearly where they lay, and show the same.
    """

    reading: Reading
    left: Story | None
    known: Story | None
    near: bool


class ThrowVerdict(StrEnum):
    """What dice that lie elsewhere are to the game."""

    THROWN = "thrown"
    TWICE = "twice"  # one throw is awaited, and two were made
    OPEN = "open"  # nobody can tell
    NO_THROW = "no throw"
    LATER = "later"  # none is awaited yet


def judge_throw(moved: MovedDice, story: Story, *, twice: bool = False) -> ThrowVerdict:
    """Return whether dice that lie elsewhere were thrown, as the record stands now.

    Args:
        moved: The dice.
        story: The game.
        twice: Whether they lay still on their way.
    """
    left = moved.left
    awaited = bool(legal_throws(story))
    entered = throws_entered_since(left or moved.known or story, story)
    if entered and (not awaited or _may_show(moved.reading, entered)):
        # What a phone has entered and what the camera sees is one act.
        return ThrowVerdict.NO_THROW
    is_meant = left is not None and awaited and awaits_the_same(left, story)
    if moved.near:
        return ThrowVerdict.OPEN if is_meant else ThrowVerdict.NO_THROW
    if not awaited:
        return ThrowVerdict.LATER
    if not is_meant:
        return ThrowVerdict.OPEN
    return ThrowVerdict.TWICE if twice else ThrowVerdict.THROWN


def _may_show(reading: Reading, entered: frozenset[Shown]) -> bool:
    """Tell whether all dice may show what was entered of them."""
    return all(one.sight in entered for one in reading.glimpses) and all(
        any(may_be_same(one.piece, die.piece) and face == die.face
            for face, _ in one.faces for die in entered)
        for one in reading.choices
    )  # fmt: skip


def throws_entered_since(before: Story, now: Story) -> frozenset[Shown] | None:
    """Return what people have entered of throws since *before*, None where nothing was.

    The faces are those of the throws, in the game's words.
    """
    entered: set[Shown] = set()
    for step in _since(before, now):
        if step.made.source != "camera":
            entered |= _shown_by(now, step)
    return frozenset(entered) or None


def awaits_the_same(before: Story, now: Story) -> bool:
    """Tell whether the throw that is awaited *now* was awaited *before* as well."""
    if now.steps[: len(before.steps)] != before.steps or before.paused:
        return before is now
    if any(_shown_by(now, step) for step in _since(before, now)):
        return False
    return _who_throws(before) == _who_throws(now) != frozenset()


def legal_throws(story: Story) -> tuple[tuple[Any, frozenset[Shown]], ...]:
    """Return the legal moves that show faces in the tray and nothing else."""
    game, state = story.game, story.state
    found = ((move, game.evidence(state, move)) for move in game.legal(state))
    return tuple((move, dice) for move, seen in found if (dice := _dice(seen)))


def _who_throws(story: Story) -> frozenset[int | None]:
    game, state = story.game, story.state
    return frozenset(game.actor(state, move) for move, _ in legal_throws(story))


def _since(before: Story, now: Story) -> tuple[Step, ...]:
    kept = 0
    for one, other in zip(before.steps, now.steps, strict=False):
        if one is not other:
            break
        kept += 1
    return now.steps[kept:]


def _shown_by(story: Story, step: Step) -> frozenset[Shown]:
    """Return the faces that a step entered, if it was a throw."""
    if step.made.move is None:
        return frozenset()
    numbers = [one.seq for one in story.steps]
    at = numbers.index(step.seq)
    before = story.steps[at - 1].state if at else story.start
    return _dice(story.game.evidence(before, step.made.move))


def _dice(evidence: frozenset[Any]) -> frozenset[Shown]:
    """Return *evidence* where all of it is faces in the tray."""
    dice = frozenset(
        one for one in evidence if isinstance(one, Shown) and one.place == TRAY
    )
    return dice if len(dice) == len(evidence) else frozenset()
