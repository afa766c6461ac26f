"""Cards that lie crooked or across, and dice with print, are read from a table."""

import random

import pytest
from msgspec.structs import replace

from companion.table import UnsurePiece
from vision.drawn.lessons import draw_lessons, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Tabletop
from vision.pips.reader import pip_limits, read_dice
from vision.tabletop.plan import (
    CARD,
    CUBE,
    D10,
    Ground,
    PieceLook,
    Plan,
    Spot,
    Thing,
    Tile,
)
from vision.tabletop.reader import TableReader
from vision.tabletop.teaching import NotTaught, teach_pieces

pytestmark = pytest.mark.slow

INKS = {
    "red": (40, 40, 200),
    "green": (60, 160, 40),
    "blue": (190, 90, 30),
    "yellow": (30, 205, 235),
    "violet": (150, 50, 120),
    "white": (240, 240, 240),
}
STEPS = ("+1", "+2", "+3", "-1", "T", "S")
FELT = (72, 96, 52)


@pytest.fixture(scope="module")
def plan():
    """Return a table with a tray for two cubes, one for a d10, and eight cards."""
    cards = tuple(
        Spot(f"row/{n}", ("card",), 8 + n * 32, 240, 28, 40) for n in range(1, 9)
    )
    trays = (
        Spot("tray", ("colour", "step"), 550, 75, 130, 110),
        Spot("cup", ("d10",), 400, 75, 130, 110),
    )
    return Plan(
        640,
        360,
        (*trays, *cards),
        (
            Thing("colour", CUBE, 16, tall_mm=16, reach_mm=13),
            Thing("step", CUBE, 16, tall_mm=16, reach_mm=13),
            Thing("d10", D10, 18, tall_mm=16, reach_mm=14),
            Thing("card", CARD, 24, 34, 0.5),
        ),
        (
            Ground(
                "front",
                tuple(Tile(x, 75, 130, 110, FELT, "felt") for x in (400, 550)),
            ),
        ),
        (
            *(
                PieceLook("colour", name, (60, 60, 60), ink)
                for name, ink in INKS.items()
            ),
            *(
                PieceLook("step", step, (235, 240, 245), (30, 30, 30), step)
                for step in STEPS
            ),
            *(
                PieceLook("d10", str(n), (120, 30, 90), (240, 240, 240), str(n))
                for n in range(10)
            ),
            *(
                PieceLook("card", name, ink, (200, 200, 200), name[0].upper())
                for name, ink in INKS.items()
            ),
            PieceLook("card", "back", (90, 40, 40), (30, 120, 180)),
            PieceLook("card", "red/across", INKS["red"], (200,) * 3, "R", 1, "red"),
        ),
        ((9, 9), (631, 9), (9, 351), (631, 351), (320, 9), (320, 351)),
    )


@pytest.fixture(scope="module")
def lessons(plan):
    return draw_lessons(plan, 4_007)


@pytest.fixture(scope="module")
def taught(plan, lessons):
    return teach_pieces(plan, lessons)


@pytest.fixture
def watched(plan, taught):
    def watch(light, seed):
        pose = random_pose(plan, seed)
        tabletop = Tabletop(plan, pose, LIGHTS[light], seed)
        bare = {"front": tabletop.picture("front", ())}
        limits = pip_limits()
        return tabletop, TableReader(
            plan, pose, taught, bare, lambda picture: read_dice(picture, limits)
        )

    return watch


def laid(seed):
    """Return eleven things at random: three dice and eight cards."""
    hands = random.Random(seed)
    lying = [
        DrawnPiece("colour", hands.choice(tuple(INKS)), *thrown(hands, 520)),
        DrawnPiece("step", hands.choice(STEPS), *thrown(hands, 580)),
        DrawnPiece("d10", str(hands.randrange(10)), *thrown(hands, 400)),
    ]
    for n in range(1, 9):
        face = hands.choice((*INKS, "back"))
        x, y = 8 + n * 32 + hands.uniform(-1, 1), 240 + hands.uniform(-1, 1)
        turn = 180 * hands.randrange(2) + hands.gauss(0, 1.5)
        lying.append(DrawnPiece("card", face, x, y, turn))
    return tuple(lying)


def thrown(hands, x_mm):
    return x_mm + hands.uniform(-14, 14), hands.uniform(40, 110), hands.uniform(0, 360)


@pytest.mark.parametrize("light", LIGHTS)
def test_nothing_is_read_wrong_and_little_is_asked(watched, light):
    """Of 72 tables like these 7 of 792 things were asked, 6 of them d10."""
    asked = 0
    for seed in range(2):
        tabletop, reader = watched(light, seed)
        lying = laid(f"{light}/{seed}")
        places = [("tray"), ("tray"), ("cup"), *(f"row/{n}" for n in range(1, 9))]

        seen = reader.read(tabletop.picture("front", lying))

        true = {
            (a.piece, a.face, place) for a, place in zip(lying, places, strict=True)
        }
        named = {(one.piece, one.face, one.place) for one in seen.found}
        assert named <= true
        asked += len(true - named)
        assert len(seen.doubts) == len(true - named)
    assert asked <= 2


def test_a_card_that_lies_across_shows_another_face(watched):
    tabletop, reader = watched("good", 5)
    lying = (
        DrawnPiece("card", "red", 200, 240, 91.0),
        DrawnPiece("card", "red", 264, 240, -1.0),
        DrawnPiece("card", "blue", 136, 240, 271.0),
    )

    seen = reader.read(tabletop.picture("front", lying))

    # A blue card has no face for lying across: there it says nothing.
    assert {(one.face, one.place) for one in seen.found} == {
        ("red/across", "row/6"),
        ("red", "row/8"),
        ("blue", "row/4"),
    }
    assert seen.doubts == ()


def test_an_unsure_card_that_lies_across_may_show_another_face(watched, monkeypatch):
    """Else a doubtful power looks like an unused one, and is no news at all."""
    tabletop, reader = watched("good", 5)

    def unsure(_taught, _ranked, _closer, spot, box):
        return UnsurePiece(
            spot.place, (("card", "red", 0.5), ("card", "blue", 0.4)), box
        )

    monkeypatch.setattr("vision.tabletop.flat.decide_card", unsure)
    lying = (DrawnPiece("card", "red", 200, 240, 91.0),)

    seen = reader.read(tabletop.picture("front", lying))

    assert [doubt.choices for doubt in seen.doubts] == [
        (("card", "red/across", 0.5), ("card", "blue", 0.4))
    ]


def test_two_dice_that_touch_are_both_read(watched):
    tabletop, reader = watched("good", 6)
    lying = (
        DrawnPiece("colour", "red", 550, 80, 0),
        DrawnPiece("step", "+3", 567, 80, 0),
    )

    seen = reader.read(tabletop.picture("front", lying))

    assert {(one.piece, one.face) for one in seen.found} <= {
        ("colour", "red"),
        ("step", "+3"),
    }
    assert len(seen.found) + len(seen.doubts) >= 2


def test_a_lone_die_of_two_is_no_news_of_the_other(watched):
    tabletop, reader = watched("good", 7)

    seen = reader.read(
        tabletop.picture("front", (DrawnPiece("step", "-1", 540, 70, 33),))
    )

    assert [(one.piece, one.face) for one in seen.found] == [("step", "-1")]
    assert seen.doubts == ()


def test_a_card_is_not_taught_lying_across(plan, lessons):
    lesson = next(one for one in lessons if any(p == "card" for p, _, _ in one.lying))
    table = Tabletop(plan, lesson.pose, LIGHTS["good"], 1)
    place = next(place for piece, _, place in lesson.lying if piece == "card")
    spot = plan.spots_of("card", place)[0]
    across = table.picture("front", (DrawnPiece("card", "red", spot.x_mm, 240, 90),))

    with pytest.raises(NotTaught, match=r"upright at row/\d; lay it anew"):
        teach_pieces(
            plan, (replace(lesson, picture=across, lying=(("card", "red", place),)),)
        )
