"""A drawn board under a camera, whose spaces somebody has tapped."""

import random
from math import cos, pi, sin

import numpy as np

from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.kits.spaces import Spaces, standing_places
from companion.table import Reading
from vision.drawn.lessons import SIZE, random_pose
from vision.reader import Awaited, Reader

STANDS_MM = {"drachenhort": 14.0}
"""Figures stand so far below the middle of a room, where the owner has tapped."""


def tapped(name, seed, off_mm=0.0):
    """Return the spaces of a stand-in table as seen by the camera of a seed.

    Each tap, of a corner too, is so far off, in whatever direction chance gives.
    """
    chance = random.Random(f"{name}/{seed}")
    box = find(name).stand_in
    plan = find_stand_in(name).table(box)
    pose = random_pose(plan, seed)
    high, wide = SIZE

    def slip(x_mm, y_mm):
        turn = chance.uniform(0, 2 * pi)
        return x_mm + off_mm * cos(turn), y_mm + off_mm * sin(turn)

    def part(x_mm, y_mm):
        x, y = pose.project(np.array([(x_mm, y_mm, 0.0)], np.float32))[0]
        return float(x) / wide, float(y) / high

    right, bottom = plan.width_mm, plan.height_mm
    corners = ((0, 0), (right, 0), (right, bottom), (0, bottom))
    places = []
    for place in standing_places(name, box):
        spot = next(spot for spot in plan.spots if spot.place == place)
        below = STANDS_MM.get(name, 0.0) if place.startswith("cell/") else 0.0
        x_mm, y_mm = slip(spot.x_mm, spot.y_mm + below)
        places.append((place, x_mm / right, y_mm / bottom))
    tray = next(spot for spot in plan.spots if spot.place == "tray")
    half_x, half_y = tray.width_mm / 2, tray.height_mm / 2
    left, top = part(tray.x_mm - half_x, tray.y_mm - half_y)
    end_x, end_y = part(tray.x_mm + half_x, tray.y_mm + half_y)
    taps = tuple(part(*slip(*corner)) for corner in corners)
    return Spaces(taps, tuple(places), (left, top, end_x, end_y))


def pip_dice(picture, below):
    """Return what an ordinary die shows anywhere in a picture."""
    return Reader().read(picture, Awaited(), below=below)


def no_dice(*_):
    return Reading(())
