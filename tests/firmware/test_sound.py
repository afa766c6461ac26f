"""Sounds come one after the other, the urgent first, and none blocks the next."""

import subprocess
from queue import Queue
from time import monotonic

import pytest
from gpiozero import GPIOZeroError

from firmware.sound import (
    MOST_CALLS,
    STALE_S,
    TUNES,
    URGENT,
    Programs,
    Sound,
    Spoken,
    run_quietly,
    speech_command,
)

BUZZER = 13
LINE = Spoken("dragon-wakes", "Le dragon se réveille", "fr")


@pytest.fixture
def heard():
    """Return what the world hears: tones in Hz with their length, and commands."""
    return []


@pytest.fixture
def sound(pins, wiring, clock, heard):
    def wait(for_s: float) -> None:
        frequency = pins.factory.pin(BUZZER).frequency
        heard.append((frequency and round(frequency), for_s))

    opened = Sound(pins, wiring, clock, run=heard.append, wait=wait)
    yield opened
    opened.close()


def test_a_tune_is_its_tones_one_after_the_other(sound, heard, pins):
    sound.call("refused")
    assert sound.play_next()
    assert heard == [(330, 0.15), (262, 0.25)]
    assert pins.factory.pin(BUZZER).frequency is None
    assert not sound.play_next()


@pytest.mark.parametrize("name", TUNES)
def test_the_buzzer_can_play_every_tune(sound, heard, name, caplog):
    sound.call(name)
    sound.play_next()
    assert len(heard) == len(TUNES[name])
    assert caplog.text == ""


def test_a_sound_without_a_tune_is_silent(sound, heard):
    sound.call("no such sound")
    assert sound.play_next()
    assert heard == []


def test_a_line_is_spoken_after_its_tune(sound, heard):
    sound.call("draw", LINE)
    sound.play_next()
    assert heard[0] == (659, 0.06)
    assert heard[1] == speech_command(LINE, None)


def test_a_line_is_an_argument_list_that_no_shell_reads():
    said = speech_command(Spoken("x", "--version; rm -rf ~", "de"), None)
    assert said[:3] == ("espeak-ng", "-v", "de")
    assert said[-2:] == ("--", "--version; rm -rf ~")


def test_a_recorded_clip_goes_before_the_made_voice(tmp_path):
    (tmp_path / "fr").mkdir()
    clip = tmp_path / "fr" / "dragon-wakes.wav"
    assert speech_command(LINE, tmp_path)[0] == "espeak-ng"
    clip.write_bytes(b"RIFF")
    assert speech_command(LINE, tmp_path) == ("aplay", "-q", str(clip))


def test_a_refusal_is_heard_before_what_waited_longer(sound, heard):
    sound.call("draw")
    sound.call("refused")
    sound.play_next()
    assert heard[0] == (330, 0.15)


def test_a_call_that_waited_too_long_is_dropped(sound, heard, clock):
    sound.call("draw")
    clock.pass_by(STALE_S + 0.1)
    assert not sound.play_next()
    assert heard == []
    assert sound.dropped == 1


def test_of_too_many_calls_the_least_urgent_and_oldest_is_dropped(sound, heard, clock):
    sound.call("dragon")
    for _ in range(MOST_CALLS):
        clock.pass_by(0.01)
        sound.call("draw")
    assert sound.dropped == 1
    played = 0
    while sound.play_next():
        played += 1
    assert played == MOST_CALLS
    assert heard[0] == (220, 0.20)
    assert URGENT[-1] == "dragon"


def test_of_equal_calls_the_oldest_is_dropped(sound, heard, clock):
    for n in range(MOST_CALLS + 1):
        clock.pass_by(0.01)
        sound.call(None, Spoken("x", str(n), "en"))
    while sound.play_next():
        pass
    assert [argv[-1] for argv in heard] == [str(n) for n in range(1, MOST_CALLS + 1)]


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError("espeak-ng"),
        subprocess.TimeoutExpired("aplay", 15),
        subprocess.CalledProcessError(1, "aplay"),
    ],
)
def test_a_broken_voice_does_not_silence_the_next_sound(
    pins, wiring, clock, heard, caplog, error
):
    def fail(argv):
        raise error

    sound = Sound(pins, wiring, clock, run=fail, wait=heard.append)
    for _ in range(3):
        sound.call("draw", LINE)
        assert sound.play_next()
    assert heard == [0.06] * 3
    assert len(caplog.records) == 1
    sound.close()


def test_a_broken_buzzer_does_not_silence_the_voice(
    sound, heard, pins, monkeypatch, caplog
):
    def fail(value):
        raise GPIOZeroError("no more")

    monkeypatch.setattr(pins.factory.pin(BUZZER), "_set_frequency", fail)
    sound.call("draw", LINE)
    sound.play_next()
    assert heard == [speech_command(LINE, None)]
    assert "no more" in caplog.text
    monkeypatch.undo()


def test_a_buzzer_whose_pin_is_taken_is_named(pins, wiring, clock, sound):
    second = Sound(pins, wiring, clock, run=None)
    assert "buzzer on GPIO13 (header pin 33) is left out" in str(second.findings()[0])
    second.call("draw", LINE)
    assert second.play_next()
    second.close()


def test_the_sounding_thread_plays_what_is_called(pins, wiring):
    said = Queue()
    sound = Sound(pins, wiring, monotonic, run=said.put, wait=lambda for_s: None)
    sound.start()
    sound.call("draw", LINE)
    assert said.get(timeout=5.0) == speech_command(LINE, None)
    sound.close()


def test_a_program_that_is_not_installed_is_an_error_to_be_told():
    # POSIX lets posix_spawn, which Python 3.13 uses, tell it by exit code 127 as well;
    # an emulated arm64 does. Both are told: see `Sound`.
    errors = (OSError, subprocess.CalledProcessError)
    with pytest.raises(errors, match="no-such-program"):
        run_quietly(("/no-such-program",))


def test_a_program_that_fails_is_an_error_to_be_told():
    with pytest.raises(subprocess.CalledProcessError):
        run_quietly(("false",))


class Unkillable:
    """A program that the kernel keeps, as one whose loudspeaker was pulled."""

    gone = False
    killed = False

    def wait(self, timeout):
        raise subprocess.TimeoutExpired("aplay", timeout)

    def kill(self):
        self.killed = True

    def poll(self):
        return 0 if self.gone else None


class Well:
    def wait(self, timeout):
        return 0


def test_a_program_that_cannot_be_ended_is_left_behind_and_there_is_only_one():
    hangs, started = Unkillable(), []

    def start(argv):
        started.append(argv)
        return hangs if len(started) == 1 else Well()

    run = Programs(start)
    with pytest.raises(subprocess.TimeoutExpired):
        run(("aplay", "one"))
    assert hangs.killed
    for _ in range(3):
        with pytest.raises(subprocess.SubprocessError, match="still hangs"):
            run(("aplay", "two"))
    assert started == [("aplay", "one")]

    hangs.gone = True
    run(("aplay", "three"))

    assert started == [("aplay", "one"), ("aplay", "three")]
