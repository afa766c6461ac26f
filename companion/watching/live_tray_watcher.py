"""Reads a live camera each time its table lies still, and finds what was thrown."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.meanings import translate
from companion.running.snapshot import Snapshot
from companion.story.log import Asked, Made, Story
from companion.table import LinePart, Reading
from companion.watching.at_rest import WAS_IT_THROWN, ThrowVerdict, judge_throw
from companion.watching.throws import DiceElsewhere, ThrowWatch, is_another_throw
from companion.watching.tray_watcher import TrayWatcher
from companion.watching.watcher import NO_HOOKS, NOT_YET, Hooks, WatchedTable
from vision.arrays import Picture
from vision.camera.best_look import MOST_LOOKS, is_reading_sure, surest_reading
from vision.camera.port import Camera, Frame
from vision.camera.stillness import (
    Grey,
    Stillness,
    StillnessLimits,
    StillnessState,
    shrink_to_grey,
    start_watch,
    watch_picture,
)

BLINK_S = 0.1
"""Pause before a camera that gave no picture is asked again."""

SOON_S = 2.0
"""So long after a reading a die that moves gets the notice which throw counts: it was
thrown twice, or nobody has seen yet that it was read."""

PASSED = 2
"""So many moments of rest are remembered that were too short to be read."""

MOVED_AGAIN = LinePart("core.eye.moved_again")

_WHY = {
    ThrowVerdict.THROWN: None,
    ThrowVerdict.OPEN: WAS_IT_THROWN,
    ThrowVerdict.TWICE: "core.ask.thrown_twice",
}


class BoardWatcher(Protocol):
    """Watches a board whose spaces were tapped, one frame after another."""

    def miss(self) -> None:
        """Take note that the camera shows nothing that can be read."""

    def see(self, frame: Frame) -> bool:
        """Take one frame into account; tell whether a reading was handed over."""


class Passing(Struct, frozen=True):
    """The moments at which the table was at rest for a while, as they pass.

    Attributes:
        calm: Whether the table lies still, and what lies there is known.
        begun: Whether the newest picture is the first one after a calm.
        resting: Where a rest has begun that is not known to last.
        passed: Rests that were over before they were read.
    """

    calm: bool = False
    begun: bool = False
    resting: Frame | None = None
    passed: tuple[Frame, ...] = ()

    def after(
        self, seen: StillnessState, frame: Frame, hold_s: float, *, pending: bool
    ) -> "Passing":
        """Return how it stands after one more picture.

        Args:
            seen: What the picture shows.
            frame: The picture.
            hold_s: How long the table lies still before it is looked at.
            pending: Whether it was looked at, and a second look is due.
        """
        if seen.state is Stillness.MOVING:
            over = () if self.resting is None else (self.resting,)
            return Passing(False, self.calm, None, (*self.passed, *over)[-PASSED:])
        began = frame.taken_at if seen.quiet_since is None else seen.quiet_since
        lasts = frame.taken_at - began + 1e-9 >= hold_s
        as_known = seen.state is Stillness.QUIET and lasts and not pending
        if self.calm or as_known:
            return Passing(calm=True)
        return Passing(False, False, self.resting or frame, self.passed)


class LiveTrayWatcher(TrayWatcher):
    """Reads a camera each time the table has come to rest.

    Dice are thrown when they were seen to move while a throw was awaited, and lie
    elsewhere then: not because they lie there (`throws`). Where that is open people are
    asked.

    Args:
        table: The running table, which takes the readings.
        name: What the camera is called on the page.
        read: Reads the dice of one frame.
        camera: Where pictures come from.
        rules: When the table lies still.
        board: Gives the watcher of a board whose spaces were tapped, while a game
            is played on it.
        hooks: What it serves beside the table.
        is_stuck: Tells whether only the end of the program gives the camera back.
    """

    def __init__(
        self,
        table: WatchedTable,
        name: str,
        read: Callable[[Frame], Reading],
        camera: Camera,
        rules: StillnessLimits,
        board: Callable[[], BoardWatcher | None] = lambda: None,
        hooks: Hooks = NO_HOOKS,
        is_stuck: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(table, name, read, hooks)
        self._camera = camera
        self._rules = rules
        self._board = board
        self._is_stuck = is_stuck
        self._watch = start_watch()
        self._looks: tuple[Reading, ...] = ()
        self._throws = ThrowWatch(rules)
        self._passing = Passing()
        self._cast: DiceElsewhere | None = None
        self._twice = False
        self._game: str | None = None
        self._heard_at: int | None = None
        self._waits_in: Story | None = None
        self._last_s = -SOON_S
        self._said: LinePart | None = None
        self._unreadable: LinePart | None = None
        self.blink_s = BLINK_S

    def _run(self) -> None:
        while not self._stop.is_set():
            frame = self._camera.read()
            if frame is None:
                return
            if frame.picture is None or frame.trouble is not None:
                self.miss(frame)
                self._stop.wait(self.blink_s)
                continue
            self.see(frame)

    def stop(self) -> None:
        """Let go of the camera and stop looking."""
        self._stop.set()
        # First, as the thread may be waiting for its next picture.
        self._camera.close()
        super().stop()

    @property
    def is_stuck(self) -> bool:
        """Tell whether only the end of the program gives the camera back."""
        return self._is_stuck()

    def miss(self, frame: Frame) -> None:
        """Take note that the camera shows nothing that can be read.

        The page still shows a picture that is dark or turned, so that people see why;
        it shows none where the camera gives none. Whatever comes next must lie still
        anew before it is read, and nobody has seen how it came there.
        """
        self.latest = frame if frame.picture is not None else None
        self._watch, self._looks = start_watch(), ()
        self._passing = Passing()
        board = self._board()
        if board is not None:
            board.miss()
        self._throws.lose_sight(self._table.snapshot.story)
        # Of a camera that never came the cause does not change from look to look.
        why = frame.trouble if frame.fault == NOT_YET else None
        self._say(LinePart(frame.fault or "core.eye.lost"), why)

    def see(self, frame: Frame) -> None:
        """Take one frame into account, and hand over a reading where one is due."""
        assert frame.picture is not None
        self.latest = frame
        self._hooks.shown_to(frame)
        board = self._board()
        if board is not None:
            self._forget()
            if board.see(frame):
                self._hooks.pictures.add(frame)
            return
        self._follow(frame, shrink_to_grey(frame.picture))
        if self._watch.state is Stillness.SETTLED:
            self._settle((self._look(frame),), frame)
        elif self._watch.state is Stillness.MOVING:
            self._looks = ()
        elif self._looks:
            self._settle((*self._looks, self._look(frame)), frame)
        self._say(self._unreadable or self._said)
        self._hand_over(self._table.snapshot)

    def _forget(self) -> None:
        """Know nothing of the dice any more: somebody else follows them now."""
        self._watch, self._looks, self._passing = start_watch(), (), Passing()
        self._throws, self._cast = ThrowWatch(self._rules), None
        self._said = self._unreadable = None

    def _follow(self, frame: Frame, grey: Grey) -> None:
        """Watch the table, and keep what its stillness and its stirring tell."""
        self._watch = watch_picture(self._watch, grey, frame.taken_at, self._rules)
        self._passing = self._passing.after(
            self._watch, frame, self._rules.hold_s, pending=bool(self._looks)
        )
        if self._watch.moved is not None:
            if self._passing.begun:
                self._throws.calm()
            self._throws.stir(self._watch.moved, _playing(self._table.snapshot))

    def _settle(self, looks: tuple[Reading, ...], frame: Frame) -> None:
        """Take the surest of some looks, or wait for another where there is doubt."""
        if len(looks) < MOST_LOOKS and not is_reading_sure(looks[-1]):
            self._looks = looks
            return
        self._looks, reading = (), surest_reading(looks)
        self._unreadable = LinePart(reading.trouble) if reading.trouble else None
        if reading.trouble is not None:
            # A pushed camera is found again by the next pictures, a lamp that is
            # lit changes them: look again without waiting for hands.
            self._watch = start_watch()
            return
        assert frame.picture is not None
        self._believe(reading, frame.picture)

    def _believe(self, reading: Reading, picture: Picture) -> None:
        """Find what was thrown in a reading that is believed."""
        shown = self._table.snapshot
        story = _playing(shown)
        if story is None:
            # What lies there before a game, or in a pause, is no throw later.
            self._throws.take_as_it_lies(reading, picture)
        elif (cast := self._throws.look(reading, picture, story)) is not None:
            self._cast, self._game = cast, shown.game_id
            self._heard_at = self._waits_in = None
            self._twice = self._was_thrown_twice(cast)
        self._said, self._passing = None, Passing(calm=True)

    def _was_thrown_twice(self, cast: DiceElsewhere) -> bool:
        """Tell whether a die lay still on its way for a moment too short to be read."""
        return not cast.near and any(
            is_another_throw(self._look(frame), cast.before, cast.reading)
            for frame in self._passing.passed
        )

    def _hand_over(self, shown: Snapshot) -> None:
        """Tell the table what was thrown, once; ask where that is open."""
        cast, story = self._cast, _playing(shown)
        if cast is None or (story is not None and story is self._waits_in):
            return
        if story is None or shown.game_id != self._game:
            self._cast = None
            return
        if self._heard_at is not None:
            if story.seq == self._heard_at:
                return  # it waits in the inbox
            if _was_heard(story, self._heard_at, cast.reading):
                self._cast = None
                return
        # The table has moved on since it was told, and has dropped it: once more then.
        self._heard_at = None
        reading = translate(cast.reading, story.header.meanings)
        verdict = judge_throw(cast.moved(reading), story, twice=self._twice)
        self._said = None
        if verdict is ThrowVerdict.LATER:
            # Nothing comes of it before the game has gone on.
            self._waits_in = story
            self._say_which_counts(story, cast.reading)
        elif verdict is ThrowVerdict.NO_THROW:
            self._cast = None
        else:
            self._heard_at, self._last_s = story.seq, cast.reading.taken_at
            self._table.hear(replace(cast.reading, trouble=_WHY[verdict]), story.seq)

    def _say_which_counts(self, story: Story, reading: Reading) -> None:
        """Say that a die was moved just after it was read, and what counts."""
        if story.steps and story.steps[-1].made.source == "camera":
            soon = reading.taken_at - self._last_s <= SOON_S
            self._said = MOVED_AGAIN if soon else None


def _playing(shown: Snapshot) -> Story | None:
    """Return the game that is being played, None in a pause and before one."""
    story = shown.story
    return None if story is None or story.paused else story


def _was_heard(story: Story, seq: int, reading: Reading) -> bool:
    """Tell whether the first entry after *seq* came of a reading."""
    body = next((one.body for one in story.entries if one.seq == seq + 1), None)
    if isinstance(body, Asked):
        return body.reading.taken_at == reading.taken_at
    return isinstance(body, Made) and body.source == "camera"
