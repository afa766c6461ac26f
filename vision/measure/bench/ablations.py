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
from vision.measure.accuracy import write_table
from vision.measure.tabletop import WHOLE, Ablation, LookPolicy, count_tables

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

TRIALS: tuple[tuple[str, Ablation, Mapping[str, Light]], ...] = (
    ("as it is", WHOLE, LIGHTS),
    ("one look alone", Ablation(looks=LookPolicy.ONE), LIGHTS),
    ("two looks must agree", Ablation(looks=LookPolicy.BOTH), LIGHTS),
    ("without the safe radius", Ablation(radius=True), LIGHTS),
    ("without white paper's light", Ablation(patches=True), LIGHTS),
    ("much noise: as it is", WHOLE, GRAINY),
    ("much noise: one look alone", Ablation(looks=LookPolicy.ONE), GRAINY),
    ("much noise: two looks must agree", Ablation(looks=LookPolicy.BOTH), GRAINY),
)


def ablation_table(tables: int) -> str:
    """Return a Markdown table of what comes of some drawn tables without each part."""
    lines = [
        "| reader | things | right | asked | wrong | never shown | taken |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, without, lights in TRIALS:
        rows = count_tables(tables, without, lights)
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
    text = ablation_table(int(sys.argv[1]) if len(sys.argv) > 1 else TABLES)
    write_table(README, text, "ablations")
    sys.stdout.write(text + "\n")
