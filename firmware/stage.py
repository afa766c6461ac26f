"""Turns cues into light and sound, and never stops a game that a lamp fails.

Everything happens in threads of their own: whoever plays a cue goes on at once, and a
display whose bus hangs holds up no lamp.
"""

import logging
from collections import deque
from collections.abc import Callable
from threading import Event, RLock, Thread
from typing import TypeAlias

from companion.table import Cue, LinePart, Seat
from firmware.contacts import Clock
from firmware.display import Display, Panel
from firmware.lights import SCENES, Lights
from firmware.pins import one_line
from firmware.sound import Sound, Spoken

_log = logging.getLogger(__name__)

FLASH_S = 2.0
"""How long the light of an event outshines that of what is awaited: time to look up."""

HOLD_S = 5.0
"""A camera that reads for longer has died; the lamps of the tray then work again."""

CLOSE_S = 2.0
"""A thread that a driver keeps for longer must not keep the program from ending."""

Players: TypeAlias = tuple[str, ...]

_MOST_CUES = 32  # one move gives a handful


class Stage:
    """Lamps, sound and display as one."""

    def __init__(
        self,
        lights: Lights,
        sound: Sound,
        display: Display | None,
        clock: Clock,
        speak: Callable[[LinePart, Players], Spoken] | None = None,
    ) -> None:
        """Set the stage.

        Args:
            lights: The lamps.
            sound: Buzzer and voice.
            display: The small display, None for a table without.
            clock: Seconds on a monotonic clock.
            speak: Puts a line about players into words, from the stage's thread; must
                not raise. None for a table without voice.
        """
        self._lights, self._sound, self._display = lights, sound, display
        self._clock, self._speak = clock, speak
        self._cues: deque[tuple[Cue, Players]] = deque(maxlen=_MOST_CUES)
        self._awaited: tuple[str | None, Seat | None] = (None, None)
        self._flash: tuple[str, float] | None = None
        self._panel: Panel | None = None
        self._held_until_s: float | None = None
        self._said: set[str] = set()
        self._lock = RLock()
        self._woken, self._stopped, self._painted = Event(), Event(), Event()
        self._threads: tuple[Thread, ...] = ()

    def play(self, cue: Cue, players: Players = ()) -> None:
        """Let an event be seen and heard soon; *players* are the names by seat."""
        self._cues.append((cue, players))
        self._woken.set()

    def expect(self, light: str | None, seat: Seat | None) -> None:
        """Show what is awaited and of whom, until the next call."""
        with self._lock:
            self._awaited = (light, seat)
        self._woken.set()

    def show(self, panel: Panel) -> None:
        """Put a panel on the small display."""
        with self._lock:
            self._panel = panel
        self._painted.set()

    def hold(self) -> None:
        """Leave every lamp that shines into the tray as it is: the camera reads.

        When this returns, none of them changes any more.
        """
        with self._lock:
            self._held_until_s = self._clock() + HOLD_S

    def release(self) -> None:
        """Let the tray's lamps change again."""
        with self._lock:
            self._held_until_s = None
        self._woken.set()

    def poll(self) -> float | None:
        """Do all that is due; return when there will be more, None for no time.

        Called by the stage's thread, and by tests instead of it.
        """
        now_s = self._clock()
        while self._cues:
            self._sound_out(*self._cues.popleft(), now_s)
        with self._lock:
            dues = self._light_up(now_s)
        return min(dues, default=None)

    def paint(self) -> None:
        """Show the newest panel, if there is one that was not shown.

        Called by the display's thread, and by tests instead of it.
        """
        with self._lock:
            panel, self._panel = self._panel, None
        if panel is not None and self._display is not None:
            self._show(self._display, panel)

    def start(self) -> None:
        """Play from now on in threads of their own."""
        self._threads = (
            Thread(target=self._run, name="stage", daemon=True),
            Thread(target=self._run_display, name="display", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop, and darken what shines."""
        self._stopped.set()
        self._woken.set()
        self._painted.set()
        for thread in self._threads:
            thread.join(CLOSE_S)
        self._lights.close()
        hangs = any(one.is_alive() for one in self._threads if one.name == "display")
        if self._display is not None and not hangs:
            self._safely("display", self._display.close)

    def _sound_out(self, cue: Cue, players: Players, now_s: float) -> None:
        if cue.light is not None:
            self._flash = (cue.light, now_s + FLASH_S)
        spoken = None
        if cue.spoken is not None and self._speak is not None:
            spoken = self._speak(cue.spoken, players)
        if cue.sound is not None or spoken is not None:
            self._sound.call(cue.sound, spoken)

    def _light_up(self, now_s: float) -> list[float]:
        """Set the lamps, and return when they will change by themselves."""
        if self._flash is not None and self._flash[1] <= now_s:
            self._flash = None
        if self._held_until_s is not None and self._held_until_s <= now_s:
            self._held_until_s = None
        light, seat = self._awaited
        if self._flash is not None:
            light = self._flash[0]
        lamps = SCENES.get(light or "", frozenset())
        self._lights.show(lamps, seat, tray=self._held_until_s is None)
        ends_s = (self._flash and self._flash[1], self._held_until_s)
        return [end_s for end_s in ends_s if end_s is not None]

    def _show(self, display: Display, panel: Panel) -> None:
        self._safely("display", lambda: display.show(panel))

    def _safely(self, part: str, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001
            # Whatever a driver raises, the game goes on; once for each fault, or a
            # loose wire would fill the log.
            line = f"{part}: {one_line(error)}"
            if line not in self._said:
                self._said.add(line)
                _log.warning("left out: %s", line)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            due = self.poll()
            self._woken.wait(None if due is None else max(0.0, due - self._clock()))

    def _run_display(self) -> None:
        while not self._stopped.is_set():
            self._painted.wait()
            self._painted.clear()
            self.paint()
