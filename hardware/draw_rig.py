"""Draws ``RIG.md``: which camera sees which game from which height, and what it reads.

python hardware/draw_rig.py            writes RIG.md
python hardware/draw_rig.py --check    only says whether it is up to date

Reckoned from the sizes of the games (``boxes.toml``), of the mast (``cad/parts.toml``)
and of the lenses (``vision/mat/lens.py``), for heights that can be printed.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from hardware.cad.box_sizes import Pair
from hardware.cad.sizes import MARGIN_MM, PICTURE, Sizes, read_sizes
from hardware.drawn_files import write_or_check
from vision.mat.calibrate import CARDS_PX_PER_MM, DIGITS_PX_PER_MM, PIPS_PX_PER_MM
from vision.mat.lens import CAMERAS
from vision.mat.mat import TILE_MM
from vision.pips.contest import WORK_PX

TARGET = HERE / "RIG.md"

SECTIONS = (2, 3, 4)
"""How many sections of the mast stand on each other. More sways: five are 772 mm."""

READS = {
    "pips": PIPS_PX_PER_MM,
    "cards": CARDS_PX_PER_MM,
    "digits": DIGITS_PX_PER_MM,
}
"""Least pixels per millimetre, the easiest first."""


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """One game of ``boxes.toml``, which says what its fields are."""

    id: str
    table_mm: Pair
    reads: Literal["pips", "cards", "digits"]
    known: str
    assumed: str
    measure: str
    card_mm: Pair | None = None


class Boxes(Struct, frozen=True, forbid_unknown_fields=True):
    """All of ``boxes.toml``."""

    game: tuple[Box, ...]


class Camera(Struct, frozen=True):
    """A camera of the table.

    Attributes:
        name: What it is called.
        lens: Its name in `vision.mat.lens.CAMERAS`.
        video_px: Width of its pictures while things move.
        still_px: Width of the largest picture that it takes of a table at rest.
        mounts: What it may hang on, of `MOUNTS`.
    """

    name: str
    lens: str
    video_px: int
    still_px: int
    mounts: tuple[str, ...]


MOUNTS = ("mast", "extension", "desk arm")
"""The printed mast, the same with its extension, and an arm of one's own."""

CAMERAS_OF_TABLES = (
    Camera("Module 3 Wide", "module3wide", 2304, 4608, MOUNTS),
    Camera("Module 3", "module3", 2304, 4608, MOUNTS),
    # Half of its 4056 pixels each way, in the mode that shows the whole width.
    Camera("HQ, 6 mm lens", "hq6mm", 2028, 4056, ("desk arm",)),
    Camera("Webcam, 1080p", "c920", 1920, 1920, ("desk arm",)),
)


class Stand(Struct, frozen=True):
    """A camera that sees all of a game.

    Attributes:
        mount: What it hangs on.
        sections: Of the mast.
        height_mm: Of the lens above the table.
        video, still: Pixels per millimetre.
    """

    mount: str
    sections: int
    height_mm: float
    video: float
    still: float


def read_boxes(path: Path = HERE / "boxes.toml") -> tuple[Box, ...]:
    """Return the sizes of the games.

    Raises:
        msgspec.ValidationError: An entry is missing or unknown.
    """
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Boxes).game


def height_mm(sizes: Sizes, sections: int, mount: str = "mast") -> float:
    """Return how high the lens hangs above the table on so many sections."""
    mast = sizes.foot.size[2] + sections * sizes.mast.section
    height = mast + sizes.arm.under + sizes.head.boss - sizes.camera.lens_tall
    return height - sizes.extension.thick if mount == "extension" else height


def seen_mm(camera: Camera, height: float, *, surely: bool = False) -> Pair:
    """Return width and depth of what a camera sees from a height.

    Args:
        camera: The camera.
        height: Of its lens, mm.
        surely: With the longest lens that its data sheet allows, which sees least.
    """
    optics = CAMERAS[camera.lens]
    focal = optics.focal_per_width * (1 + optics.spread * surely)
    return height / focal, height / focal * PICTURE


def reach_mm(sizes: Sizes, mount: str, depth: float) -> float:
    """Return how far the table's farther edge is from below the lens.

    The foot stands behind the table, and its arm may not reach the middle; a desk arm
    does.
    """
    if mount == "desk arm":
        return depth / 2
    arm = sizes.arm.reach + (sizes.extension.long if mount == "extension" else 0.0)
    return max(depth / 2, depth - (arm - sizes.foot.front))


def stand(sizes: Sizes, camera: Camera, box: Box, mount: str) -> Stand | None:
    """Return the lowest height that shows all of a game; None where none does.

    Loose tiles lie to its left and right, their narrow side along the table.
    """
    width, depth = box.table_mm
    for sections in SECTIONS:
        height = height_mm(sizes, sections, mount)
        across, along = seen_mm(camera, height, surely=True)
        sees = across / 2 >= width / 2 + min(TILE_MM) + MARGIN_MM
        if sees and along / 2 >= reach_mm(sizes, mount, depth) + MARGIN_MM:
            focal = CAMERAS[camera.lens].focal_per_width
            fine = (camera.video_px * focal / height, camera.still_px * focal / height)
            return Stand(mount, sections, height, *fine)
    return None


def best_stand(sizes: Sizes, camera: Camera, box: Box) -> Stand | None:
    """Return how a camera sees a game best; None where it does not see all of it.

    The plain mast before others that need as many sections.
    """
    found = [stand(sizes, camera, box, mount) for mount in camera.mounts]
    return min(
        (one for one in found if one is not None),
        key=lambda one: (one.sections, camera.mounts.index(one.mount)),
        default=None,
    )


def read_at(px_per_mm: float) -> str:
    """Return the finest that is read at a resolution, ``"nothing"`` for too coarse."""
    finest = [what for what, least in READS.items() if px_per_mm >= least]
    return finest[-1] if finest else "nothing"


def _heights(sizes: Sizes) -> Iterator[str]:
    yield (
        "| camera | "
        + " | ".join(f"{n} sections, {height_mm(sizes, n):.0f} mm" for n in SECTIONS)
        + " |"
    )
    yield "|---" * (len(SECTIONS) + 1) + "|"
    for camera in CAMERAS_OF_TABLES:
        cells = []
        for n in SECTIONS:
            height = height_mm(sizes, n)
            across, along = seen_mm(camera, height)
            fine = camera.video_px / across, camera.still_px / across
            cells.append(
                f"{across:.0f} x {along:.0f} mm; {fine[0]:.1f}, {fine[1]:.1f} px/mm"
            )
        yield f"| {camera.name} | " + " | ".join(cells) + " |"


def _games(sizes: Sizes, boxes: tuple[Box, ...]) -> Iterator[str]:
    yield "| game | wants | camera | on | sections | px/mm | reads in video, at rest |"
    yield "|---|---|---|---|--:|---|---|"
    for box in boxes:
        width, depth = box.table_mm
        begin = f"| `{box.id}`, {width:.0f} x {depth:.0f} mm | {box.reads} "
        for camera in CAMERAS_OF_TABLES:
            found = best_stand(sizes, camera, box)
            if found is None:
                yield f"{begin}| {camera.name} | - | - | - | does not see all of it |"
                continue
            reads = ", ".join(_verdict(box, px) for px in (found.video, found.still))
            yield (
                f"{begin}| {camera.name} | {found.mount} | {found.sections} "
                f"| {found.video:.1f}, {found.still:.1f} | {reads} |"
            )


def _sought(sizes: Sizes) -> float:
    """Return the pixels per millimetre in which pips are sought in a whole picture."""
    across, _ = seen_mm(CAMERAS_OF_TABLES[0], height_mm(sizes, 3))
    return WORK_PX / across


def _verdict(box: Box, px_per_mm: float) -> str:
    enough = px_per_mm >= READS[box.reads]
    return read_at(px_per_mm) if enough else f"**{read_at(px_per_mm)} only**"


def _boxes(boxes: tuple[Box, ...]) -> Iterator[str]:
    yield "| game | known | assumed | measure |"
    yield "|---|---|---|---|"
    for box in boxes:
        yield f"| `{box.id}` | {box.known} | {box.assumed} | {box.measure} |"


def draw(sizes: Sizes, boxes: tuple[Box, ...]) -> str:
    """Return the page in Markdown."""
    reach, askew = sizes.arm.reach - sizes.foot.front, f"{MARGIN_MM:.0f} mm"
    farther, lower = reach + sizes.extension.long, sizes.extension.thick
    levels = ", ".join(f"{what} from {least} px/mm" for what, least in READS.items())
    return f"""\
<!-- Drawn by hardware/draw_rig.py from boxes.toml, cad/parts.toml and the lenses. -->
# Which camera, and how high

For boards and cards take Camera Module 3 Wide; the standard one sees an A4 or A3 mat
with a dice tray better. All of this is reckoned, and tried with drawn tiles on drawn
tables (`tests/hardware/test_rig.py`). Before Module 3 Wide, where this page hangs it,
each game was also played on a drawn table of its size, with cards as large as in the
box: taught, tapped and read by the video (`tests/hardware/test_reading.py`). Nothing
was believed wrongly; asked about were above all cards that lie on others, as in the
rows of Dragonix. No camera has hung on a printed mast yet.

## What is seen from a height that can be printed

Width and depth that are seen in a picture of 16:9, then pixels per millimetre in video
and at rest. Read are {levels}.
The second figure is that of a still. A Pi's camera takes one at rest for dice with
signs and for cards that are followed, where they were shown in stills (a new lesson
does so); a board, its figures and tokens, and what was shown to the video before are
read at the first. No still was taken of a real table yet. An ordinary die is read in
all of these pixels where the lesson was shown where dice fall; in a whole picture it is
sought at {WORK_PX} pixels across, {_sought(sizes):.1f} px/mm for Module 3 Wide on 3
sections: too few. So tap the tray. Of a ten-sided die most throws were read in stills
that were drawn, below the camera, once each side had been shown six times; shown three
times, half of them are asked about. Away from the middle a second facet faces the
camera as much as the upper one: let this die fall near the middle of the picture.

{chr(10).join(_heights(sizes))}

## Game by game

The lowest height that shows all of the table and loose tiles to its left and right,
laid askew by {askew} or not, with the longest lens that its data sheet allows. The
foot stands behind the table: on the arm a lens hangs {reach:.0f} mm before its edge,
with the extension {farther:.0f} mm (and {lower:.0f} mm lower), so that it need not hang
over the middle. A desk arm hangs over it; HQ camera and webcam need one, as they do not
fit the printed parts, the other two may hang on one by the printed plate. It can also
be set lower or higher than the mast. **Bold**: too coarse for this game.

{chr(10).join(_games(sizes, boxes))}

## How large the games are

What is not known is assumed, large rather than small: measure your own box, change
`boxes.toml`, and run `python hardware/draw_rig.py`.

{chr(10).join(_boxes(boxes))}
"""


def main() -> int:
    """Write the page, or with ``--check`` only compare; return the exit code."""
    return write_or_check({TARGET: draw(read_sizes(), read_boxes())}, __file__)


if __name__ == "__main__":
    sys.exit(main())
