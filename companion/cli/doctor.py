"""``dragon-table doctor``: what was found, and what to do about it."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import click
import msgspec

from companion.cli import pages
from companion.cli.club import table_name_option
from companion.cli.device import own_language
from companion.cli.errors import BadInput
from companion.cli.first_start import RIG_NAME, STORE_NAME, default_data
from companion.cli.play import data_option, pace_option, port_option
from companion.cli.rolls import ROLLS, ask_in_terminal, open_source, try_rolls
from companion.cli.watchers import check_pace, measured_height_mm
from companion.doctor.checks import examine
from companion.doctor.running_table import (
    examine_colours,
    examine_mat,
    examine_mode,
    examine_picture,
)
from companion.words import Words
from companion.words.said import in_words, say
from firmware.display import open_display
from firmware.doctor import check_pins
from firmware.finding import Finding, Level, said_by, sentence
from firmware.pins import one_line, open_pins
from firmware.trial import PARTS, Trial
from firmware.voice import Voice, can_speak
from firmware.wiring import WiringError, read_wiring, wiring_path
from vision.arrays import Picture
from vision.camera.device import DeviceFacts
from vision.camera.library import LibraryMissing, camera_modules, load_picamera2
from vision.camera.port import CameraMissing
from vision.camera.usb import list_webcams
from vision.mat import order

Result = TypeVar("Result")

LIMIT_S = 30.0
"""A Pi's camera opens and adapts within 15 s, and gives a picture within 2."""

ALL_PARTS = "all"

MARKS = {Level.OK: "ok  ", Level.WARN: "warn", Level.FAIL: "FAIL"}


@click.command()
@click.option(
    "--hardware",
    type=click.Choice((ALL_PARTS, *PARTS)),
    is_flag=False,
    flag_value=ALL_PARTS,
    default=None,
    help="Go through every button, lamp and sound, then ten rolls, with your help; or "
    "through one kind of part alone, while you build.",
)
@click.option(
    "--rolls",
    type=click.IntRange(0, 1000),
    default=None,
    help="Read this many rolls of a die while you type what it shows, and estimate how "
    "many of 100 would be misread; 10 with --hardware.",
)
@click.option(
    "--camera", default=None,
    help="The camera for light and rolls: pi, a webcam's number, or a folder of "
    "pictures. Without it: the running table's camera, else the one that is found.",
)  # fmt: skip
@pace_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option(
    "--club", is_flag=False, flag_value="", default=None,
    help="Check the way to the club too: its broker's address, or nothing for the one "
    "in DRAGON_TABLE_CLUB.",
)  # fmt: skip
@table_name_option
@port_option
@data_option
def doctor(
    hardware: str | None, rolls: int | None, camera: str | None,
    pictures_a_second: float | None, as_json: bool, club: str | None, table_name: str,
    port: int, data: Path | None,
) -> int:  # fmt: skip
    """Check the whole table, from its board to its light, and say what to do."""
    check_pace(camera, pictures_a_second)
    address = pages.address(port)
    part = None if hardware == ALL_PARTS else hardware
    height_mm = measured_height_mm((data or default_data()) / RIG_NAME)
    found = tuple(examine(data or default_data(), port, address))
    # A running table holds the pins: each would be reported busy.
    runs = any(f.id == "port" and "answers" in f.evidence for f in found)
    count = rolls if rolls is not None else ROLLS if hardware == ALL_PARTS else 0
    if runs and (hardware or count):
        raise BadInput(say("doctor.busy"))
    if part is not None:
        # Whoever builds wants to hear of what was just built, and of nothing else.
        return _report(tuple(_try_out(data or default_data(), part)), as_json)
    findings = (*found, *check_pins(wiring_path(), table_runs=runs))
    if club is not None:
        findings = (*findings, *_examine_club(club, table_name, data or default_data()))
    if hardware:
        findings = (*findings, *_try_out(data or default_data()))
    if count:
        findings = (
            *findings,
            *_roll(count, camera or camera_at() or "pi", pictures_a_second, height_mm),
        )
    elif not runs and (name := camera or camera_at()) is not None:
        findings = (*findings, *_look(name, pictures_a_second, height_mm))
    return _report(findings, as_json)


def _examine_club(broker: str, name: str, data: Path) -> Iterator[Finding]:
    """Yield what there is to say of the table's way to its club."""
    try:
        # The extra `club` is no part of a table alone.
        from companion.club.broker import read_address
        from companion.club.messages import table_id
        from companion.club.table.checks import examine_club
    except ImportError as error:
        what = say("club.doctor.extra", names=str(error.name))
        yield Finding("club", Level.FAIL, what, say("club.doctor.extra_do"))
        return
    try:
        address = read_address(broker or os.environ.get("DRAGON_TABLE_CLUB", ""))
        yield from examine_club(address, table_id(name), data / STORE_NAME)
    except ValueError as error:
        yield Finding("club", Level.FAIL, f"{error}.")


def _report(findings: tuple[Finding, ...], as_json: bool) -> int:
    """Print what was found; return the exit code."""
    if as_json:
        click.echo(msgspec.json.encode(findings, enc_hook=str))
    else:
        words = Words(own_language(os.environ))
        for finding in findings:
            evidence = in_words(finding.evidence, words)
            click.echo(f"{MARKS[finding.level]}  {finding.id:11}  {evidence}")
            if finding.remedy:
                click.echo(f"                   {in_words(finding.remedy, words)}")
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def camera_at(
    load: Callable[[], Any] = load_picamera2,
    plugged_in: Callable[[], tuple[str, ...]] = list_webcams,
) -> str | None:
    """Return what a look is taken with: a Pi's camera, else the first webcam."""
    try:
        modules = camera_modules(load())
    except LibraryMissing:
        modules = ()  # why is said beside, by `examine_camera`
    return "pi" if modules else next(iter(plugged_in()), None)


def _look(
    camera: str, pictures_a_second: float | None, height_mm: float | None
) -> Iterator[Finding]:
    """Yield mode, colours, light, focus and reflections of one picture, taken now."""
    try:
        shots = partial(_shots, camera, pictures_a_second, height_mm)
        pictures, facts = in_time(shots, LIMIT_S)
    except Exception as error:  # noqa: BLE001
        # Drivers raise what they like, and all else that was found is still to be said.
        yield Finding(
            "picture", Level.WARN, say("doctor.picture", why=_why(error)),
            say("doctor.picture_do"),
        )  # fmt: skip
        return
    for picture in pictures[-1:]:
        if facts is not None:
            yield examine_mode(facts)
            yield examine_colours(facts, order.swaps_red_and_blue(picture))
        yield from examine_picture(picture)
        yield from examine_mat(picture)


def _shots(
    camera: str, pictures_a_second: float | None, height_mm: float | None
) -> tuple[tuple[Picture, ...], DeviceFacts | None]:
    with open_source(camera, pictures_a_second, height_mm) as shots:
        return shots(), shots.facts


def in_time(act: Callable[[], Result], limit_s: float) -> Result:
    """Return what *act* returns; a driver that hangs must not keep the doctor.

    Raises:
        CameraMissing: It took longer.
        Exception: What *act* raises.
    """
    answer: Future[Result] = Future()

    def run() -> None:
        try:
            answer.set_result(act())
        except Exception as error:  # noqa: BLE001
            # Handed on to whoever asked.
            answer.set_exception(error)

    Thread(target=run, name="camera", daemon=True).start()
    try:
        return answer.result(limit_s)
    except FutureTimeout as error:
        if answer.done():
            raise  # the camera's own
        raise CameraMissing(f"the camera did not answer for {limit_s:.0f} s") from error


def _why(error: Exception) -> str:
    return error.message if isinstance(error, BadInput) else one_line(error)


def _roll(
    count: int, camera: str, pictures_a_second: float | None, height_mm: float | None
) -> Iterator[Finding]:
    """Yield what came of some rolls; people are told what to do on stderr."""
    try:
        with open_source(camera, pictures_a_second, height_mm) as shots:
            yield from try_rolls(count, shots, _ask, _tell)
    except Exception as error:  # noqa: BLE001
        # As in `_look`.
        yield Finding(
            "rolls", Level.WARN, say("doctor.rolls", why=_why(error)),
            say("doctor.picture_do"),
        )  # fmt: skip


def _ask(question: str) -> str | None:
    """Ask in what people speak; None at the end of input."""
    return ask_in_terminal(in_words(question, Words(own_language(os.environ))))


def _answer_in_terminal(question: str) -> bool | None:
    """Ask for yes or no, in three languages; None at the end of input."""
    words = Words(own_language(os.environ))
    yes_no = words.say("doctor.trial.yes_no")
    answer = ask_in_terminal(f"{in_words(question, words)} [{yes_no}]")
    return None if answer is None else answer[:1].lower() in ("y", "o", "j")


def _tell(text: str) -> None:
    """Tell people what to do, or what came of it, in what they speak."""
    click.echo(in_words(text, Words(own_language(os.environ))), err=True)


def _try_out(data: Path, part: str | None = None) -> Iterator[Finding]:
    """Yield what came of the test plan; people are told what to do on stderr.

    A single *part* is answered for in the terminal: the buttons may not be there yet.
    """
    try:
        wiring = read_wiring(wiring_path())
    except WiringError as error:
        what = sentence("wiring.bad", "{why}.", why=said_by(error))
        yield Finding("trial", Level.FAIL, what, say("doctor.trial.wiring_do"))
        return
    pins = open_pins()
    if pins.simulated:
        pins.close()
        yield Finding(
            "trial", Level.WARN, say("doctor.trial.simulated"),
            say("doctor.trial.simulated_do"),
        )  # fmt: skip
        return
    display, missing = open_display(pins, wiring, data / "display.png")
    if missing is not None and part in (None, "display"):
        yield missing
    try:
        tone = Voice(data / "clips").tone if can_speak() else None
        ask = None if part is None else _answer_in_terminal
        yield from Trial(
            pins, wiring, display, _tell, time.monotonic, time.sleep, tone, part, ask
        ).run()
    finally:
        pins.close()
