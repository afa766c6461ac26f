"""Where a camera stands above a table, and what it then sees where.

A pinhole without distortion. Table points are (x, y, z) in mm: x right, y down the
picture, z up.
"""

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.arrays import Floats


class CameraPose(Struct, frozen=True):
    """A pinhole camera and where it stands.

    Attributes:
        size: Height and width of its pictures, px.
        focal_px: Focal length.
        eye_mm: Where it is, (x, y, z).
        axes: ``(3, 3)``: rows point right, down and forward in the picture.
        shift_px: How far the picture has slid since the pose was found: right, down.
    """

    size: tuple[int, int]
    focal_px: float
    eye_mm: tuple[float, float, float]
    axes: Floats
    shift_px: tuple[float, float] = (0.0, 0.0)

    def project(self, points: Floats) -> Floats:
        """Return pixels ``(N, 2)`` of table points ``(N, 3)``."""
        seen = (points - np.array(self.eye_mm, np.float32)) @ self.axes.T
        middle = np.array([self.size[1] / 2, self.size[0] / 2]) + self.shift_px
        return np.asarray(
            seen[:, :2] / seen[:, 2:] * self.focal_px + middle, np.float32
        )

    def plane(self, tall_mm: float = 0.0) -> Floats:
        """Return the homography ``(3, 3)`` from (x, y) in mm at a height to pixels."""
        lens = np.array(
            [
                [self.focal_px, 0, self.size[1] / 2 + self.shift_px[0]],
                [0, self.focal_px, self.size[0] / 2 + self.shift_px[1]],
                [0, 0, 1],
            ]
        )
        eye = np.array(self.eye_mm)
        origin = self.axes @ (np.array([0, 0, tall_mm]) - eye)
        return np.asarray(
            lens @ np.column_stack([self.axes[:, 0], self.axes[:, 1], origin])
        )

    def to_table(self, pixels: Floats, tall_mm: float = 0.0) -> Floats:
        """Return (x, y) in mm ``(N, 2)`` of pixels ``(N, 2)`` that lie at a height."""
        back = np.linalg.inv(self.plane(tall_mm))
        points = cv2.perspectiveTransform(
            np.asarray(pixels, np.float64).reshape(-1, 1, 2), back
        )
        return np.asarray(points.reshape(-1, 2), np.float32)


def camera_above(
    size: tuple[int, int],
    focal_px: float,
    looks_at: tuple[float, float],
    distance_mm: float,
    tilt_deg: float = 0.0,
    roll_deg: float = 0.0,
    lean_deg: float = 0.0,
) -> CameraPose:
    """Return a camera that looks down at a point of the table.

    *tilt_deg* moves it toward the near side, *lean_deg* to the right, *roll_deg* turns
    it about its own axis.
    """
    tilt, lean, roll = np.radians([tilt_deg, lean_deg, roll_deg])
    # Forward at rest is straight down; leaning right looks left, tilting looks away.
    forward = np.array([-np.sin(lean), -np.sin(tilt) * np.cos(lean), 0.0])
    forward[2] = -np.sqrt(1 - forward[0] ** 2 - forward[1] ** 2)
    right = np.array([1.0, 0, 0]) - forward[0] * forward
    right /= np.linalg.norm(right)
    # In these left-handed axes down is forward x right with its sign turned.
    down = -np.cross(forward, right)
    down *= np.sign(down[1])
    c, s = np.cos(roll), np.sin(roll)
    axes = np.array([c * right + s * down, c * down - s * right, forward])
    eye = np.array([*looks_at, 0.0]) - forward * distance_mm
    place = (float(eye[0]), float(eye[1]), float(eye[2]))
    return CameraPose(size, focal_px, place, axes.astype(np.float32))


def roll_camera(pose: CameraPose, turn_deg: float) -> CameraPose:
    """Return a camera turned about its own axis, as a knock at its arm does."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    right, down, forward = pose.axes
    axes = np.array([c * right + s * down, c * down - s * right, forward])
    return replace(pose, axes=axes.astype(np.float32))
