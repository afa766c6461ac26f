"""Speaks lines through clips that espeak-ng makes once and that are then kept.

Making a clip takes a Pi about as long as speaking it; what is said often should come at
once. Knows no game.
"""

import shutil
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from companion.files import put_in_place
from firmware.sound import Run, run_quietly

SPEAKS = "espeak-ng"
PLAYS = "aplay"

MOST_CLIPS = 400
"""Some 80 kB each: 32 MB, and more lines than a table of seven hears in an evening."""


def can_speak(which: Callable[[str], str | None] = shutil.which) -> bool:
    """Tell whether both programs are installed."""
    return which(SPEAKS) is not None and which(PLAYS) is not None


class Voice:
    """Runs a command of `firmware.sound.speech_command`, espeak-ng's through clips.

    Args:
        clips: Folder of the clips; made when the first one is.
        run: Runs a program.
        most: Clips that are kept at most; the one longest unheard goes first.
    """

    def __init__(
        self, clips: Path, run: Run = run_quietly, most: int = MOST_CLIPS
    ) -> None:
        self._clips, self._run, self._most = clips, run, most

    def __call__(self, argv: Sequence[str]) -> None:
        """Speak.

        Raises:
            OSError: A program is missing, or no clip can be kept.
            subprocess.SubprocessError: A program failed or hung.
        """
        if argv[0] != SPEAKS:
            self._run(argv)
            return
        name = sha256("\0".join(argv).encode()).hexdigest()[:24]
        clip = self._clips / f"{name}.wav"
        if clip.exists():
            clip.touch()
        else:
            self._make(argv, clip)
        self._run((PLAYS, "-q", str(clip)))

    def _make(self, argv: Sequence[str], clip: Path) -> None:
        self._clips.mkdir(parents=True, exist_ok=True)
        half = clip.with_suffix(".part")
        # Renamed when it is whole, so that a power cut leaves no half a word.
        self._run((SPEAKS, "-w", str(half), *argv[1:]))
        put_in_place(half, clip)
        kept = sorted(self._clips.glob("*.wav"), key=lambda one: one.stat().st_mtime_ns)
        for old in kept[: -self._most]:
            old.unlink(missing_ok=True)
