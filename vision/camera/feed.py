"""Keeps a live camera running in a thread of its own, and says when it does not.

Whoever reads never waits for the device: a cable that is pulled, a driver that hangs or
a sensor that freezes becomes a frame with a trouble within a second. The device is
opened again for as long as the table runs.
"""

import logging
import threading
from collections.abc import Callable
from enum import Enum, auto

from msgspec.structs import replace

from vision.camera.device import (
    CameraDevice,
    FeedLimits,
    StampedPicture,
    TakesStills,
)
from vision.camera.health import (
    Fault,
    Health,
    HealthLimits,
    Patches,
    PictureVerdict,
    after_reopening,
    judge_picture,
    judge_still,
)
from vision.camera.holds import CameraHeld
from vision.camera.port import Frame

logger = logging.getLogger(__name__)


class _Doing(Enum):
    RESTING = auto()
    OPENING = auto()
    SHOOTING = auto()
    STILL = auto()
    CLOSING = auto()


_WITHOUT_PICTURE = frozenset({
    Fault.STARTING, Fault.NOT_YET, Fault.LOST, Fault.HANGS, Fault.HELD, Fault.FROZEN,
    Fault.LATE,
})  # fmt: skip
"""Faults whose pictures, if there are any, show a table that is no more."""


class Feed:
    """A camera that is never waited for; implements `vision.camera.port.Camera`.

    Args:
        name: What the camera is called, for the log.
        open_: Opens the device; raises while there is none.
        clock: Seconds that only ever grow.
        limits: How patient to be.
        health: What a usable picture is.
        rest: Waits some seconds before a device is opened again; None for real time.
        patches: Tells whether red and blue are mixed up, by the mat's colour patches.
    """

    def __init__(
        self,
        name: str,
        open_: Callable[[], CameraDevice],
        clock: Callable[[], float],
        limits: FeedLimits | None = None,
        health: HealthLimits | None = None,
        rest: Callable[[float], object] | None = None,
        *,
        patches: Patches,
    ) -> None:
        self._name, self._open, self._clock = name, open_, clock
        self._limits = limits or FeedLimits()
        self._health_limits = health or HealthLimits()
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._rest = rest or self._stop.wait
        self._patches = patches
        self._health = Health()
        self._frame: Frame | None = None
        self._fault: Fault | None = Fault.STARTING
        self._doing, self._since_s = _Doing.RESTING, clock()
        self._heard_at_s = clock()
        self._said: str | None = None
        self._ever = False
        self._faulty_since_s = self._adapted_at_s = clock()
        self._turn = 0
        self._has_seen = False
        self._device: CameraDevice | None = None
        self._threads: list[threading.Thread] = []
        self._asked_at_s: float | None = None
        self._still: Frame | None = None
        self._failed, self._no_stills_until_s = 0, clock()

    def start(self) -> "Feed":
        """Begin to take pictures; return this feed."""
        self._begin_turn()
        return self

    def read(self) -> Frame | None:
        """Return what is new, or a frame with a trouble; None once closed.

        Waits for news, but never for the device.
        """
        while not self._stop.is_set():
            with self._news:
                if self._frame is None:
                    self._news.wait(self._limits.look_s)
            if (frame := self.poll()) is not None:
                return frame
        return None

    def poll(self) -> Frame | None:
        """Return what is new or amiss at this moment, None while all is well."""
        with self._news:
            frame, self._frame = self._frame, None
            now_s = self._clock()
            if frame is not None and self._is_news(frame, now_s):
                return frame
            self._watch_over(now_s)
            if self._fault is None or self._fault not in _WITHOUT_PICTURE:
                return None
            return self._frame_without(self._fault, now_s)

    def still(self) -> Frame | None:
        """Return one picture in full resolution, taken from now on; None without one.

        Waits for it: about a second, in which there is no video, `FeedLimits.still_s`
        at most. None where the camera takes none or has a fault, and where the still
        failed or shows something else than the video: that is read in its place.
        """
        with self._news:
            turn, asked_at_s = self._turn, self._clock()
            if not self._may_take_still(asked_at_s):
                return None
            self._asked_at_s, self._still = asked_at_s, None
            while self._waits_for_still(turn):
                self._news.wait(self._limits.look_s)
                self._watch_over(self._clock())
            self._asked_at_s = None
            still, self._still = self._still, None
            return still

    def close(self) -> None:
        """Stop taking pictures; waits for the device unless it hangs."""
        with self._news:
            self._stop.set()
            self._turn += 1
            self._news.notify_all()
            threads = tuple(self._threads)
        for thread in threads:
            thread.join(self._limits.silent_s)

    @property
    def threads(self) -> int:
        """Return how many threads live for this camera: 1, and those that hang."""
        return sum(thread.is_alive() for thread in self._threads)

    @property
    def is_stuck(self) -> bool:
        """Return whether only the end of the program gives the camera back.

        It gave pictures before, and its driver has held it for too long in threads that
        were left behind, or has taken as many of them as may hang.
        """
        with self._news:
            held_s = self._clock() - self._faulty_since_s
            held = self._fault is Fault.HELD and held_s > self._limits.held_s
            return self._has_seen and held

    # What the reader's side does, with the lock held.

    def _is_news(self, frame: Frame, now_s: float) -> bool:
        return now_s - frame.taken_at <= self._health_limits.old_s

    def _waits_for_still(self, turn: int) -> bool:
        lost = self._fault in _WITHOUT_PICTURE
        return self._asked_at_s is not None and self._mine(turn) and not lost

    def _may_take_still(self, now_s: float) -> bool:
        takes = isinstance(self._device, TakesStills)
        return takes and self._fault is None and now_s >= self._no_stills_until_s

    def _count_still(self, *, failed: int) -> None:
        """Count stills that failed in a row; after some of them none is asked for."""
        self._failed = self._failed + failed if failed else 0
        if self._failed >= self._limits.most_failed:
            self._failed = 0
            again_s = self._limits.stills_again_s
            self._no_stills_until_s = self._clock() + again_s
            logger.warning(
                "%s: its stills are of no use; for %.0f s its video is read alone",
                self._name, again_s,
            )  # fmt: skip

    def _watch_over(self, now_s: float) -> None:
        limit_s = {
            _Doing.OPENING: self._limits.open_s,
            _Doing.SHOOTING: self._limits.stuck_s,
            _Doing.STILL: self._limits.still_s,
            _Doing.CLOSING: self._limits.close_s,
        }.get(self._doing)
        if limit_s is None:
            return
        busy_s = now_s - self._since_s
        if busy_s > limit_s:
            self._leave_behind(busy_s)
        elif (
            self._doing is _Doing.SHOOTING
            and now_s - self._heard_at_s > self._limits.silent_s
        ):
            self._note(Fault.LOST, "no picture comes")

    def _leave_behind(self, busy_s: float) -> None:
        """Go on in another thread, unless too many hang already."""
        if self.threads > self._limits.most_stuck:
            self._note(Fault.HELD, f"its driver hangs in {self.threads} threads")
            return
        if self._doing is _Doing.STILL:
            self._count_still(failed=self._limits.most_failed)
        if self._doing is not _Doing.CLOSING:
            self._note(Fault.HANGS, f"no answer for {busy_s:.0f} s")
        # One that cannot be closed was lost before, and people know what to do.
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Take pictures in a new thread; one that hangs ends when it comes back."""
        self._turn += 1
        self._doing, self._since_s = _Doing.RESTING, self._clock()
        thread = threading.Thread(
            target=self._run,
            args=(self._turn, self._device),
            name="camera",
            daemon=True,
        )
        self._device = None
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def _frame_without(self, fault: Fault, now_s: float) -> Frame:
        trouble = f"{self._name}: {self._said or fault.name.lower()}"
        return Frame(None, now_s, None, self._name, trouble, fault.value)

    def _note(self, fault: Fault, why: str) -> None:
        if self._fault is not fault:
            logger.warning("%s: %s", self._name, why)
            self._faulty_since_s = self._clock()
        self._fault, self._said = fault, why

    # What the capturing thread does.

    def _run(self, turn: int, left: CameraDevice | None) -> None:
        failures = 0
        if left is not None:
            self._now(turn, _Doing.OPENING)
            self._guard(left.abandon)
        while self._mine(turn):
            if self._capture(turn):
                failures = 0
            pause_s = self._limits.least_pause_s * 2**failures
            failures = min(failures + 1, 16)
            self._rest(min(pause_s, self._limits.most_pause_s))

    def _capture(self, turn: int) -> bool:
        """Open the device and take pictures until it fails; say if there was one."""
        device, pictures = None, 0
        try:
            self._now(turn, _Doing.OPENING)
            device = self._open()
            with self._news:
                if turn == self._turn:
                    self._health = after_reopening(self._health)
                    self._device = device
            self._now(turn, _Doing.SHOOTING)
            while self._mine(turn):
                if self._asked_at_s is not None and isinstance(device, TakesStills):
                    self._take_still(turn, device, self._asked_at_s)
                    self._now(turn, _Doing.SHOOTING)
                shot = device.shoot()
                if self._post(turn, shot):
                    self._now(turn, _Doing.OPENING)
                    device.adapt()
                pictures += 1
                self._now(turn, _Doing.SHOOTING)
        except Exception as error:  # noqa: BLE001
            # Drivers raise what they like, and a camera must come back from all of it.
            self._lose(turn, error)
        finally:
            self._now(turn, _Doing.CLOSING)
            if device is not None:
                self._guard(device.close)
            self._now(turn, _Doing.RESTING)
        return pictures > 0

    def _take_still(self, turn: int, device: TakesStills, asked_at_s: float) -> None:
        """Answer whoever asked for a still; whatever fails, the video goes on."""
        self._now(turn, _Doing.STILL)
        try:
            shot = device.still()
        except Exception as error:  # noqa: BLE001
            # Drivers raise what they like. If the video fails too, it is opened anew.
            logger.warning("%s gave no still: %s", self._name, error)
            self._answer(turn, None, failed=self._limits.most_failed)
            return
        judged = judge_still(
            self._health, shot, asked_at_s, self._clock(), self._health_limits
        )
        if judged.fault is not None:
            logger.info("%s: its still is no use (%s)", self._name, judged.fault.name)
            self._answer(turn, None, failed=1)
            return
        frame = Frame(judged.picture, judged.taken_at_s, None, self._name)
        self._answer(turn, frame, failed=0)

    def _answer(self, turn: int, still: Frame | None, *, failed: int) -> None:
        with self._news:
            if turn != self._turn:
                return
            self._count_still(failed=failed)
            # Nobody waits any more for what came too late.
            self._still = None if self._asked_at_s is None else still
            self._asked_at_s = None
            self._news.notify_all()

    def _guard(self, let_go: Callable[[], None]) -> None:
        try:
            let_go()
        except Exception as error:  # noqa: BLE001
            # It is gone already; the next attempt to open it tells more.
            logger.debug("%s: letting go failed: %s", self._name, error)

    def _mine(self, turn: int) -> bool:
        return turn == self._turn and not self._stop.is_set()

    def _now(self, turn: int, doing: _Doing) -> None:
        with self._news:
            if turn == self._turn:
                if doing is _Doing.CLOSING:
                    self._device = None
                was_shooting = self._doing is _Doing.SHOOTING
                self._doing, self._since_s = doing, self._clock()
                if doing is _Doing.SHOOTING and not was_shooting:
                    # Silence is counted from the first moment a picture could come.
                    self._heard_at_s = self._since_s

    def _lose(self, turn: int, error: Exception) -> None:
        why = " ".join(str(error).split()) or type(error).__name__
        with self._news:
            if turn != self._turn:
                return
            self._doing, self._since_s = _Doing.RESTING, self._clock()
            lost = Fault.LOST if self._ever else Fault.NOT_YET
            self._note(Fault.HELD if isinstance(error, CameraHeld) else lost, why)
            self._news.notify_all()

    def _post(self, turn: int, shot: StampedPicture) -> bool:
        """Pass a picture on; return whether the camera should adapt to the light."""
        now_s = self._clock()
        judged = judge_picture(
            self._health, shot, now_s, self._health_limits, self._patches
        )
        with self._news:
            if turn != self._turn:
                return False
            if judged.health.mixed and not self._health.mixed:
                logger.warning(
                    "%s gives red for blue by the mat's patches; put right", self._name
                )
            self._health = judged.health
            if judged.fault is None and not judged.fresh:
                return False  # the same picture again; its silence is being counted
            self._heard_at_s = now_s
            self._ever = True
            self._take(judged)
            self._news.notify_all()
            return self._should_adapt(now_s)

    def _take(self, judged: PictureVerdict) -> None:
        fault, at_s = judged.fault, judged.taken_at_s
        if fault is None:
            self._fault, self._said, self._has_seen = None, None, True
            self._frame = Frame(judged.picture, at_s, None, self._name)
            return
        self._note(fault, f"its picture is no use ({fault.name.lower()})")
        self._frame = self._frame_without(fault, at_s)
        if fault not in _WITHOUT_PICTURE:
            self._frame = replace(self._frame, picture=judged.picture)

    def _should_adapt(self, now_s: float) -> bool:
        if self._fault not in (Fault.DARK, Fault.BRIGHT):
            return False
        if now_s - max(self._faulty_since_s, self._adapted_at_s) < self._limits.adapt_s:
            return False
        self._adapted_at_s = now_s
        return True
