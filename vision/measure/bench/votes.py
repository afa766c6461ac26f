"""What it is worth to look twice at dice, on photographs with a sensor's noise.

``python -m vision.measure.bench.votes FOLDER`` gives each photograph of pip dice two
draws of noise, as two pictures of one stillness have, and writes the table in
vision/README.md.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from msgspec.structs import replace

from vision.arrays import Picture
from vision.camera.files import open_picture
from vision.measure.accuracy import PIP_SETS, count_dice, true_dice, write_table
from vision.pips.reader import DetectedDie, pip_limits, read_dice

Dice: TypeAlias = tuple[DetectedDie, ...]

NOISES = (3.0, 6.0)
"""Spread of the noise in grey values: an indoor lamp, and little light."""

WIDEST_PX = 1280
"""What a camera of the table gives; phones give four times as much."""

JPEG = 80


def first_look(one: Dice, _other: Dice) -> Dice:
    """Believe the first look."""
    return one


def surer_look(one: Dice, other: Dice) -> Dice:
    """Believe the first look, the surer of two where it leaves doubts: as in play."""
    if one and all(die.sure for die in one):
        return one
    looks = (other, one)
    return max(looks, key=lambda dice: (_sure(dice), _sure(dice) - len(dice)))


def agreed_looks(one: Dice, other: Dice) -> Dice:
    """Believe what two looks agree on: a vote."""
    agreed = [
        die if any(_alike(die, twin) for twin in one) else replace(die, sure=False)
        for die in other
    ]
    lone = (die for die in one if not any(_meet(die, twin) for twin in other))
    return (*agreed, *(replace(die, sure=False) for die in lone))


POLICIES: dict[str, Callable[[Dice, Dice], Dice]] = {
    "one look alone": first_look,
    "again where in doubt": surer_look,
    "two looks must agree": agreed_looks,
}


def _sure(dice: Dice) -> int:
    return sum(die.sure for die in dice)


def _alike(one: DetectedDie, other: DetectedDie) -> bool:
    same = one.faces[0][0] == other.faces[0][0]
    return same and one.sure and other.sure and _meet(one, other)


def _meet(one: DetectedDie, other: DetectedDie) -> bool:
    a, b = one.box, other.box
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    least = min((c[2] - c[0]) * (c[3] - c[1]) for c in (a, b))
    return wide > 0 and high > 0 and wide * high > 0.4 * least


def _photographs(folder: Path, every: int) -> Iterable[str]:
    for name in PIP_SETS:
        yield from sorted(true_dice(folder, name))[::every]


def add_noise(picture: Picture, noise: float, random: np.random.Generator) -> Picture:
    """Return a picture as a camera would give it again, at most `WIDEST_PX` wide."""
    if picture.shape[1] > WIDEST_PX:
        share = WIDEST_PX / picture.shape[1]
        picture = np.asarray(
            cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    shown = picture + random.normal(0, noise, picture.shape)
    spoilt = np.clip(shown, 0, 255).astype(np.uint8)
    _, jpeg = cv2.imencode(".jpg", spoilt, [cv2.IMWRITE_JPEG_QUALITY, JPEG])
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def votes_table(folder: Path, every: int = 1) -> str:
    """Return a Markdown table of what each rule makes of two looks.

    Args:
        folder: Holds ``labels.csv`` and a folder for each set.
        every: Take only one of so many photographs, in name order.
    """
    truth = {
        photo: dice
        for name in PIP_SETS
        for photo, dice in true_dice(folder, name).items()
    }
    limits, lines = (
        pip_limits(),
        [
            "| noise | looks | dice | right | asked | missed | wrong |",
            "|--:|---|--:|--:|--:|--:|--:|",
        ],
    )
    for noise in NOISES:
        random = np.random.default_rng(3)
        counts: dict[str, Counter[str]] = {name: Counter() for name in POLICIES}
        for photo in _photographs(folder, every):
            picture = open_picture(folder / photo).picture
            looks = [add_noise(picture, noise, random) for _ in range(2)]
            one, other = (read_dice(look, limits, anywhere=True) for look in looks)
            for name, rule in POLICIES.items():
                tally = count_dice(truth[photo], rule(one, other), looks[0].shape[:2])
                counts[name]["dice"] += len(truth[photo])
                for what in ("right", "asked", "missed", "wrong"):
                    counts[name][what] += getattr(tally, what)
        lines += [
            f"| {noise:.0f} | {name} | {row['dice']} | {row['right']} | {row['asked']} "
            f"| {row['missed']} | {row['wrong']} |"
            for name, row in counts.items()
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    text = votes_table(Path(sys.argv[1]))
    write_table(Path(__file__).parents[2] / "README.md", text, "votes")
    sys.stdout.write(text + "\n")
