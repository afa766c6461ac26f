"""How a board looked when it was last believed, and the colours of its figures."""

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np

from companion.table import Place
from vision.arrays import Floats
from vision.board.changes import LEAST, BoardChanges, find_changes, window_around
from vision.board.flat import BoardLayout
from vision.tabletop.surface import difference_mask

SAME_COLOUR, OTHER_COLOUR = 12.0, 25.0
"""Distance in CIELAB up to which a figure is the one that was seen in that colour, and
from which it surely is not. First guess."""

_NEARER = 0.6
"""Share of the distance to the next figure's colour below which one is the nearer."""

_APART = 8.0
"""So much nearer it must be: less is noise and the side from which a figure is seen."""

_HUES = {
    "pink": 5.0,
    "red": 35.0,
    "orange": 62.0,
    "yellow": 97.0,
    "green": 148.0,
    "turquoise": 190.0,
    "blue": 278.0,
    "violet": 318.0,
}
"""Angle of what people call by these names in the plane of CIELAB, degrees."""

_SAME_HUE = 22.0
"""Degrees up to which a figure has the colour that it is called by. First guess: names
lie 27 and more apart, and a lamp turns hues by some ten."""

_GREYISH = 16.0
"""Chroma in CIELAB up to which a thing may be white or black."""


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
    rows, columns = window_around(layout, k, now.shape)
    new, old = now[rows, columns], empty[rows, columns]
    mask = difference_mask(new, old) & (layout.nearest[rows, columns] == k)
    if mask.sum() < LEAST * layout.gap_px[k] ** 2:
        return None
    lab = cv2.cvtColor(new / np.float32(255), cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(lab[mask], axis=0), np.float32)


def _copy(source: Floats, to: Floats, layout: BoardLayout, place: Place) -> None:
    """Copy one space of a flat board into another one."""
    mine = layout.nearest == layout.places.index(place)
    to[mine] = source[mine]


class BoardMemory:
    """How the spaces of a board looked when they were last believed.

    Args:
        flat: The flat board, float32.
        layout: Its spaces.
        colours: Of figures that were seen on other boards in the same light.
    """

    def __init__(
        self,
        flat: Floats,
        layout: BoardLayout,
        colours: Mapping[str, Floats] | None = None,
    ) -> None:
        self.board = flat.copy()
        self.colours = dict(colours or {})
        self._layout = layout
        self._bare = flat.copy()
        self._bare_places: set[Place] = set()

    def find_changes(self, flat: Floats) -> BoardChanges:
        """Return how much each space has changed."""
        return find_changes(flat, self.board, self._layout)

    def keep(self, flat: Floats) -> None:
        """Remember how the whole board looks now."""
        self.board = flat.copy()

    def keep_bare(self, places: Iterable[Place]) -> None:
        """Note that nothing stands on some spaces as they are remembered."""
        for place in places:
            _copy(self.board, self._bare, self._layout, place)
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
            return _by_name(seen, unknown) if is_new else None
        next_ = far[near[1]] if len(near) > 1 else OTHER_COLOUR
        clear = far[near[0]] < min(SAME_COLOUR, _NEARER * next_, next_ - _APART)
        return near[0] if clear else None

    def _colour(self, flat: Floats, place: Place) -> Floats | None:
        if place not in self._bare_places:
            return None
        return measure_colour(flat, self._bare, self._layout, place)


def _by_name(lab: Floats, pieces: Sequence[str]) -> str | None:
    """Return the one piece that is called by the colour seen, None where several are.

    The only one there is needs no name.
    """
    if len(pieces) == 1:
        return pieces[0]
    light, chroma = float(lab[0]), float(np.hypot(lab[1], lab[2]))
    hue = float(np.degrees(np.arctan2(lab[2], lab[1])) % 360)
    if chroma < _GREYISH:
        name = "white" if light > 60 else "black" if light < 30 else ""
        named = [piece for piece in pieces if piece == name]
    else:
        named = [
            piece
            for piece in pieces
            if piece in _HUES
            and abs((hue - _HUES[piece] + 180) % 360 - 180) < _SAME_HUE
        ]
    return named[0] if len(named) == 1 else None
