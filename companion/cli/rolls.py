"""The ten-roll test of ``dragon-table doctor``: how well dice are read in a light."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from companion.cli.calibrate import WARM_UP
from companion.cli.errors import BadInput
from companion.cli.watchers import device
from companion.doctor.misreads import (
    JudgedRoll,
    Rate,
    compare,
    misreads,
    percent_asked,
)
from companion.doctor.running_table import examine_mat, examine_picture
from companion.kits.next_step import RollVerdict
from companion.words.said import say
from firmware.finding import Finding, Level
from vision.arrays import Picture
from vision.camera.best_look import choose_reading
from vision.camera.device import CameraDevice, DeviceFacts
from vision.camera.port import CameraMissing, FolderCamera
from vision.reader import Awaited, Reader

FACES = tuple("123456")

ROLLS = 10

MANY_ASKED = 30.0
"""Of 100 rolls. A lone ace is often asked about in any light, and that is one roll in
six (vision/README.md, "Competition"); twice as many questions come from the light."""

STALE = 4
"""Pictures that are let pass before a roll is read: they wait in the driver's buffers,
and may be from before it."""


class Shots:
    """Takes the pictures of one roll; *facts* is what a live camera gives.

    Called, it returns as many as the table reads of a stillness; none when there will
    be no more.
    """

    def __init__(
        self, take: Callable[[], tuple[Picture, ...]], facts: DeviceFacts | None = None
    ) -> None:
        self._take = take
        self.facts = facts

    def __call__(self) -> tuple[Picture, ...]:
        """Take them.

        Raises:
            OSError: The camera is gone, or a picture cannot be opened.
        """
        return self._take()


Ask: TypeAlias = Callable[[str], str | None]
"""Puts a question to people; None when they want to stop."""


@contextmanager
def open_source(
    camera: str,
    pictures_a_second: float | None = None,
    height_mm: float | None = None,
) -> Iterator[Shots]:
    """Open a camera, or a folder that holds one picture for each roll.

    What it is given is what `companion.cli.watchers.device` takes.

    Raises:
        BadInput: There is no such camera, or a picture cannot be opened.
    """
    try:
        opens = device(camera, pictures_a_second, height_mm)
        if opens is None:
            yield Shots(_from_folder(Path(camera)))
            return
        live = opens()
    except (CameraMissing, OSError) as error:
        raise BadInput(str(error)) from error
    try:
        _skip(live, WARM_UP)
        yield Shots(partial(_two, live), live.facts())
    finally:
        live.close()


def _skip(live: CameraDevice, count: int) -> None:
    for _ in range(count):
        live.shoot()


def _two(live: CameraDevice) -> tuple[Picture, ...]:
    _skip(live, STALE)
    return live.shoot().picture, live.shoot().picture


def _from_folder(path: Path) -> Callable[[], tuple[Picture, ...]]:
    folder = FolderCamera(path, clock=time.monotonic)

    def shoot() -> tuple[Picture, ...]:
        frame = folder.read()
        if frame is None:
            return ()
        if frame.picture is None:
            raise BadInput(frame.trouble or f"{frame.name} cannot be opened")
        return (frame.picture,)

    return shoot


def try_rolls(
    count: int, shots: Shots, ask: Ask, tell: Callable[[str], object]
) -> Iterator[Finding]:
    """Yield what *count* rolls of a pip die say about this light.

    People say what the die shows before they hear what was read: whoever only nods
    does not look.
    """
    reader = Reader()
    rolls: list[JudgedRoll] = []
    last: Picture | None = None
    while len(rolls) < count:
        face = _face(len(rolls) + 1, count, ask)
        if face is None:
            break
        pictures = shots()
        if not pictures:
            break
        last = pictures[-1]
        reading = choose_reading(reader.read(one, Awaited()) for one in pictures)
        rolls.append(compare(reading, face))
        tell(say(f"doctor.rolls.{rolls[-1].verdict}"))
    if last is None:
        yield Finding(
            "rolls", Level.WARN, say("doctor.rolls.none"), say("doctor.rolls.none_do")
        )
        return
    yield verdict(rolls)
    yield from examine_picture(last)
    yield from examine_mat(last)


def _face(number: int, count: int, ask: Ask) -> str | None:
    question = say("doctor.rolls.ask", number=number, count=count)
    while (answer := ask(question)) is not None:
        if answer.strip() in FACES:
            return answer.strip()
    return None


def verdict(rolls: list[JudgedRoll]) -> Finding:
    """Return how many of 100 rolls would be misread and asked about in this light."""
    wrong, open_ = misreads(rolls), percent_asked(rolls)
    counts = {one: sum(roll.verdict is one for roll in rolls) for one in RollVerdict}
    evidence = say(
        "doctor.rolls.rate",
        rolls=len(rolls),
        right=counts[RollVerdict.RIGHT],
        asked=counts[RollVerdict.ASKED],
        wrong=counts[RollVerdict.WRONG],
        about=_about(wrong),
        most=round(wrong.at_most),
        about_asked=round(open_.about),
        most_asked=round(open_.at_most),
    )
    remedy = say("doctor.rolls.rate_do")
    if counts[RollVerdict.WRONG]:
        return Finding("rolls", Level.FAIL, evidence, remedy)
    if open_.about > MANY_ASKED:
        return Finding("rolls", Level.WARN, evidence, remedy)
    return Finding("rolls", Level.OK, evidence)


def _about(rate: Rate) -> str:
    number = round(rate.about)
    if number == 0:
        return say("doctor.rolls.hardly")
    return say("doctor.rolls.about", n=number)


def ask_in_terminal(question: str) -> str | None:
    """Ask on stderr, so that the output stays clean; None at the end of input."""
    click.echo(f"{question}: ", nl=False, err=True)
    line = sys.stdin.readline()
    return line.strip() if line else None
