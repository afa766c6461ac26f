"""Photographs a game on a traced table into a folder, with the truth beside it.

The pictures are what a camera gives while people play: hands, what lies there after
each act, a lamp that is switched, a camera that is bumped. ``truth.json`` says what is
what.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from companion.games import find
from companion.games.copy import Item
from companion.kits.curriculum import course
from tests.realtable.acts import Act, lying_there, play
from tests.realtable.camera import Pose, camera_over, develop, expose, knocked
from tests.realtable.lamps import AFTER, LIGHTS, Light
from tests.realtable.stage import Stage, View
from tests.realtable.tables import RealTable
from vision.drawn.tabletop import DrawnPiece, Hand
from vision.tabletop.plan import DICE, DIE

SIZE = (1080, 1920)

SHOTS = 4
"""Pictures of each side of a die in a lesson: one more than are asked for."""

NAMES = ("Ana", "Bo", "Cy", "Dé", "Eva", "Fé", "Gil")


class Wish(Struct, frozen=True):
    """What game is filmed.

    *knock_at* and *light_at* are the acts before which the camera is bumped and the
    light changes; None for never.
    """

    acts: int
    light: str
    seed: int = 1
    players: int = 3
    size: tuple[int, int] = SIZE
    knock_at: int | None = None
    light_at: int | None = None


class Shooting:
    """Takes pictures of a stage into a folder, and notes each."""

    def __init__(self, stage: Stage, folder: Path, light: Light, pose: Pose, seed: int):
        self._stage, self._folder = stage, folder
        self.light, self.pose = light, pose
        self._seed = seed
        self._number = 0
        self._exposure: Any = None
        self._exposed: Light | None = None
        self.notes: list[dict[str, Any]] = []

    def take(
        self, ground: str, lying: tuple[DrawnPiece, ...], hand: Hand | None = None,
        **note: Any,
    ) -> str:  # fmt: skip
        """Take one picture; return its name."""
        view = View(ground, self.light, self.pose)
        light = self._stage.picture(view, lying, hand)
        if self._exposed is not self.light:
            self._exposure, self._exposed = expose(light), self.light
        self._number += 1
        name = f"{self._number:05}.jpg"
        coded = develop(light, self._exposure, self._seed * 100_000 + self._number)
        (self._folder / name).write_bytes(coded)
        self.notes.append({"name": name, **note})
        return name


def film(mi: Any, table: RealTable, wish: Wish, folder: Path) -> dict[str, Any]:
    """Write pictures and truth of a lesson and a game; return the truth."""
    for name in ("lesson", "game"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    stage = Stage(mi, table, wish.size)
    pose = camera_over(table.view_mm, wish.seed)
    light = LIGHTS[wish.light]
    lesson = Shooting(stage, folder / "lesson", light, pose, wish.seed)
    _teach(lesson, table, wish.seed)
    game = Shooting(stage, folder / "game", light, pose, wish.seed + 1)
    truth = {
        "game": table.game,
        "players": list(NAMES[: wish.players]),
        "light": wish.light,
        "seed": wish.seed,
        "taps": taps(table, pose, wish.size),
        "px_per_mm": wish.size[1] / table.view_mm,
        "lesson": lesson.notes,
        "acts": list(_play(game, table, wish)),
    }
    text = json.dumps(truth, indent=1, ensure_ascii=False)
    (folder / "truth.json").write_text(text, encoding="utf-8")
    return truth


def taps(table: RealTable, pose: Pose, size: tuple[int, int]) -> dict[str, Any]:
    """Return where corners, spaces and the tray truly are, as parts of the picture.

    ``mm`` is how much of the picture's width and height a millimetre is.
    """

    def part(x_mm: float, y_mm: float) -> list[float]:
        x, y = pose.project(np.array([(*table.world(x_mm, y_mm), 0.0)]), size)[0]
        return [float(x) / size[1], float(y) / size[0]]

    ends = None
    if table.tray is not None:
        left, top, right, bottom = table.tray
        ends = [part(left, top), part(right, bottom)]
    scale = size[1] / table.view_mm
    return {
        "corners": [part(*corner) for corner in table.corners],
        "spaces": {place: part(*at) for place, at in table.taps.items()},
        "tray": ends,
        "mm": [scale / size[1], scale / size[0]],
    }


def _teach(shooting: Shooting, table: RealTable, seed: int) -> None:
    """Take the pictures of a lesson: the bare table, then thing after thing alone."""
    box = find(table.game).stand_in
    ground = table.plan.grounds[0].name
    chance = np.random.default_rng(seed)
    shooting.take(ground, (), what="bare")
    for item in (step for step in course(table.game, box).steps):
        if not isinstance(item, Item):
            continue
        thing = table.plan.thing(item.piece)
        if thing.shape is DIE:
            continue  # an ordinary one need not be shown
        spot = table.plan.spots_of(item.piece)[0]
        many = SHOTS * item.sides if thing.shape in DICE else 3
        for _ in range(many):
            room = 0.35 if thing.shape in DICE else 0.04
            x, y = spot.x_mm, spot.y_mm
            x += room * spot.width_mm * float(chance.uniform(-1, 1))
            y += room * spot.height_mm * float(chance.uniform(-1, 1))
            turn = float(chance.uniform(0, 360))
            if thing.shape not in DICE:
                turn = float(chance.normal(0, 2))
            one = DrawnPiece(item.piece, item.face, x, y, turn)
            shooting.take(
                ground, (one,), what="shown", piece=item.piece, face=item.face
            )


def _play(shooting: Shooting, table: RealTable, wish: Wish) -> Any:
    names = NAMES[: wish.players]
    lying: tuple[DrawnPiece, ...] = ()
    ground = table.plan.grounds[0].name
    for number, (act, story) in enumerate(play(table, names, wish.seed, wish.acts)):
        pictures = []
        if number and number == wish.knock_at:
            shooting.pose = knocked(shooting.pose, wish.seed)
            pictures.append([shooting.take(ground, lying), "knock"])
        if number and number == wish.light_at:
            shooting.light = LIGHTS[AFTER[wish.light]]
            pictures.append([shooting.take(ground, lying), "light"])
        for step in act.stages:
            pictures += [[shooting.take(ground, lying, h), "hand"] for h in step.hands]
            ground, lying = step.ground, step.lying
            pictures.append([shooting.take(ground, lying), "still"])
        yield _note(number, act, pictures, lying_there(story))


def _note(
    number: int, act: Act, pictures: list[list[str]], layout: list[list[Any]]
) -> dict[str, Any]:
    return {
        "act": number, "move": act.notation, "kind": act.kind, "seat": act.seat,
        "seen": act.seen, "pictures": pictures, "layout": layout,
    }  # fmt: skip
