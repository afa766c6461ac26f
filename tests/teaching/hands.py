"""Hands that lay things before a drawn camera, and a phone that follows the page."""

import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.dashboard.door.auth import host_code
from companion.dashboard.pages.teaching import task_text
from companion.demo.drawn_table import PICTURES_S
from companion.demo.setup import THINK_S
from companion.demo.tables import find as table_of
from companion.games import find
from companion.games.copy import Item
from companion.kits.curriculum import Course, LessonStep
from companion.kits.next_step import Progress
from companion.table import BACK
from companion.teaching.page import Lesson
from companion.teaching.teacher import KitTeacher
from companion.words import Words
from tests.dashboard.fakes import FakeTable
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.drawn.lessons import random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop
from vision.tabletop.plan import CARD, DICE, Spot
from vision.tabletop.pose import CameraPose, camera_above

SECRET = b"a secret of thirty-two bytes ..."
STILL = 5
"""Pictures until the camera finds the table at rest: one in which the hand is gone,
then 0.133 s of two at 15 a second, and one more."""


class Hands:
    """Lay pieces of a stand-in copy down, one at a time; *spent_s* is what it takes.

    People think as long before each act as in a demo, and pictures come at the pace of
    the drawn table.
    """

    def __init__(
        self,
        teacher: KitTeacher,
        game: str,
        seed: int,
        size: tuple[int, int],
        light: str,
        px_per_mm: float | None = None,
    ) -> None:
        box = find(game).stand_in
        table = table_of(game)
        assert table is not None
        self.plan = table.table(box)
        self._ground = self.plan.grounds[0].name
        self.pose = random_pose(self.plan, seed, size)
        if px_per_mm is not None:
            self.pose = self._near(size, px_per_mm)
        self._top = Tabletop(self.plan, self.pose, LIGHTS[light], seed)
        self._random = np.random.default_rng(seed)
        self.teacher = teacher
        self._number = 0
        self.spent_s = 0.0
        self.acts = 0

    def _near(self, size: tuple[int, int], px_per_mm: float) -> CameraPose:
        """Return a camera that sees only where dice fall, so much from near."""
        spot = next(spot for spot in self.plan.spots if spot.place == "tray")
        focal = size[1] * 1.2
        middle = (spot.x_mm, spot.y_mm + 3)
        return camera_above(
            size, focal, middle, focal / px_per_mm, tilt_deg=4, lean_deg=2
        )

    def think(self) -> None:
        self.acts += 1
        self.spent_s += THINK_S

    def show(
        self, lying: tuple[DrawnPiece, ...], hand: Hand | None, count: int
    ) -> None:
        for _ in range(count):
            self._number += 1
            picture = self._top.picture(self._ground, lying, hand)
            taken_at = self._number / PICTURES_S
            self.teacher.see(Frame(picture, taken_at, None, f"p{self._number}"))
            self.spent_s += 1 / PICTURES_S

    def clear(self) -> None:
        self.show((), None, STILL)

    def lay(self, piece: str, face: str) -> None:
        """Lay one thing down: a die in the tray, a card on its own place."""
        self.think()
        one = self._put(piece, face)
        self.show((), Hand(one.x_mm, one.y_mm), 1)
        self.show((one,), None, STILL)

    def thrown(self, piece: str, face: str) -> Picture:
        """Return a picture of a die that was thrown, in play."""
        return self._top.picture(self._ground, (self._put(piece, face),))

    def _put(self, piece: str, face: str) -> DrawnPiece:
        """Return a thing a little aside of the middle of its place, turned anyhow."""
        thing = self.plan.thing(piece)
        spot = self._spot(piece)
        looks = {(look.piece, look.face) for look in self.plan.looks}
        if (piece, face) not in looks:
            face = BACK  # the twin card looks like a back
        room = 0.3 if thing.shape in DICE else 0.05
        x = spot.x_mm + room * spot.width_mm * float(self._random.uniform(-1, 1))
        y = spot.y_mm + room * spot.height_mm * float(self._random.uniform(-1, 1))
        turn = float(self._random.uniform(0, 360))
        if thing.shape is CARD:
            turn = float(self._random.normal(0, 1.5))
        return DrawnPiece(piece, face, x, y, turn)

    def tray(self) -> list[tuple[float, float]]:
        """Return two corners of the tray, as parts of the picture."""
        dice = [thing.piece for thing in self.plan.things if thing.shape in DICE]
        if not dice:
            return []
        spot = self._spot(dice[0])
        ends = [(spot.x_mm + a * spot.width_mm / 2, spot.y_mm + a * spot.height_mm / 2,
                 0.0) for a in (-1, 1)]  # fmt: skip
        high, wide = self.pose.size
        seen = self.pose.project(np.array(ends, np.float32))
        return [(float(x) / wide, float(y) / high) for x, y in seen]

    def _spot(self, piece: str) -> Spot:
        return self.plan.spots_of(piece)[0]


class Phone:
    """The host's phone: it reads what the page asks, and taps."""

    def __init__(self, teacher: KitTeacher) -> None:
        app = create_app(
            FakeTable(),
            secret=SECRET,
            pin="271828",
            address="http://192.168.1.20:8000",
            teacher=teacher,
            strict_words=True,
        )
        self.client: FlaskClient = app.test_client()
        self.client.get(f"/j/{host_code(SECRET)}")

    def tap(self, do: str, **more: str) -> Any:
        return self.client.post("/api/teach", data={"do": do, **more})

    def bring(self, content: bytes, query: str = "") -> Any:
        """Hand in a file as the page's form does."""
        file = {"file": (BytesIO(content), "kit.zip")}
        return self.client.post(f"/api/teach/kit{query}", data=file)

    def asked(self) -> str:
        """Return the large line of the page."""
        text = self.client.get("/teach?lang=fr").text
        found = re.search(r"<h1>(.*?)</h1>", text, re.DOTALL)
        assert found is not None
        return unescape(found[1]).strip()


def show_the_table(phone: Phone, hands: Hands) -> None:
    """Let the camera look at the bare table, and tap where dice fall."""
    hands.clear()
    hands.think()
    phone.tap("look")
    for x, y in hands.tray():
        hands.think()
        phone.tap("tap", x=str(x), y=str(y))


def sentences(course: Course) -> dict[str, LessonStep]:
    """Return what each line of the page means that asks for something."""
    words = Words("fr", strict=True)
    told: dict[str, LessonStep] = {}
    for at, step in enumerate(course.steps):
        counts = {item.key: 99 for item in course.items if item != step}
        lesson = Lesson("k", course, Progress(at=at), counts, bare=True, tray=True)
        line, _ = task_text(lesson)
        told.setdefault(words.say(line.line, line.params), step)
    return told


def new_teacher(folder: Path) -> KitTeacher:
    return KitTeacher(folder / "kits", lambda *_: None)


def drawn_faces(item: Item) -> Iterator[str]:
    """Yield the faces of the stand-in that show an item, side by side.

    The ordinary die of the drawn table has a five in place of the second two.
    """
    yield item.face
    if item.sides > 1:
        yield "5"
