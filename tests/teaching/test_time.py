"""Whole copies are taught through the pages, and the time that it takes is counted."""

import random

import pytest

from companion.dashboard.pages.teaching import lesson_view
from companion.games.copy import Item
from companion.kits.curriculum import CheckStep, RollStep
from companion.kits.own_dice import LearnedKits, learn_kit
from companion.table import Shown
from tests.teaching.hands import (
    Hands,
    Phone,
    drawn_faces,
    new_teacher,
    sentences,
    show_the_table,
)

SIZE = (720, 1280)
NEAR = (1296, 2304)
"""A Pi's camera: digits of a ten-sided die want 3.2 pixels a millimetre."""

MOST_ROLLS = 6
"""Test rolls that a host makes before a die is given up."""

MOST_ACTS = 400


def teach(phone: Phone, hands: Hands, seed: int) -> None:
    """Follow the page from the bare table to the end, as its host would."""
    teacher = hands.teacher
    show_the_table(phone, hands)
    meant = sentences(teacher.lesson.course)
    thrown, rolls = random.Random(seed), dict[str, int]()
    while teacher.lesson.step is not None:
        assert hands.acts < MOST_ACTS, phone.asked()
        step = meant[phone.asked()]
        if isinstance(step, Item):
            sides = tuple(drawn_faces(step))
            taken = teacher.lesson.counts.get(step.key, 0)
            hands.lay(step.piece, sides[min(taken // 3, len(sides) - 1)])
        elif isinstance(step, CheckStep):
            hands.show((), None, 2)
        elif isinstance(step, RollStep):
            face = thrown.choice([item.face for item in meant.values()
                                  if isinstance(item, Item)
                                  and item.piece == step.piece])  # fmt: skip
            hands.lay(step.piece, face)
            rolls[step.piece] = rolls.get(step.piece, 0) + 1
            if lesson_view(teacher.lesson).test:
                hands.think()
                phone.tap("tell", face=face)
            if teacher.lesson.step == step and rolls[step.piece] == MOST_ROLLS:
                hands.think()
                phone.tap("next")  # this die is left to people


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "size", "most_min"),
    [
        pytest.param("dragorun", SIZE, 5.0, id="dragorun"),
        pytest.param("drachenhort", SIZE, 3.0, id="drachenhort"),
        pytest.param("dragon_run", NEAR, 10.0, id="dragon_run"),
        pytest.param("eight_dragons", SIZE, 8.0, id="eight_dragons"),
        pytest.param("dragonix", SIZE, 12.0, id="dragonix"),
    ],
)
def test_a_copy_is_taught_in_minutes(game, size, most_min, tmp_path, record_property):
    teacher = new_teacher(tmp_path)
    phone = Phone(teacher)
    phone.tap("begin", game=game, name="k")
    hands = Hands(teacher, game, 3, size, "good")

    teach(phone, hands, seed=5)

    folder = tmp_path / "kits" / "k"
    right = asked = wrong = 0
    for piece in teacher.lesson.course.dice:
        for item in teacher.lesson.course.of(piece):
            for _ in range(3):
                sights = read(hands, folder, piece, item.face)
                right += sights == {Shown(piece, item.face, "tray")}
                asked += not sights
                wrong += bool(sights - {Shown(piece, item.face, "tray")})
    minutes, shots = hands.spent_s / 60, sum(teacher.lesson.counts.values())
    alike = len(teacher.lesson.progress.alike)
    dice = len(learn_kit(folder).dice.pieces)
    record_property(
        "figures",
        f"{minutes:.1f} minutes of {hands.acts} acts, {shots} shots, {dice} dice read: "
        f"throws {right} right, {asked} asked, {wrong} wrong; {alike} pairs asked",
    )
    assert minutes < most_min
    assert wrong == 0


@pytest.mark.long
def test_a_ten_sided_die_is_read_from_near(tmp_path, record_property):
    """All that is seen of it is compared: six and nine by their neighbours too."""
    teacher = new_teacher(tmp_path)
    phone = Phone(teacher)
    phone.tap("begin", game="dragon_run", name="k")
    hands = Hands(teacher, "dragon_run", 3, (480, 720), "good", px_per_mm=3.6)
    show_the_table(phone, hands)
    while isinstance(step := teacher.lesson.step, Item):
        hands.lay(step.piece, step.face)
    hands.show((), None, 2)  # the table learns the die
    for face in "731425":  # one that is not read for sure is thrown again
        if not teacher.lesson.progress.passed:
            hands.lay("d10", face)
            phone.tap("tell", face=face)
    assert teacher.lesson.progress.passed == ("d10",)

    faces = [face for face in "0123456789" for _ in range(6)]
    read_as = [read(hands, tmp_path / "kits" / "k", "d10", face) for face in faces]

    told = [{sight.face for sight in sights} for sights in read_as]
    right = sum(seen == {face} for seen, face in zip(told, faces, strict=True))
    wrong = sum(bool(seen - {face}) for seen, face in zip(told, faces, strict=True))
    asked = sum(not seen for seen in told)
    record_property(
        "figures", f"60 throws: {right} right, {asked} asked, {wrong} wrong"
    )
    assert wrong == 0
    assert right >= 54


def read(hands: Hands, folder, piece: str, face: str) -> set:
    """Return what a throw is read as by what was taught."""
    picture = hands.thrown(piece, face)
    reading = LearnedKits(folder.parent).read(folder.name, picture)
    return {glimpse.sight for glimpse in reading.glimpses} if reading else set()
