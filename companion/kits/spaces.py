"""Which spaces of a board an owner taps on a picture, and where they then lie.

Pure. The four corners of the board come first; spaces are kept in the board's own
measure, so that only the corners are tapped anew when the camera was moved. Where cards
are laid in rows, the four at the corners are tapped, and that is all. Of areas in which
cards are laid as people like, two corners are tapped; the picture is their measure.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games import find
from companion.games.copy import Zone, space_name
from companion.kits.between import Point, Row, next_place, propose_places, rows_of
from companion.table import LinePart, Place
from vision.arrays import Picture
from vision.board.corners import to_board, to_picture
from vision.board.halves import find_lit_ways

CORNERS = 4
"""From the board's upper left around with the clock."""

WHOLE_PICTURE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""The corners of the picture: where no board is tapped, they are the measure."""


class Spaces(Struct, frozen=True):
    """Where the places of a table lie in the camera's picture.

    *corners* are those of the board, or the middles of the cards at the corners of the
    rows, as parts of the picture's width and height.
    *places* are given in the board's own measure, 0 to 1 from its upper left corner.
    *tray* is left, top, right, bottom of where dice fall, as parts of the picture.
    """

    corners: tuple[Point, ...] = ()
    places: tuple[tuple[Place, float, float], ...] = ()
    tray: tuple[float, float, float, float] | None = None


def printed_spaces(game: str, box: Any) -> tuple[tuple[Place, LinePart], ...]:
    """Return the spaces that are tapped of a copy, with their names.

    They are printed on its board, or corners of areas in which cards are laid.
    """
    copy = find(game).copy
    ends = [
        (corner, line)
        for zone in copy.zones(box)
        for corner, line in zip(zone.corners, zone.asks, strict=True)
    ]
    return (*copy.spaces(box), *ends)


def standing_places(game: str, box: Any) -> tuple[Place, ...]:
    """Return the spaces on which pieces stand: of a room in halves, these."""
    parts = find(game).copy.parts
    return tuple(part for one, _ in printed_spaces(game, box) for part in parts(one))


def space_names(game: str, box: Any) -> dict[Place, LinePart]:
    """Return all that may be tapped, with its name: printed spaces and halves."""
    copy, lines = find(game).copy, dict(printed_spaces(game, box))
    for both in half_pairs(game, box):
        for half, name in zip(both, copy.halves, strict=True):
            lines[half] = space_name(name, number=int(half.split("/")[-2]))
    return lines


def half_pairs(game: str, box: Any) -> tuple[tuple[Place, ...], ...]:
    """Return the halves of each room that has some, the brighter one first."""
    parts = map(find(game).copy.parts, dict(printed_spaces(game, box)))
    return tuple(halves for halves in parts if len(halves) > 1)


def seen_spaces(
    spaces: Spaces, game: str, box: Any, picture: Picture
) -> tuple[list[Point], list[Point], list[tuple[Point, Point]]]:
    """Return where dots, rings and pairs of halves are drawn, parts of a picture.

    Dots are what was tapped, rings and halves what would be taken.
    """
    known = tapped_points(spaces)
    halves = proposed_halves(spaces, game, box, picture) | known
    pairs = [both for both in half_pairs(game, box) if halves.keys() >= {*both}]
    parted = {half for both in pairs for half in both}
    dots = [at for place, at in known.items() if place not in parted]
    rings = list(proposed_spaces(spaces, game, box).values())
    lit, dark = ([halves[both[k]] for both in pairs] for k in (0, 1))
    seen = [to_picture(spaces.corners, some) for some in (dots, rings, lit, dark)]
    return seen[0], seen[1], list(zip(seen[2], seen[3], strict=True))


def tap_rows(game: str, box: Any) -> tuple[Row, ...]:
    """Return the spaces that are tapped, row by row in their order."""
    places = tuple(place for place, _ in printed_spaces(game, box))
    return (places,) if find(game).copy.is_one_way else rows_of(places)


def card_rows(game: str, box: Any) -> tuple[tuple[Place, ...], ...]:
    """Return the places of cards that a game lays in rows, none where it does not."""
    return find(game).copy.rows(box)


def card_zones(game: str, box: Any) -> tuple[Zone, ...]:
    """Return the areas in which cards of a game are laid otherwise than in rows."""
    return find(game).copy.zones(box)


def use_picture_corners(spaces: Spaces, game: str, box: Any) -> Spaces:
    """Return the spaces with the picture as their measure, where no board is tapped."""
    if not card_zones(game, box):
        return spaces
    return replace(spaces, corners=WHOLE_PICTURE)


def are_all_tapped(spaces: Spaces, game: str, box: Any, players: int) -> bool:
    """Tell whether all was tapped by which pieces are followed, of so many players.

    Cards lie on printed spaces too, but there it matters which one.
    """
    zones = card_zones(game, box)
    if zones:
        known = tapped_points(spaces)
        wanted = (zone for zone in zones if zone.seat is None or zone.seat < players)
        return all(corner in known for zone in wanted for corner in zone.corners)
    follows = find(game).copy.stands_on_spaces or bool(card_rows(game, box))
    return follows and len(spaces.corners) == CORNERS and _is_known(spaces, game, box)


def _is_known(spaces: Spaces, game: str, box: Any) -> bool:
    known = tapped_points(spaces)
    return all(place in known for place in standing_places(game, box))


def most_players(spaces: Spaces, game: str, box: Any) -> int:
    """Return for how many players all that is needed was tapped, 0 for none."""
    seats = [n for n in find(game).seats if are_all_tapped(spaces, game, box, n)]
    return max(seats, default=0)


def count_known(spaces: Spaces, game: str, box: Any) -> int:
    """Return how many of the printed spaces were tapped, or their halves."""
    known, parts = tapped_points(spaces), find(game).copy.parts
    places = dict(printed_spaces(game, box))
    return sum(one in known or known.keys() >= {*parts(one)} for one in places)


def next_space(spaces: Spaces, game: str, box: Any) -> LinePart | None:
    """Return what is to be tapped next, None when all was."""
    if len(spaces.corners) < CORNERS:
        what = "card" if card_rows(game, box) else "corner"
        return space_name(f"{what}_{len(spaces.corners) + 1}")
    if _is_known(spaces, game, box):
        return None
    place = next_place(tap_rows(game, box), tapped_points(spaces))
    return None if place is None else space_names(game, box)[place]


def tapped_points(spaces: Spaces) -> dict[Place, Point]:
    """Return where each place is that was tapped, in the board's own measure."""
    return {place: (u, v) for place, u, v in spaces.places}


def standing_points(spaces: Spaces) -> dict[Place, Point]:
    """Return where pieces stand: not on a room as a whole that has halves."""
    known = tapped_points(spaces)
    halved = {place.rpartition("/")[0] for place in known}
    return {place: at for place, at in known.items() if place not in halved}


def proposed_spaces(spaces: Spaces, game: str, box: Any) -> dict[Place, Point]:
    """Return where the spaces would lie that were not tapped, as far as can be told."""
    return propose_places(tap_rows(game, box), tapped_points(spaces))


def proposed_halves(
    spaces: Spaces, game: str, box: Any, picture: Picture
) -> dict[Place, Point]:
    """Return where the halves of rooms lie that were not tapped, by a picture.

    None as long as it is not known where all rooms are.
    """
    copy, known = find(game).copy, tapped_points(spaces)
    rooms = [one for one, _ in printed_spaces(game, box) if len(copy.parts(one)) > 1]
    guessed = proposed_spaces(spaces, game, box) | known
    if not rooms or any(room not in guessed for room in rooms):
        return {}
    middles = [guessed[room] for room in rooms]
    seen = to_picture(spaces.corners, middles)
    found: dict[Place, Point] = {}
    for room, middle, at, way in zip(
        rooms, middles, seen, find_lit_ways(picture, seen), strict=True
    ):
        light, dark = copy.parts(room)
        found[light] = to_board(spaces.corners, (at[0] + way[0], at[1] + way[1]))
        if dark in known:
            found[light] = _opposite(middle, known[dark])
        found[dark] = _opposite(middle, known.get(light, found[light]))
    return {half: at for half, at in found.items() if half not in known}


def _opposite(middle: Point, at: Point) -> Point:
    return 2 * middle[0] - at[0], 2 * middle[1] - at[1]


def known_areas(spaces: Spaces, game: str, box: Any) -> list[tuple[Point, Point]]:
    """Return two corners of each area that was tapped, or is proposed."""
    known = proposed_spaces(spaces, game, box) | tapped_points(spaces)
    return [
        (known[one], known[other])
        for one, other in (zone.corners for zone in card_zones(game, box))
        if one in known and other in known
    ]


def can_be_filled(spaces: Spaces, game: str, box: Any) -> bool:
    """Tell whether it is known of all spaces that are left where they would lie.

    Of areas those of some players will do.
    """
    if card_zones(game, box):
        full = fill_spaces(spaces, game, box)
        many = most_players(full, game, box)
        return many > max(1, most_players(spaces, game, box))
    known = proposed_spaces(spaces, game, box) | tapped_points(spaces)
    return not _is_known(spaces, game, box) and all(
        place in known for place, _ in printed_spaces(game, box)
    )


def fill_spaces(
    spaces: Spaces, game: str, box: Any, picture: Picture | None = None
) -> Spaces:
    """Return the spaces once somebody has said that what is proposed sits well.

    Halves of rooms are found in a *picture*.
    """
    more = proposed_spaces(spaces, game, box)
    if picture is not None:
        more |= proposed_halves(spaces, game, box, picture)
    new = tuple((place, *at) for place, at in more.items())
    return replace(spaces, places=(*spaces.places, *new))


def after_tap(
    spaces: Spaces, game: str, box: Any, at: Point, place: Place | None = None
) -> Spaces:
    """Return the spaces after one more tap *at* a point.

    A corner is given in parts of the picture, a space in the board's own measure. The
    tap means *place*, whether or not it was tapped before; else the one that is asked.
    """
    if len(spaces.corners) < CORNERS:
        return replace(spaces, corners=(*spaces.corners, at))
    known = tapped_points(spaces)
    if place not in space_names(game, box):
        place = next_place(tap_rows(game, box), known)
    if place is None:
        return spaces
    moved = _moved_with(place, at, known, find(game).copy.parts)
    others = tuple(one for one in spaces.places if one[0] not in moved)
    return replace(spaces, places=(*others, *((one, *to) for one, to in moved.items())))


def _moved_with(
    place: Place,
    at: Point,
    known: Mapping[Place, Point],
    parts: Callable[[Place], tuple[Place, ...]],
) -> dict[Place, Point]:
    """Return where a space lies by a tap, and what lies elsewhere with it.

    The halves of a room lie opposite each other, and go where the room goes.
    """
    room = place.rpartition("/")[0]
    moved = {place: at}
    if room in known and place in parts(room):
        opposite = _opposite(known[room], at)
        moved |= {half: opposite for half in parts(room) if half != place}
    elif place in known:
        right, down = (to - was for to, was in zip(at, known[place], strict=True))
        halves = [half for half in parts(place) if half != place and half in known]
        moved |= {
            half: (known[half][0] + right, known[half][1] + down) for half in halves
        }
    return moved


def without_last_tap(spaces: Spaces) -> Spaces:
    """Return the spaces before the last tap.

    Halves were found once all rooms were there: they go first, to be found again.
    """
    if spaces.places and len(spaces.corners) == CORNERS:
        known = tapped_points(spaces)
        whole = [one for one in spaces.places if one[0].rpartition("/")[0] not in known]
        return replace(spaces, places=tuple(whole[:-1]))
    return replace(spaces, corners=spaces.corners[:-1])


def seen_from(spaces: Spaces, seen_at: Callable[[Point], Point]) -> Spaces:
    """Return the spaces for a camera that has moved since they were tapped.

    Args:
        spaces: As they were tapped.
        seen_at: Where a point of the picture is seen now, both in parts of the picture.
    """
    tray = spaces.tray
    if tray is not None:
        left, top, right, bottom = tray
        middle = (left + right) / 2, (top + bottom) / 2
        x, y = (now - was for now, was in zip(seen_at(middle), middle, strict=True))
        tray = left + x, top + y, right + x, bottom + y
    if spaces.corners == WHOLE_PICTURE:
        places = tuple((place, *seen_at((u, v))) for place, u, v in spaces.places)
        return replace(spaces, places=places, tray=tray)
    return replace(spaces, corners=tuple(map(seen_at, spaces.corners)), tray=tray)


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
