"""What people answer about an unsure die may become a picture of their kit."""

import numpy as np
import pytest

from companion.games import find
from companion.kits.from_answers import Reference, reference
from companion.kits.kit import kept_shots
from companion.story.log import Asked, Header, Made, begin, extend
from companion.table import Glimpse, LinePart, Reading, Shown, UnsureSight
from companion.teaching.teacher import KitTeacher

NOON = 1_800_000_000.0
BOX = (100, 50, 130, 80)
DIE = UnsureSight("die", "tray", (("3", 0.5), ("4", 0.4)), BOX)


@pytest.fixture
def story():
    """A game of Drachenhort with a kit, Ana about to throw."""
    game = find("drachenhort")
    header = Header(game.id, ("Ana", "Bo"), game.stand_in, kit="Chez nous")
    story = begin(game, header, NOON)
    while not any(game.notate(story.state, m) == "throw 4" for m in moves(story)):
        story = extend(story, Made(moves(story)[0], "phone"), NOON)
    return story


def moves(story):
    return list(story.game.legal(story.state))


def throw(story, face, source="phone"):
    move = story.game.parse(story.state, f"throw {face}")
    return extend(story, Made(move, source), NOON)


def asked(story, reading):
    return extend(story, Asked(reading, LinePart("core.ask.unsure"), ()), NOON)


def test_an_answer_about_an_unsure_die_is_a_reference(story):
    story = throw(asked(story, Reading((), (DIE,), taken_at=7.5)), "4")

    assert reference(story) == Reference("die", "4", BOX, 7.5)


@pytest.mark.parametrize(
    "reading",
    [
        Reading((), (DIE, DIE)),  # nobody knows which of the two it was
        Reading((Glimpse(Shown("die", "3", "tray"), 0.5, BOX),)),
        Reading((), (DIE,), trouble="core.ask.no_picture"),
        Reading((), (UnsureSight("die", "tray", (), None),)),
        Reading((), (UnsureSight(None, "tray", (), BOX),)),
    ],
)
def test_what_was_not_one_unsure_die_in_one_place_teaches_nothing(story, reading):
    assert reference(throw(asked(story, reading), "4")) is None


def test_what_nobody_asked_or_the_camera_answered_teaches_nothing(story):
    assert reference(story) is None
    assert reference(throw(story, "4")) is None
    question = asked(story, Reading((), (DIE,)))
    assert reference(question) is None
    assert reference(throw(question, "4", "camera")) is None


def test_one_tap_adds_the_picture_to_the_kit(story, tmp_path):
    picture = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    table = KitTeacher(
        tmp_path / "kits", lambda *_: None, picture_of={7.5: picture}.get
    )
    table.begin("drachenhort", "Chez nous")
    story = throw(asked(story, Reading((), (DIE,), taken_at=7.5)), "4")

    for _ in range(2):  # a second tap adds nothing
        table.remember(story)

    shots = kept_shots(tmp_path / "kits" / "Chez nous")
    assert [(s.kind, s.piece, s.face) for s in shots] == [("die", "die", "4")]
    # 1.2 sides of 30 pixels lie about the box.
    assert shots[0].box == (36, 36, 66, 66)
