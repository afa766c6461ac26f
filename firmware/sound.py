"""Tones of the buzzer and spoken lines, one after the other in a thread of their own.

A sound that hangs or fails costs itself and never the next one. Knows no game.
"""

import logging
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, TypeAlias

from gpiozero import TonalBuzzer
from msgspec import Struct

from firmware.contacts import Clock
from firmware.finding import Finding
from firmware.pins import Pins, one_line, open_part
from firmware.wiring import Wiring

_log = logging.getLogger(__name__)

Note: TypeAlias = tuple[str | None, float]
"""A tone, None for silence, and how long it sounds in seconds."""

TUNES: dict[str, tuple[Note, ...]] = {
    # The referee speaks.
    "ask": (("G5", 0.10), (None, 0.05), ("G5", 0.10)),
    "refused": (("E4", 0.15), ("C4", 0.25)),
    # Good news rises, the better the longer.
    "draw": (("E5", 0.06),),
    "token": (("G5", 0.06),),
    "jewel": (("C5", 0.06), ("E5", 0.06), ("G5", 0.10)),
    "egg": (("C5", 0.06), ("G5", 0.06), ("E5", 0.10)),
    "hero": (("G4", 0.08), ("C5", 0.12)),
    "pair": (("E5", 0.08), (None, 0.04), ("E5", 0.08), ("A5", 0.10)),
    "special": (("A4", 0.06), ("C5", 0.06), ("E5", 0.06), ("A5", 0.12)),
    "escape": (("G4", 0.06), ("C5", 0.06), ("E5", 0.06), ("G5", 0.15)),
    "finish": (("G5", 0.10), ("G5", 0.10), ("C6", 0.25)),
    "round": (("C5", 0.12), ("G5", 0.20)),
    "end": (("G5", 0.12), ("C5", 0.25)),
    "win": (("C5", 0.12), ("E5", 0.12), ("G5", 0.12), ("C6", 0.35)),
    # Neither good nor bad.
    "swap": (("E5", 0.08), ("C5", 0.08), ("E5", 0.08)),
    "back": (("E5", 0.08), ("C5", 0.10)),
    "boxed": (("C5", 0.08), ("G4", 0.10)),
    "nothing": (("C4", 0.12),),
    # Bad news falls, and the dragon is low.
    "trap": (("G4", 0.10), ("E4", 0.10), ("C4", 0.20)),
    "capture": (("C5", 0.10), ("G4", 0.10), ("E4", 0.10), ("C4", 0.30)),
    "dragon": (("A3", 0.20), ("B3", 0.20), ("A3", 0.35)),
}
"""The tune of each sound that a cue may name; unlike in height and rhythm, so that they
are told apart through a hand over the buzzer."""

URGENT = ("refused", "ask", "win", "dragon")
"""Sounds that go before others, the first one first."""

MOST_CALLS = 8
"""Calls that wait at most; more than that is a pile-up nobody wants to hear."""

STALE_S = 3.0
"""A call that waited longer speaks of what is over."""

SPEECH_S = 15.0
"""A loudspeaker that takes longer for one line hangs."""

CLOSE_S = 3.0
"""The end of a program does not wait for a whole line: systemd allows it 10 s."""

KILLED_S = 1.0
"""A program that was killed is gone by then, unless the kernel keeps it."""

VOICES = {"en": "en-gb", "fr": "fr", "de": "de"}
Run: TypeAlias = Callable[[Sequence[str]], None]


class Spoken(Struct, frozen=True, gc=False):
    """A line to be spoken: its id, its words, and their language."""

    line: str
    text: str
    language: str


class Call(Struct, frozen=True, gc=False):
    """A tune and a line to be heard one after the other; *rank* 0 is heard first."""

    rank: int
    at_s: float
    tune: tuple[Note, ...]
    spoken: Spoken | None


class Programs:
    """Runs programs for their sound, one at a time, and never waits for one for ever.

    A loudspeaker that is pulled can leave its program in the kernel, where nothing ends
    it: that one is left behind, and the voice is silent until it is gone.

    Args:
        start: Starts a program.
        patience_s: How long one may take.
    """

    def __init__(
        self,
        start: Callable[[Sequence[str]], "subprocess.Popen[bytes]"] | None = None,
        patience_s: float = SPEECH_S,
    ) -> None:
        self._start, self._patience_s = start or _start, patience_s
        self._hangs: subprocess.Popen[bytes] | None = None

    def __call__(self, argv: Sequence[str]) -> None:
        """Run one to its end.

        Raises:
            OSError: There is no such program.
            subprocess.SubprocessError: It failed, took too long, or the one before
                cannot be ended.
        """
        if self._hangs is not None and self._hangs.poll() is None:
            raise subprocess.SubprocessError("the sound before still hangs")
        self._hangs = None
        program = self._start(argv)
        try:
            status = program.wait(self._patience_s)
        except subprocess.TimeoutExpired:
            program.kill()
            try:
                program.wait(KILLED_S)
            except subprocess.TimeoutExpired:
                self._hangs = program
            raise
        if status:
            raise subprocess.CalledProcessError(status, argv[0])


def _start(argv: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


run_quietly = Programs()
"""All sounds of this program: they share one loudspeaker."""


def speech_command(spoken: Spoken, clips: Path | None) -> tuple[str, ...]:
    """Return the command that speaks a line: its recorded clip, or espeak-ng.

    Args:
        spoken: What to say.
        clips: Folder of ``<language>/<line>.wav``, None for none.
    """
    if clips is not None:
        clip = clips / spoken.language / f"{spoken.line}.wav"
        if clip.is_file():
            return ("aplay", "-q", str(clip))
    voice = VOICES.get(spoken.language, spoken.language)
    # "--": a line that begins with a dash is no option.
    return ("espeak-ng", "-v", voice, "-s", "150", "--", spoken.text)


class Sound:
    """The buzzer, the voice, and what they still have to say."""

    def __init__(
        self,
        pins: Pins,
        wiring: Wiring,
        clock: Clock,
        run: Run | None = run_quietly,
        clips: Path | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Open the buzzer.

        Args:
            pins: Where it is.
            wiring: On which pin it is, if there is one.
            clock: Seconds; calls grow stale by it.
            run: Runs the command that speaks a line, None for a table without voice.
            clips: Folder of recorded lines.
            wait: Lets a note sound for some seconds; None for real time.
        """
        self._clock, self._run, self._clips = clock, run, clips
        self._faults: tuple[type[Exception], ...] = (
            *pins.faults,
            subprocess.SubprocessError,
        )
        self._calls: list[Call] = []
        self._lock, self._woken, self._stopped = Lock(), Event(), Event()
        self._wait = wait or self._stopped.wait
        self._thread: Thread | None = None
        self._said: set[str] = set()
        self._left_out: tuple[Finding, ...] = ()
        self._buzzer: Any = None
        self.dropped = 0
        if (wired := wiring.buzzer) is not None:
            # Two octaves around A4 reach from A2 to A6, all that the tunes need.
            make = partial(TonalBuzzer, wired.bcm, octaves=2, pin_factory=pins.factory)
            made = open_part(pins, wired, make)
            if isinstance(made, Finding):
                _log.warning("%s", made)
                self._left_out = (made,)
            else:
                self._buzzer = made

    def call(self, sound: str | None, spoken: Spoken | None = None) -> None:
        """Have a sound and a line heard soon; returns at once.

        A *sound* without a tune of its own is silent. Where too many wait, the least
        urgent and oldest is dropped.
        """
        rank = URGENT.index(sound) if sound in URGENT else len(URGENT)
        call = Call(rank, self._clock(), TUNES.get(sound or "", ()), spoken)
        with self._lock:
            self._calls.append(call)
            if len(self._calls) > MOST_CALLS:
                worst = max(self._calls, key=lambda one: (one.rank, -one.at_s))
                self._calls.remove(worst)
                self.dropped += 1
        self._woken.set()

    def play_next(self) -> bool:
        """Let the most urgent call be heard to its end; return whether there was one.

        Called by the sounding thread, and by tests instead of it.
        """
        with self._lock:
            fresh_s = self._clock() - STALE_S
            fresh = [call for call in self._calls if call.at_s >= fresh_s]
            self.dropped += len(self._calls) - len(fresh)
            self._calls = fresh
            if not fresh:
                return False
            call = min(fresh, key=lambda one: (one.rank, one.at_s))
            self._calls.remove(call)
        if self._buzzer is not None:
            self._guard(partial(self._play, call.tune))
        if call.spoken is not None and self._run is not None:
            self._guard(partial(self._run, speech_command(call.spoken, self._clips)))
        return True

    def start(self) -> None:
        """Sound from now on in a thread of its own."""
        self._thread = Thread(target=self._work, name="sound", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Fall silent and give the pin back."""
        self._stopped.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        if self._buzzer is not None:
            self._guard(self._buzzer.close)

    def findings(self) -> tuple[Finding, ...]:
        """Return why the buzzer was left out, if it was."""
        return self._left_out

    def _play(self, tune: tuple[Note, ...]) -> None:
        try:
            for tone, for_s in tune:
                self._buzzer.play(tone)
                self._wait(for_s)
        finally:
            self._buzzer.stop()

    def _guard(self, act: Callable[[], object]) -> None:
        try:
            act()
        except self._faults as error:
            # Once for each fault: a table without loudspeaker would fill the log.
            if (line := one_line(error)) not in self._said:
                self._said.add(line)
                _log.warning("a sound was left out: %s", line)

    def _work(self) -> None:
        while not self._stopped.is_set():
            self._woken.wait()
            self._woken.clear()
            while not self._stopped.is_set() and self.play_next():
                pass
