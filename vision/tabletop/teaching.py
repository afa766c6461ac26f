"""Teach the pieces of one copy from pictures in which their places are known.

A teaching picture has one piece at each place that it names. What is learned holds
in any other light and from any other place of the camera.
"""

import numpy as np
from msgspec import Struct

from companion.table import Face, Piece, Place
from vision.arrays import Floats, Mask, Picture
from vision.camera.files import VisionError
from vision.tabletop.cards import locate_card, sample_card
from vision.tabletop.cubes import find_lumps
from vision.tabletop.light import EvenLight, even_out_light
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
from vision.tabletop.pose import CameraPose
from vision.tabletop.prints import (
    Name,
    PrintBank,
    Raster,
    build_print_bank,
    sample_print,
)
from vision.tabletop.surface import (
    PX_PER_MM,
    Surface,
    foreground_mask,
    make_surface,
    window_of_spot,
)
from vision.tabletop.tops import TaughtTop, TopMaps, learn_top, locate_top, measure_tops


class NotTaught(VisionError, ValueError):
    """A lesson shows no piece where it should; the message says which and where."""


class TeachingPicture(Struct, frozen=True):
    """One picture for teaching.

    Attributes:
        bare: The same table without pieces, ``(h, w, 3)``, uint8, BGR.
        picture: With them.
        pose: Where the camera stood.
        lying: Pieces, their faces and places.
    """

    bare: Picture
    picture: Picture
    pose: CameraPose
    lying: tuple[tuple[Piece, Face | None, Place], ...]


class TaughtPieces(Struct, frozen=True):
    """What is known of a copy's pieces: tops of figures, and what is printed.

    *prints* are those of round flat pieces; None where a copy has no such pieces.
    """

    tops: tuple[TaughtTop, ...]
    prints: PrintBank | None
    cards: PrintBank | None = None
    dice: PrintBank | None = None


def teach_pieces(
    plan: Plan,
    lessons: tuple[TeachingPicture, ...],
    even_out: EvenLight = even_out_light,
) -> TaughtPieces:
    """Return what lessons teach.

    Raises:
        NotTaught: A piece was not found where it should lie, or it is too dark.
    """
    tops: dict[Piece, list[Floats]] = {}
    prints: dict[Shape, dict[Name, list[Floats]]] = {TOKEN: {}, CARD: {}, CUBE: {}}
    bare, of = None, None
    for lesson in lessons:
        shown = make_surface(lesson.picture, plan, lesson.pose, even_out)
        if lesson.bare is not of:
            bare = make_surface(lesson.bare, plan, lesson.pose, even_out)
            of = lesson.bare
        if shown is None or bare is None:
            raise NotTaught("too dark to teach; switch a lamp on and show it again")
        board = _LessonTable(shown, bare)
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
    return TaughtPieces(
        tuple(learn_top(piece, shots) for piece, shots in tops.items()),
        build_print_bank(Raster.ROUND, prints[TOKEN]) if prints[TOKEN] else None,
        build_print_bank(Raster.OBLONG, prints[CARD]) if prints[CARD] else None,
        build_print_bank(Raster.ROUND, prints[CUBE]) if prints[CUBE] else None,
    )


class _LessonTable:
    """One lesson's table; planes that several pieces share are looked at once."""

    def __init__(self, shown: Surface, bare: Surface) -> None:
        self.shown = shown
        self.bare = bare
        self._masks: dict[float, Mask] = {}
        self._tops: dict[tuple[float, float], TopMaps] = {}

    def mask(self, thing: Thing, tall_mm: float | None = None) -> Mask:
        """Return where something lies, on the plane of a thing's top or another."""
        tall = thing.tall_mm if tall_mm is None else tall_mm
        if tall not in self._masks:
            self._masks[tall] = foreground_mask(self.shown, self.bare, tall)
        return self._masks[tall]

    def tops(self, thing: Thing) -> TopMaps:
        """Return how tops of a thing's size look everywhere."""
        key = (thing.width_mm, thing.tall_mm)
        if key not in self._tops:
            self._tops[key] = measure_tops(self.shown, thing)
        return self._tops[key]


def _top(board: _LessonTable, thing: Thing, spot: Spot) -> Floats:
    mask = board.mask(thing)
    only = np.zeros_like(mask)
    area = window_of_spot(spot)
    only[area] = mask[area]
    x, y, _ = board.shown.pose.eye_mm
    found = locate_top(only, thing, (x, y))
    if found is None:
        raise NotTaught(f"no {thing.piece} is seen at {spot.place}; show it again")
    return np.asarray(board.tops(thing).colours[found], np.float32)


def _print(board: _LessonTable, thing: Thing, spot: Spot) -> Floats:
    area = window_of_spot(spot)
    middle = middle_of_mask(board.mask(thing)[area], thing)
    if middle is None:
        raise NotTaught(f"no {thing.piece} is seen at {spot.place}; show it again")
    x_mm = (middle[0] + area[1].start) / PX_PER_MM
    y_mm = (middle[1] + area[0].start) / PX_PER_MM
    return sample_print(board.shown, thing, (x_mm, y_mm))


def _card(board: _LessonTable, thing: Thing, spot: Spot) -> Floats:
    """Return a card's print; in a lesson it lies upright."""
    card = locate_card(board.shown, board.bare, spot, thing)
    if card is None or card.across or not card.is_whole:
        raise NotTaught(f"no {thing.piece} stands upright at {spot.place}; lay it anew")
    return sample_card(board.shown, thing, card)


def _face(board: _LessonTable, thing: Thing, spot: Spot) -> Floats:
    """Return what lies on top of a lone die."""
    area = window_of_spot(spot)
    lumps = find_lumps(board.mask(thing, thing.tall_mm / 2)[area], thing)
    if len(lumps) != 1 or not lumps[0].is_one:
        raise NotTaught(f"not one {thing.piece} lies at {spot.place}; show it again")
    x_mm, y_mm = lumps[0].middle
    x_mm, y_mm = x_mm + area[1].start / PX_PER_MM, y_mm + area[0].start / PX_PER_MM
    return sample_print(board.shown, thing, (x_mm, y_mm))


_PRINTS = {TOKEN: _print, CARD: _card, CUBE: _face}


def middle_of_mask(mask: Mask, thing: Thing) -> tuple[float, float] | None:
    """Return column and row of the middle of a lone flat piece; None without one."""
    rows, columns = np.nonzero(mask)
    least = 0.25 * (thing.width_mm * PX_PER_MM) ** 2
    if rows.size < least:
        return None
    # Print as dark as the ground leaves holes, so that the edges give the middle.
    ends = [np.percentile(values, (1, 99)).mean() for values in (columns, rows)]
    return float(ends[0]), float(ends[1])
