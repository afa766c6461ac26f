"""Where the dice of a tray last lay: a die that lies there still was not thrown.

Each die has a place of its own, as one of two may be thrown again while the other lies.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from companion.story.log import Story
from companion.table import TRAY, BoxPx, Piece, Shown, SurePiece, UnsurePiece
from companion.watching.at_rest import (
    ADRIFT,
    SAME_DIE,
    DieFate,
    RestingDie,
    fate_of,
    legal_throws,
    may_be_same,
    overlap,
    throws_entered_since,
)
from vision.arrays import Picture
from vision.ground.knock import find_knock, find_landmarks, move_box


class DiceInSight(Struct, frozen=True):
    """The dice that are seen in a tray; one that is unsure may be several of them."""

    lying: tuple[SurePiece, ...] = ()
    unclear: tuple[UnsurePiece, ...] = ()

    def rests(self) -> dict[Piece, RestingDie]:
        """Return where each die lies; the face of one that is unsure is None."""
        found: dict[Piece, RestingDie] = {}
        for doubt in self.unclear:
            for piece, _, _ in doubt.choices:
                if doubt.place == TRAY and doubt.box_px is not None:
                    found[piece] = RestingDie(piece, None, doubt.box_px)
        for thing in self.lying:
            if thing.place == TRAY and thing.box_px is not None:
                found[thing.piece] = RestingDie(thing.piece, thing.face, thing.box_px)
        return found

    def lies_at(self, box: BoxPx) -> bool:
        """Tell whether something lies just there, whatever it is read as."""
        return any(overlap(there, box) > SAME_DIE for there in self.boxes())

    def boxes(self) -> Iterator[BoxPx]:
        """Yield the boxes of what lies there."""
        some: tuple[SurePiece | UnsurePiece, ...] = (*self.lying, *self.unclear)
        for one in some:
            if one.place == TRAY and one.box_px is not None:
                yield one.box_px


class TrayChanges(Struct, frozen=True):
    """What has become of the dice of a tray since they were last seen.

    Attributes:
        thrown: Those that lie elsewhere, or show something else.
        elsewhere: What those show that lie far from where they lay.
        near: Those that show the same nearly where they lay, or where they were gone.
        open: Those of which nobody can say whether they were thrown.
    """

    thrown: frozenset[Piece] = frozenset()
    elsewhere: frozenset[Shown] = frozenset()
    near: frozenset[Piece] = frozenset()
    open: frozenset[Piece] = frozenset()


class TrayMemory:
    """Remembers where each die lay when it was last seen, and in which picture.

    A hand may hide a die while the camera is knocked: where it lies then, only the
    picture tells in which it was seen.
    """

    def __init__(self) -> None:
        self._resting: dict[Piece, RestingDie] = {}
        self._seen_in: dict[Piece, Picture | None] = {}
        self._gone: frozenset[Piece] = frozenset()
        self._last: Story | None = None
        self._unwatched = False

    @property
    def has_looked(self) -> bool:
        """Tell whether a watcher has looked into the tray yet."""
        return self._last is not None

    def lose_sight(self) -> None:
        """Take note that nobody sees what moves from now on to the next look."""
        self._unwatched = True

    def as_it_lay(self, dice: DiceInSight) -> DiceInSight:
        """Return the dice, one that lies just where it was read for sure as it was.

        Near the rim of a wide picture a die shows its sides: one that was read as 1 on
        a traced table was asked about an act later, untouched, as its 5 was in sight.
        """
        lying, unclear = dice.lying, dice.unclear
        if self._unwatched:
            return dice
        for die, rest in self._resting.items():
            if die in self._gone or any(one.piece == die for one in lying):
                continue
            about = [one for one in unclear if _is_about(one, rest)]
            chance = max((_chance_of(one, rest) for one in about), default=0.0)
            if chance > 0 and rest.face is not None:
                lying += (SurePiece(die, rest.face, TRAY, chance, rest.box),)
                unclear = tuple(one for one in unclear if one not in about)
        return DiceInSight(lying, unclear)

    def compare(
        self, dice: DiceInSight, picture: Picture | None, story: Story
    ) -> TrayChanges:
        """Return what has become of the dice since they were last remembered."""
        assert self._last is not None, "remember what lies there at the first look"
        found = self._compare(dice, self._resting)
        moved = bool(self._resting) and bool(found.thrown or found.near)
        if moved and picture is not None:
            found = self._compare_after_knock(dice, picture)
        return self._drop_entered(dice, found, self._last, story)

    def remember(
        self, dice: DiceInSight, picture: Picture | None, story: Story
    ) -> None:
        """Keep where each die lies; one that is not seen is gone from there."""
        seen, lain, gone = dice.rests(), {**self._resting}, set()
        for die in {*lain, *seen}:
            now = seen.get(die)
            if now is not None and (
                now.face is not None or die not in lain
                or not dice.lies_at(lain[die].box)
            ):  # fmt: skip
                lain[die] = now
                self._seen_in[die] = picture
            elif now is None and not dice.lies_at(lain[die].box):
                gone.add(die)
        self._resting, self._gone = lain, frozenset(gone)
        self._last, self._unwatched = story, False

    def _compare_after_knock(self, dice: DiceInSight, picture: Picture) -> TrayChanges:
        """Compare anew, with what lay there moved along if the whole picture has."""
        boxes = [*dice.boxes(), *(rest.box for rest in self._resting.values())]
        now = find_landmarks(picture, boxes)
        seen = {id(old): old for old in self._seen_in.values() if old is not None}
        knocks = {
            key: find_knock(find_landmarks(old, boxes), now)
            for key, old in seen.items()
        }
        moved, near_px = dict(self._resting), 0.0
        for die, rest in self._resting.items():
            knock = knocks.get(id(self._seen_in[die]))
            if knock is None:
                near_px = ADRIFT * picture.shape[1]
            else:
                moved[die] = replace(rest, box=move_box(rest.box, knock))
        return self._compare(dice, moved, near_px)

    def _compare(
        self, dice: DiceInSight, moved: dict[Piece, RestingDie], near_px: float = 0.0
    ) -> TrayChanges:
        """Return what has become of the dice, by where they lie now."""
        rests = dice.rests()
        fates = {
            die: self._fate(now, (self._resting[die], moved[die]), dice, near_px)
            for die, now in rests.items()
            if die in self._resting
        }
        far = (die for die, what in fates.items() if what is DieFate.ELSEWHERE)
        return TrayChanges(
            frozenset(
                die for die in rests
                if fates.get(die, DieFate.ELSEWHERE) is DieFate.ELSEWHERE
            ),
            frozenset(
                Shown(die, face, TRAY) for die in far if (face := rests[die].face)
            ),
            frozenset(die for die, what in fates.items() if what is DieFate.NEAR),
        )  # fmt: skip

    def _fate(
        self,
        now: RestingDie,
        lain: tuple[RestingDie, ...],
        dice: DiceInSight,
        near_px: float,
    ) -> DieFate:
        what = min(fate_of(was, now, near_px) for was in lain)
        if any(dice.lies_at(was.box) for was in lain):
            what = DieFate.LIES
        if what is DieFate.LIES and now.piece in self._gone:
            # A hand took it, or only hid it.
            return (
                DieFate.NEAR
                if may_be_same(lain[0].face, now.face)
                else DieFate.ELSEWHERE
            )
        return what

    def _drop_entered(
        self, dice: DiceInSight, found: TrayChanges, before: Story, story: Story
    ) -> TrayChanges:
        """Take out what was entered meanwhile, and what may be no throw."""
        entered = throws_entered_since(before, story)
        shown = {die: Shown(die, rest.face or "", TRAY)
                 for die, rest in dice.rests().items()}  # fmt: skip
        known = {die for die, sight in shown.items() if entered and sight in entered}
        awaited = {sight.piece for _, some in legal_throws(story) for sight in some}
        bare = {
            piece
            for piece, face, place in story.game.layout(story.state)
            if place == TRAY and face is None
        }
        open_ = found.near & bare
        if entered or self._unwatched:
            open_ |= found.thrown
        open_ = (open_ & awaited) - known
        thrown = found.thrown - known - open_
        sure = frozenset(one for one in found.elsewhere if one.piece in thrown)
        return TrayChanges(thrown, sure, found.near, open_)


def _is_about(doubt: UnsurePiece, rest: RestingDie) -> bool:
    """Tell whether a doubt is about a die alone, where it lay or on a side of it."""
    is_only = all(piece == rest.piece for piece, _, _ in doubt.choices)
    box = doubt.box_px
    return doubt.place == TRAY and is_only and bool(box and overlap(box, rest.box) > 0)


def _chance_of(doubt: UnsurePiece, rest: RestingDie) -> float:
    """Return how surely a die shows what it did, if that is just where it lay."""
    if doubt.box_px is None or overlap(doubt.box_px, rest.box) <= SAME_DIE:
        return 0.0
    return max(
        (odds for _, face, odds in doubt.choices if face == rest.face), default=0
    )


def throws_awaited(story: Story, shown: frozenset[Shown]) -> frozenset[Piece]:
    """Return the dice of which a legal throw would show just what they show."""
    if not shown:
        return frozenset()
    return frozenset(
        sight.piece
        for move in story.game.legal(story.state)
        for sight in story.game.evidence(story.state, move)
        if isinstance(sight, Shown) and sight in shown
    )
