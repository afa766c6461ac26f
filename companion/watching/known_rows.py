"""How cards in rows looked when they were last believed, cell by cell."""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table import BoxPx
from companion.watching.layouts import Things
from vision.arrays import Floats, Mask, Picture
from vision.cards.laid import OTHER_GROUND, cell_at
from vision.cards.looks import SAME, look_at, look_difference
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, find_cards, usual_size
from vision.cards.rows import (
    as_before,
    card_in_cell,
    cell_of,
    cell_shifts,
    changed_cells,
    flatten_rows,
    ground_tone,
    in_picture,
    is_bare,
    lies_on,
    middle_tone,
)
from vision.cards.zones import Cell, Grid, cards_in_cells, cells
from vision.ground.knock import find_knock, find_landmarks, move_points
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.rounds import TokenModel, leftover, read_new_rounds

MOST_MOVED = 3
"""Where more cells than these change, it may be the camera that has moved."""

CUT = 0.06
"""Part of a card's shorter side that may lie beyond the picture by the cells, which
follow taps that are 3 mm off: 0.075 of a card of 40 mm."""


LIT = 0.06
"""Logarithm by which some cell is lit otherwise once another lamp was lit: half of
what makes it another card."""

SEEN = 0.6
"""Part of a cell that is in the picture at least where a card is seen to go. First
guess; a knock of 3 % leaves 0.75 of the cells at the rim of a traced table."""


FAR = 0.4
"""Leftover from which what lies there is no token: between cards, whose ground nobody
knows, drawn ones leave 0.23, a lamp's glare on a card 0.60 to 0.61."""


class KnownRows:
    """How rows looked when they were last believed, and what then lay in each cell."""

    def __init__(
        self, picture: Picture, grid: Grid, lying: Mapping[Cell, Things]
    ) -> None:
        self.grid = grid
        self.lying = dict(lying)
        self.flat = flatten_rows(picture, grid).copy()
        self._seen = picture.copy()
        self._first = grid
        self._shape = picture.shape[:2]
        self._landmarks = find_landmarks(picture, fine=True)
        self._looks: dict[Cell, dict[Things, Floats]] = {at: {} for at in lying}
        self._size: CardSize | None = None
        cards = cards_in_cells(grid, find_cards(picture))
        if cards:
            self._size = usual_size(cards.values())
            cards = cards_in_cells(grid, find_cards(picture, self._size))
            for at, look in look_at(picture, cards).items():
                self._looks[at][self.lying[at]] = look

    def box(self, at: Cell) -> BoxPx:
        """Return the box about a cell in the picture, px."""
        outline = cells(self.grid)[at]
        (left, top), (right, bottom) = outline.min(0), outline.max(0)
        high, wide = self._landmarks.shape[:2]
        return (
            max(0, round(float(left))),
            max(0, round(float(top))),
            min(wide, round(float(right))),
            min(high, round(float(bottom))),
        )

    def is_cut(self, at: Cell) -> bool:
        """Tell whether a part of the card in a cell lies beyond the picture."""
        high, wide = self._shape
        outline = cells(self.grid)[at]
        middle = outline.mean(0)
        side = float(np.linalg.norm(outline[1:3] - outline[:2], axis=1).min())
        short, long = self._size or (side, side)
        # Whichever way it lies.
        card = middle + (outline - middle) * min(1.0, long / side)
        beyond = np.maximum(-card, card - (wide, high)).max()
        return bool(beyond > CUT * short)

    def is_hidden(self, at: Cell) -> bool:
        """Tell whether too little of a cell is in the picture to see what is done."""
        there = in_picture(self._shape, self.grid)[cell_of(*at)]
        return bool(there.mean() < SEEN)

    def compare(self, picture: Picture) -> tuple[Floats, Mask]:
        """Return the cells of a picture and which have changed, after a knock too."""
        flat = self._flatten(picture, self.grid)
        changed = changed_cells(flat, self.flat)
        if changed.sum() <= MOST_MOVED:
            return flat, changed
        knock = find_knock(self._landmarks, find_landmarks(picture, fine=True))
        if knock is None:
            return flat, changed
        corners = move_points(np.array(self._first.corners, np.float32), knock)
        moved = replace(
            self._first, corners=tuple((float(x), float(y)) for x, y in corners)
        )
        again = self._flatten(picture, moved)
        differs = changed_cells(again, self.flat)
        if differs.sum() >= changed.sum():
            return flat, changed
        old, new = (np.array(one.corners, np.float32) for one in (self.grid, moved))
        way = cv2.getPerspectiveTransform(old, new)
        high, wide = self._shape
        # Of what was beyond the picture nobody knows how it looked.
        self._seen = np.asarray(
            cv2.warpPerspective(self._seen, way, (wide, high)), np.uint8
        )
        self.grid = moved
        return again, differs

    def _flatten(self, picture: Picture, grid: Grid) -> Floats:
        """Return the cells of a picture; what lies beyond it is as before."""
        flat = flatten_rows(picture, grid)
        seen = in_picture(self._shape, grid)
        for at in {at for at in self.lying if not seen[cell_of(*at)].all()}:
            cell = cell_of(*at)
            flat[cell] = as_before(flat[cell], self.flat[cell], seen[cell])
        return flat

    def find_card(self, picture: Picture, at: Cell) -> Quad | None:
        """Return the card that lies in a cell, None where none is found."""
        if self._size is None:
            return None
        return card_in_cell(picture, self.grid, at, self._size)

    def is_bare(self, at: Cell, picture: Picture) -> bool:
        """Tell whether a cell shows ground alone, as far as it is in the picture."""
        return is_bare(flatten_rows(picture, cell_at(cells(self.grid)[at])))

    def is_ground(self, at: Cell, flat: Floats) -> bool:
        """Tell whether a cell shows the ground that was seen around its card."""
        now, before = flat[cell_of(*at)], self.flat[cell_of(*at)]
        off = np.abs(middle_tone(now) - ground_tone(before)).max()
        return is_bare(now) and bool(off < OTHER_GROUND)

    def has_more(self, at: Cell, flat: Floats) -> bool:
        """Tell whether something small and round came to lie in a cell."""
        return lies_on(flat[cell_of(*at)], self.flat[cell_of(*at)])

    def rounds_on(
        self, picture: Picture, at: Cell, model: TokenModel
    ) -> list[DetectedTaughtDie]:
        """Return the round pieces that came to lie in a cell, or over its rim."""
        side_px = model.size * max(picture.shape[:2])
        left, top, right, bottom = self.box(at)
        x, y = max(0, round(left - side_px)), max(0, round(top - side_px))
        now, before = (
            np.ascontiguousarray(
                one[y : round(bottom + side_px), x : round(right + side_px)]
            )
            for one in (picture, self._seen)
        )
        seen = read_new_rounds(now, before, model, side_px, model.faces)
        return [
            one
            for one in seen
            if (one.sure or leftover(now, one.box, model) < FAR)
            and left <= x + (one.box[0] + one.box[2]) / 2 <= right
            and top <= y + (one.box[1] + one.box[3]) / 2 <= bottom
        ]

    def recognise(self, picture: Picture, at: Cell, card: Quad) -> Things | None:
        """Return what lay in a cell when its card looked as it does now."""
        look = look_at(picture, {at: card}).get(at)
        if look is None:
            # A part of it is hidden: nobody knows whether the rest is the same.
            return None
        for things, before in self._looks[at].items():
            if look_difference(before, look) < SAME:
                return things
        return None

    def keep_light(self, flat: Floats, changed: Mask) -> None:
        """Take the light of now for that of all cells that have not *changed*.

        Else a cell that is believed after a lamp was lit differs from the others, which
        say how the light has changed.
        """
        shifts = np.abs(cell_shifts(flat, self.flat)).max(-1)
        if not (~changed).any() or shifts[~changed].max() < LIT:
            return
        for at in self.lying:
            if not changed[at]:
                self.flat[cell_of(*at)] = flat[cell_of(*at)]

    def believe(
        self,
        at: Cell,
        things: Things,
        flat: Floats,
        picture: Picture,
        card: Quad | None,
    ) -> None:
        """Remember what a cell shows, and how it looks so."""
        self.lying[at] = things
        self.flat[cell_of(*at)] = flat[cell_of(*at)]
        left, top, right, bottom = self.box(at)
        self._seen[top:bottom, left:right] = picture[top:bottom, left:right]
        if card is not None and len(things) == 1:
            look = look_at(picture, {at: card}).get(at)
            if look is not None:
                self._looks[at][things] = look
