"""Find out how loose tiles lie around a board, from one picture.

Every tile is a square of known size on one table: that says where each lies, how the
camera stands, and mostly what its lens is like, all at once. Done when the table is set
up; from then on the tiles are a mat like any other.
"""

from math import atan2, degrees, radians

import numpy as np
from msgspec.structs import replace

from vision.mat.fitting import least_squares
from vision.mat.lens import Lens, Points
from vision.mat.markers import DetectedMarker
from vision.mat.mat import (
    MARKER_MM,
    TILE_NUMBERS,
    Layout,
    LooseTile,
    layout_of_tiles,
    place_tile,
    tile_outline,
)
from vision.mat.pose import (
    CORNER_PX,
    K1_SPREAD,
    LEAST_MARKERS,
    Pose,
    Rig,
    first_poses,
    marker_residuals,
    pose_from_numbers,
    project,
    solve_rig,
    unproject,
)

_STRAY_PX = 0.3
"""A tile that leans by 6 mm leaves 0.35 px over, and 0.5 mm wrong at the others; tiles
that lie flat leave 0.02 to 0.1 px."""

_EMPTY = Layout("tiles", (0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (), ())
_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * MARKER_MM


def solve_tiles(
    seen: tuple[DetectedMarker, ...], lens: Lens, learn: bool = True
) -> Rig | None:
    """Return the rig of loose tiles; None with fewer than four good ones.

    x runs as the rows of the picture do over the middle of the tiles, and (0, 0) is the
    top left of them all.

    Args:
        seen: Markers in the picture; all but those of loose tiles are passed over.
        lens: Of the camera.
        learn: Also fit focal length and k1, as far as the tiles show them.
    """
    known = [one for one in seen if one.number in TILE_NUMBERS]
    while len(known) >= LEAST_MARKERS:
        start = _start(known, lens)
        if start is None:
            return None
        lens_found, tiles = _fit_together(known, lens, *start, learn=learn)
        rig = solve_rig(tuple(known), _layout_from_corner(tiles), lens_found)
        if rig is None:
            return None
        off = marker_residuals(rig, tuple(known))
        worst = int(np.argmax(off))
        if off[worst] <= max(_STRAY_PX, 2.5 * float(np.median(off))):
            return rig
        del known[worst]
    return None


def _start(
    known: list[DetectedMarker], lens: Lens
) -> tuple[Pose, tuple[LooseTile, ...]] | None:
    """Return a first pose and tiles, with the first tile at (0, 0) and upright.

    One small square alone has two poses, and a poor one: of all that all tiles offer,
    that is taken under which all tiles are most nearly squares of their size.
    """
    best: tuple[float, Rig] | None = None
    for one in known:
        for pose in first_poses(_SQUARE, one.corners, lens):
            rig = Rig(lens, pose, _EMPTY, (), 0.0)
            misfit = max(_misfit(unproject(rig, other.corners)) for other in known)
            if np.isfinite(misfit) and (best is None or misfit < best[0]):
                best = misfit, rig
    if best is None:
        return None
    places = [unproject(best[1], one.corners) for one in known]
    turned = [_tile(one.number, at) for one, at in zip(known, places, strict=True)]
    return best[1].pose, tuple(turned)


def _misfit(corners: Points) -> float:
    """Return how far the sides of a quadrilateral are from a marker's, at the worst."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    across = np.linalg.norm(corners[:2] - corners[2:], axis=1) / np.sqrt(2)
    lengths = np.concatenate([sides, across])
    return float(np.abs(np.log(lengths / MARKER_MM)).max())


def _tile(number: int, corners: Points) -> LooseTile:
    """Return the tile whose marker has these corners ``(4, 2)``, or nearly."""
    ahead = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    turn = atan2(ahead[1], ahead[0])
    c, s = np.cos(turn), np.sin(turn)
    at = corners.mean(0) - np.array([[c, -s], [s, c]]) @ (_SQUARE.mean(0))
    return LooseTile(number, (float(at[0]), float(at[1])), degrees(turn))


def _corners(tile: Points) -> Points:
    """Return the corners ``(4, 2)`` of a marker at x, y, turned by radians."""
    x, y, turn = tile
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(_SQUARE @ np.array([[c, s], [-s, c]]) + (x, y))


def _fit_together(
    known: list[DetectedMarker],
    lens: Lens,
    pose: Pose,
    tiles: tuple[LooseTile, ...],
    learn: bool,
) -> tuple[Lens, tuple[LooseTile, ...]]:
    """Return lens and tiles that explain all corners, pose and places fitted at once.

    The first tile is held where it is: moving all tiles and the camera would be no
    difference.
    """
    pixels = np.concatenate([one.corners for one in known]).ravel()
    held = np.array([*tiles[0].at_mm, radians(tiles[0].turn_deg)])
    others = [(*one.at_mm, radians(one.turn_deg)) for one in tiles[1:]]
    start = np.array([*pose.turn, *pose.shift_mm, 0.0, 0.0, *np.ravel(others)])
    learn = learn and lens.spread > 0

    def seen_by(unknowns: Points) -> Lens:
        k1, *rest = lens.bend
        return replace(
            lens, focal_px=lens.focal_px * float(np.exp(unknowns[6])),
            bend=(k1 + float(unknowns[7]), *rest),
        )  # fmt: skip

    def residuals(unknowns: Points) -> Points:
        rig = Rig(seen_by(unknowns), pose_from_numbers(unknowns[:6]), _EMPTY, (), 0.0)
        places = [_corners(held)]
        places += [_corners(tile) for tile in unknowns[8:].reshape(-1, 3)]
        off = (project(rig, np.concatenate(places)).ravel() - pixels) / CORNER_PX
        # Held fast where nothing is to be learned.
        spreads = (lens.spread, K1_SPREAD) if learn else (1e-6, 1e-6)
        return np.concatenate([off, unknowns[6:8] / spreads])

    found = least_squares(residuals, start)
    lying = [held, *found[8:].reshape(-1, 3)]
    moved = [
        LooseTile(one.number, (float(x), float(y)), degrees(float(turn)))
        for one, (x, y, turn) in zip(tiles, lying, strict=True)
    ]
    rig = Rig(seen_by(found), pose_from_numbers(found[:6]), _EMPTY, (), 0.0)
    return seen_by(found), _upright(rig, tuple(moved))


def _upright(rig: Rig, tiles: tuple[LooseTile, ...]) -> tuple[LooseTile, ...]:
    """Return tiles turned together until x runs as the picture's rows do."""
    middles = np.array([np.mean(place_tile(one)[0].corners, axis=0) for one in tiles])
    middle = middles.mean(0)
    at = project(rig, middle[None])[0]
    step = np.array([5.0, 0.0])
    left, right = unproject(rig, np.stack([at - step, at + step]))
    turn = -atan2(right[1] - left[1], right[0] - left[0])
    c, s = np.cos(turn), np.sin(turn)
    around = np.array([[c, -s], [s, c]])
    turned = []
    for one in tiles:
        x, y = around @ (np.array(one.at_mm) - middle)
        turned.append(
            LooseTile(one.number, (float(x), float(y)), one.turn_deg + degrees(turn))
        )
    return tuple(turned)


def _layout_from_corner(tiles: tuple[LooseTile, ...]) -> Layout:
    """Return the layout of tiles moved together until all have x and y above 0."""
    corners = np.array([point for one in tiles for point in tile_outline(one)])
    x, y = (float(least) for least in corners.min(0))
    return layout_of_tiles(
        tuple(
            LooseTile(one.number, (one.at_mm[0] - x, one.at_mm[1] - y), one.turn_deg)
            for one in tiles
        )
    )
