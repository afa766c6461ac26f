"""Tell pieces apart by what is printed on them, however they are turned.

Every taught shot is turned to all ways in which its kind may lie beforehand, so that
comparing a piece with all of them is one product of matrices.
"""

from enum import Enum
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Face, Piece
from vision.arrays import Floats, Mask
from vision.tabletop.limits import PrintLimits
from vision.tabletop.plan import CARD, D10, Thing
from vision.tabletop.surface import Surface

_COLOUR = 0.6
"""Weight of colour beside print: two metals with the same number differ in it alone."""

SHIFTS_MM = np.linspace(-1.0, 1.0, 5)
"""Where a piece's middle may be beside where its outline says."""

TEN = 0.55
"""A ten-sided die is compared in a circle so wide, in parts of its height: about the
middle of the die, as the kite on top is not right above it, and its neighbours say as
much as it does."""

ALIKE = 0.6
"""Cards nearer to each other than this are looked at again where they differ: a deck of
one picture with numbers comes to 0.3 to 0.4, different pictures to 1.0 and more."""

Name: TypeAlias = tuple[Piece, Face | None]
Ranked: TypeAlias = list[tuple[Name, float]]
PointMm: TypeAlias = tuple[float, float]


class Raster(Enum):
    """The pixels in which prints are compared: width, height and how often turned.

    Round ones are as fine as a digit of 14 pixels needs and lie in 48 ways; cards are
    finer, as a number in a corner may be all that tells them apart, and lie upright or
    upside down.
    """

    ROUND = (32, 32, 48)
    OBLONG = (54, 78, 2)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height, px."""
        return self.value[0], self.value[1]

    @property
    def turns(self) -> int:
        """Return in how many ways a piece may lie."""
        return self.value[2]

    @property
    def inside(self) -> Mask:
        """Return which pixels ``(height, width)`` belong to the piece."""
        return _INSIDE[self]


def _disc(width: int, height: int) -> Mask:
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return np.asarray((x * x + y * y) < 0.92, np.bool_)


_INSIDE: dict[Raster, Mask] = {
    Raster.ROUND: _disc(*Raster.ROUND.size),
    Raster.OBLONG: np.ones(Raster.OBLONG.size[::-1], np.bool_),
}


def raster_of(thing: Thing) -> Raster:
    """Return the pixels in which a thing's print is compared."""
    return Raster.OBLONG if thing.shape is CARD else Raster.ROUND


class PrintBank(Struct, frozen=True):
    """Taught prints.

    Attributes:
        raster: The pixels that were compared.
        names: ``M`` pieces and faces, each once.
        labels: ``(N,)``, the number of the name of each row.
        rows: ``(N, D)`` descriptors, one for each shot and turn.
        apart: ``(M, M)`` distances of names; of a name to itself, of two of its shots,
            0 with single shots.
        limits: How near is near enough.
    """

    raster: Raster
    names: tuple[Name, ...]
    labels: Floats
    rows: Floats
    apart: Floats
    limits: PrintLimits = PrintLimits()

    @property
    def farthest(self) -> float:
        """The distance beyond which nothing is what was taught."""
        round_ = self.raster is Raster.ROUND
        return self.limits.farthest_round if round_ else self.limits.farthest_oblong

    def distance_to_other(self, name: Name, among: tuple[Piece, ...]) -> float:
        """Return the distance from a name to the nearest other one of some pieces."""
        own = self.names.index(name)
        others = [
            float(self.apart[own, number])
            for number, (piece, _) in enumerate(self.names)
            if piece in among and number != own
        ]
        return min(others, default=4.0)

    def lookalikes(self, name: Name) -> list[int]:
        """Return the numbers of the names that look much like one, itself included."""
        own = self.names.index(name)
        gaps = self.apart[own]
        return [n for n, gap in enumerate(gaps) if n == own or gap < ALIKE]


def describe_patch(patch: Floats, raster: Raster) -> Floats:
    """Return the descriptor ``(D,)`` of a patch of a raster, 0 to 255."""
    pixels = patch[raster.inside]
    grey = pixels.mean(1)
    print_ = (grey - grey.mean()) / max(float(grey.std()), 12.0)
    colour = pixels.mean(0) / 40.0
    share = np.sqrt(len(pixels))
    return np.concatenate([print_ / share, colour * _COLOUR]).astype(np.float32)


def build_print_bank(raster: Raster, shots: dict[Name, list[Floats]]) -> PrintBank:
    """Return what patches ``(height, width, 3)`` of each name teach."""
    names = tuple(shots)
    labels, rows, upright = [], [], []
    for number, patches in enumerate(shots.values()):
        upright.append(np.array([describe_patch(patch, raster) for patch in patches]))
        for patch in patches:
            for turn in range(raster.turns):
                labels.append(number)
                turned = _rotate(patch, turn * 360 / raster.turns)
                rows.append(describe_patch(turned, raster))
    table, owner = np.array(rows, np.float32), np.array(labels)
    apart = np.zeros((len(names), len(names)), np.float32)
    for number, shown in enumerate(upright):
        gaps = _distances(shown, table)
        for other in range(len(names)):
            if other != number:
                apart[number, other] = gaps[:, owner == other].min()
    return PrintBank(raster, names, owner, table, np.minimum(apart, apart.T))


def _rotate(patch: Floats, degrees: float) -> Floats:
    height, width = patch.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    mode = cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.warpAffine(patch, turn, (width, height), borderMode=mode), np.float32
    )


def _distances(some: Floats, others: Floats) -> Floats:
    square = (some**2).sum(1)[:, None] + (others**2).sum(1)[None]
    gaps = np.sqrt(np.maximum(square - 2 * some @ others.T, 0))
    return np.asarray(gaps, np.float32)


def rank_names(
    taught: PrintBank, patches: list[Floats]
) -> tuple[Ranked, dict[Name, int]]:
    """Return each name with its distance to the nearest patch, the nearest first.

    The second value is the number of that patch.
    """
    found = np.array([describe_patch(patch, taught.raster) for patch in patches])
    gaps = _distances(found, taught.rows)
    nearest: dict[Name, float] = {}
    which: dict[Name, int] = {}
    for number, name in enumerate(taught.names):
        own = gaps[:, taught.labels == number].min(1)
        which[name] = int(own.argmin())
        nearest[name] = float(own.min())
    return sorted(nearest.items(), key=lambda pair: pair[1]), which


def rank_by_differences(
    taught: PrintBank, patches: list[Floats], best: Name
) -> tuple[Ranked, float]:
    """Return names that look like *best*, ranked by where they differ, and their room.

    Each pixel counts by how well it separates the names; colour as a whole does not,
    as light changes it more. The room is the distance from *best* to the next of them,
    reckoned the same way.

    Args:
        taught: The prints; their pieces lie in as many ways as *taught* says.
        patches: The piece, laid a little differently in each.
        best: What it looks like most as a whole; others look like it.
    """
    own = taught.names.index(best)
    near = taught.lookalikes(best)
    found = np.array([describe_patch(patch, taught.raster)[:-3] for patch in patches])
    rows = taught.rows[:, :-3]
    turn = np.arange(len(taught.rows)) % taught.raster.turns
    gaps = _distances(found, rows[taught.labels == own])
    lies = int(turn[taught.labels == own][int(gaps.min(0).argmin())])
    shots = {n: rows[(taught.labels == n) & (turn == lies)] for n in near}
    weight = _discriminating_weights(list(shots.values()))
    nearest = {n: _distances(found * weight, rows * weight).min() for n, rows in
               shots.items()}  # fmt: skip
    ranked = sorted(nearest.items(), key=lambda pair: pair[1])
    first = shots[ranked[0][0]] * weight
    room = min(
        float(_distances(first, rows * weight).min())
        for n, rows in shots.items()
        if n != ranked[0][0]
    )
    return [(taught.names[n], float(gap)) for n, gap in ranked], room


def _discriminating_weights(shots: list[Floats]) -> Floats:
    """Return how much each part ``(D,)`` of a print separates names, norm 1.

    By Fisher: how far the names' means are apart there, against how far shots of one
    name are, which is much along the edges of a picture that no two shots share.
    """
    means = np.array([rows.mean(0) for rows in shots])
    within = np.mean([rows.var(0) for rows in shots], 0)
    between = np.maximum(means.var(0) - within / len(shots[0]), 0)
    weight = np.sqrt(between / (within + within.mean()))
    return np.asarray(weight / max(float(np.linalg.norm(weight)), 1e-9), np.float32)


def points_near(at: PointMm) -> list[PointMm]:
    """Return the points near one where the middle of a piece may be."""
    return [(at[0] + float(x), at[1] + float(y)) for x in SHIFTS_MM for y in SHIFTS_MM]


def sample_print(
    seen: Surface, thing: Thing, at: PointMm, turn_deg: float = 0.0
) -> Floats:
    """Return the print of a thing about a point in mm, in its raster, float32.

    Args:
        seen: The table.
        thing: How wide and tall it is.
        at: The middle of its print.
        turn_deg: How far it is turned, clockwise as seen from above.
    """
    width, height = raster_of(thing).size
    across = thing.width_mm if thing.shape is not D10 else TEN * thing.tall_mm
    down = thing.height_mm if thing.shape is CARD else across
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    x, y = across / width, down / height
    middle = (width - 1) / 2, (height - 1) / 2
    to_mm = np.array(
        [
            [c * x, -s * y, at[0] - c * x * middle[0] + s * y * middle[1]],
            [s * x, c * y, at[1] - s * x * middle[0] - c * y * middle[1]],
            [0, 0, 1],
        ]
    )
    place = seen.pose.plane(thing.tall_mm) @ to_mm
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(seen.evened, place, (width, height), flags=way), np.float32
    )
