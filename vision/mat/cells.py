"""Put a marker's corners right by every edge between its black and white cells.

Some sixty edges measure better than four corners, and they lie both ways round: black
to white and white to black. So what makes all black smaller (light that spills in the
lens, a tone curve that is not undone, thirsty paper) does not move the marker.
The width of the same edges is the blur of the picture.
"""

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Mask
from vision.camera.stillness import Grey
from vision.mat.lens import Points
from vision.mat.mat import CELLS

REACH = 0.45
"""How far an edge is followed to both sides, in cells: just short of the next edge."""

_STEPS = 19
_ALONG = (-0.28, 0.0, 0.28)
"""Places along an edge of one cell where it is crossed: clear of the corners."""

_ROUNDS = 3


class MarkerOutline(Struct, frozen=True):
    """A marker measured.

    Attributes:
        corners: ``(4, 2)``, float64, px.
        blur_px: Standard deviation of the blur of its edges, px; a perfect picture
            has about 0.4, the width of a pixel.
        spill_px: How far white reaches into black, px.
        contrast: White less black, 0 to 1 in linear light.
    """

    corners: Points
    blur_px: float
    spill_px: float
    contrast: float


class MarkerEdges(Struct, frozen=True):
    """The inner and outer edges of a marker; all arrays have a row for each crossing.

    Attributes:
        at: ``(N, 2)`` x and y on the marker, 0 to 1.
        across: ``(N, 2)`` unit step over the edge, from black to white.
    """

    at: Points
    across: Points


@lru_cache(maxsize=64)
def marker_edges(number: int) -> MarkerEdges:
    """Return all places where the cells of a marker change colour."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    cells = np.ones((CELLS + 2, CELLS + 2), int)
    cells[1:-1, 1:-1] = cv2.aruco.generateImageMarker(book, number, CELLS) > 0
    at, across = [], []
    for turned in (False, True):
        grid = cells.T if turned else cells
        # Between a cell and the one to its right; columns of the rim begin at -1.
        for row, column in np.argwhere(np.diff(grid, axis=1) != 0):
            way = float(grid[row, column + 1] - grid[row, column])
            for along in _ALONG:
                point = (column / CELLS, (row - 0.5 + along) / CELLS)
                step = (way, 0.0)
                at.append(point[::-1] if turned else point)
                across.append(step[::-1] if turned else step)
    return MarkerEdges(np.array(at, float), np.array(across))


@lru_cache(maxsize=1)
def _tone_curve() -> Floats:
    """Return light, 0 to 1, for each grey value; cameras code about as sRGB does."""
    return np.asarray((np.arange(256) / 255.0) ** 2.2, np.float32)


def to_linear_light(grey: Grey) -> Floats:
    """Return a grey picture ``(H, W)``, uint8, in linear light, 0 to 1, float32.

    Lenses blur light, not its code: halfway up the code is nearer to black.
    """
    return np.asarray(_tone_curve()[grey], np.float32)


def measure_outline(
    light: Floats, number: int, corners: Points
) -> MarkerOutline | None:
    """Return a marker's true outline, None where its edges are not to be found.

    Args:
        light: Picture ``(H, W)``, float32, in linear light.
        number: Of the marker.
        corners: ``(4, 2)`` px, right to about a third of a cell.
    """
    edges = marker_edges(number)
    share = _shares(edges.at)
    spill, spread, contrast = 0.0, 0.0, 0.0
    for _ in range(_ROUNDS):
        places, ways, cell_px = _crossings(edges, corners)
        profiles, steps = _profiles(light, places, ways, cell_px)
        off, spread, contrast, good = _steps_in(profiles, steps, cell_px)
        if good.sum() < 30:
            return None
        sides = -np.ones(len(off))
        terms = np.column_stack([share * ways[:, :1], share * ways[:, 1:], sides])
        found = _robust(terms[good], off[good])
        corners = corners + found[:8].reshape(2, 4).T
        spill = float(found[8])
    return MarkerOutline(corners, spread, spill, contrast)


def _shares(at: Points) -> Points:
    """Return how much each corner moves a point of the marker, ``(N, 4)``."""
    x, y = at[:, 0], at[:, 1]
    return np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], 1)


def _crossings(edges: MarkerEdges, corners: Points) -> tuple[Points, Points, Points]:
    """Return pixels of the crossings, unit steps over them, and widths of cells, px."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to = cv2.getPerspectiveTransform(unit, corners.astype(np.float32)).astype(float)

    def there(points: Points) -> Points:
        solid = np.column_stack([points, np.ones(len(points))]) @ to.T
        return np.asarray(solid[:, :2] / solid[:, 2:])

    places = there(edges.at)
    # The edge runs at right angles to the step on the marker, but not in perspective.
    along = edges.across[:, ::-1] / (2 * CELLS)
    run = there(edges.at + along) - there(edges.at - along)
    ahead = there(edges.at + edges.across / (2 * CELLS)) - places
    ways = np.stack([-run[:, 1], run[:, 0]], 1)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    depth = (ways * ahead).sum(1)
    ways *= np.sign(depth)[:, None]
    return places, ways, 2 * np.abs(depth)


def _profiles(
    light: Floats, places: Points, ways: Points, cell_px: Points
) -> tuple[Floats, Points]:
    """Return brightness ``(N, S)`` along each crossing and the steps ``(N, S)``, px."""
    steps = np.linspace(-REACH, REACH, _STEPS)[None, :] * cell_px[:, None]
    spots = places[:, None, :] + ways[:, None, :] * steps[..., None]
    maps = spots.astype(np.float32)
    seen = cv2.remap(
        light, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(seen, np.float32), steps


def _steps_in(
    profiles: Floats, steps: Points, cell_px: Points
) -> tuple[Points, float, float, Mask]:
    """Return where each profile steps up, how wide and high, and which do at all.

    The step is where the middle of all rises lies; its width their deviation.
    """
    low, high = profiles[:, :2].mean(1), profiles[:, -2:].mean(1)
    rise = (high - low).astype(float)
    usual = float(np.median(rise))
    good = (rise > 0.5 * usual) & (rise < 2 * usual) & (usual > 0.01)
    rise = np.where(good, rise, 1.0)
    slope = np.diff(profiles, axis=1) / rise[:, None]
    between = (steps[:, 1:] + steps[:, :-1]) / 2
    total = slope.sum(1)
    good &= total > 0.5
    total = np.where(good, total, 1.0)
    at = (slope * between).sum(1) / total
    square = (slope * (between - at[:, None]) ** 2).sum(1) / total
    good &= np.abs(at) < REACH * cell_px * 0.7
    if not good.any():
        return at, 0.0, 0.0, good
    spread = float(np.sqrt(max(float(np.median(square[good])), 0.0)))
    return at, spread, usual, good


def _robust(terms: Points, off: Points) -> Points:
    """Return the unknowns that explain most of *off*, strays left out."""
    kept = np.ones(len(off), bool)
    found: Points = np.zeros(terms.shape[1])
    for _ in range(3):
        found = np.asarray(np.linalg.lstsq(terms[kept], off[kept], rcond=None)[0])
        left = np.abs(off - terms @ found)
        kept = left <= max(3 * 1.48 * float(np.median(left)), 0.05)
    return found
