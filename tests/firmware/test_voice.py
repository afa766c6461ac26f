"""A line that was said once is said at once from then on."""

import os
import shutil
import subprocess
import wave
from pathlib import Path

import pytest

from firmware.sound import Spoken, speech_command
from firmware.voice import Voice, can_speak

LINE = speech_command(Spoken("dragon", "Le dragon avance !", "fr"), None)


class Programs:
    """Notes what is run; a speaking one leaves a file, as espeak-ng does."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.fails = False

    def __call__(self, argv) -> None:
        self.ran.append(argv[0])
        if argv[0] == "espeak-ng":
            if self.fails:
                raise subprocess.CalledProcessError(1, argv)
            Path(argv[argv.index("-w") + 1]).write_bytes(b"RIFF")


def test_a_line_is_made_once_and_played_each_time(tmp_path):
    programs = Programs()
    voice = Voice(tmp_path / "clips", programs)

    voice(LINE)
    voice(LINE)

    assert programs.ran == ["espeak-ng", "aplay", "aplay"]


def test_the_same_words_in_another_language_are_another_clip(tmp_path):
    voice = Voice(tmp_path, Programs())

    voice(LINE)
    voice(speech_command(Spoken("dragon", "Le dragon avance !", "de"), None))

    assert len(list(tmp_path.glob("*.wav"))) == 2


def test_a_recorded_clip_is_only_played(tmp_path):
    programs = Programs()

    Voice(tmp_path, programs)(("aplay", "-q", "mine.wav"))

    assert programs.ran == ["aplay"]


def test_a_clip_that_could_not_be_made_is_made_the_next_time(tmp_path):
    programs = Programs()
    programs.fails = True
    with pytest.raises(subprocess.CalledProcessError):
        Voice(tmp_path, programs)(LINE)
    programs.fails = False
    Voice(tmp_path, programs)(LINE)

    assert programs.ran == ["espeak-ng", "espeak-ng", "aplay"]


def test_the_clips_longest_unheard_make_room(tmp_path):
    voice = Voice(tmp_path, Programs(), most=2)
    lines = [speech_command(Spoken("n", f"{n}", "en"), None) for n in range(3)]
    for age, line in enumerate(lines):
        voice(line)
        for clip in tmp_path.glob("*.wav"):
            # Each clip so far was heard some seconds before the next one.
            heard = clip.stat().st_mtime - 10 * (3 - age)
            os.utime(clip, (heard, heard))
    kept = {clip.name for clip in tmp_path.glob("*.wav")}
    voice(lines[2])

    assert len(kept) == 2
    assert {clip.name for clip in tmp_path.glob("*.wav")} == kept


def test_it_speaks_only_where_both_programs_are():
    assert can_speak(lambda name: "/usr/bin/" + name)
    assert not can_speak(lambda name: None if name == "aplay" else name)


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="no espeak-ng here")
@pytest.mark.parametrize("language", ["fr", "en", "de"])
def test_espeak_makes_a_clip_that_can_be_played(tmp_path, language):
    def run(argv) -> None:
        if argv[0] == "espeak-ng":
            subprocess.run(argv, check=True, timeout=20, capture_output=True)

    Voice(tmp_path, run)(speech_command(Spoken("x", "Drachenhort: 3", language), None))

    (clip,) = tmp_path.glob("*.wav")
    with wave.open(str(clip)) as sound:
        seconds = sound.getnframes() / sound.getframerate()
    assert 0.5 < seconds < 5.0
