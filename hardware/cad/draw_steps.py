"""Draw the pictures of ``hardware/ASSEMBLY.md`` from the committed parts.

python hardware/cad/draw_steps.py            writes hardware/steps/
python hardware/cad/draw_steps.py --check    only says whether they are up to date
"""

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from hardware.cad import scenes
from hardware.cad.mesh import extent, moved
from hardware.cad.render import PAPER, Body, Picture, View, askew, render
from hardware.cad.sizes import PICTURE, Sizes, lens_height, read_sizes
from vision.mat.calibrate import calibrate
from vision.mat.lens import CAMERAS
from vision.mat.limits import mat_limits
from vision.mat.mat import MAT_A4
from vision.mat.overlay import draw_rig

FOLDER = HERE.parent / "steps"
DARK = (60, 50, 45)


def caption(
    picture: Picture, words: str, at: tuple[int, int], size: float = 0.5
) -> None:
    """Write a line into a picture; *at* is its left foot, px."""
    cv2.putText(
        picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, DARK, 1, cv2.LINE_AA
    )


def parts(sizes: Sizes) -> Picture:
    """Return every part as it lies on the print bed, with its name and size."""
    names = (
        "foot", "section", "arm", "extension", "head", "plate", "cradle", "cover",
        "tray-base", "tray-rim", "console", "console-lid", "pod", "pod-lid",
    )  # fmt: skip
    tiles = []
    for name in names:
        part = scenes.part(name)
        low, high = extent(part)
        tile = render([Body(part, scenes.PLASTIC)], askew(30, 35), (230, 300))
        caption(tile, name, (10, 20))
        told = " x ".join(f"{side:g}" for side in np.round(high - low, 1))
        caption(tile, f"{told} mm", (10, 222), 0.4)
        tiles.append(tile)
    tiles.append(np.full_like(tiles[0], 250))
    caption(tiles[-1], f"section: {sizes.mast.sections['A4']} for A4,", (40, 110))
    caption(tiles[-1], f"{sizes.mast.sections['A3']} for A3", (112, 132))
    return np.vstack([np.hstack(tiles[n : n + 5]) for n in (0, 5, 10)])


def mast(sizes: Sizes) -> Picture:
    """Return foot, sections and arm before the rod pulls them together."""
    bodies = scenes.seat_mast(sizes, sizes.mast.sections["A4"], apart=45.0)
    return render(bodies, askew(55, 18), (640, 480))


def head(sizes: Sizes) -> Picture:
    """Return the camera above its bosses, and in place, seen from below."""
    above = render(scenes.camera(sizes, drop=16.0), askew(145, 32), (380, 440))
    below = render(scenes.camera(sizes), askew(145, -38), (380, 440))
    caption(above, "from above, cable towards the mast", (10, 20))
    caption(below, "from below", (10, 20))
    return np.hstack([above, below])


def farther(sizes: Sizes) -> Picture:
    """Return the extension below the arm, and the plate that hangs on any arm."""
    longer = render(scenes.extended_arm(sizes, apart=14.0), askew(60, -14), (420, 620))
    caption(longer, "arm, extension, head", (10, 20))
    plate = render(scenes.camera(sizes, on="plate"), askew(215, 32), (420, 380))
    caption(plate, "plate for a desk arm", (10, 20))
    return np.hstack([longer, plate])


def boxes(sizes: Sizes) -> Picture:
    """Return console and pod as they are used, each above its lid."""
    pictures = []
    for name, words in (
        ("console", "console, from the front"),
        ("pod", "pod at a seat"),
    ):
        bodies = scenes.boxed(sizes, name, apart=26.0)
        picture = render(bodies, askew(200, 38), (400, 500))
        caption(picture, words, (10, 20))
        pictures.append(picture)
    return np.hstack(pictures)


def inside(sizes: Sizes) -> Picture:
    """Return console and pod upside down, with what sits in them."""
    pictures = []
    for name, words in (
        ("console", "console from below, open"),
        ("pod", "pod from below, open"),
    ):
        picture = render(scenes.wired(sizes, name), askew(20, 60), (400, 500))
        caption(picture, words, (10, 20))
        pictures.append(picture)
    return np.hstack(pictures)


def sheet(_sizes: Sizes) -> Picture:
    """Return the A4 mat and a page of loose tiles, as they come out of the printer."""
    # Only here: whoever draws parts needs no PDF.
    from hardware.draw_sheets import FOLDER as SHEETS
    from hardware.draw_sheets import pages

    drawn = []
    for name in ("mat-a4.pdf", "tiles-a4.pdf"):
        page = pages((SHEETS / name).read_bytes())[0]
        wide = round(420 * page.shape[1] / page.shape[0])
        small = cv2.resize(page, (wide, 420), interpolation=cv2.INTER_AREA)
        edge = cv2.copyMakeBorder(small, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=DARK)
        drawn.append(
            cv2.copyMakeBorder(edge, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=PAPER)
        )
    return np.asarray(np.hstack(drawn), np.uint8)


def cradle(sizes: Sizes) -> Picture:
    """Return the Pi on its cradle at the back of a section, and its cover."""
    section = moved(
        scenes.part("section"),
        (0, 0, -sizes.mast.section + sizes.mast.cradle_from_top
         + sizes.mast.cradle_apart / 2),
    )  # fmt: skip
    pictures = []
    for words, apart, covered in (("Pi", 14.0, False), ("cover, USB down", 26.0, True)):
        pi = scenes.cradled_pi(sizes, apart, covered=covered)
        bodies = [Body(section, scenes.PLASTIC), *pi]
        pictures.append(render(bodies, askew(215, 20), (520, 440)))
        caption(pictures[-1], words, (10, 20))
    return np.hstack(pictures)


def tray(sizes: Sizes) -> Picture:
    """Return base, felt and rim, and the tray in a piece."""
    loose = render(scenes.tray(sizes, apart=32.0), askew(25, 30), (400, 460))
    whole = render(scenes.tray(sizes), askew(25, 40), (400, 460))
    return np.hstack([loose, whole])


def table(sizes: Sizes) -> Picture:
    """Return the finished table with the A4 mat."""
    return render(scenes.whole_table(sizes, MAT_A4), askew(28, 26), (720, 640))


def found(sizes: Sizes) -> Picture:
    """Return what ``calibrate --overlay`` draws into what the camera sees."""
    wide = 1280
    picture = _from_the_camera(sizes, wide)
    checked = calibrate(picture, sizes.camera.lens, 100.0, mat_limits().check)
    drawn = draw_rig(picture, checked)
    small = (800, round(800 * PICTURE))
    return np.asarray(cv2.resize(drawn, small, interpolation=cv2.INTER_AREA), np.uint8)


def seen(sizes: Sizes) -> Picture:
    """Return what the camera sees, turned as people sit before it."""
    return _from_the_camera(sizes, 800)


def _from_the_camera(sizes: Sizes, wide: int) -> Picture:
    eye = (0.0, sizes.arm.reach, lens_height(sizes, MAT_A4))
    down = np.array([[-1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
    focal = CAMERAS[sizes.camera.lens].focal_per_width
    mat = scenes.whole_table(sizes, MAT_A4)
    return render(mat, View(down, eye, focal), (round(wide * PICTURE), wide))


STEPS: dict[str, Callable[[Sizes], Picture]] = {
    "parts": parts, "mast": mast, "head": head, "farther": farther, "cradle": cradle,
    "tray": tray, "boxes": boxes, "inside": inside, "sheet": sheet, "table": table,
    "seen": seen, "found": found,
}  # fmt: skip


def is_same(one: Picture | None, other: Picture) -> bool:
    """Tell whether two pictures show the same; other processors round otherwise."""
    if one is None or one.shape != other.shape:
        return False
    return bool((cv2.absdiff(one, other).max(2) > 40).mean() < 0.001)


def main() -> int:
    """Write the pictures, or with ``--check`` only compare; return the exit code."""
    sizes, stale = read_sizes(), []
    FOLDER.mkdir(exist_ok=True)
    for name, draw in STEPS.items():
        path, picture = FOLDER / f"{name}.png", draw(sizes)
        if "--check" not in sys.argv:
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        elif not is_same(cv2.imread(str(path)), picture):
            stale.append(path.name)
    if stale:
        again = f"run python hardware/cad/{Path(__file__).name}"
        print(f"{', '.join(stale)} out of date; {again}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
