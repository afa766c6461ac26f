"""How a board looked when it was last believed, and the colours of its figures."""

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import Place
from vision.arrays import Floats, Mask, Picture
from vision.board.changes import BoardChanges, find_changes
from vision.board.colours import name_colour
from vision.board.corners import Point
from vision.board.feet import LEAST
from vision.board.flat import (
    REACH,
    BoardLayout,
    flat_to_picture,
    is_steep,
    lay_out_spaces,
    rectify_board,
    visible_mask,
    window_around,
)
from vision.board.light import relight
from vision.board.obstacle import Obstacle
from vision.ground.difference import difference_mask
from vision.ground.knock import Landmarks, find_knock, find_landmarks, move_points

SAME_COLOUR, OTHER_COLOUR = 12.0, 25.0
"""Distance in CIELAB up to which a figure is the one that was seen in that colour, and
from which it surely is not. First guess."""

_NEARER = 0.6
"""Share of the distance to the next figure's colour below which one is the nearer."""

_APART = 8.0
"""So much nearer it must be: less is noise and the side from which a figure is seen."""


_STILL_PX = 1.0
"""A board that lies less beside its place is looked at where it lay."""

_SURE = (Obstacle.DARK, Obstacle.BRIGHT, Obstacle.COLOURED, Obstacle.FLAT)
"""Obstacles that no knock explains."""

_CLEARER = 0.5
"""Share of what has changed that is left where it was the camera that had moved."""


def _is_clearer(found: BoardChanges, before: BoardChanges) -> bool:
    """Tell whether a board put back shows better what was done."""
    if bool(found.obstacle) is not bool(before.obstacle):
        return found.obstacle is None
    return found.area < _CLEARER * before.area


def measure_colour(
    now: Floats, empty: Floats, layout: BoardLayout, place: Place
) -> Floats | None:
    """Return the colour of what stands on a space, ``(3,)`` in CIELAB.

    Args:
        now: The flat board.
        empty: The same board when nothing stood there, in about the same light.
        layout: Its spaces.
        place: Where to look.

    Returns:
        The middle colour of what differs; None where hardly anything does.
    """
    k = layout.places.index(place)
    reach = float(REACH * layout.gap_px[k])
    rows, columns = window_around(layout.middles[k], reach, now.shape)
    new, old = now[rows, columns], empty[rows, columns]
    mask = difference_mask(new, old) & (layout.nearest[rows, columns] == k)
    if mask.sum() < LEAST * layout.gap_px[k] ** 2:
        return None
    lab = cv2.cvtColor(new / np.float32(255), cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(lab[mask], axis=0), np.float32)


class SeenBoard(Struct, frozen=True):
    """A look at a board, held against how it was last believed to lie.

    Attributes:
        corners: Where the board's corners are in the picture, as parts of its sides.
        flat: The board, ``(H, W, 3)``, float32, BGR.
        visible: What of it the picture shows, ``(H, W)``.
        changes: How its spaces have changed.
        landmarks: By which the picture is known again, where that was asked.
    """

    corners: tuple[Point, ...]
    flat: Floats
    visible: Mask
    changes: BoardChanges
    landmarks: Landmarks | None = None

    def may_be_hands(self) -> list[Point]:
        """Return where tips of hands may be, as parts of the picture."""
        return flat_to_picture(self.corners, self.changes.may_be_hands, self.flat.shape)


class BoardMemory:
    """How a board looked when it was last believed, and where the camera stood.

    Args:
        picture: The whole picture, ``(h, w, 3)``, uint8, BGR.
        corners: The board's, as parts of the picture.
        points: Its spaces in the board's own measure.
        colours: Of figures that were seen on other boards in the same light.
    """

    def __init__(
        self,
        picture: Picture,
        corners: Sequence[Point],
        points: Mapping[Place, Point],
        colours: Mapping[str, Floats] | None = None,
    ) -> None:
        self.corners = tuple(corners)
        self._landmarks = find_landmarks(picture, fine=True)
        self._board = rectify_board(picture, corners)
        self.colours = dict(colours or {})
        self.layout = lay_out_spaces(points, corners, picture.shape, self._board.shape)
        self._steep = is_steep(corners, picture.shape)
        self._bare = self._board.copy()
        self._bare_places: set[Place] = set()

    def is_of(self, picture: Picture) -> bool:
        """Tell whether a picture has the size of those that are remembered."""
        return picture.shape == self._landmarks.shape

    def look(self, picture: Picture) -> SeenBoard:
        """Return what has changed on the board, wherever a knock has put it."""
        seen = self._see(picture, self.corners)
        found = seen.changes
        if found.obstacle in _SURE or not (
            found.obstacle or any(change.feet for change in found.changes.values())
        ):
            return seen
        landmarks = find_landmarks(picture, fine=True)
        knock = find_knock(self._landmarks, landmarks)
        if knock is None:
            # Light of whatever colour leaves corners in their places.
            lost = found.obstacle is Obstacle.LAMP
            moved = replace(found, obstacle=Obstacle.MOVED)
            return replace(seen, changes=moved) if lost else seen
        corners = self._knocked(knock, picture.shape)
        if corners == self.corners:
            return replace(seen, landmarks=landmarks)
        other = self._see(picture, corners)
        return (
            replace(other, landmarks=landmarks)
            if _is_clearer(other.changes, found)
            else seen
        )

    def follow(self, picture: Picture) -> tuple[Point, ...]:
        """Return where a knock has put the corners, whatever has changed on the board.

        They are where they were if nobody can tell.
        """
        knock = find_knock(self._landmarks, find_landmarks(picture, fine=True))
        return self.corners if knock is None else self._knocked(knock, picture.shape)

    def _knocked(self, knock: Floats, shape: tuple[int, ...]) -> tuple[Point, ...]:
        """Return where the corners are after a knock."""
        size = np.array(shape[1::-1], np.float32)
        before = np.array(self.corners, np.float32) * size
        now = move_points(before, knock)
        if np.abs(now - before).max() < _STILL_PX:
            return self.corners
        return tuple((float(x), float(y)) for x, y in now / size)

    def _see(self, picture: Picture, corners: Sequence[Point]) -> SeenBoard:
        size = self._board.shape[1], self._board.shape[0]
        flat = rectify_board(picture, corners, size)
        visible = visible_mask(corners, picture.shape, size)
        layout = replace(self.layout, visible=self.layout.visible & visible)
        changes = (
            BoardChanges({}, obstacle=Obstacle.FLAT)
            if self._steep
            else find_changes(flat, self._board, layout)
        )
        return SeenBoard(tuple(corners), flat, visible, changes)

    def keep(self, seen: SeenBoard) -> None:
        """Remember how the whole board looks now, and where the camera stands."""
        lost = self.layout.visible & ~seen.visible
        if lost.any():
            # What the knock has put out of view is kept as it looks in this light.
            both = self.layout.visible & seen.visible
            self._board = relight(self._board, seen.flat, both).board
        self._board = np.where(seen.visible[..., None], seen.flat, self._board)
        self.corners = seen.corners
        self._landmarks = seen.landmarks or self._landmarks

    def keep_bare(self, places: Iterable[Place]) -> None:
        """Note that nothing stands on some spaces as they are remembered."""
        for place in places:
            mine = self.layout.nearest == self.layout.places.index(place)
            self._bare[mine] = self._board[mine]
            self._bare_places.add(place)

    def learn_colour(self, flat: Floats, place: Place, piece: str) -> None:
        """Remember the colour of the one piece that stands on a space."""
        colour = self._colour(flat, place)
        if colour is not None:
            self.colours[piece] = colour

    def recognise_by_colour(
        self, flat: Floats, place: Place, pieces: Sequence[str]
    ) -> str | None:
        """Return which piece stands on a space by its colour, None where it is open."""
        seen = self._colour(flat, place)
        if seen is None:
            return None
        far = {
            piece: float(np.linalg.norm(seen - self.colours[piece]))
            for piece in pieces
            if piece in self.colours
        }
        unknown = [piece for piece in pieces if piece not in far]
        near = sorted(far, key=lambda piece: far[piece])
        if unknown:
            # One that nobody saw yet, if it is none of the others.
            is_new = all(gap > OTHER_COLOUR for gap in far.values())
            # The only one there is needs no name.
            only = unknown[0] if len(unknown) == 1 else name_colour(seen, unknown)
            return only if is_new else None
        next_ = far[near[1]] if len(near) > 1 else OTHER_COLOUR
        clear = far[near[0]] < min(SAME_COLOUR, _NEARER * next_, next_ - _APART)
        return near[0] if clear else None

    def _colour(self, flat: Floats, place: Place) -> Floats | None:
        if place not in self._bare_places:
            return None
        return measure_colour(flat, self._bare, self.layout, place)
