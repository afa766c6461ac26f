"""The box's own parts: pins, buttons, lamps, sound and the small display."""

import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.capsule.input_log import Button
from companion.capsule.input_recorder import InputRecorder
from companion.display.announcer import Announcer
from companion.running.missing import MissingParts
from companion.running.service import Table
from companion.running.snapshot import ButtonStatus
from companion.table import LinePart
from companion.words import LANGUAGES, Words
from firmware.buttons import Buttons
from firmware.display import open_display
from firmware.finding import said_by
from firmware.lights import Lights
from firmware.pins import Pins, open_pins
from firmware.sound import Sound, Spoken
from firmware.stage import Stage
from firmware.voice import Voice, can_speak
from firmware.wiring import Wiring, WiringError, read_wiring, wiring_path

logger = logging.getLogger(__name__)


def own_language(environ: Mapping[str, str]) -> str:
    """Return what display and voice speak: the system's language, if we know it."""
    said = environ.get("LC_ALL") or environ.get("LANG") or ""
    return said[:2] if said[:2] in LANGUAGES else "en"


def spoken_text(line: LinePart, players: tuple[str, ...]) -> Spoken:
    """Put a line into words, for the voice."""
    language = own_language(os.environ)
    return Spoken(line.line, Words(language, players).part(line), language)


class Device(Struct, frozen=True):
    """Pins, wiring and the stage of lamps and sound, real or simulated."""

    pins: Pins
    wiring: Wiring
    stage: Stage

    @contextmanager
    def stage_held(self) -> Iterator[None]:
        """Keep the tray's lamps as they are while the camera reads."""
        self.stage.hold()
        try:
            yield
        finally:
            self.stage.release()


@contextmanager
def open_device(data: Path, missing: MissingParts) -> Iterator[Device]:
    """Open pins, lamps, sound and display: those of the Pi, or simulated ones.

    Args:
        data: Where a simulated display keeps its picture, and the voice its clips.
        missing: Takes note of a wiring file that cannot be used; then nothing is wired.
    """
    pins, wiring = open_pins(), Wiring(button=())
    try:
        wiring = read_wiring(wiring_path())
    except WiringError as error:
        missing.note("wiring", LinePart("core.missing.wiring"), error, in_play=True)
        pins = replace(pins, trouble=said_by(error))
    # A computer that only pretends to be a table does not talk to its user.
    speaks = not pins.simulated and can_speak()
    voice = Voice(data / "clips") if speaks else None
    with ExitStack() as stack:
        stack.callback(pins.close)
        sound = Sound(pins, wiring, time.monotonic, run=voice, clips=data / "voice")
        stack.callback(sound.close)
        display, left_out = open_display(pins, wiring, data / "display.png")
        if left_out is not None:
            logger.warning("%s", left_out)
        stage = Stage(Lights(pins, wiring), sound, display, time.monotonic, spoken_text)
        stack.callback(stage.close)
        sound.start()
        stage.start()
        yield Device(pins, wiring, stage)


@contextmanager
def listening(
    table: Table, device: Device, link: str, recorder: InputRecorder | None = None
) -> Iterator[Buttons]:
    """Let buttons speak to *table* and lamps speak of it; *link* is the page's."""
    pins = device.pins
    if recorder is None:
        buttons = Buttons(pins, device.wiring, time.monotonic, table.hear)
    else:
        buttons = Buttons(
            pins, device.wiring, time.monotonic, table.hear, recorder.note_edge
        )
        now_s = time.monotonic()
        for pin in buttons.wired:
            known = pin.label, pin.name, pin.seat, pin.long_s, pin.double_s, now_s
            recorder.note_button(Button(*known))
    knob = device.wiring.knob is not None
    table.notice_buttons(
        ButtonStatus(pins.name, pins.simulated, pins.trouble, knob),
        buttons.simulate if pins.simulated else None,
    )
    announcer = Announcer(table, device.stage, link, own_language(os.environ))
    buttons.start()
    announcer.start()
    try:
        yield buttons
    finally:
        announcer.stop()
        buttons.close()
