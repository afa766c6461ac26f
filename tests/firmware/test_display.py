"""The small display shows score and turn, and a code that a phone can read."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from firmware.display import (
    OledDisplay,
    Panel,
    PngDisplay,
    draw_panel,
    open_display,
    qr_dots,
)
from firmware.glyphs import STEP_PX, to_ascii, write_text

LINK = "http://192.168.178.123:8000/j/AbCdEf12"
SEVEN = tuple((f"Player {n}", str(n * 11)) for n in range(7))


def written(dots, text: str) -> bool:
    """Return whether *text* stands somewhere in *dots*, lit on dark."""
    picture = np.zeros((7, len(text) * STEP_PX - 1), dtype=np.bool_)
    write_text(picture, text, 0, 0)
    windows = np.lib.stride_tricks.sliding_window_view(dots, picture.shape)
    return bool((windows == picture).all(axis=(2, 3)).any())


def test_a_panel_shows_names_scores_and_whose_turn_it_is():
    dots = draw_panel(Panel("Drachenhort", (("Ana", "26"), ("Bo", "7")), turn=1))
    assert dots.shape == (64, 128)
    assert written(dots, "26")
    assert written(dots, ">Bo")
    assert not written(dots, ">Ana")


def test_the_title_is_dark_on_light():
    dots = draw_panel(Panel("Drachenhort"))
    assert not written(dots, "Drachenhort")
    assert written(~dots, "Drachenhort")


def test_seven_players_fit():
    dots = draw_panel(Panel("Drachenhort", SEVEN, turn=6))
    assert all(written(dots, name) and written(dots, score) for name, score in SEVEN)


def test_below_a_text_seven_players_share_lines_by_two():
    dots = draw_panel(
        Panel("Ana", SEVEN, turn=6, text=("Throw the die.",), hint="next >")
    )
    assert written(dots, "Throw the die.")
    assert written(~dots, "next >")
    assert all(written(dots, score) for _, score in SEVEN)
    assert written(dots, ">Playe. 66")


def test_points_that_cannot_all_be_shown_leave_only_the_one_whose_turn_it_is():
    text = ("x " * 45,)  # five lines
    dots = draw_panel(Panel("Ana", SEVEN, turn=2, text=text))
    assert written(dots, ">Player 2")
    assert not written(dots, "Player 1")


def test_a_long_name_gives_way_to_its_score():
    dots = draw_panel(Panel("x", (("Wolfeschlegelsteinhausen", "131"),)))
    assert written(dots, "Wolfeschlegelst. 131")


def test_letters_that_the_display_has_not_are_spelled():
    assert to_ascii("Béatrice Çelik Groß Œuf 龍") == "Beatrice Celik Gross OEuf ?"


@pytest.mark.parametrize("scale", [4, 7])
def test_a_phone_reads_the_code_off_the_display(scale):
    dots = draw_panel(Panel("Join", (("Ana", "ok"),), qr=LINK))
    picture = np.kron(dots, np.ones((scale, scale))).astype(np.uint8) * 255
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == LINK


def test_a_link_too_long_for_two_dots_a_module_still_fits():
    code = qr_dots(LINK + "/and/something/more/that/makes/it/longer")
    assert max(code.shape) <= 64


def test_the_stand_in_is_a_picture_that_holds_the_last_panel(tmp_path):
    display = PngDisplay(tmp_path / "display.png")
    display.show(Panel("one"))
    display.show(Panel("two"))
    display.close()
    picture = cv2.imread(str(tmp_path / "display.png"), cv2.IMREAD_GRAYSCALE)
    assert np.array_equal(picture[::4, ::4] > 0, draw_panel(Panel("two")))
    assert [path.name for path in tmp_path.iterdir()] == ["display.png"]


def test_the_oled_gets_the_same_dots():
    sent = []

    class Device:
        def display(self, image):
            sent.append(image)

        def cleanup(self):
            sent.append("dark")

    class Image:
        @staticmethod
        def frombytes(mode, size, packed):
            assert mode == "1"
            bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8))
            return bits.reshape(size[1], size[0]).astype(bool)

    display = OledDisplay(Device(), Image)
    display.show(Panel("one"))
    display.close()
    assert np.array_equal(sent[0], draw_panel(Panel("one")))
    assert sent[1] == "dark"


def test_simulated_pins_have_a_picture_for_a_display(pins, wiring, tmp_path):
    display, found = open_display(pins, wiring, tmp_path / "display.png")
    assert isinstance(display, PngDisplay)
    assert found is None


def test_a_table_may_have_no_display(pins, wiring, tmp_path):
    assert open_display(pins, replace(wiring, display=None), tmp_path / "x") == (
        None,
        None,
    )


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_a_display_is_driven_by_the_chip_that_it_has(
    pins, wiring, tmp_path, monkeypatch, chip
):
    opened = []

    class Luma:
        """Stands in for luma's modules, each function notes what it was given."""

        def __getattr__(self, name):
            return lambda *words, **named: opened.append((name, words, named))

    monkeypatch.setattr("firmware.display.import_module", lambda name: Luma())
    real = replace(pins, simulated=False)
    fitted = replace(wiring, display=replace(wiring.display, chip=chip))

    display, found = open_display(real, fitted, tmp_path / "display.png")

    assert isinstance(display, OledDisplay)
    assert found is None
    assert opened[0] == ("i2c", (), {"port": 1, "address": 0x3C})
    assert [name for name, _, _ in opened[1:]] == [chip]


def test_a_display_that_does_not_answer_is_named_with_a_remedy(pins, wiring, tmp_path):
    # Here luma, or else the I2C bus, is missing.
    real = replace(pins, simulated=False)
    display, found = open_display(real, wiring, tmp_path / "display.png")
    assert display is None
    assert "0x3c (header pins 3 and 5) is left out" in found.evidence
    assert "raspi-config" in found.remedy
