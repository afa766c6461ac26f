"""Read a whole table: which piece lies at which place, and what cannot be told.

Figures and gems are sought by their tops, flat pieces by their print, dice by whoever
reads dice. Something that no taught piece explains is a doubt, never left out.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Generic, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import BoxPx
from vision.arrays import Floats, Mask, Picture
from vision.contest import DieSeen
from vision.places.figures import SURE, Standing, read_tops
from vision.places.prints import Bank, PointMm, rank
from vision.places.seen import Doubt, Found, Seen
from vision.places.slide import put_back
from vision.places.surface import (
    PX_PER_MM,
    Surface,
    box_of,
    foreground,
    outline_of,
    surface,
    window,
)
from vision.places.teaching import Taught, middle_of
from vision.plan import DIE, TOKEN, Plan, Spot, Thing
from vision.pose import Pose
from vision.see import PIP_DIE

HAND_MM2 = 2500.0
"""Something unexplained as large as a square of 50 mm is a hand or worse. The largest
piece of the stand-in tables covers about 1,400."""

STRANGE_MM2 = 60.0
"""Something unexplained smaller than this is an edge or a glint; a jewel has 95."""

NEAR, RATIO = 0.75, 0.8
"""A print is sure when its distance is below NEAR of the way to the nearest other
print, and below RATIO of the next best distance."""

LONE, LONE_WIDTH = 0.9, 0.15
"""A lone die of the known width in its tray is sure at this chance, if no other face is
likely: it can be no card, print or side face, for which the dice reader asks for more.
Of 100 drawn throws in six lights that reader left 15 unsure, mostly for want of crisp
pips; all 15 were right, aces with 0.91 to 0.92, the others with 0.998 and more."""

STILL = 14.0
"""Grey values up to which a softened spot has not changed; noise makes 3 to 6."""

ReadDice = Callable[[Picture], tuple[DieSeen, ...]]


T = TypeVar("T")


class _Kept(Struct, Generic[T]):
    """What was last read at a spot: its softened picture, and the answer."""

    soft: Floats
    answer: T


class _Memory(Generic[T]):
    """Answers about spots, so that one that looks as before is not read again."""

    def __init__(self) -> None:
        self._kept: dict[Spot, _Kept[T]] = {}

    def ask(self, spot: Spot, even: Floats, read: Callable[[], T]) -> T:
        """Return the answer about a spot that looks like *even* ``(h, w, 3)``."""
        soft = np.asarray(cv2.GaussianBlur(even, (0, 0), 1.5), np.float32)
        kept = self._kept.get(spot)
        if kept is None or np.abs(kept.soft - soft).max() > STILL:
            kept = _Kept(soft, read())
            self._kept[spot] = kept
        return kept.answer


class TableReader:
    """The eye over one table.

    Args:
        plan: What may lie where.
        pose: Where the camera stands.
        taught: The pieces.
        bare: A picture of each ground without pieces, by name, from the same place.
        read_dice: Reads the dice of a picture.

    Raises:
        ValueError: A picture of a ground is too dark.
    """

    def __init__(
        self,
        plan: Plan,
        pose: Pose,
        taught: Taught,
        bare: Mapping[str, Picture],
        read_dice: ReadDice,
    ) -> None:
        self._plan = plan
        self._pose = pose
        self._taught = taught
        self._read_dice = read_dice
        self._kinds = {thing.piece: thing for thing in plan.things}
        self._bare: dict[str, Surface] = {}
        for name, picture in bare.items():
            straight = put_back(picture, plan, pose)
            laid = surface(picture if straight is None else straight, plan, pose)
            if laid is None:
                raise ValueError(f"the picture of {name} is too dark; light the table")
            self._bare[name] = laid
        self._trays: _Memory[tuple[DieSeen, ...]] = _Memory()
        self._tokens: _Memory[tuple[Found | Doubt, PointMm]] = _Memory()

    def read(self, picture: Picture) -> Seen:
        """Return what lies on a table ``(h, w, 3)``, uint8, BGR.

        Boxes are those of the picture as it would be had the camera not been moved.
        """
        straight = put_back(picture, self._plan, self._pose)
        picture = picture if straight is None else straight
        seen = surface(picture, self._plan, self._pose)
        if seen is None:
            return Seen(trouble="core.ask.dark")
        plane = seen.at(0)
        masks = {
            name: foreground(plane, bare.at(0)) for name, bare in self._bare.items()
        }
        ground = min(masks, key=lambda name: int(masks[name].sum()))
        bare, left = self._bare[ground], masks[ground]
        tops = read_tops(self._plan, self._taught.tops, seen, bare)
        found, doubts = tops.found, list[Doubt]()
        for standing in tops.standing:
            self._explain(left, standing)
        self._read_dice_in(picture, seen, left, found, doubts)
        if _largest_mm2(left) > HAND_MM2:
            return Seen(ground=ground, hand=True)
        if straight is None:
            return Seen(ground=ground, trouble="core.ask.moved")
        if self._taught.prints is not None:
            self._read_prints(self._taught.prints, seen, left, found, doubts)
        doubts += self._strange(left)
        return Seen(tuple(found), tuple(doubts), ground)

    def _explain(self, left: Mask, standing: Standing) -> None:
        """Take what a thing hides out of what is left to be explained."""
        outline = outline_of(self._pose, *standing) * PX_PER_MM
        cover = np.zeros(left.shape, np.uint8)
        cv2.fillConvexPoly(cover, np.rint(outline).astype(np.int32), 1)
        left &= cover == 0

    def _read_prints(
        self,
        taught: Bank,
        seen: Surface,
        left: Mask,
        found: list[Found],
        doubts: list[Doubt],
    ) -> None:
        """Read the flat pieces of all spots that hold some."""
        for spot in self._plan.spots:
            thing = self._kinds[spot.holds[0]]
            if thing.shape is not TOKEN:
                continue
            rows, columns = window(spot)
            middle = middle_of(left[rows, columns], thing)
            if middle is None:
                continue
            at = (
                (middle[0] + columns.start) / PX_PER_MM,
                (middle[1] + rows.start) / PX_PER_MM,
            )
            a, b, c, d = self._box(spot, thing)
            answer, at = self._tokens.ask(
                spot,
                seen.evened[b:d, a:c],
                partial(_told, taught, seen, spot, thing, at),
            )
            if isinstance(answer, Found):
                found.append(answer)
            else:
                doubts.append(answer)
            self._explain(left, Standing(thing, *at))

    def _read_dice_in(
        self,
        picture: Picture,
        seen: Surface,
        left: Mask,
        found: list[Found],
        doubts: list[Doubt],
    ) -> None:
        for spot in self._plan.spots:
            thing = self._kinds[spot.holds[0]]
            if thing.shape is not DIE:
                continue
            left_px, top_px, right_px, bottom_px = self._box(spot, thing)
            crop = picture[top_px:bottom_px, left_px:right_px]
            even = seen.evened[top_px:bottom_px, left_px:right_px]
            dice = self._trays.ask(spot, even, partial(self._read_dice, crop))
            placed = []
            for die in dice:
                a, b, c, d = die.box
                box = (a + left_px, b + top_px, c + left_px, d + top_px)
                at = self._middle_of(box, thing)
                if spot.depth_mm(*at) >= 0:
                    self._explain(left, Standing(thing, *at))
                    placed.append((replace(die, box=box), at))
            for group in _groups(placed, thing.width_mm):
                lone = len(group) == len(placed) and self._is_lone(*group[0], thing)
                told = _told_die([die for die, _ in group], spot, lone)
                if isinstance(told, Found):
                    found.append(told)
                else:
                    doubts.append(told)

    def _box(self, spot: Spot, thing: Thing) -> BoxPx:
        """Return where a spot and what stands in it are seen."""
        whole = Thing("", DIE, spot.width_mm, spot.height_mm, thing.tall_mm)
        return box_of(self._pose, whole, spot.x_mm, spot.y_mm)

    def _middle_of(self, box: BoxPx, thing: Thing) -> PointMm:
        middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]], np.float32)
        x_mm, y_mm = self._pose.onto(middle, thing.tall_mm)[0]
        return float(x_mm), float(y_mm)

    def _is_lone(self, die: DieSeen, at: PointMm, thing: Thing) -> bool:
        """Tell whether a die that lies alone is as wide as it should be."""
        ends = np.array([(x, at[1], thing.tall_mm) for x in (at[0], at[0] + 1)])
        one_mm = float(np.linalg.norm(np.diff(self._pose.project(ends), axis=0)))
        return abs(die.width_px / one_mm / thing.width_mm - 1) < LONE_WIDTH

    def _strange(self, left: Mask) -> list[Doubt]:
        """Return a doubt for each thing that nothing explains."""
        doubts = []
        for x_mm, y_mm, side_mm in _blobs(left, STRANGE_MM2):
            spot = max(self._plan.spots, key=lambda s: s.depth_mm(x_mm, y_mm))
            thing = Thing("", TOKEN, side_mm)
            box = box_of(self._pose, thing, x_mm, y_mm)
            doubts.append(Doubt(spot.place, (), box))
        return doubts


def _groups(
    dice: list[tuple[DieSeen, PointMm]], width_mm: float
) -> list[list[tuple[DieSeen, PointMm]]]:
    """Return dice with what is nearer to them than a die is wide: its side faces."""
    groups: list[list[tuple[DieSeen, PointMm]]] = []
    for die, at in dice:
        for group in groups:
            if any(np.hypot(at[0] - x, at[1] - y) < width_mm for _, (x, y) in group):
                group.append((die, at))
                break
        else:
            groups.append([(die, at)])
    return groups


def _told_die(faces: list[DieSeen], spot: Spot, lone: bool) -> Found | Doubt:
    """Return what a die shows of which one or more faces were seen."""
    sure = [die for die in faces if die.sure]
    best = (sure or faces)[0]
    face, chance = best.faces[0]
    alone = lone and len(faces) == 1 and len(best.faces) == 1 and chance >= LONE
    if len(sure) == 1 or alone:
        return Found(PIP_DIE, str(face), spot.place, chance, best.box)
    choices = tuple(
        (PIP_DIE, str(face), chance) for die in faces for face, chance in die.faces
    )
    return Doubt(spot.place, choices, best.box)


def _told(
    taught: Bank, seen: Surface, spot: Spot, thing: Thing, at: PointMm
) -> tuple[Found | Doubt, PointMm]:
    """Return which flat piece of those that a spot may hold lies about a point."""
    ranked = [
        (name, gap)
        for name, gap in rank(taught, seen, thing, at)
        if name[0] in spot.holds
    ]
    box = box_of(seen.pose, thing, *at)
    (best, gap), rest = ranked[0], ranked[1:]
    safe = NEAR * taught.apart[str(best)]
    other = rest[0][1] if rest else 1e3
    if gap < safe and gap < RATIO * other:
        return Found(best[0], best[1], spot.place, SURE, box), at
    near = [(name, gap) for name, gap in ranked[:3] if gap < 2 * safe]
    weights = [np.exp(-3 * gap / max(safe, 1e-6)) for _, gap in near]
    choices = tuple(
        (name[0], name[1], round(0.9 * float(weight / sum(weights)), 3))
        for (name, _), weight in zip(near, weights, strict=True)
    )
    return Doubt(spot.place, choices, box), at


def _blobs(left: Mask, least_mm2: float) -> list[tuple[float, float, float]]:
    """Return x, y and side in mm of the things in a mask, edges dropped."""
    whole = cv2.morphologyEx(
        left.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)
    )
    _, _, stats, middles = cv2.connectedComponentsWithStats(whole, connectivity=8)
    return [
        (
            float(middle[0]) / PX_PER_MM,
            float(middle[1]) / PX_PER_MM,
            float(np.sqrt(row[cv2.CC_STAT_AREA])) / PX_PER_MM,
        )
        for row, middle in zip(stats[1:], middles[1:], strict=True)
        if row[cv2.CC_STAT_AREA] > least_mm2 * PX_PER_MM**2
    ]


def _largest_mm2(left: Mask) -> float:
    return max((side**2 for _, _, side in _blobs(left, 0.0)), default=0.0)
