"""Read a whole table: which piece lies at which place, and what is in doubt.

Figures and gems are sought by their tops, flat pieces by their print, dice by whoever
reads dice. Something that no taught piece explains is a doubt, never left out.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table import SurePiece, UnsurePiece
from vision.arrays import Mask, Picture
from vision.pips.contest import DetectedDie
from vision.tabletop.cubes import read_cubes
from vision.tabletop.figures import StandingPiece, read_tops
from vision.tabletop.flat import FlatReader, box_of_spot
from vision.tabletop.framing import framing
from vision.tabletop.light import EvenLight, even_out_light
from vision.tabletop.memory import AnswerCache
from vision.tabletop.plan import CUBE, D10, DIE, TOKEN, Plan, Spot, Thing
from vision.tabletop.pose import CameraPose
from vision.tabletop.prints import PrintBank
from vision.tabletop.seen import TableReading
from vision.tabletop.slide import undo_slide
from vision.tabletop.surface import (
    PX_PER_MM,
    Surface,
    box_about_thing,
    clear_outline,
    foreground_mask,
    hidden_outline,
    make_surface,
    window_of_spot,
)
from vision.tabletop.teaching import TaughtPieces
from vision.tabletop.trays import read_tray
from vision.tabletop.verdict import decide_piece

HAND_MM2 = 2500.0
"""Something unexplained as large as a square of 50 mm is a hand or worse. The largest
piece of the stand-in tables covers about 1,400."""

SLEEVE_MM2 = 300.0
"""Something unexplained of this size that reaches in over the rim of the table is a
finger or a sleeve, as pieces lie on the table. A finger that rests at the rim shows
about 500. Smaller ones are fingertips, or things that lie half beside the table: nobody
is asked about them as long as they reach no place."""

STRANGE_MM2 = 60.0
"""Something unexplained smaller than this is an edge or a glint; a jewel has 95."""

ReadDice = Callable[[Picture], tuple[DetectedDie, ...]]


class TableReader:
    """The eye over one table.

    Args:
        plan: What may lie where.
        pose: Where the camera stands.
        taught: The pieces.
        bare: A picture of each ground without pieces, by name, from the same place.
        read_dice: Reads the dice of a picture.
        even_out: Makes the light even.

    Raises:
        ValueError: A picture of a ground is too dark.
    """

    def __init__(
        self,
        plan: Plan,
        pose: CameraPose,
        taught: TaughtPieces,
        bare: Mapping[str, Picture],
        read_dice: ReadDice,
        even_out: EvenLight = even_out_light,
    ) -> None:
        self._plan = plan
        self._pose = pose
        self.framing = framing(plan, pose)
        self._taught = taught
        self._read_dice = read_dice
        self._even_out = even_out
        self._kinds = {thing.piece: thing for thing in plan.things}
        self._bare: dict[str, Surface] = {}
        for name, picture in bare.items():
            straight = undo_slide(picture, plan, pose)
            shown = picture if straight is None else straight
            laid = make_surface(shown, plan, pose, even_out)
            if laid is None:
                raise ValueError(f"the picture of {name} is too dark; light the table")
            self._bare[name] = laid
        self._trays: AnswerCache[tuple[DetectedDie, ...]] = AnswerCache()
        self._flat = FlatReader(plan, pose, taught)
        self._cubes: AnswerCache[
            tuple[tuple[SurePiece | UnsurePiece, StandingPiece], ...]
        ] = AnswerCache()

    def read(self, picture: Picture, **_: bool) -> TableReading:
        """Return what lies on a table ``(h, w, 3)``, uint8, BGR.

        Boxes are those of the picture as it would be had the camera not been moved.
        """
        straight = undo_slide(picture, self._plan, self._pose)
        picture = picture if straight is None else straight
        seen = make_surface(picture, self._plan, self._pose, self._even_out)
        if seen is None:
            return TableReading(trouble="core.ask.dark")
        masks = {name: foreground_mask(seen, bare) for name, bare in self._bare.items()}
        ground = min(masks, key=lambda name: int(masks[name].sum()))
        bare, left = self._bare[ground], masks[ground]
        tops = read_tops(self._plan, self._taught.tops, seen, bare)
        found, doubts = tops.found, list[UnsurePiece]()
        for standing in tops.standing:
            self._explain(left, standing)
        self._read_dice_in(picture, seen, left, found, doubts)
        self._read_cubes_in(seen, bare, left, found, doubts)
        unsure = self._flat.read(seen, bare, left, found, doubts)
        if _largest_mm2(left) > HAND_MM2:
            return TableReading(ground=ground, hand=True)
        if straight is None:
            return TableReading(ground=ground, trouble="core.ask.moved")
        for outline in unsure:
            clear_outline(left, outline)
        if _reaching_in_mm2(left) > SLEEVE_MM2:
            return TableReading(ground=ground, hand=True)
        doubts += self._strange(left)
        return TableReading(tuple(found), tuple(doubts), ground)

    def _explain(self, left: Mask, standing: StandingPiece) -> None:
        """Take what a thing hides out of what is left to be explained."""
        clear_outline(left, hidden_outline(self._pose, *standing) * PX_PER_MM)

    def _read_cubes_in(
        self,
        seen: Surface,
        bare: Surface,
        left: Mask,
        found: list[SurePiece],
        doubts: list[UnsurePiece],
    ) -> None:
        """Read the dice with print of all trays."""
        for spot in self._plan.spots:
            things = [self._kinds[piece] for piece in spot.holds]
            if things[0].shape not in (CUBE, D10) or self._taught.dice is None:
                continue
            a, b, c, d = box_of_spot(self._pose, spot, things[0])
            read = partial(self._cubes_of, self._taught.dice, seen, bare, spot, things)
            for answer, standing in self._cubes.get(spot, seen.evened[b:d, a:c], read):
                _add(answer, found, doubts)
                self._explain(left, standing)

    def _cubes_of(
        self,
        taught: PrintBank,
        seen: Surface,
        bare: Surface,
        spot: Spot,
        things: list[Thing],
    ) -> tuple[tuple[SurePiece | UnsurePiece, StandingPiece], ...]:
        rows, columns = window_of_spot(spot, things[0].tall_mm / 4)
        tall = things[0].tall_mm / 2
        shown = foreground_mask(seen, bare, tall, (rows, columns))
        corner = (columns.start / PX_PER_MM, rows.start / PX_PER_MM)
        read = []
        for top in read_cubes(taught, seen, shown, corner, things):
            box = box_about_thing(seen.pose, top.thing, *top.at)
            answer = decide_piece(taught, list(top.ranked), spot, box)
            if isinstance(answer, SurePiece) or answer.choices:
                read.append((answer, StandingPiece(top.thing, *top.at)))
        return tuple(read)

    def _read_dice_in(
        self,
        picture: Picture,
        seen: Surface,
        left: Mask,
        found: list[SurePiece],
        doubts: list[UnsurePiece],
    ) -> None:
        for spot in self._plan.spots:
            thing = self._kinds[spot.holds[0]]
            if thing.shape is not DIE:
                continue
            left_px, top_px, right_px, bottom_px = box_of_spot(self._pose, spot, thing)
            crop = picture[top_px:bottom_px, left_px:right_px]
            even = seen.evened[top_px:bottom_px, left_px:right_px]
            dice = self._trays.get(spot, even, partial(self._read_dice, crop))
            whole = [
                replace(die, box=(a + left_px, b + top_px, c + left_px, d + top_px))
                for die in dice
                for a, b, c, d in (die.box,)
            ]
            for answer, places in read_tray(whole, spot, thing, self._pose):
                _add(answer, found, doubts)
                for at in places:
                    self._explain(left, StandingPiece(thing, *at))

    def _strange(self, left: Mask) -> list[UnsurePiece]:
        """Return a doubt for each thing that nothing explains."""
        doubts = []
        for blob in _blobs(left, STRANGE_MM2):
            x_mm, y_mm = blob.at_mm
            spot = max(self._plan.spots, key=lambda s: s.depth_mm(x_mm, y_mm))
            beside = spot.depth_mm(x_mm, y_mm) < 0
            if beside and (blob.is_cut or self._plan.is_paper(x_mm, y_mm)):
                continue
            box = box_about_thing(
                self._pose, Thing("", TOKEN, blob.side_mm), x_mm, y_mm
            )
            doubts.append(UnsurePiece(spot.place, (), box))
        return doubts


def _add(
    answer: SurePiece | UnsurePiece, found: list[SurePiece], doubts: list[UnsurePiece]
) -> None:
    if isinstance(answer, SurePiece):
        found.append(answer)
    else:
        doubts.append(answer)


class _Blob(NamedTuple):
    """Something in a mask: its middle, the side of a square as large, in mm."""

    at_mm: tuple[float, float]
    side_mm: float
    is_cut: bool
    """Whether the rim of the table cuts it."""


def _blobs(left: Mask, least_mm2: float) -> list[_Blob]:
    """Return the things in a mask that are larger than so much, edges dropped."""
    whole = cv2.morphologyEx(
        left.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)
    )
    _, _, stats, middles = cv2.connectedComponentsWithStats(whole, connectivity=8)
    high, wide = left.shape
    return [
        _Blob(
            (float(x) / PX_PER_MM, float(y) / PX_PER_MM),
            float(np.sqrt(area)) / PX_PER_MM,
            is_cut=bool(a <= 1 or b <= 1 or a + w >= wide - 1 or b + h >= high - 1),
        )
        for (a, b, w, h, area), (x, y) in zip(stats[1:], middles[1:], strict=True)
        if area > least_mm2 * PX_PER_MM**2
    ]


def _reaching_in_mm2(left: Mask) -> float:
    """Return the area of all that the rim cuts in a mask: the fingers of a hand."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        left.astype(np.uint8), connectivity=8
    )
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    areas = stats[np.unique(rim[rim > 0]), cv2.CC_STAT_AREA] / PX_PER_MM**2
    return float(areas[areas > STRANGE_MM2].sum())


def _largest_mm2(left: Mask) -> float:
    return max((blob.side_mm**2 for blob in _blobs(left, 0.0)), default=0.0)
