"""How the eye does on pictures of the second renderer, which it never saw before."""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from companion.table import BoxPx, Face
from vision.arrays import Picture
from vision.cards.reader import CardReader
from vision.cards.references import CardShot, CardShots, build_deck
from vision.cards.see import see_cards
from vision.drawn.artwork import paint_flat
from vision.measure.accuracy import TrueDie, count_dice
from vision.measure.bench.rows import OURS, BenchRow
from vision.measure.bench.traced import (
    DICE,
    FIELD_DEG,
    GROUNDS,
    HEIGHT_PX,
    WIDTH_PX,
    TracedCard,
    TracedDie,
    TracedPosition,
    TracedScene,
    mitsuba,
    trace,
)
from vision.measure.card_counts import count_by_places
from vision.measure.card_labels import LabelledCard
from vision.pips.reader import pip_limits, read_dice
from vision.tabletop.plan import CARD, PieceLook, Thing

FIRST_SEED = 88_000
DICE_A_SCENE = 6
CARD_MM = (30.0, 44.0)

_INKS = ((60, 140, 40), (40, 40, 200), (190, 90, 30), (20, 120, 240))
LOOKS = tuple(
    PieceLook("card", f"{sign}{number}", ink, (235, 235, 235), f"{sign}{number}")
    for sign, ink in zip("ABCD", _INKS, strict=True)
    for number in (1, 2, 3)
)
"""Twelve cards of four colours; within a colour only the digit differs."""


class TrueThing(NamedTuple):
    """Something in a traced picture: what, and its box in px."""

    face: Face
    box: BoxPx


def traced_rows(scenes: int) -> Iterator[BenchRow]:
    """Yield the figures of some scenes of dice and as many of cards."""
    mi = mitsuba()
    if mi is None or not scenes:
        return
    yield _dice_row(mi, scenes)
    yield _cards_row(mi, scenes)


def dice_scene(seed: int) -> TracedScene:
    """Return six dice of one look under a camera and a lamp of their own."""
    chance = np.random.default_rng(seed)
    look = DICE[int(chance.integers(len(DICE)))]
    dice = tuple(
        TracedDie(at, int(chance.integers(1, 7)), look)
        for at in _scatter(chance, DICE_A_SCENE, 26.0, (70.0, 36.0))
    )
    return _scene(seed, chance, dice, (), tilt_deg=(0.0, 32.0))


def card_scene(seed: int, looks: tuple[PieceLook, ...]) -> TracedScene:
    """Return cards that lie about, under a camera and a lamp of their own."""
    chance = np.random.default_rng(seed)
    wide, high = CARD_MM
    thing = Thing("card", CARD, *CARD_MM)
    cards = []
    for number, look in enumerate(looks):
        column, row = number % 3, number // 3
        at = TracedPosition(
            (column - 1) * 58 + float(chance.uniform(-6, 6)),
            (0.5 - row) * 54 + float(chance.uniform(-2, 2)),
            float(chance.normal(0, 6)) + 180 * int(chance.integers(2)),
        )
        cards.append(TracedCard(at, paint_flat(thing, look)[0], wide, high))
    return _scene(seed, chance, (), tuple(cards), tilt_deg=(0.0, 22.0))


def _scene(
    seed: int,
    chance: np.random.Generator,
    dice: tuple[TracedDie, ...],
    cards: tuple[TracedCard, ...],
    tilt_deg: tuple[float, float],
) -> TracedScene:
    tilt = np.radians(chance.uniform(*tilt_deg))
    away = float(chance.uniform(330, 430))
    angle = chance.uniform(0, 2 * np.pi)
    aside = float(chance.uniform(120, 380))
    return TracedScene(
        dice,
        cards,
        GROUNDS[int(chance.integers(len(GROUNDS)))],
        (0.0, -away * float(np.sin(tilt)), away * float(np.cos(tilt))),
        (aside * float(np.cos(angle)), aside * float(np.sin(angle)), 420.0),
        seed,
    )


def _scatter(
    chance: np.random.Generator, many: int, apart_mm: float, reach: tuple[float, float]
) -> list[TracedPosition]:
    found: list[TracedPosition] = []
    while len(found) < many:
        x, y = (float(chance.uniform(-side, side)) for side in reach)
        if all(np.hypot(x - one.x_mm, y - one.y_mm) >= apart_mm for one in found):
            found.append(TracedPosition(x, y, float(chance.uniform(0, 360))))
    return found


def project_box(
    scene: TracedScene, at: TracedPosition, tall_mm: float, side_mm: float
) -> BoxPx:
    """Return the square about a thing of a scene, px."""
    eye = np.array(scene.eye_mm)
    ahead = -eye / np.linalg.norm(eye)
    right = np.array([1.0, 0.0, 0.0])
    away = np.array([at.x_mm, at.y_mm, tall_mm]) - eye
    focal = WIDTH_PX / 2 / np.tan(np.radians(FIELD_DEG / 2))
    scale = focal / float(away @ ahead)
    x = WIDTH_PX / 2 + scale * float(away @ right)
    y = HEIGHT_PX / 2 - scale * float(away @ np.cross(right, ahead))
    half = scale * side_mm / 2
    return round(x - half), round(y - half), round(x + half), round(y + half)


def _dice_row(mi: Any, scenes: int) -> BenchRow:
    limits = pip_limits()
    tallies: Counter[str] = Counter()
    times: list[float] = []
    widths: list[float] = []
    for number in range(scenes):
        scene = dice_scene(FIRST_SEED + number)
        picture = trace(mi, scene)
        start = time.process_time()
        dice = read_dice(picture, limits)
        times.append(1000 * (time.process_time() - start))
        tally = count_dice(true_dice_of(scene), dice, picture.shape[:2])
        tallies += Counter(right=tally.right, wrong=tally.wrong)
        widths += [die.width_px for die in dice if die.sure]
    things = scenes * DICE_A_SCENE
    return BenchRow(
        "traced: d6",
        OURS,
        things,
        None,
        tallies["right"],
        things - tallies["right"] - tallies["wrong"],
        tallies["wrong"],
        float(np.median(times)),
        float(np.median(widths)) / 16 if widths else None,
    )


def true_dice_of(scene: TracedScene) -> tuple[TrueDie, ...]:
    """Return the dice of a scene with boxes in shares of the picture."""
    found = []
    for die in scene.dice:
        a, b, c, d = project_box(scene, die.at, die.width_mm, 1.5 * die.width_mm)
        box = (a / WIDTH_PX, b / HEIGHT_PX, c / WIDTH_PX, d / HEIGHT_PX)
        found.append(TrueDie(die.face, box))
    return tuple(found)


def _cards_row(mi: Any, scenes: int) -> BenchRow:
    """Return the figures of cards that were taught by one traced picture each."""
    halves = (LOOKS[::2], LOOKS[1::2])
    items: list[CardShots] = []
    for number, looks in enumerate(halves):
        scene = card_scene(FIRST_SEED - 1 - number, looks)
        picture = trace(mi, scene)
        items += [
            CardShots(one.face, (_shot(picture, one),)) for one in _cards(scene, looks)
        ]
    reader = CardReader(build_deck(items))
    counts: Counter[str] = Counter()
    times: list[float] = []
    for number in range(scenes):
        looks = halves[number % 2]
        scene = card_scene(FIRST_SEED + number, looks)
        picture = trace(mi, scene)
        start = time.process_time()
        cards = see_cards(picture, reader)
        times.append(1000 * (time.process_time() - start))
        spots = tuple(
            LabelledCard(
                one.face, (one.box[0] + one.box[2]) // 2, (one.box[1] + one.box[3]) // 2
            )
            for one in _cards(scene, looks)
        )
        counts += count_by_places(
            spots, cards, {look.face or "" for look in LOOKS}, set(), False
        )
    return BenchRow(
        "traced: cards",
        OURS,
        counts["cards"],
        None,
        counts["right"],
        counts["asked"] + counts["missed"],
        counts["wrong"] + counts["taken"],
        float(np.median(times)),
    )


def _cards(scene: TracedScene, looks: tuple[PieceLook, ...]) -> list[TrueThing]:
    return [
        TrueThing(look.face or "", project_box(scene, card.at, 0.0, 1.25 * CARD_MM[1]))
        for card, look in zip(scene.cards, looks, strict=True)
    ]


def _shot(picture: Picture, one: TrueThing) -> CardShot:
    left, top, right, bottom = one.box
    height, width = picture.shape[:2]
    return CardShot(
        picture, (max(0, left), max(0, top), min(width, right), min(height, bottom))
    )
