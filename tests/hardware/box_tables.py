"""The five games' stand-in tables at the sizes of boxes.toml, under cameras of RIG.md.

Pieces and their looks are those of the demo's tables, whose cards are smaller than
those of a box: 22 to 34 mm wide. Here cards are as large as assumed, a board lies at
its size with its dice beside it, and the camera hangs where the guide puts it. The
artwork has 3 pixels a millimetre: more than the video has, and fewer than a still.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from companion.demo.tables import find as find_stand_in
from companion.games import find
from hardware import draw_rig
from hardware.cad.sizes import PICTURE, read_sizes
from vision.arrays import Picture
from vision.drawn.artwork import PX_PER_MM, paint_flat, paint_ground
from vision.mat.lens import CAMERAS
from vision.tabletop.plan import CARD, TOKEN, Ground, Plan, Spot, Tile
from vision.tabletop.pose import CameraPose, camera_above

BOXES = {box.id: box for box in draw_rig.read_boxes()}
CAMERA = {camera.name: camera for camera in draw_rig.CAMERAS_OF_TABLES}
WIDE = CAMERA["Module 3 Wide"]
SIZES = read_sizes()

At = tuple[float, float, float, float]
"""The middle of a spot, its width and height, mm."""


def box_table(game: str) -> Plan:
    """Return the table of a game at the size of its box, for its own stand-in copy."""
    box, stand_in = BOXES[game], find_stand_in(game)
    assert stand_in is not None
    plan = stand_in.table(find(game).stand_in)
    things = plan.things
    if box.card_mm is not None:
        wide, high = box.card_mm
        things = tuple(
            replace(one, width_mm=wide, height_mm=high) if one.shape is CARD else one
            for one in things
        )
    spots = tuple(_moved(plan.spots, _PLACES[game]))
    wide, deep = box.table_mm
    grounds = tuple(
        Ground(one.name, tuple(_TILES[game](plan, one, spots))) for one in plan.grounds
    )
    return replace(
        plan, width_mm=wide, height_mm=deep, spots=spots, things=things,
        grounds=grounds, whites=(),
    )  # fmt: skip


def flat_art(game: str) -> Picture:
    """Return a table from straight above with its cards and tokens, 3 px a millimetre.

    Figures and dice stand up; they are not on it.
    """
    plan = box_table(game)
    art = paint_ground(plan, plan.grounds[0])
    taken: set[tuple[float, float]] = set()
    for number, spot in enumerate(plan.spots):
        thing, at = plan.thing(spot.holds[0]), (round(spot.x_mm), round(spot.y_mm))
        if thing.shape not in (CARD, TOKEN) or at in taken:
            continue
        taken.add(at)
        looks = [one for one in plan.looks if one.piece == thing.piece]
        piece, cover = paint_flat(thing, looks[number % len(looks)])
        high, wide = cover.shape
        left = max(0, round(spot.x_mm * PX_PER_MM - wide / 2))
        top = max(0, round(spot.y_mm * PX_PER_MM - high / 2))
        part = art[top : top + high, left : left + wide]
        shown = cover[: part.shape[0], : part.shape[1]] > 127
        part[shown] = piece[: part.shape[0], : part.shape[1]][shown]
    return art


def stand_of(game: str, camera: draw_rig.Camera = WIDE) -> draw_rig.Stand | None:
    """Return how RIG.md lets a camera see a game."""
    return draw_rig.best_stand(SIZES, camera, BOXES[game])


def pose_of(
    game: str, camera: draw_rig.Camera = WIDE, *, still: bool = False, seed: int = 1
) -> CameraPose:
    """Return a camera where RIG.md hangs it, leaning a little as printed parts do."""
    found, (wide, deep) = stand_of(game, camera), BOXES[game].table_mm
    assert found is not None
    width_px = camera.still_px if still else camera.video_px
    return camera_above(
        (round(width_px * PICTURE), width_px),
        width_px * CAMERAS[camera.lens].focal_per_width,
        (wide / 2, deep - draw_rig.reach_mm(SIZES, found.mount, deep)),
        found.height_mm, tilt_deg=1.0 + 0.3 * (seed % 3), roll_deg=0.6, lean_deg=-0.8,
    )  # fmt: skip


def _moved(
    spots: Iterable[Spot], at: Callable[[Spot, int], At | None]
) -> Iterator[Spot]:
    """Yield spots where they lie on the larger table; those that have no room do not.

    They are counted from 0 among those of one place for the same pieces.
    """
    seen: Counter[object] = Counter()
    for spot in spots:
        key = spot.place, spot.holds
        found = at(spot, seen[key])
        seen[key] += 1
        if found is not None:
            x, y, wide, high = found
            yield replace(spot, x_mm=x, y_mm=y, width_mm=wide, height_mm=high)


_CLOTH = (74, 62, 48)
_SLOT = (104, 96, 82)


def _cloth(plan: Plan, _ground: Ground, spots: tuple[Spot, ...]) -> Iterator[Tile]:
    """Yield a cloth with a slot for each thing: nothing there is like a card."""
    yield Tile(320, 240, 1000, 1000, _CLOTH, "felt")
    for one in spots:
        yield Tile(one.x_mm, one.y_mm, one.width_mm - 3, one.height_mm - 3, _SLOT)


# 8 Dragons: seven columns and six rows, 8 mm between cards.


def _eight_dragons(spot: Spot, _number: int) -> At:
    _, row, column = spot.place.split("/")
    wide, high = (side + 8.0 for side in BOXES["eight_dragons"].card_mm or ())
    x, y = (int(column) - 0.5) * wide, (int(row) - 0.5) * high
    if "card" in spot.holds:
        return x, y, wide, high
    # There is no room beside a card: a token lies on its corner.
    return x + wide / 2 - 14, y + high / 2 - 14, 24, 24


# Dragon Run: piles and track in a row, below it one for each of three players.


def _dragon_run(spot: Spot, _number: int) -> At | None:
    wide, high = (side + 2.0 for side in BOXES["dragon_run"].card_mm or ())
    y = high / 2
    match spot.place.split("/"):
        case ["anger", number]:
            return 150 + 22 * int(number), y, 22, 34
        case ["path", number]:
            return _on_pile(102, y, int(number), wide, high)
        case ["discard", number]:
            return _on_pile(450, y, int(number), wide, high)
        case ["seat" | "front" | "open" as what, seat, *rest]:
            return _before(what, int(seat), int(rest[0]) if rest else 0)
    x, wide = {"path": (34, wide), "stock": (380, wide), "tray": (562, 150)}[spot.place]
    return x, y, wide, high


def _before(what: str, seat: int, number: int) -> At | None:
    """Return where things lie before one of three players; others have no room."""
    if seat > 2:
        return None
    wide, high = (side + 2.0 for side in BOXES["dragon_run"].card_mm or ())
    y = (seat + 1.5) * high - 1
    if what == "seat":
        return 45, y, 90, high
    # Up to four lie in front, and what is open beside them.
    place = number - 1 + (0 if what == "front" else 4)
    return 124 + wide * min(place, 7), y, wide, high


def _on_pile(x: float, y: float, number: int, wide: float, high: float) -> At:
    """Return where a card of a pile lies: people lay it up to 3 mm beside the last."""
    aside, along = 3.0 * np.cos(2.4 * number), 3.0 * np.sin(2.4 * number)
    return x + float(aside), y + float(along), wide, high


# Dragonix: two columns of rows, six cards each, and a place for each of two players.


def _dragonix(spot: Spot, number: int) -> At | None:
    (wide, high), half = (
        BOXES["dragonix"].card_mm or (),
        BOXES["dragonix"].table_mm[0] / 2,
    )
    step = (half - 36 - wide) / 5
    rows = {"army/1": (0, 0), "army/2": (0, 1), "army/3": (1, 0), "army/4": (1, 1)}
    rows |= {"tower": (0, 2), "deserters": (1, 2)}
    if spot.place in rows:
        column, line = rows[spot.place]
        left, y = column * half, (line + 0.5) * (high + 2)
        if "card" not in spot.holds:
            return left + 17, y, 34, 60
        return left + 35 + wide / 2 + number * step, y, wide, high + 2
    what, seat = spot.place.split("/")
    left, y = int(seat) * half, 3.5 * (high + 2)
    if int(seat) > 1:
        return None
    match what:
        case "show":
            return left + wide / 2 + number * step, y, wide, high + 2
        case "camp":
            return left + wide / 2 + 3 * step + 20, y, wide, high + 2
        case "tokens":
            return left + half - 42, y - 30, 27, 28
        case _:
            return left + half - 42 + 28 * (number % 2), y + 28 * (number // 2), 27, 28


# Drachenhort: the board, its tray and scores to the right.


def _drachenhort(spot: Spot, _number: int) -> At:
    return _on_drachenhort(spot.x_mm, spot.y_mm, spot.width_mm, spot.height_mm)


def _on_drachenhort(x: float, y: float, wide: float, high: float) -> At:
    """Return where lies what is on the demo's table: rooms of 55 x 80 mm from 20, 20.

    The board of the box is 520 x 360 mm, 10 mm from the far edge.
    """
    if x > 470:
        return x + 55, y + 10, wide, high
    across, along = 520 / 448, 360 / 328
    return (x - 16) * across, 10 + (y - 16) * along, wide * across, high * along


def _drachenhort_tiles(plan: Plan, ground: Ground, _: object) -> Iterator[Tile]:
    del plan
    for tile in ground.tiles:
        x, y, wide, high = _on_drachenhort(
            tile.x_mm, tile.y_mm, tile.width_mm, tile.height_mm
        )
        yield replace(tile, x_mm=x, y_mm=y, width_mm=wide, height_mm=high)


# Dragorun: a way to and fro over the board; tray, markers and eggs of two beside it.

_CELL_MM = (62.0, 80.0)


def _dragorun(spot: Spot, number: int) -> At | None:
    match spot.place.split("/"):
        case ["track", cell]:
            return _cell(int(cell))
        case ["tray"]:
            return 560, 62, 150, 110
        case ["pool"]:
            return 498 + 31 * number, 138, 30, 36
        case [what, seat, *rest] if int(seat) < 2:
            place = 0 if what == "seat" else int(rest[0])
            row, column = divmod(place, 5)
            top = 172 + 92 * int(seat)
            return 502 + 29 * column, top + 30 * row, 28, 29
        case _:
            return None


def _cell(number: int) -> At:
    """Return a cell: the snail's and six others above, then rows of seven."""
    wide, high = _CELL_MM
    row, column = divmod(number, 7)
    column = column if row % 2 == 0 else 6 - column
    return 22 + (column + 0.5) * wide, 20 + (row + 0.5) * high, wide, high


def _dragorun_tiles(
    _plan: Plan, _ground: Ground, spots: tuple[Spot, ...]
) -> Iterator[Tile]:
    yield Tile(240, 180, 480, 340, (70, 96, 78))
    for spot in spots:
        size = (spot.x_mm, spot.y_mm, spot.width_mm - 2, spot.height_mm - 2)
        if spot.place == "tray":
            yield Tile(*size, (72, 96, 52), "felt")
        elif spot.place.startswith("track/"):
            sign = spot.place.removeprefix("track/")
            yield Tile(*size, (165, 200, 205), sign, (135, 165, 170))
        else:
            yield Tile(*size, (100, 118, 130))


_PLACES: dict[str, Callable[[Spot, int], At | None]] = {
    "dragorun": _dragorun,
    "dragon_run": _dragon_run,
    "drachenhort": _drachenhort,
    "eight_dragons": _eight_dragons,
    "dragonix": _dragonix,
}

_TILES: dict[str, Callable[..., Iterator[Tile]]] = {
    "dragorun": _dragorun_tiles,
    "dragon_run": _cloth,
    "drachenhort": _drachenhort_tiles,
    "eight_dragons": _cloth,
    "dragonix": _cloth,
}
