"""Photographs a game on a traced table into a folder, with the truth beside it.

The pictures are what a camera gives while people play: hands, what lies there after
each act, a lamp that is switched, a camera that is bumped. ``truth.json`` says what is
what.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from companion.games import find
from companion.games.copy import Item, Kind
from companion.kits.curriculum import course
from tests.realtable.acts import Act, lying_there, play
from tests.realtable.camera import Pose, camera_over, develop, expose, knocked
from tests.realtable.lamps import AFTER, LIGHTS, Light
from tests.realtable.stage import Stage, View
from tests.realtable.tables import RealTable
from vision.arrays import Floats
from vision.drawn.tabletop import DrawnPiece, Hand
from vision.tabletop.plan import CARD, DICE, DIE, Spot

SIZE = (1080, 1920)

SHOTS = 4
"""Pictures of each side of a die in a lesson: one more than are asked for."""

REST = Hand(180.0, 300.0)
"""Where a hand lies that rests over the near side of the table, mm."""

NAMES = ("Ana", "Bo", "Cy", "Dé", "Eva", "Fé", "Gil")


class Wish(Struct, frozen=True):
    """What game is filmed.

    *hand_at*, *cloud_at*, *knock_at* and *light_at* are the acts before which a hand
    rests over the table, a cloud comes for one act, the camera is bumped and another
    lamp is lit; None for never.
    """

    acts: int
    light: str
    seed: int = 1
    players: int = 3
    size: tuple[int, int] = SIZE
    hand_at: int | None = None
    cloud_at: int | None = None
    knock_at: int | None = None
    light_at: int | None = None


def disturbed(acts: int, light: str, seed: int) -> Wish:
    """Return a game in which each disturbance comes once, far from the others."""
    parts = (acts // 6, acts // 3, acts // 2, 3 * acts // 4)
    return Wish(acts, light, seed, 3, SIZE, *parts)


class Shooting:
    """Takes pictures of a stage into a folder, and notes each."""

    def __init__(self, stage: Stage, folder: Path, light: Light, pose: Pose, seed: int):
        self._stage, self._folder = stage, folder
        self.light, self.pose, self.cloudy = light, pose, False
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
        if self.cloudy:
            light = light * cloud(light.shape[1])
        self._number += 1
        name = f"{self._number:05}.jpg"
        coded = develop(light, self._exposure, self._seed * 100_000 + self._number)
        (self._folder / name).write_bytes(coded)
        self.notes.append({"name": name, **note})
        return name


def cloud(wide: int) -> Floats:
    """Return what a cloud leaves of the light, ``(1, wide, 1)``: less at the left."""
    across = 1 / (1 + np.exp(-np.linspace(-4, 4, wide)))
    return (0.5 + 0.25 * across)[None, :, None].astype(np.float32)


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
        spots = table.plan.spots_of(item.piece)[:1]
        if item.kind is Kind.CARD:
            spots = _card_spots(table)
        many = SHOTS * item.sides if thing.shape in DICE else 3
        for number in range(many):
            spot = spots[number * (len(spots) - 1) // (many - 1)]
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


def _card_spots(table: RealTable) -> list[Spot]:
    """Return where cards may lie, from left to right: there they are pushed."""
    plan = table.plan
    cards = {thing.piece for thing in plan.things if thing.shape is CARD}
    spots = {(s.x_mm, s.y_mm): s for one in sorted(cards) for s in plan.spots_of(one)}
    return [spots[at] for at in sorted(spots)]


def _play(shooting: Shooting, table: RealTable, wish: Wish) -> Any:
    names = NAMES[: wish.players]
    lying: tuple[DrawnPiece, ...] = ()
    ground = table.plan.grounds[0].name
    for number, (act, story) in enumerate(play(table, names, wish.seed, wish.acts)):
        pictures = []
        for what in _events(shooting, wish, number):
            hand = REST if what == "rest" else None
            pictures.append([shooting.take(ground, lying, hand), what])
        if number == 0 and not act.stages:
            pictures.append([shooting.take(ground, lying), "still"])
        for step in act.stages:
            pictures += [[shooting.take(ground, lying, h), "hand"] for h in step.hands]
            ground, lying = step.ground, step.lying
            pictures.append([shooting.take(ground, lying), "still"])
        yield _note(number, act, pictures, lying_there(story))


def _events(shooting: Shooting, wish: Wish, number: int) -> Iterator[str]:
    """Let happen what comes before an act, and yield what to take a picture of."""
    if number == 0:
        return
    if number == wish.hand_at:
        yield "rest"
    if shooting.cloudy or number == wish.cloud_at:
        shooting.cloudy = number == wish.cloud_at
        yield "cloud"
    if number == wish.knock_at:
        shooting.pose = knocked(shooting.pose, wish.seed)
        yield "knock"
    if number == wish.light_at:
        shooting.light = LIGHTS[AFTER[wish.light]]
        yield "light"


def _note(
    number: int, act: Act, pictures: list[list[str]], layout: list[list[Any]]
) -> dict[str, Any]:
    return {
        "act": number, "move": act.notation, "kind": act.kind, "seat": act.seat,
        "seen": act.seen, "pictures": pictures, "layout": layout,
    }  # fmt: skip
