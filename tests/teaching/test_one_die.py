"""A die of colours is taught on the phone before a drawn camera, and read in play."""

import pytest

from companion.kits.curriculum import RollStep
from companion.kits.own_dice import LearnedKits, learn_kit
from companion.table import Shown
from companion.teaching.teacher import KitTeacher
from tests.teaching.hands import Hands, Phone, new_teacher, sentences, show_the_table
from vision.drawn.tabletop import Hand

SIZE = (360, 640)
NAME = "Chez nous"


@pytest.fixture
def teacher(tmp_path) -> KitTeacher:
    return new_teacher(tmp_path)


@pytest.fixture
def phone(teacher) -> Phone:
    phone = Phone(teacher)
    phone.tap("begin", game="dragorun", name=NAME)
    return phone


@pytest.fixture
def hands(teacher) -> Hands:
    return Hands(teacher, "dragorun", 3, SIZE, "good")


def go_to_colours(phone: Phone, teacher: KitTeacher) -> None:
    """Skip the other die: it comes first."""
    while teacher.lesson.step.piece != "colour":
        phone.tap("next")


def teach_colours(phone: Phone, teacher: KitTeacher, hands: Hands) -> None:
    """Follow the page until it wants the die to be rolled.

    The third time that it asks for green, violet is laid down by mistake.
    """
    meant = sentences(teacher.lesson.course)
    go_to_colours(phone, teacher)
    slips = ["violet"]
    while not isinstance(asked := meant[phone.asked()], RollStep):
        green = teacher.lesson.counts.get(("colour", "colour", "green"), 0)
        slip = asked.face == "green" and green == 2 and slips
        hands.lay(asked.piece, slips.pop() if slip else asked.face)
        if phone.asked().startswith("Lance"):
            hands.show((), None, 2)  # the table learns the die


@pytest.mark.slow
def test_a_die_of_colours_is_taught_tested_and_read(phone, teacher, hands, tmp_path):
    assert phone.asked() == "Videz la table devant la caméra."
    show_the_table(phone, hands)

    teach_colours(phone, teacher, hands)

    told = phone.client.get("/teach/now?lang=en").get_json()
    assert told["version"] == f"{teacher.lesson.version}/True"
    assert "Roll the colour die alone." in told["html"]
    # The green that was violet was asked again, and its picture is gone.
    # Six faces, three shots each.
    counts = [n for (_, piece, _), n in teacher.lesson.counts.items()
              if piece == "colour"]  # fmt: skip
    assert counts == [3] * 6
    kits = tmp_path / "kits"
    assert learn_kit(kits / NAME).dice.pieces == set()  # it was not tested yet
    for face in ("violet", "red", "white"):
        assert teacher.lesson.progress.passed == ()
        hands.lay("colour", face)
        assert phone.asked() == "Que montre le dé\u202f?"
        phone.tap("tell", face=face)
    assert teacher.lesson.progress.passed == ("colour",)
    assert learn_kit(kits / NAME).dice.pieces == {"colour"}
    reading = LearnedKits(kits).read(NAME, hands.thrown("colour", "green"))
    faces = {glimpse.sight for glimpse in reading.glimpses}
    assert faces == {Shown("colour", "green", "tray")}


class TestAShot:
    @pytest.fixture(autouse=True)
    def ready(self, phone, teacher, hands):
        show_the_table(phone, hands)
        go_to_colours(phone, teacher)

    def taken(self, teacher) -> int:
        return sum(teacher.lesson.counts.values())

    def test_is_not_taken_while_a_hand_is_there(self, teacher, hands):
        hands.lay("colour", "red")
        assert self.taken(teacher) == 1

        hands.show((), Hand(560, 200), 6)

        assert self.taken(teacher) == 1
        assert teacher.lesson.hint == "hand"

    def test_is_kept_through_a_restart(self, phone, teacher, hands, tmp_path):
        hands.lay("colour", "red")
        hands.lay("colour", "red")

        again = new_teacher(tmp_path)
        Phone(again).tap("open", name=NAME)

        assert again.lesson.counts == {("colour", "colour", "red"): 2}
        assert again.lesson.step == teacher.lesson.step
        assert again.lesson.bare

    def test_is_forgotten_when_its_face_is_retaken(self, phone, teacher, hands):
        hands.lay("colour", "red")

        phone.tap("retake", piece="colour", face="red")

        assert self.taken(teacher) == 0
        assert list(teacher._book.open_now.folder.glob("shots/*")) == []

    def test_back_leads_to_the_face_before(self, phone, teacher, hands):
        for _ in range(3):
            hands.lay("colour", "red")
        assert teacher.lesson.step.face == "green"

        phone.tap("back")

        assert teacher.lesson.step.face == "red"
        hands.lay("colour", "green")  # it has all its shots: none is added by mistake
        assert self.taken(teacher) == 3
