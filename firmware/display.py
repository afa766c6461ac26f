"""The small display: score and turn, or the address that a phone joins by.

One drawing for the OLED and for its stand-in, a picture file. Knows no game.
"""

from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any, Protocol

import cv2
import numpy as np
import segno
from msgspec import Struct

from companion.files import write_whole
from firmware.finding import Finding, Level, sentence
from firmware.glyphs import LINE_PX, STEP_PX, Dots, to_ascii, write_text
from firmware.pins import Pins, one_line
from firmware.wiring import DisplayPins, Wiring

WIDTH_PX, HEIGHT_PX = 128, 64
_COLUMNS = WIDTH_PX // STEP_PX
_BAR_PX = 9
MOST_LINES = 7
"""Below the bar; one for each seat, and the last one ends on the last dot."""

_QR_BORDER = (
    3  # modules; the standard's four do not fit, and a test reads the code back
)
_ENLARGED = 4  # a picture file is looked at on a screen


class Panel(Struct, frozen=True, gc=False):
    """What the display shows.

    *rows* are names with their score, *turn* the row whose turn it is. *text* says
    above them what is to be done; rows then share a line where they must, and only the
    one whose turn it is stays where they cannot. *hint* stands at the right of the
    title. With a *qr* the code takes the right half, and all else the left.
    """

    title: str
    rows: tuple[tuple[str, str], ...] = ()
    turn: int | None = None
    qr: str | None = None
    text: tuple[str, ...] = ()
    hint: str = ""


class Display(Protocol):
    """Something that shows a panel."""

    def show(self, panel: Panel) -> None:
        """Show *panel* instead of what was there."""

    def close(self) -> None:
        """Go dark."""


def draw_panel(panel: Panel) -> Dots:
    """Return the dots of *panel*, shape ``(64, 128)``, lit ones True."""
    dots = np.zeros((HEIGHT_PX, WIDTH_PX), dtype=np.bool_)
    columns = _COLUMNS
    if panel.qr is not None:
        code = qr_dots(panel.qr)
        dots[: code.shape[0], WIDTH_PX - code.shape[1] :] = code
        columns = (WIDTH_PX - code.shape[1]) // STEP_PX
    # The title is dark on a light bar, a dot higher and wider than its letters.
    room = columns - len(to_ascii(panel.hint)) - bool(panel.hint)
    title = f"{_clip(panel.title, room):{room}} {panel.hint}"
    write_text(dots, title.rstrip(), 1, 1)
    bar = dots[:_BAR_PX, : columns * STEP_PX]
    np.logical_not(bar, out=bar)
    lines = text_lines(panel.text, columns)
    free = MOST_LINES - len(lines)
    lines += _row_lines(panel, columns, free)
    top = _BAR_PX + (len(lines) < MOST_LINES)  # a full panel leaves no dot between
    for place, line in enumerate(lines[:MOST_LINES]):
        write_text(dots, line, top + place * LINE_PX, 0)
    return dots


def text_lines(text: tuple[str, ...], columns: int = _COLUMNS) -> list[str]:
    """Return paragraphs as the lines of a display, each of them on a new one."""
    return [line for part in text for line in wrap(to_ascii(part), columns)]


def _row_lines(panel: Panel, columns: int, free: int) -> list[str]:
    """Return names with scores, two a line where they do not fit otherwise."""
    rows = [
        (name, score, n == panel.turn) for n, (name, score) in enumerate(panel.rows)
    ]
    if len(rows) <= free:
        return [_row(*row, columns) for row in rows]
    half = (columns - 1) // 2
    halves = [_row(*row, half) for row in rows]
    pairs = [" ".join(halves[n : n + 2]) for n in range(0, len(halves), 2)]
    if len(pairs) <= free:
        return pairs
    # Some of the points would look like all of them.
    return [_row(*row, columns) for row in rows if row[2]][: max(0, free)]


def _row(name: str, score: str, is_turn: bool, columns: int) -> str:
    room = max(0, columns - 2 - len(to_ascii(score)))
    mark = ">" if is_turn else " "
    return f"{mark}{_clip(name, room):{room}} {score}"[:columns]


def qr_dots(text: str) -> Dots:
    """Return *text* as a QR code on a lit ground, two dots a module where they fit."""
    matrix = segno.make_qr(text, error="l", boost_error=False).matrix
    modules = ~np.array(matrix, dtype=np.uint8).astype(bool)
    modules = np.pad(modules, _QR_BORDER, constant_values=True)
    side = modules.shape[0] - 2 * _QR_BORDER
    scale = 2 if 2 * side + 2 <= HEIGHT_PX else 1
    code = modules.repeat(scale, axis=0).repeat(scale, axis=1)
    if (over := code.shape[0] - HEIGHT_PX) > 0:
        cut = -(-over // 2)
        code = code[cut : code.shape[0] - cut, cut : code.shape[1] - cut]
    return code


class PngDisplay:
    """Stands in for the display: a picture file that always holds the last panel."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def show(self, panel: Panel) -> None:
        """Write the panel four times as large, black and white.

        Raises:
            OSError: The file cannot be written.
        """
        picture = draw_panel(panel).astype(np.uint8) * 255
        picture = picture.repeat(_ENLARGED, axis=0).repeat(_ENLARGED, axis=1)
        _, png = cv2.imencode(".png", picture)
        # Replaced whole, so that nobody ever opens half a picture.
        write_whole(self._path, png.tobytes())

    def close(self) -> None:
        """Leave the last picture."""


class OledDisplay:
    """The OLED, through luma."""

    def __init__(self, device: Any, image: Any) -> None:
        """Take a luma *device* and Pillow's module *image*, which luma brings."""
        self._device, self._image = device, image

    def show(self, panel: Panel) -> None:
        """Send the panel.

        Raises:
            OSError: The display no longer answers.
        """
        dots = draw_panel(panel)
        packed = np.packbits(dots, axis=1).tobytes()
        size = (dots.shape[1], dots.shape[0])
        self._device.display(self._image.frombytes("1", size, packed))

    def close(self) -> None:
        """Go dark and give the bus back."""
        self._device.cleanup()


def open_display(
    pins: Pins, wiring: Wiring, stand_in: Path
) -> tuple[Display | None, Finding | None]:
    """Return the display and what stood in its way.

    With simulated pins it is a picture file at *stand_in*. A table without display has
    none, as luma is an optional part.
    """
    if wiring.display is None:
        return None, None
    if pins.simulated:
        return PngDisplay(stand_in), None
    try:
        return _open_oled(wiring.display), None
    except Exception as error:  # noqa: BLE001
        # luma has a tree of errors of its own, which cannot be named without luma.
        return None, _missing(wiring.display, error)


def _open_oled(wired: DisplayPins) -> OledDisplay:
    serial = import_module("luma.core.interface.serial")
    oled = import_module("luma.oled.device")
    bus = serial.i2c(port=1, address=wired.address)
    device = getattr(oled, wired.chip)(bus)
    return OledDisplay(device, import_module("PIL.Image"))


def _missing(wired: DisplayPins, error: Exception) -> Finding:
    return Finding(
        id="display",
        level=Level.WARN,
        evidence=sentence(
            "display.left_out",
            "The display at address {address} (header pins {sda} and {scl}) is left "
            "out: {why}.",
            address=f"{wired.address:#x}",
            sda=wired.sda_header,
            scl=wired.scl_header,
            why=one_line(error),
        ),
        remedy=sentence(
            "display.left_out_do",
            "Switch I2C on with raspi-config, install luma.oled and see that "
            "`i2cdetect -y 1` lists {address}, or delete [display] in pins.toml.",
            address=f"{wired.address:x}",
        ),
    )


def _clip(text: str, columns: int) -> str:
    bare = to_ascii(text)
    return bare if len(bare) <= columns else bare[: max(0, columns - 1)] + "."
