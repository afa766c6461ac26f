"""Puts a running table together: store, camera, buttons, lamps, pages.

Owns nothing but the order in which the parts start and stop.
"""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from companion.capsule.evidence_store import MOST_BYTES, EvidenceStore
from companion.capsule.input_log import Recipe
from companion.capsule.input_recorder import InputRecorder
from companion.cli.alone import hold_folder
from companion.cli.device import Device, listening, open_device
from companion.cli.first_start import (
    PICTURES_NAME,
    RIG_NAME,
    Secrets,
    default_data,
    first_secrets,
    open_store,
)
from companion.cli.kits import as_folder, find_kits, kit_name, kit_part, note_kit
from companion.cli.pages import address, pages, start_pages
from companion.cli.part_starter import PartStarter
from companion.cli.watchers import open_watcher
from companion.doctor.meter import Meter
from companion.kits.kit import BadKit, Kit
from companion.kits.own_dice import LearnedKits
from companion.referee.decisions import Thresholds
from companion.running.missing import MissingParts
from companion.running.offered_kits import OfferedKits
from companion.running.service import Table
from companion.running.wifi import WifiFiles
from companion.running.wishes import Clock
from companion.table import Cue, LinePart
from companion.teaching.teacher import KitTeacher
from companion.watching.watcher import Hooks, RecentPictures, Watcher
from firmware.notify import notify
from vision.camera.stills import Stills

MB = 1_000_000

SEEN_S = 0.5
"""How often it is looked whether everybody can see what is missing."""

MakeWatcher: TypeAlias = Callable[[Table, Hooks], Watcher]
"""Makes what watches a table and serves its hooks."""


class Wanted(Struct, frozen=True):
    """What a command asks of a table that is to run.

    Attributes:
        port: Where the page is served, 0 for any free port.
        data: Folder of games, kits and secrets, None for the user's own.
        camera: What `watchers.open_watcher` takes, None for a table without a camera.
        kit: A kit beside those in the data folder: its folder, or one file.
        bare: Serve only pages, without pins.
        seed: What the drawn dice show.
        box: The box whose groups the tally page knows.
        watcher: Makes what watches the table, in place of *camera*.
        pictures_mb: How much may be kept of what readings rest on; 0 keeps nothing.
        recipe: The drawn table that it watches.
        frames_mb: How much may be kept of all that the watcher reads, without loss.
        pictures_a_second: How fast the pictures of a folder are shown that is a live
            camera, None for another *camera*.
    """

    port: int
    data: Path | None = None
    camera: str | None = None
    kit: Path | None = None
    bare: bool = False
    seed: int = 0
    box: Any | None = None
    watcher: MakeWatcher | None = None
    pictures_mb: int = MOST_BYTES // MB
    recipe: Recipe | None = None
    frames_mb: int = 0
    pictures_a_second: float | None = None


class Running(Struct, frozen=True):
    """A table that runs, its secrets, the port of its pages, its folder and watcher.

    *offered* is where a club puts the copies of other tables.
    """

    table: Table
    known: Secrets
    port: int
    data: Path
    offered: OfferedKits
    watcher: Watcher | None = None


class _Core(Struct, frozen=True):
    """The table that runs, its secrets, pins and memory; *beside* are kits by name.

    *offered* are kits of other tables.
    """

    known: Secrets
    table: Table
    recorder: InputRecorder
    device: Device | None
    beside: dict[str, Path]
    offered: OfferedKits


class _Watching(Struct, frozen=True):
    """The watcher, not yet started, and what it serves beside the table."""

    watcher: Watcher | None
    evidence: EvidenceStore
    teacher: KitTeacher


@contextmanager
def run_table(wanted: Wanted) -> Iterator[Running]:
    """Run a whole table; the parts start in order and stop in the other.

    What cannot be read or started is left out and said on page and terminal; the table
    comes up.

    Raises:
        BadInput: A table runs there already, or the port is taken; one line says what
            to do.
    """
    data = wanted.data or default_data()
    missing = MissingParts()
    with ExitStack() as stack:
        parts = PartStarter(stack, missing)
        stack.enter_context(hold_folder(data, wanted.port))
        core = _core(wanted, data, stack, parts, missing)
        watching = _watching(wanted, data, core, missing)
        port = _serve(wanted, data, core, watching, stack, missing)
        _listen(core, port, parts)
        _look(wanted, core, watching, parts)
        _publish(core.table, missing)
        socket = os.environ.get("NOTIFY_SOCKET")
        notify(socket, "READY=1")
        yield Running(
            core.table, core.known, port, data, core.offered, watching.watcher
        )
        notify(socket, "STOPPING=1")


def _core(
    wanted: Wanted,
    data: Path,
    stack: ExitStack,
    parts: PartStarter,
    missing: MissingParts,
) -> _Core:
    """Open store, kits and pins, and start the table's writer."""
    store = open_store(data)
    stack.callback(store.close)
    known = first_secrets(store)
    kit = as_folder(data, wanted.kit, missing)
    kits = find_kits(data, kit, missing)
    opened = partial(open_device, data, missing)
    device = None if wanted.bare else parts.enter("device", opened)
    recorder = InputRecorder(
        data / PICTURES_NAME, wanted.recipe, wanted.frames_mb * MB,
        partial(_note_refused, missing, "journal"),
    )  # fmt: skip
    parts.begin("journal", recorder.start, recorder.stop)
    table = Table(
        store,
        kits,
        Clock(),
        new_id=lambda: secrets.token_hex(8),
        stage=device.stage.play if device else _no_stage,
        thresholds=Thresholds(),
        alive=partial(_alive, os.environ.get("NOTIFY_SOCKET"), missing),
        witness=recorder,
    )
    missing.publish_to(table.notice_missing)
    table.start()
    stack.callback(table.stop)
    beside = {kit_name(kit): kit} if kit else {}
    offered = OfferedKits(table.take_kit)
    return _Core(known, table, recorder, device, beside, offered)


def _no_stage(_: Cue, __: tuple[str, ...]) -> None:
    """Let nothing be seen or heard."""


def _watching(
    wanted: Wanted, data: Path, core: _Core, missing: MissingParts
) -> _Watching:
    """Make the watcher, the teacher who learns by its pictures, and what keeps them."""
    table, pictures, stills = core.table, RecentPictures(), Stills()
    teacher = KitTeacher(
        data / "kits",
        table.take_kit,
        beside=core.beside,
        looked=partial(_note_kit_state, table, missing),
        picture_of=pictures.taken_at,
        stills=stills,
    )
    evidence = EvidenceStore(
        data / PICTURES_NAME, wanted.pictures_mb * MB, partial(_note_refused, missing)
    )
    hooks = Hooks(
        steady=core.device.stage_held if core.device else nullcontext,
        keep=evidence.keep if wanted.pictures_mb else None,
        shown_to=teacher.see,
        pictures=pictures,
        stills=stills,
        witness=core.recorder if wanted.frames_mb else None,
    )
    if wanted.watcher is not None:
        return _Watching(wanted.watcher(table, hooks), evidence, teacher)
    own = LearnedKits(data / "kits", core.beside, *_dice_of(missing))
    rig = data / RIG_NAME
    watcher = open_watcher(
        wanted.camera, table, own, missing, wanted.seed, rig, hooks,
        wanted.pictures_a_second,
    )  # fmt: skip
    return _Watching(watcher, evidence, teacher)


def _note_refused(missing: MissingParts, part: str, why: OSError | str | None) -> None:
    """Say on every page what the disk refuses beside the game, and when it takes it."""
    if why is None:
        missing.clear(part)
    else:
        missing.note(part, LinePart(f"core.missing.{part}"), why, in_play=True)


def _serve(
    wanted: Wanted,
    data: Path,
    core: _Core,
    watching: _Watching,
    stack: ExitStack,
    missing: MissingParts,
) -> int:
    """Serve the pages, and return at which port."""
    networks = WifiFiles(data / "wifi.json")
    missing.attempt("wifi", networks.check)
    serve = partial(
        pages,
        core.table,
        core.known,
        frames=watching.watcher.jpeg if watching.watcher else None,
        box=wanted.box,
        networks=networks,
        evidence=watching.evidence,
        teacher=None if wanted.bare else watching.teacher,
        offered=core.offered,
    )
    return start_pages(stack, wanted.port, serve).port


def _listen(core: _Core, port: int, parts: PartStarter) -> None:
    """Let buttons speak to the table, and lamps speak of it."""
    if core.device is None:
        return
    heard = partial(listening, core.table, core.device, address(port), core.recorder)
    parts.enter("device", heard)
    meter = Meter(core.table)
    parts.begin("power", meter.start, meter.stop)


def _look(wanted: Wanted, core: _Core, watching: _Watching, parts: PartStarter) -> None:
    """Start the watcher, and what keeps its pictures.

    Those of earlier games can be deleted without one too.
    """
    if wanted.pictures_mb and not wanted.bare:
        parts.begin(
            "pictures",
            partial(watching.evidence.start, core.table),
            watching.evidence.stop,
        )
    if watching.watcher is None:
        return
    parts.begin("eye", watching.watcher.start, watching.watcher.stop)


def _alive(socket: str | None, missing: MissingParts) -> None:
    """Say that the writer is alive, and look whether what is missing was mended."""
    # systemd restarts a service whose writer no longer says so.
    notify(socket, "WATCHDOG=1")
    missing.try_again()


def _publish(table: Table, missing: MissingParts) -> None:
    """Return when everybody can see what is missing; from now on it is logged."""
    table.notice_missing(missing.all)
    shown = table.snapshot
    while shown.missing != missing.all and not table.failed.is_set():
        shown = table.wait(shown.version, SEEN_S)
    missing.start_logging()


def _note_kit_state(
    table: Table, missing: MissingParts, name: str, kit: Kit | BadKit
) -> None:
    """Take note of a kit that broke, or was mended, while the table runs."""
    name = kit_name(Path(name))
    if isinstance(kit, BadKit):
        note_kit(missing, name, kit)
    elif missing.clear(kit_part(name)):
        table.take_kit(name, kit)


def _dice_of(
    missing: MissingParts,
) -> tuple[Callable[[str, Exception], object], Callable[[str], object]]:
    """Return what notes kits whose dice cannot be read, and those whose dice can."""

    def unread(kit: str, why: Exception) -> None:
        what = LinePart("core.missing.dice", (("name", kit),))
        missing.note(f"dice of {kit}", what, why, in_play=True)

    return unread, lambda kit: missing.clear(f"dice of {kit}")
