"""What each safeguard of the whole-table reader is worth, on the same drawn tables.

``python -m vision.measure.bench.ablations [TABLES]`` leaves out one at a time, in the
usual lights and in pictures with much noise, and writes the table in
vision/tabletop/README.md.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from vision.drawn.light import LIGHTS, Light
from vision.measure.accuracy import refresh
from vision.measure.tabletop import WHOLE, Looks, Without, count

TABLES = 8

README = Path(__file__).parents[2] / "tabletop" / "README.md"

GRAINY = {
    name: replace(
        light,
        noise=9.0,
        jpeg=60,
        colour=tuple(0.6 * level for level in light.colour),
    )
    for name, light in LIGHTS.items()
}
"""The usual lights at 60 %, three to six times the noise: a cheap camera at night."""

TRIALS: tuple[tuple[str, Without, Mapping[str, Light]], ...] = (
    ("as it is", WHOLE, LIGHTS),
    ("one look alone", Without(looks=Looks.ONE), LIGHTS),
    ("two looks must agree", Without(looks=Looks.BOTH), LIGHTS),
    ("without the safe radius", Without(radius=True), LIGHTS),
    ("without white paper's light", Without(patches=True), LIGHTS),
    ("much noise: as it is", WHOLE, GRAINY),
    ("much noise: one look alone", Without(looks=Looks.ONE), GRAINY),
    ("much noise: two looks must agree", Without(looks=Looks.BOTH), GRAINY),
)


def ablations(tables: int) -> str:
    """Return a Markdown table of what comes of some drawn tables without each part."""
    lines = [
        "| reader | things | right | asked | wrong | never shown | taken |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, without, lights in TRIALS:
        rows = count(tables, without, lights)
        things, right, asked, wrong, foreign, taken = (
            sum(getattr(row, what) for row in rows)
            for what in (
                "things", "right", "asked", "wrong", "foreign", "foreign_taken"
            )
        )  # fmt: skip
        lines.append(
            f"| {name} | {things} | {right / max(1, things):.1%} | {asked} | {wrong} "
            f"| {foreign} | {taken} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    text = ablations(int(sys.argv[1]) if len(sys.argv) > 1 else TABLES)
    refresh(README, text, "ablations")
    sys.stdout.write(text + "\n")
