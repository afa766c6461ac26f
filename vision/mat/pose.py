"""Where the camera stands over the table, and what that makes of pixels and mm.

Pose from markers whose places are known; points on any height above the table to
pixels and back. A picture is never looked at here.

The table's axes (x right, y down, z up) are left-handed, OpenCV's are not: z is turned
over on the way in, so that a height above the table stays positive for everybody else.
"""

from math import acos, degrees

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.mat.fitting import least_squares
from vision.mat.lens import Lens, Points, distort, undistort
from vision.mat.markers import DetectedMarker
from vision.mat.mat import Layout, PointMm

LEAST_MARKERS = 4
"""Worst error on the mat with three or two in view: 6 and 8 mm; with four 0.5 mm."""

CORNER_PX = 0.25
"""Usual error of a corner: 0.05 to 0.1 px, and paper that is not quite flat."""

K1_SPREAD = 0.06
"""Usual size of k1 of lenses of 60 to 80 degrees."""


class Pose(Struct, frozen=True, gc=False):
    """How the table lies before the camera, as OpenCV has it (z away from the camera).

    Attributes:
        turn: Rotation vector from table to camera.
        shift_mm: Translation from table to camera.
    """

    turn: tuple[float, float, float]
    shift_mm: tuple[float, float, float]


class Rig(Struct, frozen=True, gc=False):
    """Everything that turns pixels into millimetres, once the camera stands.

    Attributes:
        lens: With what the markers taught about it.
        pose: Of the camera.
        layout: Where the markers lie.
        used: Numbers of the markers that the pose rests on.
        residual_px: Root mean square of what is left over at their corners.
    """

    lens: Lens
    pose: Pose
    layout: Layout
    used: tuple[int, ...]
    residual_px: float


def solve_rig(
    seen: tuple[DetectedMarker, ...], layout: Layout, lens: Lens, learn: bool = False
) -> Rig | None:
    """Return the rig that explains the markers; None with fewer than four good ones.

    A marker that does not fit the others is left out: it was moved, bent or misread.

    Args:
        seen: What was found in the picture; markers not of the layout are passed over.
        layout: Where the markers lie.
        lens: Of the camera.
        learn: Also fit focal length and k1, as far as the markers show them;
            else the lens is kept as it is.
    """
    known = [one for one in seen if layout.marker(one.number) is not None]
    while len(known) >= LEAST_MARKERS:
        rig = _explain(tuple(known), layout, lens, learn)
        if rig is None:
            return None
        off = marker_residuals(rig, tuple(known))
        worst = int(np.argmax(off))
        if off[worst] <= max(1.0, 2.5 * float(np.median(off))):
            return rig
        del known[worst]
    return None


def marker_residuals(rig: Rig, seen: tuple[DetectedMarker, ...]) -> Points:
    """Return for each marker ``(N,)`` how far its corners lie off, rms px."""
    off = [
        project(rig, np.array(_corners(rig.layout, one.number))) - one.corners
        for one in seen
    ]
    return np.array([float(np.sqrt((one**2).sum(1).mean())) for one in off])


def _corners(layout: Layout, number: int) -> tuple[PointMm, ...]:
    marker = layout.marker(number)
    assert marker is not None, "only markers of the layout are asked for"
    return marker.corners


def _explain(
    known: tuple[DetectedMarker, ...], layout: Layout, lens: Lens, learn: bool
) -> Rig | None:
    places = np.array(
        [point for one in known for point in _corners(layout, one.number)]
    )
    pixels = np.concatenate([one.corners for one in known])
    starts = first_poses(places, pixels, lens)
    if not starts:
        return None
    rig = Rig(lens, starts[0], layout, tuple(one.number for one in known), 0.0)
    rig = _refine(rig, places, pixels, learn)
    off = project(rig, places) - pixels
    return replace(rig, residual_px=float(np.sqrt((off**2).sum(1).mean())))


def first_poses(places: Points, pixels: Points, lens: Lens) -> list[Pose]:
    """Return the poses near the true one, the better fitting first.

    A plane seen nearly flat has two; of few or small things the second may be right.

    Source: Collins and Bartoli, Infinitesimal Plane-Based Pose Estimation, 2014 (IPPE).
    """
    solid = np.column_stack([places, np.zeros(len(places))])
    done, turns, shifts, errors = cv2.solvePnPGeneric(
        solid, undistort(lens, pixels), np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
    )
    if not done:
        return []
    return [
        pose_from_numbers(np.concatenate([turns[i].ravel(), shifts[i].ravel()]))
        for i in np.argsort(np.asarray(errors).ravel())
    ]


def pose_from_numbers(numbers: Points) -> Pose:
    """Return a pose from its six numbers ``(6,)``."""
    a, b, c, x, y, z = (float(number) for number in numbers)
    return Pose((a, b, c), (x, y, z))


def _refine(rig: Rig, places: Points, pixels: Points, learn: bool) -> Rig:
    learn = learn and rig.lens.spread > 0
    start = [*rig.pose.turn, *rig.pose.shift_mm] + [0.0, 0.0] * learn

    def tried(unknowns: Points) -> Rig:
        pose = pose_from_numbers(unknowns[:6])
        if not learn:
            return replace(rig, pose=pose)
        k1, *others = rig.lens.bend
        lens = replace(
            rig.lens, focal_px=rig.lens.focal_px * float(np.exp(unknowns[6])),
            bend=(k1 + float(unknowns[7]), *others),
        )  # fmt: skip
        return replace(rig, pose=pose, lens=lens)

    def residuals(unknowns: Points) -> Points:
        off = (project(tried(unknowns), places) - pixels).ravel() / CORNER_PX
        if not learn:
            return off
        # What the data sheet says is one more measurement.
        prior = unknowns[6:] / (rig.lens.spread, K1_SPREAD)
        return np.concatenate([off, prior])

    return tried(least_squares(residuals, np.array(start)))


def rotation_matrix(rig: Rig) -> Points:
    """Return the rotation ``(3, 3)`` from the table (z down) to the camera."""
    return np.asarray(cv2.Rodrigues(np.array(rig.pose.turn))[0], float)


def project(rig: Rig, points: Points, z_mm: float = 0.0) -> Points:
    """Return the pixels ``(N, 2)`` of points on the table.

    Args:
        rig: Of the camera.
        points: ``(N, 2)`` x and y in mm, or ``(N, 3)`` with a height each.
        z_mm: Height of points that have none of their own, above the table.
    """
    solid = np.empty((len(points), 3))
    solid[:, :2] = points[:, :2]
    solid[:, 2] = -points[:, 2] if points.shape[1] == 3 else -z_mm
    before = solid @ rotation_matrix(rig).T + rig.pose.shift_mm
    return distort(rig.lens, before[:, :2] / before[:, 2:])


def unproject(rig: Rig, pixels: Points, z_mm: float = 0.0) -> Points:
    """Return the places ``(N, 2)`` in mm of pixels ``(N, 2)``, at a height.

    A pixel that looks past the horizon gives a place that is not finite.
    """
    rays = np.column_stack([undistort(rig.lens, pixels), np.ones(len(pixels))])
    turned = rays @ rotation_matrix(rig)
    eye = -np.array(rig.pose.shift_mm) @ rotation_matrix(rig)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = (-z_mm - eye[2]) / turned[:, 2]
        far = np.where(far > 0, far, np.nan)
        return np.asarray(eye[:2] + turned[:, :2] * far[:, None])


def camera_mm(rig: Rig) -> tuple[float, float, float]:
    """Return where the camera stands: x, y and height above the table."""
    x, y, down = -np.array(rig.pose.shift_mm) @ rotation_matrix(rig)
    return float(x), float(y), -float(down)


def tilt_deg(rig: Rig) -> float:
    """Return how far the camera looks off straight down, 0 to 180 degrees."""
    return degrees(acos(float(np.clip(rotation_matrix(rig)[2, 2], -1, 1))))


def px_per_mm(rig: Rig, at_mm: PointMm, z_mm: float = 0.0) -> float:
    """Return how many pixels a millimetre has at a place, the narrower way.

    Looked at askance, a millimetre away from the camera is shorter than one across;
    what can be read there hangs on the shorter one.
    """
    here = np.array([at_mm, (at_mm[0] + 1, at_mm[1]), (at_mm[0], at_mm[1] + 1)])
    o, x, y = project(rig, here, z_mm)
    return float(np.linalg.svd(np.array([x - o, y - o]), compute_uv=False)[-1])
