"""Pip dice of labelled photographs, read without a kit, beside the usual recipe."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from vision.arrays import Picture
from vision.camera.files import open_picture
from vision.measure.accuracy import PIP_SETS, TrueDie, count_dice, true_dice
from vision.measure.bench.dice_peers import blobs_and_heaps
from vision.measure.bench.rows import OURS, BenchRow
from vision.pips.contest import DetectedDie
from vision.pips.reader import pip_limits, read_dice

DIE_MM = 16.0
"""The usual die; photographs without a mat do not say how large theirs are."""

_PEER = "blobs + DBSCAN"


def dice_rows(folder: Path, every: int = 1) -> Iterator[BenchRow]:
    """Yield the figures of each set of pip dice, ours and the recipe's.

    Args:
        folder: Holds ``labels.csv`` and a folder for each set.
        every: Take only one of so many photographs, in name order.
    """
    limits = pip_limits()
    readers: dict[str, Callable[[Picture], tuple[DetectedDie, ...]]] = {
        OURS: lambda picture: read_dice(picture, limits, anywhere=True),
        _PEER: blobs_and_heaps,
    }
    for name in PIP_SETS:
        truth = true_dice(folder, name)
        photos = {photo: truth[photo] for photo in sorted(truth)[::every]}
        for reader, read in readers.items():
            yield _row(folder, name, photos, reader, read)


def _row(
    folder: Path,
    name: str,
    photos: dict[str, tuple[TrueDie, ...]],
    reader: str,
    read: Callable[[Picture], tuple[DetectedDie, ...]],
) -> BenchRow:
    first = right = wrong = 0
    times: list[float] = []
    widths: list[float] = []
    for photo, truth in photos.items():
        picture = open_picture(folder / photo).picture
        start = time.process_time()
        dice = read(picture)
        times.append(time.process_time() - start)
        tally = count_dice(truth, dice, picture.shape[:2])
        all_taken = tuple(replace(die, sure=True) for die in dice)
        first += count_dice(truth, all_taken, picture.shape[:2]).right
        right += tally.right
        wrong += tally.wrong
        widths += [die.width_px for die in dice if die.sure]
    things = sum(len(truth) for truth in photos.values())
    return BenchRow(
        name,
        reader,
        things,
        first,
        right,
        max(0, things - right - wrong),
        wrong,
        1000 * float(np.median(times)) if times else None,
        float(np.median(widths)) / DIE_MM if widths and reader == OURS else None,
    )
