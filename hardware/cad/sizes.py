"""The sizes of mast and tray: ``parts.toml``, and what follows from it.

Plain reckoning, in mm; draws nothing. x runs along the mat, y from the mast towards the
nearest seat, z up from the board that foot and mat lie on.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from hardware.cad.box_sizes import Boxes, Console, Pair, Pod, Triple
from vision.mat.lens import CAMERAS
from vision.mat.mat import MAT_A3, MAT_A4, MATS, Layout

PICTURE = 9 / 16
"""Height over width of the pictures that Camera Module 3 gives."""

MARGIN_MM = 10.0
"""What may be seen beyond each edge of the mat: so far people lay it askew."""

CLEAR_MM = 1.0
"""What must stay between a rim, as the camera sees it, and the field's edge."""


class Printer(Struct, frozen=True, forbid_unknown_fields=True):
    """``[print]``."""

    bed: Triple
    play: float


class Camera(Struct, frozen=True, forbid_unknown_fields=True):
    """``[camera]``."""

    board: Pair
    holes: Pair
    hole_edge: float
    hole: float
    lens_edge: float
    lens_tall: float
    lens: str


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """``[pi]``."""

    board: Pair
    holes: Pair
    hole_edge: float
    pilot: float


class Mast(Struct, frozen=True, forbid_unknown_fields=True):
    """``[mast]``."""

    outer: float
    wall: float
    section: float
    spigot: float
    spigot_wall: float
    screw: float
    cradle_from_top: float
    cradle_apart: float
    cradle_aside: float
    sections: dict[str, int]

    @property
    def inner(self) -> float:
        """Return the side of the hollow."""
        return self.outer - 2 * self.wall


class Rod(Struct, frozen=True, forbid_unknown_fields=True):
    """``[rod]``."""

    bore: float
    nut: Pair
    floor: float
    washer: Pair
    nut_tall: float


class Foot(Struct, frozen=True, forbid_unknown_fields=True):
    """``[foot]``."""

    size: Triple
    front: float
    screw: float
    screw_edge: float


class Arm(Struct, frozen=True, forbid_unknown_fields=True):
    """``[arm]``."""

    reach: float
    tall: float
    beam: float
    tip: float
    gusset: float
    overlap: float
    screws: Pair
    screw: float

    @property
    def under(self) -> float:
        """Return how high the beam's lower side is above the last section."""
        return self.tall - self.beam


class Extension(Struct, frozen=True, forbid_unknown_fields=True):
    """``[extension]``."""

    long: float
    thick: float


class Plate(Struct, frozen=True, forbid_unknown_fields=True):
    """``[plate]``."""

    edge: float
    block: Triple
    axis: float
    bore: float
    nut: Pair
    slot: float


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """``[head]``."""

    wide: float
    thick: float
    boss: float
    boss_wide: float
    to_plug: float
    window: Pair
    window_near: float
    lamp: float
    lamp_at: float
    beyond_lamp: float


class Cradle(Struct, frozen=True, forbid_unknown_fields=True):
    """``[cradle]``."""

    size: Triple
    boss: float
    boss_wide: float


class Cover(Struct, frozen=True, forbid_unknown_fields=True):
    """``[cover]``."""

    roof: float
    inside: float
    edge: float
    pillar: float
    bore: float
    wall: float
    skirt: float
    header: Pair
    vent: Pair
    vents: int
    vents_apart: float

    @property
    def tall(self) -> float:
        """Return its height from the Pi's board, which a screw goes through."""
        return self.roof + self.inside

    @property
    def slots(self) -> tuple[float, ...]:
        """Return x of the middle of each vent."""
        middle = (self.vents - 1) / 2
        return tuple((n - middle) * self.vents_apart for n in range(self.vents))


class Tray(Struct, frozen=True, forbid_unknown_fields=True):
    """``[tray]``."""

    outer: Pair
    rim: float
    wall: float
    floor: float
    felt: float
    held: float
    squeeze: float
    corner: float
    inner_corner: float
    felt_corner: float
    screw: float
    screw_head: float
    screw_in: float
    pilot: float
    pilot_deep: float

    @property
    def recess(self) -> float:
        """Return how deep the felt lies in the base."""
        return self.felt - self.squeeze

    @property
    def base(self) -> float:
        """Return the height of the base."""
        return self.floor + self.recess

    @property
    def tall(self) -> float:
        """Return the height of base and rim."""
        return self.base + self.rim

    @property
    def inner(self) -> Pair:
        """Return the field that dice roll on."""
        across, along = (side - 2 * self.wall for side in self.outer)
        return across, along

    @property
    def felt_size(self) -> Pair:
        """Return width and height of the felt as it is cut."""
        across, along = (side + 2 * self.held for side in self.inner)
        return across, along


class Sizes(Struct, frozen=True, rename={"printer": "print"}):
    """All of ``parts.toml``."""

    printer: Printer
    camera: Camera
    pi: Board
    mast: Mast
    rod: Rod
    foot: Foot
    arm: Arm
    extension: Extension
    plate: Plate
    head: Head
    cradle: Cradle
    cover: Cover
    tray: Tray
    boxes: Boxes
    pod: Pod
    console: Console

    @property
    def beam_end(self) -> float:
        """Return how far the beam reaches from the mast's axis."""
        to_lens = self.camera.board[1] - self.camera.lens_edge + self.head.to_plug
        return self.arm.reach - to_lens

    @property
    def head_long(self) -> float:
        """Return the length of the head."""
        behind = self.arm.reach - self.beam_end + self.arm.overlap
        return behind + self.head.lamp_at + self.head.beyond_lamp

    @property
    def extension_long(self) -> float:
        """Return the length of the extension, which overlaps the arm."""
        return self.extension.long + self.arm.overlap

    @property
    def pi_ends(self) -> Pair:
        """Return where the Pi's board begins and ends, from the cradle's middle up.

        Its sockets look down.
        """
        up = self.pi.holes[1] / 2 + self.pi.hole_edge
        return up - self.pi.board[1], up

    @property
    def cover_ends(self) -> Pair:
        """Return where the cover begins and ends, from the cradle's middle up."""
        low, high = self.pi_ends
        return low - self.cover.edge, high + self.cover.edge + self.cover.wall

    @property
    def plate_ends(self) -> Pair:
        """Return where the plate begins and ends along the cable, from the lens."""
        camera = self.camera
        to_block = camera.board[1] - camera.lens_edge + self.head.to_plug
        return -(to_block + self.plate.block[1]), camera.lens_edge + self.plate.edge


class SizesWrong(ValueError):
    """The sizes in ``parts.toml`` do not go together."""


def read_sizes(path: Path = HERE / "parts.toml") -> Sizes:
    """Return the sizes in a file.

    Raises:
        SizesWrong: An entry is missing or unknown, or the parts would not fit.
    """
    try:
        sizes = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Sizes)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise SizesWrong(f"{path}: {error}") from error
    if faults := tuple(faults_of(sizes)):
        raise SizesWrong(f"{path}: {faults[0]}")
    return sizes


def lens_height(sizes: Sizes, mat: Layout) -> float:
    """Return how high the front of the lens hangs above *mat*."""
    mast = sizes.foot.size[2] + sizes.mast.sections[mat.name] * sizes.mast.section
    return mast + sizes.arm.under + sizes.head.boss - sizes.camera.lens_tall


def rod_length(sizes: Sizes, sections: int) -> float:
    """Return how long the threaded rod of a mast is cut.

    It ends with the nut below the foot, and stands out of the one on the arm by 2 mm.
    """
    mast = sizes.foot.size[2] + sections * sizes.mast.section + sizes.arm.tall
    below = sizes.rod.nut[1] - sizes.rod.nut_tall
    return mast - below + sizes.rod.washer[1] + sizes.rod.nut_tall + 2.0


def least_height(sizes: Sizes, mat: Layout) -> float:
    """Return from where the whole of *mat* is in the picture, laid askew or not.

    The longest lens that the data sheet allows is reckoned with; the mat's long side
    lies along the picture's.
    """
    optics = CAMERAS[sizes.camera.lens]
    width, height = (side + 2 * MARGIN_MM for side in mat.size_mm)
    across = max(width, height / PICTURE)
    return optics.focal_per_width * (1 + optics.spread) * across


def filled(sizes: Sizes, mat: Layout) -> float:
    """Return which part of the picture's height *mat* fills, 0 to 1."""
    optics = CAMERAS[sizes.camera.lens]
    seen = lens_height(sizes, mat) / optics.focal_per_width * PICTURE
    return mat.size_mm[1] / seen


def cable_needed(sizes: Sizes, *, extended: bool = False) -> float:
    """Return how long the camera's cable must be: over the arm and down to the Pi.

    The cradle sits at the top of the last but one section, the Pi's sockets at its
    middle; bends take 40 mm. With the extension it sits on the last section.
    """
    along = sizes.arm.reach - (sizes.camera.board[1] - sizes.camera.lens_edge)
    along += sizes.mast.outer / 2
    middle = sizes.mast.cradle_from_top + sizes.mast.cradle_apart / 2
    more = sizes.extension.long if extended else sizes.mast.section
    return along + sizes.arm.tall + more + middle + 40.0


def faults_of(sizes: Sizes) -> Iterator[str]:
    """Yield each thing that does not go together, with what to change."""
    for mat in MATS:
        height, least = lens_height(sizes, mat), least_height(sizes, mat)
        if height < least:
            yield (
                f"on {mat.name} the lens hangs {height:.0f} mm high and needs "
                f"{least:.0f}; make mast.section longer"
            )
    clear = sizes.arm.reach - sizes.foot.front - MAT_A3.size_mm[1] / 2
    if clear < 0:
        yield f"the foot stands {-clear:.0f} mm on the A3 mat; make arm.reach longer"
    yield from _tray_faults(sizes)


def _tray_faults(sizes: Sizes) -> Iterator[str]:
    tray, height = sizes.tray, lens_height(sizes, MAT_A4)
    left, top, right, bottom = MAT_A4.field_mm
    # The rim's upper edge hides the paper behind it, seen from the lens.
    hides = tray.outer[0] / 2 * height / (height - tray.tall)
    if hides + CLEAR_MM > (right - left) / 2:
        yield "the tray's rim would hide markers of the A4 mat; make tray.rim lower"
    if tray.outer[1] > bottom - top:
        yield "the tray is longer than the field of the A4 mat; make it shorter"
