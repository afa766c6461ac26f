"""Which of the dice that came to rest were thrown, by how the table was seen before.

A die is never a throw because it lies there. It counts once it was seen to leave its
place, or a hand to bring it, and then lies elsewhere.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.story.log import Story
from companion.table import BoxPx, Glimpse, Reading, Shown, UnsureSight
from companion.watching.at_rest import (
    ADRIFT,
    DieFate,
    MovedDice,
    RestingDie,
    fate_of,
    fates_of,
    may_be_same,
)
from vision.arrays import Floats, Mask, Picture
from vision.camera.stillness import StillnessLimits, change_mask, shrink_to_grey
from vision.ground.knock import find_knock, find_landmarks, move_box, move_picture
from vision.lesson import is_unmoved as shown_alike

COVERED = 0.2
"""Share of a die's box that has changed at least where the die is new: noise changes
none of it, a die nearly all."""

MOST_GONE = 6
"""So many dice that are not seen any more are remembered."""

NEVER = -1


class Lain(Struct, frozen=True):
    """A die where it was last seen, and in which picture; *gone* if it is not now."""

    rest: RestingDie
    picture: Picture
    gone: bool = False


class DiceElsewhere(Struct, frozen=True):
    """Dice that lie elsewhere than before.

    Attributes:
        reading: Of these dice alone, as they were read.
        left: The story when they were touched; None where nobody saw that.
        known: The story when it was last known where they lay.
        near: Whether all lie nearly where they lay, and show the same.
        before: Where dice lay before.
    """

    reading: Reading
    left: Story | None
    known: Story | None
    near: bool
    before: tuple[RestingDie, ...]

    def moved(self, reading: Reading) -> MovedDice:
        """Return what is to be judged, with the *reading* in the game's words."""
        return MovedDice(reading, self.left, self.known, self.near)


class ThrowWatch:
    """Remembers where each die lay, and watches where something moves.

    Args:
        rules: By which the table is watched.
    """

    def __init__(self, rules: StillnessLimits) -> None:
        self._rules = rules
        self._lain: tuple[Lain, ...] | None = None
        self._picture: Picture | None = None
        self._stirs: NDArray[np.int32] | None = None
        self._stories: list[Story | None] = []
        self._known: Story | None = None
        self._blind = False

    def lose_sight(self, story: Story | None) -> None:
        """Take note that nothing is seen for now: what moves meanwhile nobody sees.

        A camera may come and go before the table is looked at again.
        """
        self.calm()
        if not self._blind:
            self._known, self._blind = story, True

    def calm(self) -> None:
        """Take note that all lies still: what moves from now on is something new."""
        self._stirs = None
        self._stories = []

    def stir(self, moved: Mask, story: Story | None) -> None:
        """Take note of where something moves, and what the record says meanwhile."""
        if not self._stories or self._stories[-1] is not story:
            self._stories.append(story)
        if self._stirs is None or self._stirs.shape != moved.shape:
            self._stirs = np.full(moved.shape, NEVER, np.int32)
        self._stirs[moved & (self._stirs == NEVER)] = len(self._stories) - 1

    def look(
        self, reading: Reading, picture: Picture, story: Story
    ) -> DiceElsewhere | None:
        """Return the dice that lie elsewhere than before, None where none does.

        What lies there at the first look has been there before.
        """
        now, before, known = resting_dice(reading), self._lain, self._known
        if before is None or self._picture is None:
            self._keep((), now, picture, story)
            return None
        seen = _Compared(before, self._picture, now, picture, self._rules)
        moved = seen.moved()
        left = [self._left(seen, i, picture) for i in moved]
        self._keep(seen.unseen(), now, picture, story)
        if not moved:
            return None
        first = min((one for one in left if one is not None), default=None)
        return DiceElsewhere(
            _only(reading, moved),
            None if first is None or None in left else self._stories[first],
            known,
            all(seen.fates[i][0] is DieFate.NEAR for i in moved),
            tuple(one.rest for one in before),
        )

    def take_as_it_lies(self, reading: Reading, picture: Picture) -> None:
        """Remember what lies there; none of it is a throw."""
        self._keep((), resting_dice(reading), picture, None)

    def _keep(
        self,
        gone: tuple[Lain, ...],
        now: Sequence[RestingDie],
        picture: Picture,
        story: Story | None,
    ) -> None:
        self._picture, self._known, self._blind = picture, story, False
        self._lain = (*(Lain(rest, picture) for rest in now), *gone)

    def _left(self, seen: "_Compared", i: int, picture: Picture) -> int | None:
        """Return the number of the story when a die was first touched."""
        wide = picture.shape[1]
        at = [self._first_stir(box, wide) for box in seen.came_from(i)]
        stirs = [one for one in at if one is not None]
        return min(stirs) if stirs else self._first_stir(seen.now[i].box, wide)

    def _first_stir(self, box: BoxPx, wide: int) -> int | None:
        if self._stirs is None:
            return None
        here = self._stirs[_window(box, self._stirs.shape[1] / wide)]
        here = here[here != NEVER]
        return int(here.min()) if here.size else None


class _Compared:
    """Two looks at a table, and which dice are which."""

    def __init__(
        self,
        before: tuple[Lain, ...],
        old: Picture,
        now: Sequence[RestingDie],
        picture: Picture,
        rules: StillnessLimits,
    ) -> None:
        self.before, self.now = before, now
        self.fates = fates_of([[one.rest] for one in before], now)
        self._old, self._picture, self._rules = old, picture, rules
        self._knock: Floats | None = None
        if any(what is not DieFate.LIES for what, _ in self.fates):
            self._knocked()
        self._look_closer()

    def _knocked(self) -> None:
        """Move along what lay there, if the whole picture has."""
        boxes = [*(one.rest.box for one in self.before), *(one.box for one in self.now)]
        self._knock = find_knock(
            find_landmarks(self._old, boxes), find_landmarks(self._picture, boxes)
        )
        if self._knock is None:
            adrift_px = ADRIFT * self._picture.shape[1]
            self.fates = fates_of(
                [[one.rest] for one in self.before], self.now, adrift_px
            )
            return
        both = [[one.rest, self._moved(one.rest)] for one in self.before]
        self.fates = fates_of(both, self.now)

    def _moved(self, rest: RestingDie) -> RestingDie:
        if self._knock is None:
            return rest
        return replace(rest, box=move_box(rest.box, self._knock))

    def _look_closer(self) -> None:
        """Tell by the picture itself what the boxes leave open."""
        fresh: Mask | None = None
        for i, (what, k) in enumerate(self.fates):
            if k is not None:
                was, now = self.before[k], self.now[i]
                odd = was.gone or not may_be_same(was.rest.face, now.face)
                if what is DieFate.LIES and odd and not self._is_untouched(was, now):
                    self.fates[i] = (DieFate.NEAR, k)
            else:
                fresh = self._changed() if fresh is None else fresh
                wide = self._picture.shape[1]
                here = fresh[_window(self.now[i].box, fresh.shape[1] / wide)]
                if here.size and here.mean() < COVERED:
                    # It lay there before, and was not seen or not known for a die.
                    self.fates[i] = (DieFate.LIES, None)

    def _is_untouched(self, was: Lain, now: RestingDie) -> bool:
        """Tell whether something only hid a die: it lies there just as it did."""
        if fate_of(was.rest, now) is not DieFate.LIES:
            return False
        return shown_alike((was.picture, was.rest.box), (self._picture, now.box))

    def _changed(self) -> Mask:
        old = self._old
        if self._knock is not None:
            old = move_picture(old, self._knock)
        if old.shape != self._picture.shape:
            return np.ones(shrink_to_grey(self._picture).shape, np.bool_)
        return change_mask(
            shrink_to_grey(self._picture), shrink_to_grey(old), self._rules
        )

    def moved(self) -> list[int]:
        """Return the numbers of the dice that do not lie where they lay."""
        return [i for i, (what, _) in enumerate(self.fates) if what is not DieFate.LIES]

    def came_from(self, i: int) -> list[BoxPx]:
        """Return where a die may have lain that is somewhere else now."""
        what, k = self.fates[i]
        if k is not None and what is DieFate.NEAR:
            return [] if self.before[k].gone else [self.before[k].rest.box]
        taken = {k for _, k in self.fates}
        return [
            one.rest.box
            for k, one in enumerate(self.before)
            if k not in taken and not one.gone
            and may_be_same(one.rest.piece, self.now[i].piece)
        ]  # fmt: skip

    def unseen(self) -> tuple[Lain, ...]:
        """Return the dice that are not seen now and did not come to lie elsewhere."""
        taken = {k for _, k in self.fates}
        left = [one for k, one in enumerate(self.before) if k not in taken]
        # Whoever was read for sure is the likelier one to have been thrown.
        left.sort(key=lambda one: (one.rest.face is None, one.gone))
        for i, (what, k) in enumerate(self.fates):
            if what is DieFate.ELSEWHERE and k is None:
                same = (n for n, one in enumerate(left)
                        if may_be_same(one.rest.piece, self.now[i].piece))  # fmt: skip
                gone = next(same, None)
                if gone is not None:
                    del left[gone]
        return tuple(
            replace(one, gone=True, rest=self._moved(one.rest)) for one in left
        )[:MOST_GONE]


def resting_dice(reading: Reading) -> tuple[RestingDie, ...]:
    """Return where the dice of a reading lie, in its order."""
    return tuple(_rest(thing) for thing in _things(reading))


def is_another_throw(
    passed: Reading, before: Sequence[RestingDie], cast: Reading
) -> bool:
    """Tell whether a die lay still on the way that lies elsewhere now, read for sure.

    Args:
        passed: What lay there for a moment.
        before: Where dice lay before that.
        cast: Where they lie now.
    """
    known = (*before, *resting_dice(cast))
    pieces = {one.piece for one in known}
    return any(
        all(fate_of(lain, die) is DieFate.ELSEWHERE for lain in known)
        for die in resting_dice(passed)
        if die.face is not None and die.piece in pieces
    )


def _things(reading: Reading) -> tuple[Glimpse | UnsureSight, ...]:
    """Return what has a place in the picture."""
    some: tuple[Glimpse | UnsureSight, ...] = (*reading.glimpses, *reading.choices)
    return tuple(thing for thing in some if thing.box_px is not None)


def _rest(thing: Glimpse | UnsureSight) -> RestingDie:
    assert thing.box_px is not None
    if isinstance(thing, UnsureSight):
        return RestingDie(thing.piece, None, thing.box_px)
    sight = thing.sight
    assert isinstance(sight, Shown), "who reads dice tells what they show"
    return RestingDie(sight.piece, sight.face, thing.box_px)


def _only(reading: Reading, numbers: Sequence[int]) -> Reading:
    """Return a reading of some of its dice."""
    things = _things(reading)
    some = [things[i] for i in numbers]
    return replace(
        reading,
        glimpses=tuple(one for one in some if isinstance(one, Glimpse)),
        choices=tuple(one for one in some if isinstance(one, UnsureSight)),
    )


def _window(box: BoxPx, scale: float) -> tuple[slice, slice]:
    """Return the rows and columns of a box in a small picture, one pixel at least."""
    left, top = (max(0, int(edge * scale)) for edge in box[:2])
    right, bottom = (int(np.ceil(edge * scale)) for edge in box[2:])
    return slice(top, max(top + 1, bottom)), slice(left, max(left + 1, right))
