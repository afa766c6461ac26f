"""What a chance is worth: how often readings of each chance are right.

Pure reckoning and drawing; vision/measure/accuracy.py brings the readings of labelled
photographs.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
"""Readings are counted between these chances."""

TAKEN_EDGES = (0.9, 0.98)
"""Where the shares of companion/doctor/misreads.py change."""

_SIDE, _RIM = 300, 46
"""Width of a drawn square and of the rim for its numbers, in SVG units."""


class ScoredReading(Struct, frozen=True):
    """One reading of a labelled die, or of a thing that is none and was taken.

    Attributes:
        chance: Of the best face, 0 to 1.
        sure: Whether it was taken without asking.
        right: Whether the best face is the one that lies there.
    """

    chance: float
    sure: bool
    right: bool


class Band(Struct, frozen=True):
    """Readings with a chance from *low* to *high*."""

    low: float
    high: float
    dice: int
    mean: float
    right: float


def count_bands(answers: Sequence[ScoredReading]) -> tuple[Band, ...]:
    """Return the readings between neighbouring EDGES; empty bands are left out."""
    found: list[Band] = []
    for low, high in pairwise(EDGES):
        last = high == EDGES[-1]
        some = [
            one for one in answers if low <= one.chance and (one.chance < high or last)
        ]
        if some:
            found.append(
                Band(
                    low,
                    high,
                    dice=len(some),
                    mean=sum(one.chance for one in some) / len(some),
                    right=sum(one.right for one in some) / len(some),
                )
            )
    return tuple(found)


def band_table(found: Sequence[Band]) -> str:
    """Return the bands as a Markdown table."""
    lines = [
        "| chance | dice | mean chance | right |",
        "|---|--:|--:|--:|",
    ]
    lines += [
        f"| {band.low:g} to {band.high:g} | {band.dice} | {band.mean:.2f} "
        f"| {band.right:.0%} |"
        for band in found
    ]
    return "\n".join(lines)


def taken_table(answers: Sequence[ScoredReading]) -> str:
    """Return how many were taken and wrong, as a Markdown table."""
    low, high = TAKEN_EDGES
    parts = {
        f"below {low:g}": [one for one in answers if one.chance < low],
        f"{low:g} to {high:g}": [one for one in answers if low <= one.chance < high],
        "above": [one for one in answers if one.chance >= high],
    }
    lines = ["| chance | taken | wrong |", "|---|--:|--:|"]
    for name, part in parts.items():
        taken = [one for one in part if one.sure]
        wrong = sum(not one.right for one in taken)
        lines.append(f"| {name} | {len(taken)} | {wrong} |")
    return "\n".join(lines)


def risk_curve(
    answers: Sequence[ScoredReading], dice: int
) -> tuple[tuple[float, float], ...]:
    """Return share read and share of it wrong, if only the surest were taken.

    Args:
        answers: Readings; those that are not *sure* come after all that are.
        dice: How many true dice lie there, those included of which nothing was seen.
    """
    order = sorted(answers, key=lambda one: (not one.sure, -one.chance))
    points: list[tuple[float, float]] = []
    wrong = 0
    for count, answer in enumerate(order, start=1):
        wrong += not answer.right
        points.append((count / dice, wrong / count))
    return tuple(points)


def reliability_svg(found: Sequence[Band]) -> str:
    """Return a drawing of how often each band is right, above its mean chance."""
    dots = [
        f'<circle cx="{_x(band.mean):.1f}" cy="{_y(band.right, 1):.1f}" '
        f'r="{3 + band.dice**0.5 / 4:.1f}" fill="#c33" fill-opacity=".7"/>'
        for band in found
    ]
    line = f"M{_x(0)} {_y(0, 1)}L{_x(1)} {_y(1, 1)}"
    dots.append(f'<path d="{line}" stroke="#888" stroke-dasharray="4"/>')
    return _svg(dots, "mean chance", "share right", 1)


def risk_svg(points: Sequence[tuple[float, float]], taken: float) -> str:
    """Return a drawing of the share wrong above the share read.

    Args:
        points: From :func:`risk_curve`.
        taken: Share of the dice that is taken without asking: a line there.
    """
    top = 0.1
    path = "L".join(
        f"{_x(share):.1f} {_y(min(risk, top), top):.1f}" for share, risk in points
    )
    marks = [f'<path d="M{path}" fill="none" stroke="#c33" stroke-width="2"/>']
    at = f"M{_x(taken):.1f} {_y(0, top)}V{_y(top, top)}"
    marks.append(f'<path d="{at}" stroke="#888" stroke-dasharray="4"/>')
    return _svg(marks, "share of dice read", "share of them wrong", top)


def _x(share: float) -> float:
    return _RIM + share * _SIDE


def _y(value: float, top: float) -> float:
    return 10 + (1 - value / top) * _SIDE


def _svg(marks: Sequence[str], below: str, beside: str, top: float) -> str:
    """Return a square with marks, names of its axes and six numbers on each."""
    parts = [f'<rect x="{_RIM}" y="10" width="{_SIDE}" height="{_SIDE}" fill="none"/>']
    for step in range(6):
        share = step / 5
        x, y = _x(share), _y(share, 1)
        parts.append(
            f'<text x="{x:.0f}" y="{_SIDE + 26}" text-anchor="middle">'
            f"{share:g}</text>"
            f'<text x="{_RIM - 6}" y="{y + 4:.0f}" text-anchor="end">'
            f"{share * top:g}</text>"
        )
    middle = 10 + _SIDE / 2
    parts.append(
        f'<text x="{_RIM + _SIDE / 2}" y="{_SIDE + 44}" text-anchor="middle">{below}'
        f'</text><text transform="translate(12 {middle}) rotate(-90)" '
        f'text-anchor="middle">{beside}</text>'
    )
    size = f"{_RIM + _SIDE + 16} {_SIDE + 52}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'font-family="sans-serif" font-size="12" fill="#777" stroke="none">'
        f'<g stroke="#888">{parts[0]}</g>'
    )
    return head + "".join(parts[1:]) + "".join(marks) + "</svg>\n"
