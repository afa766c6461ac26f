"""Puts a running table together: store, camera, buttons, lamps, pages.

Owns nothing but the order in which the parts start and stop.
"""

import json
import logging
import os
import secrets
import signal
import socket
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import segno
from msgspec import Struct

from companion.capsule.evidence_store import MOST_BYTES, Album
from companion.capsule.input_log import Recipe
from companion.capsule.input_recorder import Recorder
from companion.cli.again import should_start_again
from companion.cli.alone import alone
from companion.cli.device import Device, listening, open_device, own_language
from companion.cli.errors import BadInput, CheckFailed, StartAgain
from companion.cli.eyes import open_eye
from companion.cli.kits import as_folder, find_kits, kit_name, kit_part, note_kit
from companion.cli.parts import Parts
from companion.dashboard import create_app
from companion.dashboard.door.hosts import own_names
from companion.dashboard.serve import Server
from companion.dashboard.serve import start as start_server
from companion.doctor.meter import Meter
from companion.kits.kit import BadKit, Kit
from companion.kits.own_dice import Ownership
from companion.referee.decisions import Thresholds
from companion.running.missing import MissingParts
from companion.running.service import Table
from companion.running.storage.store import Store, StoreTrouble
from companion.running.wifi import WifiFiles
from companion.running.wishes import Clock
from companion.table import LinePart
from companion.teaching.page import Teacher
from companion.teaching.teacher import School
from companion.watching.awaited_eye import AwaitedEye
from companion.watching.table_watcher import Onlooker
from companion.watching.tray_watcher import DiceLookout, Lookout
from companion.words import Words
from firmware.notify import notify
from firmware.sound import Spoken

logger = logging.getLogger(__name__)

STORE_NAME = "table.sqlite3"
PICTURES_NAME = "pictures"

MB = 1_000_000

RIG_NAME = "rig.json"
"""Where ``calibrate --save`` leaves what a table's camera sees by, if it does."""

FREE_PORTS = 3
"""How many ports are tried where any will do."""

LOOK_S = 0.5
"""How often the main thread looks whether the table still runs."""

READ_S = 2.0
"""How long the display says that the box goes off before it does."""

SWITCH_OFF_NAME = "switch-off"
"""File in the data folder that asks the service to switch the Pi off."""


def switch_off_file(data: Path | None) -> Path | None:
    """Return where the wish to switch the Pi off is left, None unless systemd asks."""
    if not os.environ.get("NOTIFY_SOCKET"):
        return None
    return (data or default_data()) / SWITCH_OFF_NAME


class Secrets(Struct, frozen=True):
    """What was made at the first start: the key of all links, and the host's PIN."""

    key: bytes
    pin: str


def default_data() -> Path:
    """Return where games are kept when nothing is said: under the user's home."""
    return Path.home() / ".local" / "share" / "dragon-table"


def open_store(data: Path) -> Store:
    """Return the store in *data*, made where there is none.

    Raises:
        BadInput: The folder cannot be used.
    """
    try:
        return Store(data / STORE_NAME)
    except StoreTrouble as error:
        raise BadInput(str(error)) from error


def first_secrets(store: Store) -> Secrets:
    """Return the table's key and PIN, made at the first start and kept since."""
    kept = store.keys()
    if kept is not None:
        return Secrets(bytes.fromhex(kept.key), kept.pin)
    key, pin = secrets.token_hex(32), f"{secrets.randbelow(1_000_000):06d}"
    try:
        store.keep_keys(key, pin)
    except StoreTrouble as error:
        logger.warning("key and PIN are not kept yet: %s", error)
    return Secrets(bytes.fromhex(key), pin)


def read_options(path: Path | None) -> tuple[tuple[str, str], ...]:
    """Return the rulings that a table has set, from a TOML or JSON file.

    Raises:
        BadInput: The file cannot be read or is no table of choices.
    """
    if path is None:
        return ()
    try:
        text = path.read_text(encoding="utf-8")
        parsed: Any = (
            json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        )
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is neither TOML nor JSON: {error}") from error
    if not isinstance(parsed, dict) or not all(
        isinstance(choice, str) for choice in parsed.values()
    ):
        raise BadInput(f'{path} should hold lines such as DH1 = "optional"')
    return tuple(sorted(parsed.items()))


def address(port: int) -> str:
    """Return the address that a phone in the same network can open."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Connecting a datagram socket sends nothing; it only picks the interface.
        probe.connect(("192.0.2.1", 9))
        host = probe.getsockname()[0]
    except OSError:
        host = "127.0.0.1"
    finally:
        probe.close()
    return f"http://{host}:{port}"


def qr_text(link: str) -> str:
    """Return a QR code drawn with block characters, for a terminal."""
    code = segno.make(link, error="l")
    rows = [list(row) for row in code.matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return "\n".join(
        "".join(blocks[(upper, lower)] for upper, lower in zip(up, low, strict=True))
        for up, low in zip(rows[::2], rows[1::2], strict=True)
    )


@contextmanager
def running(
    port: int,
    data: Path | None,
    camera: str | None,
    kit: Path | None = None,
    bare: bool = False,
    seed: int = 0,
    box: Any | None = None,
    onlooker: Callable[[Table], Lookout] | None = None,
    pictures_mb: int = MOST_BYTES // MB,
    recipe: Recipe | None = None,
    frames_mb: int = 0,
) -> Iterator[tuple[Table, Secrets, int]]:
    """Run a whole table; the parts start in order and stop in the other.

    Args:
        port: Where the page is served, 0 for any free port.
        data: Folder of games, kits and secrets, None for the user's own.
        camera: What `eyes.open_eye` takes, None for a table without a camera.
        kit: A kit beside those in the data folder: its folder, or one file.
        bare: Serve only pages, without pins.
        seed: What the drawn dice show.
        box: The box whose groups the tally page knows.
        onlooker: Gives who looks at the table, in place of *camera*.
        pictures_mb: How much may be kept of what readings rest on; 0 keeps nothing.
        recipe: The drawn table that the onlooker looks at.
        frames_mb: How much may be kept of all that the onlooker reads, without loss.

    What cannot be read or started is left out and said on page and terminal; the table
    comes up.

    Raises:
        BadInput: A table runs there already, or the port is taken; one line says what
            to do.
    """
    data = data or default_data()
    missing = MissingParts()
    with ExitStack() as stack:
        parts = Parts(stack, missing)
        stack.enter_context(alone(data, port))
        store = open_store(data)
        stack.callback(store.close)
        known = first_secrets(store)
        kit = as_folder(data, kit, missing)
        kits = find_kits(data, kit, missing)

        def in_words(line: LinePart) -> Spoken:
            story = table.snapshot.story
            names = story.header.players if story is not None else ()
            language = own_language(os.environ)
            return Spoken(line.line, Words(language, names).part(line), language)

        opened = partial(open_device, data, in_words, missing)
        device = None if bare else parts.enter("device", opened)
        table = Table(
            store,
            kits,
            Clock(),
            new_id=lambda: secrets.token_hex(8),
            stage=device.stage.play if device else (lambda _: None),
            thresholds=Thresholds(),
        )
        missing.tell = table.notice_missing
        told = os.environ.get("NOTIFY_SOCKET")
        table.alive = partial(_alive, told, missing)
        recorder = Recorder(data / PICTURES_NAME, recipe, frames_mb * MB)
        parts.begin("journal", recorder.start, recorder.stop)
        table.witness = recorder
        table.start()
        stack.callback(table.stop)
        beside = {kit_name(kit): kit} if kit else {}
        school = School(data / "kits", table.take_kit, beside=beside)
        school.looked = partial(_looked, table, missing)
        own = Ownership(data / "kits", beside)
        own.unread, own.learned = _dice_of(missing)
        eye = (
            onlooker(table)
            if onlooker
            else open_eye(camera, table, own, missing, seed, data / RIG_NAME)
        )
        frames = eye.jpeg if eye else None
        networks = WifiFiles(data / "wifi.json")
        missing.attempt("wifi", networks.check)
        album = Album(data / PICTURES_NAME, pictures_mb * MB)
        teacher = None if bare else school
        serves = partial(pages, table, known, frames=frames, box=box)
        shared = partial(serves, networks=networks, album=album, teacher=teacher)
        server = _served(stack, port, shared)
        if device is not None:
            link = address(server.port)
            heard = partial(listening, table, device, link, recorder)
            parts.enter("device", heard)
            meter = Meter(table)
            parts.begin("power", meter.start, meter.stop)
        if eye is not None:
            table.eye_stuck = eye.is_stuck
            if isinstance(eye, Onlooker) and frames_mb:
                eye.witness = recorder
            if pictures_mb:
                eye.keep = album.keep
                parts.begin("pictures", partial(album.start, table), album.stop)
            _open_eyes(eye, parts, school, device)
        _until_told(table, missing)
        notify(told, "READY=1")
        yield table, known, server.port
        notify(told, "STOPPING=1")


def _served(
    stack: ExitStack, port: int, serve: Callable[[int], AbstractContextManager[Server]]
) -> Server:
    """Return the server of the pages; at any free port where 0 was asked for.

    Raises:
        BadInput: The port is taken.
    """
    for _ in range(0 if port else FREE_PORTS):
        # One that is free now may be somebody else's a moment later.
        with suppress(BadInput):
            return stack.enter_context(serve(port or free_port()))
    return stack.enter_context(serve(port or free_port()))


def _alive(told: str | None, missing: MissingParts) -> None:
    """Say that the writer is alive, and look whether what is missing was mended."""
    # systemd restarts a service whose writer no longer says so.
    notify(told, "WATCHDOG=1")
    missing.try_again()


def _open_eyes(
    eye: Lookout, parts: Parts, school: School, device: Device | None
) -> None:
    """Let the eye look: for the table, and for whoever teaches it."""
    eye.shown_to = school.see
    if isinstance(eye, DiceLookout | AwaitedEye):
        school.picture_of = eye.picture_of
    if device is not None:
        eye.steady = device.stage_held
    parts.begin("eye", eye.start, eye.stop)


def _until_told(table: Table, missing: MissingParts) -> None:
    """Return when everybody can see what is missing; from now on it is logged."""
    missing.tell(missing.all)
    shown = table.snapshot
    while shown.missing != missing.all and not table.failed.is_set():
        shown = table.wait(shown.version, LOOK_S)
    missing.is_greeted = True


def _looked(table: Table, missing: MissingParts, name: str, kit: Kit | BadKit) -> None:
    """Take note of a kit that broke, or was mended, while the table runs."""
    name = kit_name(Path(name))
    if isinstance(kit, BadKit):
        note_kit(missing, name, kit)
    elif missing.clear(kit_part(name)):
        table.take_kit(name, kit)


def _dice_of(
    missing: MissingParts,
) -> tuple[Callable[[str, Exception], object], Callable[[str], object]]:
    """Return what is told of kits whose dice cannot be read, and of those that can."""

    def unread(kit: str, why: Exception) -> None:
        what = LinePart("core.missing.dice", (("name", kit),))
        missing.note(f"dice of {kit}", what, why, in_play=True)

    return unread, lambda kit: missing.clear(f"dice of {kit}")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@contextmanager
def pages(
    table: Table,
    known: Secrets,
    port: int,
    frames: Callable[[], bytes | None] | None,
    box: Any | None = None,
    networks: WifiFiles | None = None,
    album: Album | None = None,
    teacher: Teacher | None = None,
) -> Iterator[Server]:
    """Serve the pages of *table*.

    Raises:
        BadInput: The port is taken.
    """
    app = create_app(
        table,
        secret=known.key,
        pin=known.pin,
        address=address(port),
        frames=frames,
        own_names=own_names,
        tally_box=box,
        networks=networks,
        album=album,
        teacher=teacher,
    )
    try:
        server = start_server(app, "0.0.0.0", port)
    except OSError as error:
        raise BadInput(str(error)) from error
    try:
        yield server
    finally:
        server.close()


def until_told_to_stop(table: Table, switch_off: Path | None = None) -> None:
    """Return when the process is asked to end, by a signal, Ctrl-C or the help button.

    Args:
        table: The running table.
        switch_off: A file that is made when somebody held the help button: the service
            then switches the Pi off. None where the program only ends.

    Raises:
        CheckFailed: The table met a fault of its own; the log has the trace.
        StartAgain: Only a new process gets the camera back, and systemd starts one.
    """
    stop, began_s = threading.Event(), time.monotonic()
    restarts = bool(os.environ.get("NOTIFY_SOCKET"))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.wait(LOOK_S):
        if table.failed.is_set():
            raise CheckFailed(
                "the table stopped on a fault of its own; start it again, "
                "every move that was shown is kept"
            )
        up_s = time.monotonic() - began_s
        if restarts and should_start_again(table.eye_stuck(), up_s, table.snapshot):
            raise StartAgain(
                "the camera's driver hangs in this program; it ends to be started "
                "again, every move is kept"
            )
        if table.snapshot.off:
            if switch_off is not None:
                switch_off.touch()
            # Long enough to read on the display that it was heard.
            stop.wait(READ_S)
            return
