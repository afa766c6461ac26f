"""Every parser of ours, fed for a while with what was changed at random.

Run as ``python -m tests.trust.parsers SECONDS SEED NAME...``: a line of JSON says what
became of each. In a process of its own: one that crashes, or wants more memory than it
may, ends no test but its own. What is taken is then used as the table uses it.
"""

import io
import json
import random
import resource
import shutil
import sys
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click
import cv2
import msgspec
import numpy as np
from msgspec import Struct
from werkzeug.test import EnvironBuilder, run_wsgi_app

import companion.files
from companion.capsule import input_log
from companion.capsule.file import TOLD, replay_log, unpack
from companion.cli.printed import read_options
from companion.club import messages
from companion.club.broker import BadBroker, read_address
from companion.club.hub.received import receive
from companion.dashboard.door.auth import host_code, seat_code
from companion.games import GAMES
from companion.games.core import NotAMove, judge_for
from companion.games.drachenhort import tally
from companion.kits import kit, kit_files
from companion.kits.curriculum import course
from companion.kits.kit import BadKit
from companion.kits.next_step import Progress
from companion.referee.decisions import Thresholds
from companion.running.service import Table
from companion.running.storage import game_file
from companion.running.storage.archive import NoSuchGame, StoredGames, Unreadable
from companion.running.storage.game_file import BadRecord
from companion.running.storage.keysfile import NAME as KEYS
from companion.running.storage.keysfile import read_keys, write_keys
from companion.running.storage.salvage import memory
from companion.running.storage.store import Store
from companion.running.wifi import Wifi, WifiFiles
from companion.story import codec
from companion.story.log import BadLog, Story
from companion.table import LinePart
from firmware.wiring import WiringError, gpio_uses, read_wiring, wiring_path
from tests.capsule import test_hostile_capsules as capsules
from tests.cli.test_commands import SHEET
from tests.dashboard.setting import PIN, SECRET
from tests.dashboard.test_access import BODIES
from tests.kits import test_hostile_kits as kits
from tests.kits.test_hostile_kits import mutated
from tests.running.damaging import told_of
from tests.running.table_setup import SETUP
from tests.running.test_hostile_records import as_text, edited
from tests.trust.fuzzing import with_lesson
from tests.trust.keeping import CAPSULE, KEPT, STORE
from vision.camera.files import PictureUnreadable, open_picture
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A4
from vision.mat.pose import Rig, unproject
from vision.mat.rig_file import RigUnreadable, load_rig, save_rig
from vision.measure.mat_pictures import pose_looking_at

MB = 1024 * 1024

MOST_MORE = 1_000 * MB
"""So much more address space than at its beginning a parser may have at any moment."""

Take: TypeAlias = Callable[[bytes], bool]
"""Parses some bytes; True where they were taken, False where they were refused."""


class Said(Struct, frozen=True):
    """What became of all that was tried.

    *cpu_s* is how long the slowest took, *mb* by how much memory grew at most beyond
    what whole ones take. *fault* is the first that was neither taken nor refused.
    """

    name: str
    tried: int
    taken: int
    cpu_s: float
    mb: float
    fault: str = ""


class Parser(Struct, frozen=True):
    """Whole *samples*, how one is changed, and whether all are taken as they are."""

    samples: list[bytes]
    take: Take
    change: Callable[[random.Random, bytes], bytes]
    all_taken: bool = True


def changed(rng: random.Random, content: bytes) -> bytes:
    """Return some bytes changed; of JSON every second time only its values."""
    if rng.random() < 0.5:
        try:
            values = json.loads(content)
        except ValueError:
            pass
        else:
            share = rng.choice((0.02, 0.1, 0.3))
            return json.dumps(edited(rng, values, share)).encode()
    return mutated(rng, content)


def one_of(*refusals: type[Exception]) -> Callable[[Callable[[bytes], object]], Take]:
    """Return what makes a parser of a function that refuses by some exceptions."""

    def with_refusals(parse: Callable[[bytes], object]) -> Take:
        def take(content: bytes) -> bool:
            try:
                parse(content)
            except refusals as error:
                line = str(error)
                assert line, "refused without a word"
                assert "\n" not in line, f"refused in several lines: {line}"
                return False
            return True

        return take

    return with_refusals


def from_file(path: Path, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Return what reads some bytes as the file at *path*."""

    def parse(content: bytes) -> object:
        path.write_bytes(content)
        return read(path)

    return parse


def stories() -> list[Story]:
    """Return a game of each kind, with entries of every kind."""
    archive = StoredGames(KEPT / "0.1.0" / STORE)
    return [archive.game(game.id).story for game in archive.games()]


# What somebody hands over.


@contextmanager
def kit_file(folder: Path) -> Iterator[Parser]:
    """A kit that was sent."""
    there = folder / "there"

    def parse(content: bytes) -> None:
        try:
            found = kit_files.unpack(content, there)
            known = kit.load(found)
            course(known.game, known.box)
            kit.kept_shots(found)
            kit_files.kept_spaces(found)
            kit_files.load_kept(found, kit_files.LESSON, Progress)
            kit_files.pack(found)
            shutil.rmtree(found)
        finally:
            assert [*there.iterdir()] == [], "something is left of it"

    samples = [kits.kit_of(folder / game.id, game.id) for game in GAMES]
    yield Parser(samples, one_of(BadKit)(parse), kits.hostile)


@contextmanager
def capsule(_: Path) -> Iterator[Parser]:
    """A game as one file that can be played again."""

    def parse(content: bytes) -> None:
        replay_log(unpack(content), Thresholds())

    sample = (KEPT / "0.1.0" / CAPSULE).read_bytes()
    yield Parser([sample], one_of(BadRecord)(parse), capsules.hostile)


@contextmanager
def record(_: Path) -> Iterator[Parser]:
    """A record of a game, as JSON and as one move a line."""

    def parse(content: bytes) -> None:
        replayed = game_file.replay(content.decode("utf-8", "replace"))
        game_file.as_csv(replayed.story)
        game_file.as_json("g", replayed.story)

    told = stories()
    whole = [game_file.as_json("g", story, secrets=True) for story in told]
    yield Parser([*whole, *map(as_text, told)], one_of(BadRecord)(parse), mutated)


@contextmanager
def sheet(_: Path) -> Iterator[Parser]:
    """The medals and jewels of Drachenhort, to be counted alone."""

    def parse(content: bytes) -> None:
        tally.count_points(tally.parse_sheet(content.decode("utf-8", "replace")))

    sample = json.dumps(SHEET).encode()
    yield Parser([sample], one_of(tally.TallyError)(parse), changed)


@contextmanager
def options(folder: Path) -> Iterator[Parser]:
    """Rulings that a table has chosen."""
    samples = [b'DH1 = "neighbour"\n', b'DH2 = "x"\nDH3 = "y"\n']
    parse = from_file(folder / "options.toml", read_options)
    yield Parser(samples, one_of(click.ClickException)(parse), changed)


@contextmanager
def picture(folder: Path) -> Iterator[Parser]:
    """A photograph."""
    table = np.full((96, 128, 3), 90, np.uint8)
    table[20:60, 30:80] = (10, 200, 90)
    forms = (table, table[..., 0], np.dstack([table, table[..., 0]]))
    samples = [
        cv2.imencode(ending, form)[1].tobytes()
        for ending in (".jpg", ".png", ".webp", ".bmp")
        for form in (forms if ending == ".png" else forms[:1])
    ]
    parse = from_file(folder / "picture", open_picture)
    yield Parser(samples, one_of(PictureUnreadable)(parse), mutated)


# What lies on the card, and may be damaged.


@contextmanager
def games_file(folder: Path) -> Iterator[Parser]:
    """The file of games, read by a command that only looks, and by a start."""
    data = folder / "data"

    def look(_: bytes) -> None:
        archive = StoredGames(data / STORE)
        for game in archive.games():
            archive.game(game.id)

    def take(content: bytes) -> bool:
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        (data / STORE).write_bytes(content)
        one_of(Unreadable, NoSuchGame)(look)(content)
        _, wrong, said = told_of(data / STORE)
        store = Store(data / STORE)
        store.forget("Bo")
        store.wipe()
        store.close()
        return not (wrong or said)

    yield Parser([(KEPT / "0.1.0" / STORE).read_bytes()], take, mutated)


@contextmanager
def entry(_: Path) -> Iterator[Parser]:
    """A line of a game's log; its first byte says of which game."""

    def parse(content: bytes) -> None:
        game = GAMES[content[0] % len(GAMES)] if content else GAMES[0]
        codec.encode(codec.decode(game, content[1:]))

    samples = [
        bytes([GAMES.index(story.game)]) + codec.encode(line)
        for story in stories()
        for line in story.entries
    ]

    def change(rng: random.Random, content: bytes) -> bytes:
        return content[:1] + changed(rng, content[1:])

    yield Parser(samples, one_of(BadLog)(parse), change)


@contextmanager
def journal(_: Path) -> Iterator[Parser]:
    """What a table was told, line by line."""

    def take(content: bytes) -> bool:
        lines = input_log.decode(content)
        for line in lines:
            if isinstance(line, input_log.CommandLine):
                input_log.command_of(line)
        return bool(lines)

    with zipfile.ZipFile(KEPT / "0.1.0" / CAPSULE) as packed:
        lines = packed.read(TOLD).splitlines()
    yield Parser(lines, take, changed)


@contextmanager
def keys(folder: Path) -> Iterator[Parser]:
    """The table's key and PIN, kept a second time."""
    path = folder / KEYS
    store = Store(folder / STORE)
    store.keep_keys("5a" * 32, PIN)
    known = store.keys()
    store.close()
    assert known is not None
    write_keys(path, known)
    sample = path.read_bytes()
    parse = from_file(path, read_keys)
    yield Parser([sample], lambda content: parse(content) is not None, changed)


@contextmanager
def wifi(folder: Path) -> Iterator[Parser]:
    """The network that phones join."""
    files = WifiFiles(folder / "wifi.json", folder / "hotspot.json")
    files.keep(Wifi("Home", "a password"))
    sample = files.own.read_bytes()

    def take(content: bytes) -> bool:
        files.own.write_bytes(content)
        found = files.read()
        return found is not None and bool(found.code)

    yield Parser([sample], take, changed)


@contextmanager
def pins(folder: Path) -> Iterator[Parser]:
    """The wiring of a table that differs from the guide's."""

    def read(path: Path) -> None:
        wiring = read_wiring(path)
        assert [*gpio_uses(wiring)]

    parse = from_file(folder / "pins.toml", read)
    yield Parser([wiring_path().read_bytes()], one_of(WiringError)(parse), mutated)


@contextmanager
def rig(folder: Path) -> Iterator[Parser]:
    """Where a camera stood when it was set up."""
    path = folder / "rig.json"
    pose = pose_looking_at((148.5, 105.0), 400.0, 12.0)
    save_rig(Rig(nominal_lens("module3", (720, 1280)), pose, MAT_A4, (), 0.0), path)
    sample = path.read_bytes()

    def read(path: Path) -> None:
        unproject(load_rig(path), np.array([[600.0, 300.0]]), 8.0)

    parse = from_file(path, read)
    yield Parser([sample], one_of(RigUnreadable)(parse), changed)


# What comes over the network.


def requests() -> list[bytes]:
    """Return requests as their first line, a kind of content, and a body."""
    bodies = [
        (f"POST {path}", b"application/json", json.dumps(body).encode())
        for path, body in BODIES.items()
        # It would end the rights of the phone that sends all of them.
        if path != "/api/step_down"
    ]
    form = b"application/x-www-form-urlencoded"
    forms = [
        ("POST /api/act", form, b"move=throw+3&seq=0&key=k"),
        ("POST /api/game", form, b"game=drachenhort&name=Ana&name=Bo&first=1"),
        ("POST /api/teach", form, b"at.x=3&at.y=4&wide=320&high=240"),
        ("POST /tally", form, b"silver.red=3&gold.red=2&name=Ana&red=on&jewels=6"),
        ("POST /teach/spaces", form, b"at.x=3&at.y=4&wide=320&high=240&place=hall"),
        ("POST /box/dragorun", form, b"name=mine&starts=1+2&finish=3&front-0=x"),
    ]
    upload = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
        b"PK\x03\x04\r\n--b--\r\n"
    )
    kit_sent = ("POST /api/teach/kit", b"multipart/form-data; boundary=b", upload)
    looks = [
        (f"GET {path}", b"", b"")
        for path in (
            "/", "/table", "/api/state", "/past", "/past/game-1", "/tally?red=3",
            "/past/game-1/points/1", "/past/game-1/game.json", "/evidence/game-1/a",
            "/amend/1", "/forget?name=Ana", "/teach/spaces?place=hall", "/j/abc",
            "/rules?game=dragorun", "/odds", "/figures", "/box/dragorun",
        )
    ]  # fmt: skip
    return [
        b"\n".join((line.encode(), kind, body))
        for line, kind, body in (*bodies, *forms, kit_sent, *looks)
    ]


@contextmanager
def request(folder: Path) -> Iterator[Parser]:
    """A request of a phone that is the host's and sits at the first seat."""
    with with_lesson(folder) as (table, app):
        phone = app.test_client()
        for code in (host_code(SECRET), seat_code(SECRET, "game-1", 0)):
            phone.get(f"/j/{code}")
        known = "; ".join(
            f"dragon_{role}_80={phone.get_cookie(f'dragon_{role}_80').value}"
            for role in ("host", "seat")
        )

        def take(content: bytes) -> bool:
            line, kind, body = (*content.split(b"\n", 2), b"", b"")[:3]
            if not line.isascii():
                return False  # our server refuses it itself (`test_raw_sockets`)
            method, _, target = line.decode("latin-1").partition(" ")
            path, _, query = target.partition("?")
            environ = EnvironBuilder(input_stream=io.BytesIO(body)).get_environ()
            environ |= {
                "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query,
                "CONTENT_TYPE": kind.decode("latin-1"), "HTTP_COOKIE": known,
                "CONTENT_LENGTH": str(len(body)),
            }  # fmt: skip
            parts, status, _ = run_wsgi_app(app, environ, buffered=True)
            assert not status.startswith("5"), status
            assert b"Traceback" not in b"".join(parts)
            go_on(table)
            return status < "4"

        # Some ask for what is not to be had now, as a game that is on the table.
        yield Parser(requests(), take, whole_or_part, all_taken=False)


def go_on(table: Table) -> None:
    """See that a game lies on the table, and that its writer is alive."""
    assert not table.failed.is_set(), "the table's writer has failed"
    if table.snapshot.story is None or len(table.games()) > 50:
        for game in table.games():
            table.leave()
            table.delete(game.id)
        table.open_game(SETUP)


def whole_or_part(rng: random.Random, content: bytes) -> bytes:
    """Change a part of a request; of its body, when it is JSON, often the values."""
    parts = content.split(b"\n", 2)
    number = rng.choice((0, 1, 2, 2, 2, 2))
    parts[number] = changed(rng, parts[number])
    return b"\n".join(parts)


@contextmanager
def move(_: Path) -> Iterator[Parser]:
    """A move as text; two bytes before it say in which state of which game."""
    told = [
        (state, story)
        for story in stories()
        for state in (story.start, *(step.state for step in story.steps))
    ]

    def parse(content: bytes) -> None:
        number = int.from_bytes(content[:2]) % len(told)
        state, story = told[number]
        text = content[2:].decode("utf-8", "replace")
        made = story.game.parse(state, text)
        assert story.game.parse(state, story.game.notate(state, made)) == made
        judge_for(story.game, state, made, story.game.actor(state, made))

    samples = [
        number.to_bytes(2) + story.game.notate(state, made).encode()
        for number, (state, story) in enumerate(told)
        for made in [*story.game.legal(state)][:20]
    ]

    def change(rng: random.Random, content: bytes) -> bytes:
        return content[:2] + mutated(rng, content[2:])

    yield Parser(samples, one_of(NotAMove)(parse), change)


@contextmanager
def club_message(_: Path) -> Iterator[Parser]:
    """What a broker hands on; its first byte says of which kind."""
    lines = tuple(msgspec.Raw(codec.encode(line)) for line in stories()[0].entries[:5])
    seat = messages.SeatLine("Ana", 26, True)
    line = messages.GameLine("g", "drachenhort", (seat,), 1_700_000_000.0)
    sent = (
        messages.TableNow(
            "Table 7", 3, 1_700_000_000.0, "g", "drachenhort",
            (messages.PlayerNow("Ana", 3, 5, True),), (LinePart("core.x"),),
            needs=(messages.Need.DISK,),
        ),
        messages.Delivery(1, "Table 7", 1_700_000_000.0, 4, line, 0, lines),
        messages.Stored(4), messages.Forget("Ana"),
        messages.KitLabel("ab", "dragorun", "mine", "Table 7", 4_000),
    )  # fmt: skip
    kinds = [type(one) for one in sent]

    def parse(content: bytes) -> None:
        kind = kinds[content[0] % len(kinds)] if content else kinds[0]
        told: Any = messages.decode(content[1:], kind)
        if isinstance(told, messages.Delivery):
            receive("table-7", told, 1_700_000_000.0)

    def change(rng: random.Random, content: bytes) -> bytes:
        return content[:1] + changed(rng, content[1:])

    samples = [
        bytes([number]) + messages.encode(one) for number, one in enumerate(sent)
    ]
    yield Parser(samples, one_of(msgspec.MsgspecError)(parse), change)


@contextmanager
def broker_address(_: Path) -> Iterator[Parser]:
    """Where a broker is, as somebody types it."""

    def parse(content: bytes) -> None:
        read_address(content.decode("utf-8", "replace"), {})

    samples = [b"mqtts://table-7:word@club.local:8883", b"mqtt://[::1]"]
    yield Parser(samples, one_of(BadBroker)(parse), mutated)


PARSERS: dict[str, Callable[[Path], AbstractContextManager[Parser]]] = {
    one.__name__: one
    for one in (
        kit_file, capsule, record, sheet, options, picture, games_file, entry, journal,
        keys, wifi, pins, rig, request, move, club_message, broker_address,
    )
}  # fmt: skip


# Trying them.


def tried(name: str, parser: Parser, seconds: float, seed: int) -> Said:
    """Try what was changed at random for some seconds; stop at the first fault."""
    rng, count, slowest_s = random.Random(seed), 0, 0.0
    for sample in parser.samples:
        taken = parser.take(sample)
        assert taken or not parser.all_taken, sample[:80]
    taken = 0
    before = peak_mb()
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        content = parser.change(rng, rng.choice(parser.samples))
        began = time.process_time()
        try:
            taken += parser.take(content)
        except Exception:  # noqa: BLE001  # any at all is the fault that is looked for
            fault = f"{content[:2_000]!r}\n{traceback.format_exc()}"
            return Said(name, count, taken, slowest_s, peak_mb() - before, fault)
        slowest_s = max(slowest_s, time.process_time() - began)
        count += 1
    return Said(name, count, taken, slowest_s, peak_mb() - before)


def peak_mb() -> float:
    """Return the most memory that this process ever had.

    Not what `getrusage` says: a child begins there with what its parent had.
    """
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def bound_memory() -> None:
    """Let the kernel refuse what is far more than any of our parsers needs."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_MORE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(seconds: float, seed: int, names: list[str]) -> None:
    """Try some of the parsers; say what became of each."""
    # Most of the time would go by waiting for the disk, and nothing is lost here.
    companion.files.os.fsync = lambda number: None
    bound_memory()
    for name in names:
        with (
            TemporaryDirectory(dir=memory()) as folder,
            PARSERS[name](Path(folder)) as parser,
        ):
            said = tried(name, parser, seconds, seed)
        sys.stdout.buffer.write(msgspec.json.encode(said) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
