"""Where spaces lie between those that were tapped, and which one to tap next.

Pure. The spaces of a track follow each other evenly, so that a few taps give them all:
the first, the last, and one at each bend. People see where the others would be, and say
that they sit well or tap one more.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from companion.table import Place

Point: TypeAlias = tuple[float, float]

BEND_DEG = 60.0
"""A way that turns more than this at a space has a corner there; less is a curve. A
ring of 30 spaces turns by 48 degrees from every fourth to the next."""

Row: TypeAlias = tuple[Place, ...]


def rows_of(places: Sequence[Place]) -> tuple[Row, ...]:
    """Return the places that follow each other, each row in its order.

    ``track/1`` to ``track/25`` are one; the light and the dark halves of cells are two.
    What is not numbered stands alone: nobody knows in which order it is printed.
    """
    rows: dict[object, list[Place]] = {}
    for place in places:
        head, *rest = place.split("/")
        numbered = bool(rest) and rest[0].isdigit()
        rows.setdefault((head, *rest[1:]) if numbered else place, []).append(place)
    return tuple(tuple(row) for row in rows.values())


def next_place(rows: Sequence[Row], tapped: Mapping[Place, Point]) -> Place | None:
    """Return the place to tap next of all rows; None when all were.

    Lone ones and both ends of each row first; of halves, which lie beside each other,
    one end is enough for the second. Then the one farthest from those that were tapped.
    """
    for row in rows:
        ends = (row[0],) if _sister(rows, row) else (row[0], row[-1])
        for place in ends:
            if place not in tapped:
                return place
    far = [(_gap(row, n, tapped), place) for row in rows for n, place in enumerate(row)]
    gap, place = max(far, key=lambda one: one[0], default=(0, ""))
    return place if gap > 0 else None


def _gap(row: Row, at: int, tapped: Mapping[Place, Point]) -> int:
    """Return how far a place is from the next one that was tapped, in places."""
    return min(
        (abs(at - n) for n, place in enumerate(row) if place in tapped),
        default=len(row),
    )


def propose_places(
    rows: Sequence[Row], tapped: Mapping[Place, Point]
) -> dict[Place, Point]:
    """Return where the places would lie that were not tapped, as far as can be told."""
    known = dict(tapped)
    for row in rows:
        sister = _sister(rows, row)
        own = sum(place in tapped for place in row)
        if sister and 0 < own <= sum(place in tapped for place in sister):
            known.update(_beside(row, sister, known))
        elif own > 1:
            known.update(_along(row, tapped))
    return {place: at for place, at in known.items() if place not in tapped}


def _sister(rows: Sequence[Row], row: Row) -> Row | None:
    """Return an earlier row of the same spaces, such as their other halves."""
    head = row[0].partition("/")[0]
    for other in rows:
        if other == row:
            return None
        if other[0].partition("/")[0] == head and len(other) == len(row):
            return other
    return None


def _along(row: Row, tapped: Mapping[Place, Point]) -> Iterator[tuple[Place, Point]]:
    """Yield the places of a row between, before and after those that were tapped."""
    knots = [(n, tapped[place]) for n, place in enumerate(row) if place in tapped]
    for n, place in enumerate(row):
        if place not in tapped:
            yield place, _on_curve(knots, n)


def _on_curve(knots: list[tuple[int, Point]], at: int) -> Point:
    """Return the point of a smooth way through *knots*, straight at corners."""
    last = len(knots) - 2
    k = next((k for k in range(last) if at < knots[k + 1][0]), last)
    (n0, here), (n1, there) = knots[k], knots[k + 1]
    chord = _slope(knots[k], knots[k + 1])
    part = (at - n0) / (n1 - n0)
    if not 0 < part < 1:
        return here[0] + chord[0] * (at - n0), here[1] + chord[1] * (at - n0)
    before = _slope(knots[k - 1], knots[k]) if k else None
    after = _slope(knots[k + 1], knots[k + 2]) if k + 2 < len(knots) else None
    # At its ends a way goes on turning as it does beside them.
    before = before or _mirrored(after or chord, chord)
    after = after or _mirrored(before, chord)
    leaves, comes = _tangent(before, chord), _tangent(after, chord)
    wide = n1 - n0
    # A cubic Hermite curve.
    a, b = (1 + 2 * part) * (1 - part) ** 2, part * (1 - part) ** 2 * wide
    c, d = part**2 * (3 - 2 * part), part**2 * (part - 1) * wide
    x, y = (a * here[i] + b * leaves[i] + c * there[i] + d * comes[i] for i in (0, 1))
    return x, y


def _slope(one: tuple[int, Point], other: tuple[int, Point]) -> Point:
    """Return how far it is from place to place between two knots."""
    (n0, (x0, y0)), (n1, (x1, y1)) = one, other
    return (x1 - x0) / (n1 - n0), (y1 - y0) / (n1 - n0)


def _mirrored(way: Point, chord: Point) -> Point:
    """Return the way before a chord that turns into it as it turns into *way*."""
    square = chord[0] ** 2 + chord[1] ** 2
    along = 2 * (way[0] * chord[0] + way[1] * chord[1]) / square if square else 0.0
    return along * chord[0] - way[0], along * chord[1] - way[1]


def _tangent(beside: Point, chord: Point) -> Point:
    if not (any(beside) and any(chord)):
        return chord  # two spaces were tapped at one point
    turn = math.degrees(_angle(chord) - _angle(beside))
    if abs((turn + 180) % 360 - 180) > BEND_DEG:
        return chord
    x, y = beside[0] + chord[0], beside[1] + chord[1]
    # As long as the chords: their mean is shorter where the way turns.
    longer = (math.hypot(*beside) + math.hypot(*chord)) / 2 / math.hypot(x, y)
    return x * longer, y * longer


def _angle(way: Point) -> float:
    return math.atan2(way[1], way[0])


def _beside(
    row: Row, sister: Row, known: Mapping[Place, Point]
) -> Iterator[tuple[Place, Point]]:
    """Yield the places of a row that lie beside those of its sister, each as far.

    How far is known where both were tapped, and in between it changes evenly.
    """
    apart = [
        (n, (known[place][0] - known[other][0], known[place][1] - known[other][1]))
        for n, (place, other) in enumerate(zip(row, sister, strict=True))
        if place in known and other in known
    ]
    if not apart:
        return
    for n, (place, other) in enumerate(zip(row, sister, strict=True)):
        if place not in known and other in known:
            (x, y), (right, down) = known[other], _between(apart, n)
            yield place, (x + right, y + down)


def _between(steps: list[tuple[int, Point]], at: int) -> Point:
    """Return what lies between two steps evenly, and the nearest one beyond them."""
    if at <= steps[0][0] or len(steps) == 1:
        return steps[0][1]
    for one, other in pairwise(steps):
        if at <= other[0]:
            right, down = _slope(one, other)
            far = at - one[0]
            return one[1][0] + right * far, one[1][1] + down * far
    return steps[-1][1]
