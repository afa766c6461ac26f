"""The limits of light and focus, on real photographs that people looked at."""

import os
from pathlib import Path

import cv2
import pytest

from vision.camera.light_check import WIDTH_PX, measure_quality

GOOD = (
    "blue_dice_symbol_six", "board_white_on_light", "cards_fixed_camera",
    "cards_overlapping", "cards_piles_fans", "cards_strips", "home_pips",
    "illustrated_cards", "many_colour_pips", "memory_grid", "phone_pips_surfaces",
    "pi_numeral_d6", "pi_pips", "plain_pips", "playing_cards", "set_cards",
    "symbol_dice", "tiles_fixed_camera", "tilted_pips", "uno_cards", "webcam_d10",
    "wood_brass_pips",
)  # fmt: skip
"""Folders of which every photograph is good enough to read, but those of `BY_EYE`."""

BY_EYE = {
    # One blue lamp: what is not blue is black.
    "board_light/position1_blue_2.jpg": {"is_dark"},
    # The same board and stand under other lamps.
    "board_light/position1_1.jpg": set(),
    "board_light/position1_cyan_1.jpg": set(),
    "board_light/position1_green_1.jpg": set(),
    "board_light/position1_orange_1.jpg": set(),
    "board_light/position1_pink_1.jpg": set(),
    "board_light/position1_violet_1.jpg": set(),
    "board_light/position1_yellow_1.jpg": set(),
    # The light squares of the board are burnt out, an eighth of the picture.
    "board_still/frame0.jpg": {"is_dazzled"},
    # A bare dark table: too dark; nothing to judge the focus by.
    "plain_pips/wiktor_120.jpg": {"is_dark"},
    # Bare paper, well lit: nothing to judge the focus by.
    "plain_pips/wiktor_122.jpg": set(),
}
"""What is wrong with single photographs, as people see it."""

FAULTS = ("is_dark", "is_dazzled", "is_blurred")


@pytest.fixture
def folder():
    found = Path(os.environ.get("DRAGON_TABLE_PHOTOS", "../shared/photos"))
    if not found.is_dir():
        pytest.skip(f"no photographs in {found}")
    return found


@pytest.mark.photos
def test_no_usable_photograph_is_called_dark_dazzled_or_blurred(
    folder, record_property
):
    pictures = list(_every_tenth(folder))
    looks = {name: measure_quality(picture) for name, picture in pictures}
    blurred = [measure_quality(cv2.GaussianBlur(p, (0, 0), 4)) for _, p in pictures]
    record_property(
        "figures",
        f"{len(looks)} photographs: softest "
        f"{min(look.sharpness for look in looks.values()):.3f}, blurred by 4 px at "
        f"most {max(look.sharpness for look in blurred):.3f}, darkest "
        f"{min(look.brightest for look in looks.values()):.0f}, most burnt "
        f"{max(look.burnt for look in looks.values()):.3f}, faintest edges when "
        f"blurred {min(look.contrast for look in blurred):.0f}",
    )

    assert {
        name: found for name, look in looks.items() if (found := _faults(look))
    } == {}
    assert all(look.is_blurred for look in blurred)


@pytest.mark.photos
@pytest.mark.parametrize("name", BY_EYE)
def test_light_and_focus_are_judged_as_people_see_them(folder, name):
    look = measure_quality(_at_its_width(folder / name))

    assert _faults(look) == BY_EYE[name]


def _faults(look):
    return {fault for fault in FAULTS if getattr(look, fault)}


def _every_tenth(folder):
    """Yield name and picture of every tenth good photograph that is large enough."""
    for name in GOOD:
        paths = sorted((folder / name).glob("*.*"))
        assert paths, f"no photographs in {name}"
        for path in paths[::10]:
            told = f"{name}/{path.name}"
            picture = _at_its_width(path)
            if picture is not None and told not in BY_EYE:
                yield told, picture


def _at_its_width(path):
    """Return a photograph as wide as it is judged, None where it is too small."""
    picture = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
    if picture is None or picture.shape[1] < WIDTH_PX // 2:
        return None
    height_px = round(picture.shape[0] * WIDTH_PX / picture.shape[1])
    return cv2.resize(picture, (WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
