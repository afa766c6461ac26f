"""Count how taught dice and round pieces are read on tables drawn ray by ray.

``python -m vision.measure.taught_dice_looks KIND [FIRST TABLES PX_PER_MM]``: tables
from number 1000 are for figures, those below chose limits.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from companion.table import Face
from vision.lesson import crop_with_margin, find_shown_thing
from vision.measure.taught_dice_tables import (
    KINDS,
    LaidTable,
    Look,
    PieceKind,
    lay_table,
)
from vision.taught_dice.hues import teach_hues
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.looks import FaceShot
from vision.taught_dice.own_dice import OwnDice, SignDie, read_own_dice
from vision.taught_dice.reader import teach_die
from vision.taught_dice.rounds import read_rounds, teach_rounds

LOOKS, STRANGERS = 42, 25
"""Looks at each table: twelve tables make 504 and 300."""

_MARGIN = 1.2
_PIECE = "die"


class LookCounts(Struct, frozen=True):
    """What looks came to; *taken* counts strangers that were taken for a face."""

    looks: int
    right: int
    asked: int
    missed: int
    wrong: int
    strangers: int
    taken: int
    ms: float


def count_looks(
    kind: PieceKind, first: int, tables: int, px_per_mm: float
) -> LookCounts:
    """Return what looks at some tables came to."""
    found: Counter[str] = Counter()
    spent = 0.0
    for seed in range(first, first + tables):
        table = lay_table(kind, seed, px_per_mm, LOOKS, STRANGERS)
        read = teach_table(kind, table)
        for number, look in enumerate(table.looks):
            start = time.process_time()
            said = what_was_read(read(look), look)
            spent += time.process_time() - start
            found[said] += 1
            if said in ("wrong", "taken"):
                sys.stderr.write(f"{kind} {seed} look {number}: {look.face} {said}\n")
    known, strange = tables * LOOKS, tables * STRANGERS
    return LookCounts(
        known, found["right"], found["asked"], found["missed"], found["wrong"],
        strange, found["taken"], 1000 * spent / (known + strange),
    )  # fmt: skip


class Said(Struct, frozen=True):
    """What was read in one picture: faces taken, and whether any was asked about."""

    faces: tuple[Face | None, ...]
    asked: bool


def teach_table(kind: PieceKind, table: LaidTable) -> Callable[[Look], Said]:
    """Return what reads looks at a table by its shots."""
    shots = [shot for look in table.shots if (shot := shot_of(kind, look)) is not None]
    if kind == "round":
        model = teach_rounds(shots)
        return lambda look: _said(read_rounds(look.picture, model, bare=look.bare))
    if kind == "colour":
        dice = OwnDice(hues=((_PIECE, teach_hues(shots)),))
    else:
        dice = OwnDice(signs=(SignDie(_PIECE, teach_die(shots), teach_hues(shots)),))

    def read(look: Look) -> Said:
        reading = read_own_dice(look.picture, dice, bare=look.bare)
        faces = [getattr(glimpse.sight, "face", None) for glimpse in reading.glimpses]
        return Said(tuple(faces), bool(reading.choices))

    return read


def _said(reads: Sequence[DetectedTaughtDie]) -> Said:
    sure = tuple(read.faces[0][0] for read in reads if read.sure)
    return Said(sure, len(sure) < len(reads))


def shot_of(kind: PieceKind, look: Look) -> FaceShot | None:
    """Return the shot that a lesson takes; None where it sees no one thing."""
    shown = find_shown_thing(look.bare, look.picture)
    boxes = {"round": shown.box, "d10": shown.facets}
    box = boxes.get(kind, shown.top)
    if box is None or look.face is None:
        return None
    cut, inner = crop_with_margin(look.picture, box, _MARGIN)
    return FaceShot(look.face, cut, inner, float(max(look.picture.shape[:2])))


def what_was_read(said: Said, look: Look) -> str:
    """Return whether a look was read right, asked about, missed, wrong or taken."""
    if look.face is None:
        return "taken" if said.faces else "left"
    if any(face != look.face for face in said.faces) or len(said.faces) > 1:
        return "wrong"
    if said.faces:
        return "right"
    return "asked" if said.asked else "missed"


def row(kind: str, px_per_mm: float, one: LookCounts) -> str:
    """Return counts as a row of a table."""
    return (
        f"| {kind} | {px_per_mm} | {one.looks} | {one.right} "
        f"({one.right / one.looks:.1%}) | {one.asked} | {one.missed} | {one.wrong} | "
        f"{one.taken} of {one.strangers} | {one.ms:.0f} |\n"
    )


def main(words: list[str]) -> None:
    """Count the looks at one kind, or at all."""
    kinds = [kind for kind in KINDS if not words or kind == words[0]]
    first = int(words[1]) if len(words) > 1 else 1000
    tables = int(words[2]) if len(words) > 2 else 12
    px_per_mm = float(words[3]) if len(words) > 3 else 3.3
    for kind in kinds:
        counts = count_looks(kind, first, tables, px_per_mm)
        sys.stdout.write(row(kind, px_per_mm, counts))


if __name__ == "__main__":
    main(sys.argv[1:])
