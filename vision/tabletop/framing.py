"""Where the rim of a table and its places are in a camera's picture."""

import cv2
import numpy as np

from companion.table import BoxPx, Piece, Place
from vision.camera.evidence import Framing
from vision.tabletop.plan import Plan, Spot, Thing
from vision.tabletop.pose import CameraPose
from vision.tabletop.slide import REACH_PX
from vision.tabletop.surface import box_about_thing


def framing(plan: Plan, pose: CameraPose) -> Framing:
    """Return what of the pictures of *pose* is table, and where its places are.

    What stands at the far rim reaches beyond it in the picture: that is table too. So
    is as much around it as a knock may slide the picture by before nothing is read.
    """
    tallest = max((thing.tall_mm for thing in plan.things), default=0.0)
    corners = [
        (x, y, z)
        for x in (0.0, plan.width_mm)
        for y in (0.0, plan.height_mm)
        for z in (0.0, tallest)
    ]
    seen = pose.project(np.array(corners, np.float32))
    slid = [(x, y) for x in (-REACH_PX, REACH_PX) for y in (-REACH_PX, REACH_PX)]
    reached = (seen[:, None, :] + np.array(slid, np.float32)).reshape(-1, 2)
    outline = cv2.convexHull(reached.astype(np.float32)).reshape(-1, 2)

    def where(piece: Piece, place: Place) -> BoxPx | None:
        spots = plan.spots_of(piece, place)
        boxes = [_box(pose, spot, plan.thing(piece)) for spot in spots]
        if not boxes:
            return None
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    return Framing(np.asarray(outline, np.float32), where)


def _box(pose: CameraPose, spot: Spot, thing: Thing) -> BoxPx:
    reach = max(spot.width_mm, spot.height_mm) / 2
    whole = Thing(thing.piece, thing.shape, 2 * reach, tall_mm=thing.tall_mm)
    return box_about_thing(pose, whole, spot.x_mm, spot.y_mm)
