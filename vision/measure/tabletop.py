"""Count how the whole-table reader does on drawn tables that it was not tuned on.

``python -m vision.measure.tabletop [TABLES]``: each table is laid at random, under one
of six lights and a camera of its own, and looked at once more where the first look
leaves doubts, as in play. Every table also has a die and two cards never shown before.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import Face, Piece, Place
from vision.arrays import Floats, Picture
from vision.drawn.lessons import CROOKED_DEG, draw_lessons, random_pose
from vision.drawn.light import LIGHTS, Light
from vision.drawn.tabletop import DrawnPiece, Tabletop
from vision.pips.reader import PIP_DIE, pip_limits, read_dice
from vision.tabletop.light import WHITE, EvenLight, even_out_light
from vision.tabletop.limits import PrintLimits
from vision.tabletop.plan import (
    CARD,
    CUBE,
    D10,
    DIE,
    FIGURE,
    Bgr,
    Ground,
    PieceLook,
    Plan,
    Spot,
    Thing,
    Tile,
)
from vision.tabletop.pose import CameraPose
from vision.tabletop.reader import TableReader
from vision.tabletop.seen import SURE, TableReading, is_sure, surest
from vision.tabletop.teaching import TaughtPieces, teach_pieces

FIRST_SEED = 70_000
"""Cameras and throws that nothing else here ever drew: no limit was chosen on them."""

TAUGHT_SEED = 9_100

WIDTH_MM, HEIGHT_MM = 400.0, 225.0
"""At 1280 x 720 pixels that is 3.2 pixels a millimetre."""

INKS: dict[str, Bgr] = {
    "green": (60, 140, 40),
    "red": (40, 40, 200),
    "blue": (190, 90, 30),
    "orange": (20, 120, 240),
    "white": (235, 238, 240),
    "yellow": (30, 205, 235),
    "violet": (150, 50, 120),
    "turquoise": (180, 170, 20),
    "pink": (170, 120, 240),
    "brown": (40, 70, 110),
}
NUMBERS = tuple(str(number) for number in range(1, 13))
STEPS = ("+1", "+2", "+3", "-1", "T", "S")
STRANGER = "letters"
"""A ten-sided die with letters that nobody was shown."""

KINDS = ("d6", "d10", "cube", "card", "number", "pawn")

_FELT: Bgr = (72, 96, 52)
_PALE: Bgr = (200, 200, 200)
_Where = tuple[Piece, Face | None, Place]


class LookPolicy(StrEnum):
    """Which looks at one table are believed."""

    AGAIN = "the surer of two where the first leaves doubts"  # as in play
    ONE = "the first"
    BOTH = "what two tell alike"  # a vote


class Ablation(Struct, frozen=True):
    """Parts of the reader that are left out or changed, to see what each is worth.

    Attributes:
        looks: Which looks are believed.
        radius: The nearest taught print is taken, however far it is.
        patches: White paper shows where the table is, but the light is left as it is.
    """

    looks: LookPolicy = LookPolicy.AGAIN
    radius: bool = False
    patches: bool = False


WHOLE = Ablation()


class KindCounts(Struct, frozen=True):
    """What came of one kind of thing; *foreign* ones were never shown."""

    kind: str
    things: int
    right: int
    asked: int
    wrong: int
    foreign: int = 0
    foreign_taken: int = 0


def table_plan() -> Plan:
    """Return a table with many dice, two decks of cards and ten pawns."""
    return Plan(
        WIDTH_MM,
        HEIGHT_MM,
        tuple(_spots()),
        (
            Thing("d6", DIE, 16, tall_mm=16, reach_mm=13),
            Thing("d10", D10, 18, tall_mm=16, reach_mm=14),
            Thing("cube", CUBE, 16, tall_mm=16, reach_mm=13),
            Thing("card", CARD, 22, 32, 0.5),
            Thing("number", CARD, 22, 32, 0.5),
            *(Thing(f"pawn/{ink}", FIGURE, 15, tall_mm=24) for ink in INKS),
        ),
        (Ground("front", tuple(_tiles())),),
        tuple(_looks()),
        ((8, 8), (392, 8), (8, 217), (392, 217), (200, 8), (200, 217)),
    )


def _spots() -> Iterator[Spot]:
    for kind, top in (("d6", 36.0), ("d10", 72.0)):
        for n in range(10):
            yield Spot(f"{kind}/{n}", (kind,), 32 + 36 * n, top, 32, 32)
    yield Spot("cube/0", ("cube",), 380, 105, 36, 32)
    for kind, top in (("card", 151.0), ("number", 192.0)):
        for n in range(12):
            yield Spot(f"{kind}/{n}", (kind,), 30 + 31 * n, top, 27, 37)
    pawns = tuple(f"pawn/{ink}" for ink in INKS)
    for n in range(10):
        yield Spot(f"pawn/{n}", pawns, 30 + 33 * n, 110, 33, 36)


def _tiles() -> Iterator[Tile]:
    yield Tile(194, 54, 368, 74, _FELT, "felt")
    yield Tile(380, 105, 36, 32, _FELT, "felt")
    for n in range(10):
        yield Tile(30 + 33 * n, 110, 31, 34, (60, 66, 72))


def _looks() -> Iterator[PieceLook]:
    for face in "123456":
        yield PieceLook("d6", face, (247, 242, 230), (18, 18, 20), face)
    for n in range(10):
        yield PieceLook("d10", str(n), (120, 30, 90), (240, 240, 240), str(n))
    for step in STEPS:
        yield PieceLook("cube", step, (235, 240, 245), (30, 30, 30), step)
    for name, ink in INKS.items():
        yield PieceLook("card", name, ink, _PALE, name[:2].upper())
        yield PieceLook(f"pawn/{name}", None, ink, _paler(ink))
    for number in NUMBERS:
        # One picture for all: they differ in their number alone.
        yield PieceLook("number", number, (110, 140, 60), _PALE, number, same_as="1")


def _paler(ink: Bgr) -> Bgr:
    b, g, r = (min(255, value + (255 - value) // 3) for value in ink)
    return b, g, r


def _foreign_looks() -> tuple[PieceLook, ...]:
    """Return what nobody was shown: letters on a die, and cards of another deck."""
    return (
        *(
            PieceLook(STRANGER, f"foreign {sign}", (120, 30, 90), (240, 240, 240), sign)
            for sign in "ABEFHKMRTX"
        ),
        *(
            PieceLook("card", f"foreign {sign}", ink, _PALE, sign)
            for sign, ink in zip("JQKX?", INKS.values(), strict=False)
        ),
        *(
            PieceLook("number", f"foreign {n}", (110, 140, 60), _PALE, n, same_as="1")
            for n in ("13", "20", "45", "70")
        ),
    )


def _foreign(hands: random.Random, piece: Piece) -> Face:
    looks = [look.face for look in _foreign_looks() if look.piece == piece]
    face = hands.choice(looks)
    assert face is not None
    return face


def lay_at_random(plan: Plan, hands: random.Random) -> list[tuple[DrawnPiece, Place]]:
    """Return things at random, one on each spot, crooked as people lay them."""
    pawns = hands.sample(tuple(INKS), len(INKS))
    strange = {
        f"d10/{hands.randrange(10)}",
        f"card/{hands.randrange(12)}",
        f"number/{hands.randrange(12)}",
    }
    table = []
    for spot in plan.spots:
        kind, _, number = spot.place.partition("/")
        piece = f"pawn/{pawns[int(number)]}" if kind == "pawn" else kind
        faces = [look.face for look in plan.looks if look.piece == piece]
        face = hands.choice(faces)
        if spot.place in strange:
            piece = STRANGER if piece == "d10" else piece
            face = _foreign(hands, piece)
        turn, slack = hands.uniform(0, 360), 5.0
        if piece in ("card", "number"):
            turn, slack = 180 * hands.randrange(2) + hands.gauss(0, CROOKED_DEG), 1.0
        x_mm = spot.x_mm + hands.uniform(-slack, slack)
        y_mm = spot.y_mm + hands.uniform(-slack, slack)
        table.append((DrawnPiece(piece, face, x_mm, y_mm, turn), spot.place))
    return table


def count_tables(
    tables: int, without: Ablation = WHOLE, lights: Mapping[str, Light] = LIGHTS
) -> list[KindCounts]:
    """Return what came of all things of some tables in all lights in turn, by kind."""
    plan = table_plan()
    even_out = _leave_light if without.patches else even_out_light
    taught = teach_pieces(plan, draw_lessons(plan, TAUGHT_SEED), even_out)
    if without.radius:
        taught = _without_limits(taught)
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(tables):
        light = tuple(lights.values())[number % len(lights)]
        seed = FIRST_SEED + number
        _count_one(plan, taught, even_out, light, seed, without.looks, counts)
    return [
        KindCounts(
            kind,
            **{what: counts[kind, what] for what in KindCounts.__struct_fields__[1:]},
        )
        for kind in KINDS
    ]


def _leave_light(picture: Picture, *_table: Plan | CameraPose) -> Floats:
    # White paper comes to 200 in the light that the pieces are taught in.
    return np.asarray(picture * np.float32(WHITE / 200), np.float32)


def _without_limits(taught: TaughtPieces) -> TaughtPieces:
    """Return what is taught, so that the nearest print is taken at any distance."""
    limits = PrintLimits(
        near=99, ratio=1, alike_near=99, alike_ratio=1,
        farthest_round=99, farthest_oblong=99,
    )  # fmt: skip
    banks = {
        name: replace(bank, limits=limits)
        for name in ("prints", "cards", "dice")
        if (bank := getattr(taught, name)) is not None
    }
    return replace(taught, **banks)


def _count_one(
    plan: Plan,
    taught: TaughtPieces,
    even_out: EvenLight,
    light: Light,
    seed: int,
    looks: LookPolicy,
    counts: Counter[tuple[str, str]],
) -> None:
    whole = replace(
        plan,
        looks=(*plan.looks, *_foreign_looks()),
        things=(*plan.things, replace(plan.thing("d10"), piece=STRANGER)),
    )
    pose = random_pose(plan, seed)
    tabletop = Tabletop(whole, pose, light, seed)
    limits = pip_limits()
    bare = {"front": tabletop.picture("front", ())}
    reader = TableReader(
        plan, pose, taught, bare, lambda picture: read_dice(picture, limits), even_out
    )
    table = lay_at_random(plan, random.Random(seed))
    lying = tuple(one for one, _ in table)
    taken = _believe(looks, lambda: reader.read(tabletop.picture("front", lying)))
    for one, place in table:
        kind = place.partition("/")[0]
        face = one.face
        true = (PIP_DIE if kind == "d6" else one.piece, face, place)
        here = {thing for thing in taken if thing[2] == place}
        if face is not None and face.startswith("foreign"):
            counts[kind, "foreign"] += 1
            counts[kind, "foreign_taken"] += bool(here)
            continue
        counts[kind, "things"] += 1
        counts[kind, "right"] += here == {true}
        counts[kind, "wrong"] += bool(here - {true})
        counts[kind, "asked"] += not here


def _believe(looks: LookPolicy, look: Callable[[], TableReading]) -> set[_Where]:
    first = look()
    if looks is LookPolicy.ONE or (looks is LookPolicy.AGAIN and is_sure(first)):
        return _sure_things(first)
    second = look()
    if looks is LookPolicy.BOTH:
        return _sure_things(first) & _sure_things(second)
    return _sure_things(surest((first, second)))


def _sure_things(seen: TableReading) -> set[_Where]:
    """Return what a look is sure of; nothing while it sees a hand."""
    if seen.hand or seen.trouble:
        return set()
    sure = (one for one in seen.found if one.confidence >= SURE)
    return {(one.piece, one.face, one.place) for one in sure}


def kinds_table(rows: list[KindCounts]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "| what | things | right | asked | wrong | never shown | taken |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        share = 100 * row.right / max(1, row.things)
        lines.append(
            f"| {row.kind} | {row.things} | {share:.1f} % | {row.asked} | {row.wrong}"
            f" | {row.foreign} | {row.foreign_taken} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    sys.stdout.write(kinds_table(count_tables(wanted)) + "\n")
