"""Watches the table in a lesson: takes shots when it lies still, reads test rolls."""

import logging

import numpy as np
from msgspec.structs import replace

from companion.games.copy import Item, Kind
from companion.kits import next_step
from companion.kits.curriculum import CheckStep, RollStep
from companion.kits.kit import NewShot, keep_shots, kept_shots, still_px
from companion.kits.learn import audit, learn_own_dice, shots_of
from companion.kits.next_step import PieceAudit
from companion.kits.resolution import Legible, resolution_of
from companion.kits.shots import counts_of, may_be_still, shot_of
from companion.table import Face
from companion.teaching.book import Book, Open
from companion.teaching.page import Message
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.camera.stillness import (
    Stillness,
    StillnessLimits,
    shrink_to_grey,
    start_watch,
    watch_picture,
)
from vision.camera.stills import Stills, resized
from vision.lesson import ShownThing, TableContent, find_shown_thing, is_unmoved
from vision.taught_dice.own_dice import OwnDice, read_own_dice

logger = logging.getLogger(__name__)

HINTS = {
    TableContent.NOTHING: "nothing",
    TableContent.SEVERAL: "several",
    TableContent.HAND: "hand",
    TableContent.MOVED: "moved",
}


class LessonCamera:
    """Runs in the camera's thread; *latest* is the newest picture.

    Args:
        book: The lesson that is open.
        rules: When the table lies still.
        stills: Gives pictures in full resolution, where the camera takes some.
    """

    def __init__(self, book: Book, rules: StillnessLimits, stills: Stills) -> None:
        self._book = book
        self._rules = rules
        self._stills = stills
        self._watch = start_watch()
        self._dice: tuple[object, OwnDice] | None = None
        self.latest: Picture | None = None

    def see(self, frame: Frame) -> None:
        """Take one frame into account: take a shot, or read a test roll.

        Whatever goes wrong is shown on the page; the camera's thread goes on.
        """
        self.latest = frame.picture
        if frame.picture is None or self._book.open_now is None:
            return
        try:
            self._learn()
            now, still = self._book.open_now, None
            before = self._watch.state
            self._watch = watch_picture(
                self._watch, shrink_to_grey(frame.picture), frame.taken_at, self._rules
            )
            # A still takes a second or more: pages stay quick only without the lock.
            if self._watch.state is Stillness.SETTLED:
                still = self._still(now, frame.picture, frame.taken_at)
            with self._book.lock:
                if still is not None and not _goes_on(now, self._book.open_now):
                    # Meanwhile something else was asked for: once more, then.
                    self._watch = start_watch()
                    return
                self._follow(before, frame.picture, still)
        except Exception:
            # A fault of a lesson must not end the looking: a game may follow.
            logger.exception("the lesson could not go on with %s", frame.name)
            with self._book.lock:
                self._book.update(Message("teach.no.look", bad=True), hint="")

    def _still(
        self, now: Open | None, picture: Picture, taken_at: float
    ) -> Picture | None:
        """Return a still of what lies there, where what is shown next asks for one.

        One that failed, or that a hand is in, is replaced by the video's picture in the
        size of the kit's stills, so that all of a kit is shown in one size.
        """
        if now is None or now.bare is None or now.lesson.wants_tray:
            return None
        step, shots = now.lesson.step, kept_shots(now.folder)
        long_px = still_px(shots)
        if isinstance(step, RollStep):
            asks = step.kind is Kind.DIE and long_px is not None
        else:
            game, box = now.kit.game, now.kit.box
            asks = isinstance(step, Item) and may_be_still(step, game, box, shots)
        if not asks or find_shown_thing(now.bare, picture).box is None:
            return None
        still = self._stills.of(picture, taken_at)
        size_px = long_px or self._stills.long_px
        return (
            None
            if size_px is None
            else resized(picture if still is None else still, size_px)
        )

    def _follow(
        self, before: Stillness, picture: Picture, still: Picture | None
    ) -> None:
        """Look at the table once it lies still; hands that move are told of."""
        if self._book.open_now is None:
            return
        if self._watch.state is Stillness.SETTLED:
            self._look(self._book.open_now, picture, still)
        elif self._watch.state is Stillness.MOVING is not before:
            self._book.update(self._book.open_now.lesson.message, hint="moving")

    def _look(self, now: Open, picture: Picture, still: Picture | None) -> None:
        """Look at a table that has come to rest."""
        if now.bare is None or now.lesson.wants_tray:
            return
        shown = find_shown_thing(now.bare, picture)
        step = now.lesson.step
        if isinstance(step, RollStep):
            self._read(now, step, (picture, still), shown)
        elif shown.box is None:
            self._book.update(now.lesson.message, hint=HINTS[shown.content])
        elif isinstance(step, Item):
            self._shoot(now, step, (picture, still), shown)

    def _shoot(
        self,
        now: Open,
        item: Item,
        seen: tuple[Picture, Picture | None],
        shown: ShownThing,
    ) -> None:
        """Keep a shot of what lies there alone, unless all were taken already."""
        (picture, still), box = seen, shown.box
        assert box is not None, "only one thing that lies alone is shot"
        lesson = now.lesson
        wanted = next_step.shots_wanted(item)
        if lesson.counts.get(item.key, 0) >= wanted:
            return
        if now.last is not None and is_unmoved(now.last, (picture, box)):
            self._book.update(lesson.message, hint="same")
            return
        shot = shot_of(item, picture, shown, still)
        every = keep_shots(now.folder, (shot,))
        self._book.open_now = replace(now, last=(picture, box))
        first = not any(piece == item.piece for _, piece, _ in lesson.counts)
        message = message_about_camera(item, shot) if first else None
        self._book.update(message, hint="shot", counts=counts_of(every))
        progress = next_step.after_shot(
            lesson.course, counts_of(every), lesson.progress
        )
        self._book.keep(progress)

    def _read(
        self,
        now: Open,
        roll: RollStep,
        seen: tuple[Picture, Picture | None],
        shown: ShownThing,
    ) -> None:
        """Read a test roll, to be held against what people say that it shows."""
        if shown.content in (
            TableContent.NOTHING,
            TableContent.HAND,
            TableContent.MOVED,
        ):
            self._book.open_now = replace(now, rolled=())
            self._book.update(now.lesson.message, hint=HINTS[shown.content])
            return
        if self._dice is None:
            return
        dice, (picture, still) = self._dice[1].only(roll.piece), seen
        # What the test proves is read in play as it is here.
        picture = picture if still is None else still
        reading = read_own_dice(picture, dice, now.spaces.tray, bare=now.bare)
        faces = [getattr(g.sight, "face", None) for g in reading.glimpses]
        read = faces[0] if len(faces) == 1 and not reading.choices else None
        self._book.open_now = replace(now, rolled=(read,))
        self._book.update(now.lesson.message, hint="rolled")

    def _learn(self) -> None:
        """Learn the die or deck that is to be tested, if that was not done yet.

        That takes seconds: without the lock, so that pages stay quick; a wish in
        between makes it void.
        """
        now = self._book.open_now
        step = now.lesson.step if now is not None else None
        if now is None or not isinstance(step, RollStep | CheckStep):
            return
        shots = shots_of(kept_shots(now.folder), step.kind, step.piece)
        key = (now.folder, tuple(shots))
        if self._dice is not None and self._dice[0] == key:
            return
        self._book.update(now.lesson.message, hint="learning")
        found = audit(now.folder, shots)
        faces = {shot.file: shot.face for shot in shots}
        doubtful = tuple(dict.fromkeys(faces[file] for file in found.bad))
        again = next_step.faces_to_retake(now.lesson.progress, step.piece, doubtful)
        dice = OwnDice()
        if isinstance(step, RollStep) and not again:
            dice = learn_own_dice(now.folder)
        with self._book.lock:
            if (
                self._book.open_now is not None
                and self._book.open_now.lesson.step == step
            ):
                self._dice = key, dice
                self._take(step, found, {f: faces[f] for f in found.bad}, again)

    def _take(
        self,
        step: RollStep | CheckStep,
        found: PieceAudit,
        bad: dict[str, Face],
        again: tuple[Face, ...],
    ) -> None:
        """Take what was learned: ask doubtful faces again, or let the test begin.

        A die that cannot be read from here is left to people, and the lesson goes on.
        """
        if again:
            self._book.drop(lambda shot: bad.get(shot.file) in again)
        lesson = self._book.now().lesson
        progress = next_step.after_audit(
            lesson.course, lesson.progress, step.piece, found, again
        )
        message = lesson.message
        if again:
            message = Message("teach.told.doubtful", bad=True)
        elif isinstance(step, CheckStep):
            progress = next_step.after_check(lesson.course, lesson.counts, progress)
        elif not next_step.missing(lesson.course, lesson.counts, step.piece) and (
            self._dice is None or step.piece not in self._dice[1].pieces
        ):
            progress = next_step.leave_to_people(progress, step.piece)
            message = Message("teach.told.too_alike", bad=True)
        self._book.keep(progress)
        self._book.update(message, hint="")


def _goes_on(before: Open | None, now: Open | None) -> bool:
    """Tell whether the lesson still asks for what it asked for before."""
    return (
        before is not None
        and now is not None
        and now.folder == before.folder
        and now.lesson.step == before.lesson.step
    )


def message_about_camera(item: Item, shot: NewShot) -> Message | None:
    """Return what to say of the camera after the first shot of a piece."""
    left, top, right, bottom = shot.box
    side = float(np.sqrt((right - left) * (bottom - top)))
    seen = resolution_of(item, side)
    if seen is None:
        return None
    # Pixels a centimetre, as people have no use for parts of a pixel.
    values = (
        ("px", round(10 * seen.px_per_mm)),
        ("percent", round(100 * seen.closer)),
    )
    bad = seen.legible is Legible.LITTLE or (
        item.has_facets and seen.legible is not Legible.ALL
    )
    return Message(f"teach.told.reads_{seen.legible}", values, bad)
