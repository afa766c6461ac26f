"""How a traced table is lit: lamps and windows of their own colours."""

from typing import NamedTuple

Rgb = tuple[float, float, float]


class Lamp(NamedTuple):
    """A square that shines down on the middle of the table; millimetres."""

    at: tuple[float, float, float]
    half: float
    shine: Rgb


class Light(NamedTuple):
    """Lamps, and what comes from walls and ceiling."""

    lamps: tuple[Lamp, ...]
    sky: Rgb


LIGHTS = {
    "lamp": Light(
        (Lamp((230.0, 190.0, 640.0), 55.0, (60.0, 49.0, 34.0)),), (0.34, 0.30, 0.25)
    ),
    "window": Light(
        (Lamp((-900.0, 350.0, 620.0), 330.0, (6.2, 6.9, 8.2)),), (0.42, 0.45, 0.50)
    ),
    "two": Light(
        (
            Lamp((-320.0, 260.0, 700.0), 60.0, (34.0, 30.0, 24.0)),
            Lamp((380.0, -60.0, 560.0), 40.0, (36.0, 35.0, 34.0)),
        ),
        (0.30, 0.29, 0.27),
    ),
    "evening": Light(
        (Lamp((120.0, 330.0, 480.0), 35.0, (64.0, 43.0, 22.0)),), (0.10, 0.08, 0.06)
    ),
}

AFTER = {"lamp": "two", "window": "lamp", "two": "evening", "evening": "two"}
"""What comes when somebody switches a lamp on or off."""


def shadow_points(
    lamp: Lamp, corners: list[tuple[float, float, float]]
) -> list[tuple[float, float, float]]:
    """Return where points throw their shadows on the table, from each end of a lamp."""
    x, y, z = lamp.at
    ends = [(x + a * lamp.half, y + b * lamp.half) for a in (-1, 1) for b in (-1, 1)]
    points = []
    for ex, ey in ends:
        for px, py, pz in corners:
            far = z / max(z - pz, 1.0)
            points.append((ex + (px - ex) * far, ey + (py - ey) * far, 0.0))
    return points
