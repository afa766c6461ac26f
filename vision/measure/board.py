"""Count what is seen to change on photographs of boards, and why nothing can be told.

``python -m vision.measure.board FOLDER`` prints a table. Of pictures in which nothing
changes each is held against each other one of its stand, of a move both ways; a number
behind FOLDER leaves all but every so manieth pair out. The photographs stay where they
are; only counts are kept.
"""

import csv
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path

import msgspec

from companion.table import Place
from vision.board.changes import BoardChanges
from vision.board.corners import Point
from vision.board.memory import BoardMemory
from vision.camera.files import open_picture

PLACES = Path(__file__).with_name("board_places.csv")
"""Corners and spaces of boards whose labels give none, tapped on their photographs."""

SETS = ("board_light", "board_still", "board_white_on_light")


class Stand(msgspec.Struct, frozen=True):
    """Photographs of one board from one stand.

    Attributes:
        photos: Their names.
        corners: Of the board, as parts of the picture.
        points: Its spaces in the board's own measure.
        moved: The spaces that change from one to the next; none where nothing does.
    """

    photos: tuple[str, ...]
    corners: tuple[Point, ...]
    points: Mapping[Place, Point]
    moved: frozenset[Place] = frozenset()


class BoardFigures(msgspec.Struct, frozen=True):
    """What was counted on a set: looks, and spaces that are seen to change.

    Attributes:
        name: The set.
        looks: Pairs of pictures.
        compared: Pairs that could be compared.
        right: Spaces that have changed and are seen to.
        missed: Spaces that have changed and are not.
        false: Spaces that are seen to change and have not.
        why: Why the other pairs could not be compared.
        ms: Milliseconds of the processor a look, in the middle.
    """

    name: str
    looks: int
    compared: int
    right: int
    missed: int
    false: int
    why: dict[str, int]
    ms: float


def measure_board(folder: Path, name: str, every: int = 1) -> BoardFigures:
    """Return the counts of a set, of every *every*-th pair."""
    counts: Counter[str] = Counter()
    why: Counter[str] = Counter()
    times: list[float] = []
    for stand in read_stands(folder, name):
        pictures = [open_picture(folder / photo).picture for photo in stand.photos]
        known = [BoardMemory(one, stand.corners, stand.points) for one in pictures]
        pairs = list(permutations(range(len(pictures)), 2))[::every]
        for before, now in pairs:
            start = time.process_time()
            found = known[before].look(pictures[now]).changes
            times.append(time.process_time() - start)
            _count(stand, found, counts, why)
    return BoardFigures(
        name, counts["looks"], counts["compared"], counts["right"], counts["missed"],
        counts["false"], dict(why), 1000 * sorted(times)[len(times) // 2],
    )  # fmt: skip


def _count(
    stand: Stand, found: BoardChanges, counts: Counter[str], why: Counter[str]
) -> None:
    counts["looks"] += 1
    if found.obstacle is not None:
        why[found.obstacle.name.lower()] += 1
        return
    changed = {place for place, one in found.changes.items() if one.feet}
    counts["compared"] += 1
    counts["right"] += len(changed & stand.moved)
    counts["missed"] += len(stand.moved - changed)
    counts["false"] += len(changed - stand.moved)


def read_stands(folder: Path, name: str) -> Iterator[Stand]:
    """Yield the stands of a set of `labels.csv`."""
    rows: dict[str, list[dict[str, str]]] = {}
    with (folder / "labels.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["photo"].startswith(f"{name}/"):
                rows.setdefault(_stand_of(row["photo"]), []).append(row)
    for some in rows.values():
        spaces, corners = _places(some[0])
        truth = some[0]["truth"] if some[0]["kind"] == "board-move" else ""
        moved = frozenset(re.findall(r"r\d+c\d+", truth))
        yield Stand(tuple(r["photo"] for r in some), corners, spaces, moved)


def _stand_of(photo: str) -> str:
    """Return what photographs of one stand have in common: position and number."""
    lit = re.fullmatch(r"(board_light/position\d+)_(?:\w+_)?(\d+)\.jpg", photo)
    return photo.rpartition("/")[0] if lit is None else "_".join(lit.groups())


def _places(row: dict[str, str]) -> tuple[dict[Place, Point], tuple[Point, ...]]:
    found = re.search(r"corners ((?:[\d.]+;[\d.]+ ?){4})", row["note"])
    if found is not None:
        return _grid(row["truth"].split()[0]), _corners(found[1])
    with PLACES.open(newline="") as file:
        for places in csv.DictReader(file):
            if row["photo"].startswith(places["photos"]):
                return _grid(places["spaces"]), _corners(places["corners"])
    raise ValueError(f"{row['photo']} has no corners; add a row to {PLACES}")


def _corners(text: str) -> tuple[Point, ...]:
    pairs = (pair.split(";") for pair in text.split())
    return tuple((float(x), float(y)) for x, y in pairs)


def _grid(text: str) -> dict[Place, Point]:
    """Return the middles of squares ("8x8"), or where lines meet ("19x19 lines")."""
    size, _, lines = text.partition(" ")
    down, across = (int(count) for count in size.split("x"))
    if lines:
        return {
            f"r{r}c{c}": (c / (across - 1), r / (down - 1))
            for r in range(down)
            for c in range(across)
        }
    return {
        f"r{r}c{c}": ((c + 0.5) / across, (r + 0.5) / down)
        for r in range(down)
        for c in range(across)
    }


def board_table(rows: Sequence[BoardFigures]) -> str:
    """Return the figures as a table in Markdown."""
    lines = [
        "| set | looks | compared | right | missed | false | why not compared | ms |",
        "|---|--:|--:|--:|--:|--:|---|--:|",
    ]
    for row in rows:
        why = ", ".join(f"{name} {n}" for name, n in sorted(row.why.items())) or "–"
        lines.append(
            f"| {row.name} | {row.looks} | {row.compared} | {row.right} "
            f"| {row.missed} | {row.false} | {why} | {row.ms:.0f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    folder_ = Path(sys.argv[1])
    every_ = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    table = board_table([measure_board(folder_, name_, every_) for name_ in SETS])
    sys.stdout.write(f"{table}\n")
