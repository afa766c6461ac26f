"""What each safeguard of the whole-table reader is worth, on the same drawn tables.

``python -m vision.bench.ablations [TABLES]`` leaves out one at a time and writes the
table in vision/places/README.md.
"""

import sys
from pathlib import Path

from vision.accuracy import refresh
from vision.places.accuracy import WHOLE, Without, count

TABLES = 8

README = Path(__file__).parents[1] / "places" / "README.md"

VARIANTS = {
    "as it is": WHOLE,
    "without the vote": Without(vote=True),
    "without the safe radius": Without(radius=True),
    "without white paper's light": Without(patches=True),
}


def ablations(tables: int) -> str:
    """Return a Markdown table of what comes of some drawn tables without each part."""
    lines = [
        "| reader | things | right | asked | wrong | never shown | taken |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, without in VARIANTS.items():
        rows = count(tables, without)
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
