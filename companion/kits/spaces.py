"""Which spaces of a board an owner taps on a picture, and where they then lie.

Pure. The four corners of the board come first; spaces are kept in the board's own
measure, so that only the corners are tapped anew when the camera was moved.
"""

from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.games import find
from companion.games.copy import space_name
from companion.table import LinePart, Place

CORNERS = 4
"""From the board's upper left around with the clock."""

Point: TypeAlias = tuple[float, float]


class Spaces(Struct, frozen=True):
    """Where the places of a table lie in the camera's picture.

    *corners* are those of the board, as parts of the picture's width and height.
    *places* are given in the board's own measure, 0 to 1 from its upper left corner.
    *tray* is left, top, right, bottom of where dice fall, as parts of the picture.
    """

    corners: tuple[Point, ...] = ()
    places: tuple[tuple[Place, float, float], ...] = ()
    tray: tuple[float, float, float, float] | None = None


def printed_spaces(game: str, box: Any) -> tuple[tuple[Place, LinePart], ...]:
    """Return the spaces that are printed on the board of a copy, with their names."""
    return tuple(find(game).copy.spaces(box))


def are_all_tapped(spaces: Spaces, game: str, box: Any) -> bool:
    """Tell whether figures of a game stand on spaces of which all were tapped.

    Cards lie on spaces too, but there it matters which one.
    """
    follows = find(game).copy.stands_on_spaces
    return follows and next_space(spaces, game, box) is None


def next_space(spaces: Spaces, game: str, box: Any) -> LinePart | None:
    """Return what is to be tapped next, None when all was."""
    if len(spaces.corners) < CORNERS:
        return space_name(f"corner_{len(spaces.corners) + 1}")
    known = {place for place, _, _ in spaces.places}
    left = (line for place, line in printed_spaces(game, box) if place not in known)
    return next(left, None)


def after_tap(spaces: Spaces, game: str, box: Any, at: Point) -> Spaces:
    """Return the spaces after one more tap *at* a point.

    A corner is given in parts of the picture, a space in the board's own measure.
    """
    if len(spaces.corners) < CORNERS:
        return replace(spaces, corners=(*spaces.corners, at))
    known = {place for place, _, _ in spaces.places}
    for place, _ in printed_spaces(game, box):
        if place not in known:
            return replace(spaces, places=(*spaces.places, (place, *at)))
    return spaces


def without_last_tap(spaces: Spaces) -> Spaces:
    """Return the spaces before the last tap."""
    if spaces.places and len(spaces.corners) == CORNERS:
        return replace(spaces, places=spaces.places[:-1])
    return replace(spaces, corners=spaces.corners[:-1])


def is_convex(corners: tuple[Point, ...]) -> bool:
    """Tell whether four corners go around with the clock, as those of a board do."""
    turns = []
    for here in range(CORNERS):
        (ax, ay), (bx, by), (cx, cy) = (
            corners[(here + step) % CORNERS] for step in range(3)
        )
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(turn > LEAST_TURN for turn in turns)


def can_be(spaces: Spaces) -> bool:
    """Tell whether somebody can have tapped it: a file may say what nobody did."""
    corners, tray = spaces.corners, spaces.tray
    inside = all(0.0 <= part <= 1.0 for corner in corners for part in corner)
    known = [place for place, _, _ in spaces.places]
    near = all(-10.0 <= part <= 10.0 for _, *at in spaces.places for part in at)
    return (
        inside
        and near
        and len(corners) <= CORNERS
        and (len(corners) < CORNERS or is_convex(corners))
        and len(known) == len(set(known))
        and (tray is None or _is_area(tray))
    )


def _is_area(tray: tuple[float, float, float, float]) -> bool:
    left, top, right, bottom = tray
    return 0.0 <= left < right <= 1.0 and 0.0 <= top < bottom <= 1.0


LEAST_TURN = 0.002
"""Twice the area at a corner, in parts of the picture: less is a line or a slip."""
