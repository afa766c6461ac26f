"""The limits of light and focus, on real photographs that are all good enough."""

import os
from pathlib import Path

import cv2
import pytest

from vision.look import WIDTH_PX, look_at


@pytest.mark.photos
def test_no_usable_photograph_is_called_dark_dazzled_or_blurred(record_property):
    folder = Path(os.environ.get("DRAGON_TABLE_PHOTOS", "../shared/photos"))
    if not folder.is_dir():
        pytest.skip(f"no photographs in {folder}")
    looks = [look_at(picture) for picture in _pictures(folder)]
    blurred = [
        look_at(cv2.GaussianBlur(picture, (0, 0), 4)) for picture in _pictures(folder)
    ]
    softest = min(look.sharpness for look in looks)
    sharpest = max(look.sharpness for look in blurred)
    record_property(
        "figures",
        f"{len(looks)} photographs: softest {softest:.3f}, blurred by 4 px at most "
        f"{sharpest:.3f}, darkest {min(look.brightest for look in looks):.0f}, most "
        f"burnt {max(look.burnt for look in looks):.3f}",
    )

    assert not any(look.is_dark or look.is_dazzled or look.is_blurred for look in looks)
    assert all(look.is_blurred for look in blurred)


def _pictures(folder):
    """Yield every tenth photograph that is large enough, as wide as it is judged."""
    paths = sorted(p for p in folder.rglob("*") if p.suffix in (".jpg", ".png"))
    for path in paths[::10]:
        picture = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
        if picture is not None and picture.shape[1] >= WIDTH_PX // 2:
            height_px = round(picture.shape[0] * WIDTH_PX / picture.shape[1])
            yield cv2.resize(
                picture, (WIDTH_PX, height_px), interpolation=cv2.INTER_AREA
            )
