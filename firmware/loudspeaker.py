"""Which sound card the voice goes to, and a tone to try it with.

ALSA's first card is a Pi's HDMI plug; a loudspeaker on USB is another one, which has to
be named.
"""

import math
import wave
from array import array
from pathlib import Path

ASOUND = Path("/proc/asound")
"""Where the kernel lists sound cards. Source: Linux, "Proc Files of ALSA Drivers"."""

RATE_HZ = 44_100
TONE_HZ, TONE_S = 660.0, 1.0


def usb_output(asound: Path = ASOUND) -> str | None:
    """Return ALSA's name of the first loudspeaker on USB, None where there is none.

    ``plughw`` lets ALSA bring a clip to the rate and channels that the card takes. A
    webcam is a card on USB too, but has no output: ``pcm0c`` without ``pcm0p``.
    """
    for output in sorted(asound.glob("card[0-9]*/pcm[0-9]*p")):
        card = output.parent
        if (card / "usbid").exists() and (name := _text(card / "id")):
            device = output.name.removeprefix("pcm").removesuffix("p")
            return f"plughw:CARD={name},DEV={device}"
    return None


def write_tone(path: Path) -> None:
    """Write a tone of a second, which swells and fades so that it does not click.

    Raises:
        OSError: It cannot be written.
    """
    count = int(RATE_HZ * TONE_S)
    samples = array("h")
    for n in range(count):
        swell = math.sin(math.pi * n / count)
        samples.append(int(12_000 * swell * math.sin(math.tau * TONE_HZ * n / RATE_HZ)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(samples.tobytes())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
