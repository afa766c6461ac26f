"""The voice goes to the loudspeaker on USB, though HDMI is a Pi's first sound card."""

import wave

import numpy as np
import pytest

from firmware.loudspeaker import RATE_HZ, TONE_HZ, usb_output, write_tone
from firmware.voice import Voice

USB_ID = "4c4a:4155\n"


@pytest.fixture
def asound(tmp_path):
    """Return a folder like ``/proc/asound`` of a Pi 5: two plugs of HDMI."""
    folder = tmp_path / "asound"
    for number in (0, 1):
        (folder / f"card{number}/pcm0p").mkdir(parents=True)
        (folder / f"card{number}/id").write_text(f"vc4hdmi{number}\n")
    return folder


def plug_in(asound, number, name, streams):
    for stream in streams:
        (asound / f"card{number}" / stream).mkdir(parents=True)
    (asound / f"card{number}/id").write_text(f"{name}\n")
    (asound / f"card{number}/usbid").write_text(USB_ID)


def test_without_a_loudspeaker_on_usb_no_card_is_named(asound, tmp_path):
    assert usb_output(asound) is None
    assert usb_output(tmp_path / "no such folder") is None


def test_a_loudspeaker_on_usb_is_named(asound):
    plug_in(asound, 2, "UACDemoV10", ["pcm0p", "pcm0c"])
    assert usb_output(asound) == "plughw:CARD=UACDemoV10,DEV=0"


def test_a_webcam_with_a_microphone_is_no_loudspeaker(asound):
    plug_in(asound, 2, "C920", ["pcm0c"])
    assert usb_output(asound) is None
    plug_in(asound, 3, "Speaker", ["pcm1p"])
    assert usb_output(asound) == "plughw:CARD=Speaker,DEV=1"


def test_a_voice_follows_the_loudspeaker_that_is_plugged_in(asound, tmp_path):
    ran = []
    voice = Voice(tmp_path / "clips", ran.append, asound=asound)

    voice(("aplay", "-q", "mine.wav"))
    plug_in(asound, 2, "UACDemoV10", ["pcm0p"])
    voice(("aplay", "-q", "mine.wav"))

    assert ran == [
        ("aplay", "-q", "mine.wav"),
        ("aplay", "-q", "-D", "plughw:CARD=UACDemoV10,DEV=0", "mine.wav"),
    ]


def test_a_tone_lasts_a_second_and_ends_without_a_click(tmp_path):
    write_tone(tmp_path / "tone.wav")

    with wave.open(str(tmp_path / "tone.wav")) as file:
        assert (file.getframerate(), file.getnchannels()) == (RATE_HZ, 1)
        samples = np.frombuffer(file.readframes(RATE_HZ), "<i2")
    assert len(samples) == RATE_HZ
    heights = np.abs(np.fft.rfft(samples))
    # A second of sound: the number of a peak is its height in Hz.
    assert int(heights.argmax()) == TONE_HZ
    assert np.abs(samples[[0, -1]]).max() < 10
    assert np.abs(samples).max() > 10_000


def test_the_tone_is_played_on_that_loudspeaker(asound, tmp_path):
    plug_in(asound, 2, "UACDemoV10", ["pcm0p"])
    ran = []
    Voice(tmp_path / "clips", ran.append, asound=asound).tone()

    ((*command, clip),) = ran
    assert command == ["aplay", "-q", "-D", "plughw:CARD=UACDemoV10,DEV=0"]
    assert clip == str(tmp_path / "clips/tone.wav")
