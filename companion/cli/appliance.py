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
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import segno
from msgspec import Struct

from companion.album import MOST_BYTES, Album
from companion.cli.again import should_start_again
from companion.cli.alone import alone
from companion.cli.errors import BadInput, CheckFailed, StartAgain
from companion.cli.eyes import open_eye
from companion.cli.kits import as_folder, find_kits, kit_name
from companion.dashboard import create_app
from companion.dashboard.hosts import own_names
from companion.dashboard.serve import Server
from companion.dashboard.serve import start as start_server
from companion.decisions import Thresholds
from companion.herald import Herald
from companion.journal import Button, Recipe
from companion.lesson import Teacher
from companion.lookout import DiceLookout, Lookout
from companion.meter import Meter
from companion.onlooker import Onlooker
from companion.ownership import Ownership
from companion.recorder import Recorder
from companion.school import School
from companion.service import Clock, Table
from companion.snapshot import Pins as PinsShown
from companion.store import Store, StoreTrouble
from companion.table import LinePart
from companion.wifi import WifiFiles
from companion.words import LANGUAGES, Words
from firmware.buttons import Buttons
from firmware.display import open_display
from firmware.lights import Lights
from firmware.notify import notify
from firmware.pins import Pins, open_pins
from firmware.sound import Sound, Spoken
from firmware.stage import Stage
from firmware.voice import Voice, can_speak
from firmware.wiring import Wiring, WiringError, read_wiring, wiring_path

logger = logging.getLogger(__name__)

STORE_NAME = "table.sqlite3"
PICTURES_NAME = "pictures"

MB = 1_000_000

RIG_NAME = "rig.json"
"""Where ``calibrate --save`` leaves what a table's camera sees by, if it does."""

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


class Device(Struct, frozen=True):
    """Pins, wiring and the stage of lamps and sound, real or simulated."""

    pins: Pins
    wiring: Wiring
    stage: Stage

    @contextmanager
    def stage_held(self) -> Iterator[None]:
        """Keep the tray's lamps as they are while the camera reads."""
        self.stage.hold()
        try:
            yield
        finally:
            self.stage.release()


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
    key, pin = store.meta("key"), store.meta("pin")
    if key is None or pin is None:
        key, pin = secrets.token_hex(32), f"{secrets.randbelow(1_000_000):06d}"
        store.set_meta("key", key)
        store.set_meta("pin", pin)
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
    except ValueError as error:
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


def own_language(environ: Mapping[str, str]) -> str:
    """Return what display and voice speak: the system's language, if we know it."""
    said = environ.get("LC_ALL") or environ.get("LANG") or ""
    return said[:2] if said[:2] in LANGUAGES else "en"


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

    Raises:
        BadInput: A part cannot be started; one line says which and what to do.
    """
    data = data or default_data()
    with ExitStack() as stack:
        stack.enter_context(alone(data, port))
        store = open_store(data)
        stack.callback(store.close)
        known = first_secrets(store)
        kit = as_folder(data, kit)
        kits = find_kits(data, kit)

        def in_words(line: LinePart) -> Spoken:
            story = table.snapshot.story
            names = story.header.players if story is not None else ()
            language = own_language(os.environ)
            return Spoken(line.line, Words(language, names).part(line), language)

        device = None if bare else stack.enter_context(open_device(data, in_words))
        table = Table(
            store,
            kits,
            Clock(),
            new_id=lambda: secrets.token_hex(8),
            stage=device.stage.play if device else (lambda _: None),
            thresholds=Thresholds(),
        )
        # systemd restarts a service whose writer no longer says that it is alive.
        told = os.environ.get("NOTIFY_SOCKET")
        table.alive = partial(notify, told, "WATCHDOG=1")
        recorder = Recorder(data / PICTURES_NAME, recipe, frames_mb * MB)
        recorder.start()
        stack.callback(recorder.stop)
        table.witness = recorder
        table.start()
        stack.callback(table.stop)
        port = port or free_port()
        if device is not None:
            stack.enter_context(listening(table, device, address(port), recorder))
            meter = Meter(table)
            meter.start()
            stack.callback(meter.stop)
        beside = {kit_name(kit): kit} if kit else {}
        school = School(data / "kits", table.take_kit, beside=beside)
        own = Ownership(data / "kits", beside)
        eye = (
            onlooker(table)
            if onlooker
            else open_eye(camera, table, own, seed, data / RIG_NAME)
        )
        frames = eye.jpeg if eye else None
        networks = WifiFiles(data / "wifi.json")
        album = Album(data / PICTURES_NAME, pictures_mb * MB)
        teacher = None if bare else school
        server = stack.enter_context(
            pages(table, known, port, frames, box, networks, album, teacher)
        )
        if eye is not None:
            table.eye_stuck = eye.is_stuck
            eye.shown_to = school.see
            if isinstance(eye, DiceLookout):
                school.picture_of = eye.picture_of
            if isinstance(eye, Onlooker) and frames_mb:
                eye.witness = recorder
            if pictures_mb:
                eye.keep = album.keep
                album.start(table)
                stack.callback(album.stop)
            if device is not None:
                eye.steady = device.stage_held
            eye.start()
            stack.callback(eye.stop)
        notify(told, "READY=1")
        yield table, known, server.port
        notify(told, "STOPPING=1")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@contextmanager
def open_device(
    data: Path, in_words: Callable[[LinePart], Spoken] | None = None
) -> Iterator[Device]:
    """Open pins, lamps, sound and display: those of the Pi, or simulated ones.

    Args:
        data: Where a simulated display keeps its picture, and the voice its clips.
        in_words: Puts a spoken line into words; None for a table without voice.

    Raises:
        BadInput: The wiring file contradicts itself.
    """
    try:
        wiring = read_wiring(wiring_path())
    except WiringError as error:
        raise BadInput(str(error)) from error
    pins = open_pins()
    # A computer that only pretends to be a table does not talk to its user.
    speaks = not pins.simulated and can_speak()
    voice = Voice(data / "clips") if speaks else None
    sound = Sound(pins, wiring, time.monotonic, run=voice, clips=data / "voice")
    display, missing = open_display(pins, wiring, data / "display.png")
    if missing is not None:
        logger.warning("%s", missing)
    stage = Stage(Lights(pins, wiring), sound, display, time.monotonic, in_words)
    sound.start()
    stage.start()
    try:
        yield Device(pins, wiring, stage)
    finally:
        stage.close()
        sound.close()
        pins.close()


@contextmanager
def listening(
    table: Table, device: Device, link: str, recorder: Recorder | None = None
) -> Iterator[Buttons]:
    """Let buttons speak to *table* and lamps speak of it; *link* is the page's."""
    pins = device.pins
    buttons = Buttons(pins, device.wiring, time.monotonic, table.hear)
    if recorder is not None:
        now_s = time.monotonic()
        for pin in buttons.watched_by(recorder.edge):
            known = pin.label, pin.name, pin.seat, pin.long_s, pin.double_s, now_s
            recorder.opened(Button(*known))
    if pins.simulated:
        table.finger = buttons.simulate
    knob = device.wiring.knob is not None
    table.notice_pins(PinsShown(pins.name, pins.simulated, pins.trouble, knob))
    herald = Herald(table, device.stage, link, own_language(os.environ))
    buttons.start()
    herald.start()
    try:
        yield buttons
    finally:
        herald.stop()
        buttons.close()


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
