"""The camera above a traced table: where points are seen, how light becomes a picture.

Points are millimetres: x to the right, y away from the near side, z up from the table,
from the middle of the table.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Picture


class Pose(NamedTuple):
    """Where a camera hangs, at what it looks, and how it is turned about that line."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    roll_deg: float = 0.0
    field_deg: float = 74.2
    """From the left to the right edge."""

    def axes(self) -> Floats:
        """Return right, up and ahead, ``(3, 3)``."""
        ahead = np.subtract(self.target, self.eye)
        ahead = ahead / np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 1.0, 0.0))
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        angle = np.radians(self.roll_deg)
        turn = np.array(
            [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        )
        return np.vstack([turn @ np.vstack([right, up]), ahead])

    def project(self, points: Floats, size: tuple[int, int]) -> Floats:
        """Return where points ``(N, 3)`` are seen, ``(N, 2)`` px; *size* is (h, w)."""
        right, up, ahead = self.axes()
        away = np.atleast_2d(points) - np.array(self.eye)
        focal = size[1] / 2 / np.tan(np.radians(self.field_deg / 2))
        depth = away @ ahead
        return np.column_stack(
            [
                size[1] / 2 + focal * (away @ right) / depth,
                size[0] / 2 - focal * (away @ up) / depth,
            ]
        )


def camera_over(
    width_mm: float, seed: int, height_mm: float = 470.0, tilt_deg: float = 3.0
) -> Pose:
    """Return a camera that sees *width_mm* of the table, leaning a little."""
    chance = np.random.default_rng(seed)
    tilt = np.radians(chance.uniform(0.5, tilt_deg))
    way = chance.uniform(0, 2 * np.pi)
    aside = height_mm * float(np.tan(tilt))
    x, y = (float(v) for v in chance.uniform(-4, 4, 2))
    eye = (x + aside * float(np.cos(way)), y + aside * float(np.sin(way)), height_mm)
    field = 2 * np.degrees(np.arctan(width_mm / 2 / height_mm))
    return Pose(eye, (x, y, 0.0), float(chance.uniform(-1, 1)), float(field))


def knocked(pose: Pose, seed: int, part: float = 0.03, turn_deg: float = 3.0) -> Pose:
    """Return a camera after somebody bumped against its mast.

    Its view slides by up to *part* of its width and turns by up to *turn_deg*.
    """
    chance = np.random.default_rng(seed)
    wide = 2 * pose.eye[2] * np.tan(np.radians(pose.field_deg / 2))
    x, y = (
        float(v) for v in chance.uniform(0.3, 1.0, 2) * part * wide * _signs(chance)
    )
    turn = float(chance.uniform(0.3, 1.0) * turn_deg * _signs(chance)[0])
    eye, target = pose.eye, pose.target
    return pose._replace(
        eye=(eye[0] + x, eye[1] + y, eye[2]),
        target=(target[0] + x, target[1] + y, 0.0),
        roll_deg=pose.roll_deg + turn,
    )


def _signs(chance: np.random.Generator) -> Floats:
    return chance.choice([-1.0, 1.0], 2)


class Exposure(NamedTuple):
    """What a camera has found for a light: gains of red, green and blue."""

    gains: tuple[float, float, float]


def expose(light: Floats, bright: float = 0.20) -> Exposure:
    """Return the exposure for light ``(h, w, 3)``, RGB.

    Colours are balanced half: a camera that takes a lamp's white for white sees a warm
    table a little warm.
    """
    means = light.reshape(-1, 3).mean(axis=0)
    balance = (means.mean() / np.maximum(means, 1e-6)) ** 0.5
    return Exposure(tuple(float(v) for v in balance * bright / means.mean()))


def develop(light: Floats, exposure: Exposure, seed: int) -> bytes:
    """Return light ``(h, w, 3)``, RGB, as a camera keeps it: a JPEG."""
    chance = np.random.default_rng(seed)
    linear = light * np.array(exposure.gains, np.float32)
    linear = cv2.GaussianBlur(linear * _vignette(light.shape[:2]), (0, 0), 0.7)
    linear = linear * np.float32(1 + chance.normal(0, 0.004))
    grain = chance.normal(0, 1, linear.shape).astype(np.float32)
    linear = linear + grain * np.sqrt(0.00012 * np.maximum(linear, 0) + 0.000004)
    shown = 255 * np.clip(linear, 0, 1) ** (1 / 2.2)
    picture = np.asarray(shown[..., ::-1], np.uint8)
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert done
    return np.asarray(coded).tobytes()


def decoded(jpeg: bytes) -> Picture:
    """Return a JPEG as a picture, BGR."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))


def _vignette(size: tuple[int, int]) -> Floats:
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j]
    return (1 - 0.16 * (0.75 * x**2 + 0.25 * y**2))[..., None].astype(np.float32)
