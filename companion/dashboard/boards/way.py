"""Where the cells of a winding way lie on a drawing: rows that turn at each end."""

PER_ROW = 6
PITCH_X = 58.0
PITCH_Y = 72.0
LEFT = 35.0
"""Middle of the leftmost cell. All lengths are units of the drawing, 360 wide."""


def middle(number: int, top: float) -> tuple[float, float]:
    """Return the middle of cell *number*, counted from 1.

    Cell 1 lies at the right end of the first row, whose middle is at *top*; the way
    then runs to the left, turns, and comes back.
    """
    row, step = divmod(number - 1, PER_ROW)
    column = step if row % 2 else PER_ROW - 1 - step
    return LEFT + column * PITCH_X, top + row * PITCH_Y


def path(points: list[tuple[float, float]]) -> str:
    """Return the path data of a line through *points*."""
    first, *rest = points
    start = f"M{first[0]:g} {first[1]:g}"
    return start + "".join(f"L{x:g} {y:g}" for x, y in rest)
