"""Speaks lines through clips that espeak-ng makes once and that are then kept.

Making a clip takes a Pi about as long as speaking it; what is said often should come at
once. Knows no game.
"""

import shutil
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from companion.files import put_in_place
from firmware.loudspeaker import ASOUND, usb_output, write_tone
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
        asound: Where the kernel lists sound cards.
    """

    def __init__(
        self,
        clips: Path,
        run: Run = run_quietly,
        most: int = MOST_CLIPS,
        asound: Path = ASOUND,
    ) -> None:
        self._clips, self._run, self._most = clips, run, most
        self._asound = asound

    def __call__(self, argv: Sequence[str]) -> None:
        """Speak.

        Raises:
            OSError: A program is missing, or no clip can be kept.
            subprocess.SubprocessError: A program failed or hung.
        """
        if argv[0] != SPEAKS:
            self._play(Path(argv[-1]))
            return
        name = sha256("\0".join(argv).encode()).hexdigest()[:24]
        clip = self._clips / f"{name}.wav"
        if clip.exists():
            clip.touch()
        else:
            self._make(argv, clip)
        self._play(clip)

    def tone(self) -> None:
        """Play a tone of a second.

        Raises:
            OSError: The program is missing, or no clip can be kept.
            subprocess.SubprocessError: The program failed or hung.
        """
        self._clips.mkdir(parents=True, exist_ok=True)
        clip = self._clips / "tone.wav"
        write_tone(clip)
        self._play(clip)

    def _play(self, clip: Path) -> None:
        """Play a clip on the loudspeaker that is there now; it may have come late."""
        output = usb_output(self._asound)
        to = () if output is None else ("-D", output)
        self._run((PLAYS, "-q", *to, str(clip)))

    def _make(self, argv: Sequence[str], clip: Path) -> None:
        self._clips.mkdir(parents=True, exist_ok=True)
        half = clip.with_suffix(".part")
        # Renamed when it is whole, so that a power cut leaves no half a word.
        self._run((SPEAKS, "-w", str(half), *argv[1:]))
        put_in_place(half, clip)
        kept = sorted(self._clips.glob("*.wav"), key=lambda one: one.stat().st_mtime_ns)
        for old in kept[: -self._most]:
            old.unlink(missing_ok=True)
