"""Teach the pieces of one copy: pictures of pieces whose places are told.

A lesson is a picture with one piece at each place that it names. What is learned holds
in any other light and from any other place of the camera.
"""

import numpy as np
from msgspec import Struct

from companion.table import Face, Piece, Place
from vision.arrays import Floats, Mask, Picture
from vision.camera.files import VisionError
from vision.tabletop.cards import found_on, look_at
from vision.tabletop.cubes import lumps_of
from vision.tabletop.light import Evening, even
from vision.tabletop.plan import (
    CARD,
    CUBE,
    D10,
    FIGURE,
    GEM,
    TOKEN,
    Plan,
    Shape,
    Spot,
    Thing,
)
from vision.tabletop.pose import Pose
from vision.tabletop.prints import Bank, Name, Raster, bank, patch
from vision.tabletop.surface import PX_PER_MM, Surface, foreground, surface, window
from vision.tabletop.tops import Top, Tops, cap, learn, measure


class NotTaught(VisionError, ValueError):
    """A lesson shows no piece where it should; the message says which and where."""


class Lesson(Struct, frozen=True):
    """One picture for teaching.

    Attributes:
        bare: The same table without pieces, ``(h, w, 3)``, uint8, BGR.
        picture: With them.
        pose: Where the camera stood.
        lying: Pieces, their faces and places.
    """

    bare: Picture
    picture: Picture
    pose: Pose
    lying: tuple[tuple[Piece, Face | None, Place], ...]


class Taught(Struct, frozen=True):
    """What is known of a copy's pieces: tops of figures, and what is printed.

    *prints* are those of round flat pieces; None where a copy has no such pieces.
    """

    tops: tuple[Top, ...]
    prints: Bank | None
    cards: Bank | None = None
    dice: Bank | None = None


def teach(plan: Plan, lessons: tuple[Lesson, ...], evening: Evening = even) -> Taught:
    """Return what lessons teach.

    Raises:
        NotTaught: A piece was not found where it should lie, or it is too dark.
    """
    tops: dict[Piece, list[Floats]] = {}
    prints: dict[Shape, dict[Name, list[Floats]]] = {TOKEN: {}, CARD: {}, CUBE: {}}
    bare, of = None, None
    for lesson in lessons:
        shown = surface(lesson.picture, plan, lesson.pose, evening)
        if lesson.bare is not of:
            bare = surface(lesson.bare, plan, lesson.pose, evening)
            of = lesson.bare
        if shown is None or bare is None:
            raise NotTaught("too dark to teach; switch a lamp on and show it again")
        board = _Board(shown, bare)
        for piece, face, place in lesson.lying:
            thing = plan.thing(piece)
            spot = plan.spots_of(piece, place)[0]
            if thing.shape in (FIGURE, GEM):
                tops.setdefault(piece, []).append(_top(board, thing, spot))
                continue
            kind = CUBE if thing.shape is D10 else thing.shape
            if kind in prints:
                known = prints[kind].setdefault((piece, face), [])
                known.append(_PRINTS[kind](board, thing, spot))
    return Taught(
        tuple(learn(piece, shots) for piece, shots in tops.items()),
        bank(Raster.ROUND, prints[TOKEN]) if prints[TOKEN] else None,
        bank(Raster.OBLONG, prints[CARD]) if prints[CARD] else None,
        bank(Raster.ROUND, prints[CUBE]) if prints[CUBE] else None,
    )


class _Board:
    """One lesson's table; planes that several pieces share are looked at once."""

    def __init__(self, shown: Surface, bare: Surface) -> None:
        self.shown = shown
        self.bare = bare
        self._masks: dict[float, Mask] = {}
        self._tops: dict[tuple[float, float], Tops] = {}

    def mask(self, thing: Thing, tall_mm: float | None = None) -> Mask:
        """Return where something lies, on the plane of a thing's top or another."""
        tall = thing.tall_mm if tall_mm is None else tall_mm
        if tall not in self._masks:
            self._masks[tall] = foreground(self.shown, self.bare, tall)
        return self._masks[tall]

    def tops(self, thing: Thing) -> Tops:
        """Return how tops of a thing's size look everywhere."""
        key = (thing.width_mm, thing.tall_mm)
        if key not in self._tops:
            self._tops[key] = measure(self.shown, thing)
        return self._tops[key]


def _top(board: _Board, thing: Thing, spot: Spot) -> Floats:
    mask = board.mask(thing)
    only = np.zeros_like(mask)
    area = window(spot)
    only[area] = mask[area]
    x, y, _ = board.shown.pose.eye_mm
    found = cap(only, thing, (x, y))
    if found is None:
        raise NotTaught(f"no {thing.piece} is seen at {spot.place}; show it again")
    return np.asarray(board.tops(thing).colours[found], np.float32)


def _print(board: _Board, thing: Thing, spot: Spot) -> Floats:
    area = window(spot)
    middle = middle_of(board.mask(thing)[area], thing)
    if middle is None:
        raise NotTaught(f"no {thing.piece} is seen at {spot.place}; show it again")
    x_mm = (middle[0] + area[1].start) / PX_PER_MM
    y_mm = (middle[1] + area[0].start) / PX_PER_MM
    return patch(board.shown, thing, (x_mm, y_mm))


def _card(board: _Board, thing: Thing, spot: Spot) -> Floats:
    """Return a card's print; in a lesson it lies upright."""
    card = found_on(board.shown, board.bare, spot, thing)
    if card is None or card.across or not card.is_whole:
        raise NotTaught(f"no {thing.piece} stands upright at {spot.place}; lay it anew")
    return look_at(board.shown, thing, card)


def _face(board: _Board, thing: Thing, spot: Spot) -> Floats:
    """Return what lies on top of a lone die."""
    area = window(spot)
    lumps = lumps_of(board.mask(thing, thing.tall_mm / 2)[area], thing)
    if len(lumps) != 1 or not lumps[0].is_one:
        raise NotTaught(f"not one {thing.piece} lies at {spot.place}; show it again")
    x_mm, y_mm = lumps[0].middle
    x_mm, y_mm = x_mm + area[1].start / PX_PER_MM, y_mm + area[0].start / PX_PER_MM
    return patch(board.shown, thing, (x_mm, y_mm))


_PRINTS = {TOKEN: _print, CARD: _card, CUBE: _face}


def middle_of(mask: Mask, thing: Thing) -> tuple[float, float] | None:
    """Return column and row of the middle of a lone flat piece; None without one."""
    rows, columns = np.nonzero(mask)
    least = 0.25 * (thing.width_mm * PX_PER_MM) ** 2
    if rows.size < least:
        return None
    # Print as dark as the ground leaves holes, so that the edges tell the middle.
    ends = [np.percentile(values, (1, 99)).mean() for values in (columns, rows)]
    return float(ends[0]), float(ends[1])
