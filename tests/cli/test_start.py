"""Whatever lies in the data folder and whatever is unplugged, the table comes up."""

import errno
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from queue import Queue
from types import ModuleType
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import cv2
import pytest

from companion.cli import pages, watchers
from companion.cli.appliance import Wanted, run_table
from companion.cli.errors import BadInput
from companion.cli.first_start import STORE_NAME
from companion.cli.play import greet, lay
from companion.dashboard import host_link
from companion.doctor.checks import kept_files
from companion.games import find
from companion.kits.kit import stand_in_kit
from companion.kits.kit_files import begin_kit
from companion.running.snapshot import Setup, Snapshot
from companion.running.wifi import WifiFiles
from companion.story.log import Story
from companion.table import Claim
from companion.watching.live_tray_watcher import LiveTrayWatcher
from firmware.wiring import wiring_path
from tests.vision.camera.faulty import scene
from vision.camera.port import CameraMissing
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A4
from vision.mat.pose import Rig
from vision.mat.rig_file import load_rig, save_rig
from vision.measure.mat_pictures import pose_looking_at

GAME = find("drachenhort")
SETUP = Setup("drachenhort", ("Ana", "Bo"))
WAIT_S = 10.0


@pytest.fixture(autouse=True)
def quick_ends(monkeypatch):
    """Let the threads of a table notice soon that it stops."""
    for name in (
        "capsule.evidence_store",
        "display.announcer",
        "watching.tray_watcher",
    ):
        monkeypatch.setattr(f"companion.{name}.LOOK_S", 0.02)


BROKEN = {
    "empty": b"",
    "no TOML": b"[box",
    "no text": b"\xff\xfe\x00",
    "a thousand brackets": b"x = " + b"[" * 5_000,
    "a number without end": b"x = " + b"9" * 5_000,
    "other types": b'game = 3\nname = []\nbox = "green"\n',
    "an unknown game": b'game = "chess"\nname = "Ours"\n[box]\n',
    "an impossible box": b'game = "drachenhort"\nname = "Ours"\n[box]\n',
}


class Up:
    """A table that came up, and who looks at its page."""

    def __init__(self, table, port: int) -> None:
        self.table, self.port = table, port

    @property
    def shown(self) -> Snapshot:
        return self.table.snapshot

    def lines(self) -> dict[str, str]:
        """Return what is missing: part and cause."""
        return {one.part: one.why for one in self.shown.missing}

    def page(self, path: str = "/") -> str:
        asked = Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Accept-Language": "en"}
        )
        with urlopen(asked, timeout=WAIT_S) as answer:
            assert answer.status == 200
            return answer.read().decode()

    def until(self, true) -> Snapshot:
        ends_s = time.monotonic() + WAIT_S
        shown = self.shown
        while not true(shown):
            assert time.monotonic() < ends_s, f"nothing happened after {shown}"
            shown = self.table.wait(shown.version, 0.2)
        return shown


@contextmanager
def up(data: Path, camera: str | None = None, kit: Path | None = None) -> Iterator[Up]:
    with run_table(Wanted(0, data, camera, kit)) as there:
        table = there.table
        port = there.port
        yield Up(table, port)


def begun(data: Path, kit: str | None = None) -> str:
    """Leave a game on the table of a folder, as a power cut would; return its id."""
    with up(data) as table:
        table.table.open_game(Setup("drachenhort", ("Ana", "Bo"), kit=kit))
        table.table.act(Claim("throw 4", 0, 0, "k"))
        return table.shown.game_id


def story(shown: Snapshot) -> Story:
    assert shown.story is not None
    return shown.story


@pytest.mark.slow
class TestAKitThatCannotBeRead:
    def test_is_listed_and_kept_and_no_other_suffers(self, tmp_path):
        begin_kit(tmp_path / "kits" / "good", stand_in_kit(GAME))
        for name, content in BROKEN.items():
            (tmp_path / "kits" / name).mkdir()
            (tmp_path / "kits" / name / "kit.toml").write_bytes(content)

        with up(tmp_path) as table:
            assert table.lines().keys() == {f"kit {name}" for name in BROKEN}
            assert table.table.kits("drachenhort") == ("good",)
            page = table.page()
            for name in BROKEN:
                assert f"The box “{name}” cannot be read" in page
                assert f"{name}/kit.toml" in table.lines()[f"kit {name}"]
                assert "\n" not in table.lines()[f"kit {name}"]
        for name, content in BROKEN.items():
            assert (tmp_path / "kits" / name / "kit.toml").read_bytes() == content

    def test_does_not_keep_the_game_that_uses_it_from_the_table(self, tmp_path):
        begin_kit(tmp_path / "kits" / "ours", stand_in_kit(GAME))
        game_id = begun(tmp_path, kit="ours")
        (tmp_path / "kits" / "ours" / "kit.toml").write_bytes(b"")
        (tmp_path / "kits" / "ours" / "shots.json").write_bytes(b"[" * 5_000)

        with up(tmp_path) as table:
            assert table.shown.game_id == game_id
            assert story(table.shown).state.pips == 4
            assert table.lines().keys() == {"kit ours"}

    def test_that_was_mended_meanwhile_is_played_with_again(self, tmp_path):
        facts = tmp_path / "kits" / "ours" / "kit.toml"
        begin_kit(facts.parent, stand_in_kit(GAME))
        good = facts.read_bytes()
        facts.write_bytes(b"")

        with run_table(Wanted(0, tmp_path, None)) as there:
            table, known = there.table, there.known
            up_there = Up(table, there.port)
            assert table.kits("drachenhort") == ()
            facts.write_bytes(good)
            host = host_link(f"http://127.0.0.1:{there.port}", known.key, ())
            _as_host(host, "/teach")
            up_there.until(lambda shown: shown.missing == ())
            assert table.kits("drachenhort") == ("ours",)

    def test_that_was_asked_for_is_said_and_only_its_own_game_goes_on(self, tmp_path):
        kit = tmp_path / "ours"
        begin_kit(kit, stand_in_kit(GAME))
        data = tmp_path / "data"
        wish = Setup("drachenhort", ("Ana", "Bo"), kit="ours")
        with up(data, kit=kit) as table:
            lay(table.table, wish)
        (kit / "kit.toml").write_bytes(b"")

        with up(data, kit=kit) as table:
            lay(table.table, wish)
            assert story(table.shown).header.kit == "ours"
            other = Setup("drachenhort", ("Cy", "Dédé"), kit="ours")
            with pytest.raises(BadInput, match=r"ours/kit\.toml is not a kit"):
                lay(table.table, other)


def _as_host(link: str, path: str) -> str:
    phone = build_opener(HTTPCookieProcessor(CookieJar()))
    phone.open(link, timeout=WAIT_S).close()
    at = link.split("/j/")[0]
    with phone.open(at + path, timeout=WAIT_S) as answer:
        return answer.read().decode()


UNREAD = [b"", b"{", b"[" * 5_000, b'{"lens": 3}', b"\xff"]


@pytest.mark.parametrize("content", UNREAD)
def test_a_rig_or_a_network_is_read_or_refused_in_one_line(tmp_path, content):
    for name in ("rig.json", "wifi.json"):
        (tmp_path / name).write_bytes(content)

    with pytest.raises(OSError, match=r"rig\.json holds no rig"):
        load_rig(tmp_path / "rig.json")
    with pytest.raises(OSError, match=r"wifi\.json holds no network"):
        WifiFiles(tmp_path / "wifi.json").check()


@pytest.mark.slow
def test_a_rig_and_a_network_that_cannot_be_read_are_said_and_kept(tmp_path):
    for name in ("rig.json", "wifi.json"):
        (tmp_path / name).write_bytes(b"[" * 5_000)

    with up(tmp_path, camera="9") as table:
        assert table.lines().keys() == {"rig", "wifi"}
        page = table.page()
        assert "The camera’s settings cannot be read" in page
        assert "The saved Wi-Fi cannot be read" in page
    for name in ("rig.json", "wifi.json"):
        assert (tmp_path / name).read_bytes() == b"[" * 5_000


class TestACamera:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "error",
        [
            ValueError("numpy.dtype size changed, may indicate binary incompatibility"),
            OSError("libcamera.so.0.5: cannot open shared object file"),
        ],
        ids=lambda error: type(error).__name__,
    )
    def test_whose_software_does_not_load_is_not_there_yet(
        self, tmp_path, monkeypatch, error
    ):
        def load():
            raise error

        monkeypatch.setattr(watchers, "load_picamera2", load)

        with up(tmp_path, camera="pi") as table:
            shown = table.until(lambda shown: shown.camera.why)
            assert shown.camera.name == "pi"
            assert shown.camera.trouble.line == "core.eye.not_yet"
            assert str(error) in shown.camera.why
            page = table.page()
        assert "not there yet" in page
        assert str(error).partition(":")[0] in page

    @pytest.mark.slow
    def test_that_is_busy_is_not_there_yet(self, tmp_path, monkeypatch):
        class Busy:
            def __init__(self, number) -> None:
                raise RuntimeError("Failed to acquire camera: Device or resource busy")

        library = ModuleType("picamera2")
        library.Picamera2 = Busy
        monkeypatch.setattr(watchers, "load_picamera2", lambda: library)
        monkeypatch.setattr("vision.camera.pi.load_picamera2", lambda: library)

        with up(tmp_path, camera="pi") as table:
            shown = table.until(lambda shown: shown.camera.why)
        assert shown.camera.trouble.line == "core.eye.not_yet"
        assert "no Pi camera answers" in shown.camera.why

    @pytest.mark.slow
    def test_that_is_unplugged_is_not_there_yet(self, tmp_path):
        with up(tmp_path, camera="/dev/video42") as table:
            shown = table.until(lambda shown: shown.camera.why)
        assert shown.camera.trouble.line == "core.eye.not_yet"
        assert "video42 is not plugged in" in shown.camera.why

    @pytest.mark.slow
    def test_a_folder_that_comes_later_is_looked_at_then(self, tmp_path, monkeypatch):
        monkeypatch.setattr("companion.watching.awaited_watcher.REST_S", 0.01)
        pictures = tmp_path / "stick"
        with up(tmp_path / "data", camera=str(pictures)) as table:
            shown = table.until(lambda shown: shown.camera.why)
            assert "stick is no folder" in shown.camera.why

            pictures.mkdir()
            (pictures / "1.jpg").write_bytes(b"no picture")
            table.until(lambda shown: shown.camera.trouble is None)
            table.table.open_game(SETUP)
            asked = table.until(lambda shown: story(shown).asked is not None)
        assert story(asked).asked.why.line == "core.ask.no_picture"

    def test_software_that_does_not_load_is_not_tried_all_the_time(self, monkeypatch):
        tries, now_s = [], [0.0]

        def load():
            tries.append(now_s[0])
            raise ImportError("no picamera2")

        monkeypatch.setattr(watchers, "load_picamera2", load)
        software = watchers.PiSoftware(lambda: now_s[0])
        for second in range(61):
            now_s[0] = float(second)
            with pytest.raises(ImportError, match="no picamera2"):
                software.open()

        assert tries == [0.0, 30.0, 60.0]

    def test_that_loads_at_last_is_opened(self, monkeypatch):
        monkeypatch.setattr(watchers, "load_picamera2", lambda: None)
        monkeypatch.setattr(watchers, "PiCamera", lambda height_mm: "open")

        assert watchers.PiSoftware(lambda: 0.0).open() == "open"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("hangs_mm", "focus_mm"),
        [(470.3, pytest.approx(470.3)), (20.0, None), (None, None)],
        ids=["three sections of the mast", "no mast is so low", "never calibrated"],
    )
    def test_that_was_calibrated_is_focused_by_its_height(
        self, tmp_path, monkeypatch, hangs_mm, focus_mm
    ):
        if hangs_mm is not None:
            lens = nominal_lens("module3wide", (1296, 2304))
            pose = pose_looking_at((148.5, 105.0), hangs_mm)
            save_rig(Rig(lens, pose, MAT_A4, (), 0.0), tmp_path / "rig.json")
        asked = Queue()

        def open_camera(height_mm):
            asked.put(height_mm)
            raise CameraMissing("none is plugged in")

        monkeypatch.setattr(watchers, "load_picamera2", lambda: None)
        monkeypatch.setattr(watchers, "PiCamera", open_camera)

        with up(tmp_path, camera="pi"):
            assert asked.get(timeout=WAIT_S) == focus_mm


FULL = sqlite3.OperationalError("database or disk is full")
READ_ONLY = OSError(errno.EROFS, "Read-only file system")


class Disk:
    """A disk that may refuse to open the file of games, or anything new."""

    def __init__(self, monkeypatch) -> None:
        self.error: Exception | None = None
        opened, written, connected = Path.touch, Path.write_text, sqlite3.connect

        def refuse(path) -> None:
            if self.error is not None and "/dev/shm" not in str(path):
                raise self.error

        def touch(path, *more, **others):
            refuse(path)
            return opened(path, *more, **others)

        def write(path, *more, **others):
            if self.error is not None:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            return written(path, *more, **others)

        def connect(path, *more, **others):
            refuse(path)
            return connected(path, *more, **others)

        monkeypatch.setattr(Path, "touch", touch)
        monkeypatch.setattr(Path, "write_text", write)
        monkeypatch.setattr(sqlite3, "connect", connect)


@pytest.fixture
def disk(monkeypatch):
    monkeypatch.setattr("companion.running.service.RETRY_S", 0.05)
    return Disk(monkeypatch)


NOTHING = "Nothing can be saved"


@pytest.mark.slow
class TestACardThatRefuses:
    def test_at_the_very_first_start_gives_a_table_that_says_so(self, tmp_path, disk):
        disk.error = FULL
        with up(tmp_path) as table:
            assert table.shown.warnings
            assert NOTHING in table.page()
            table.table.open_game(SETUP)
            table.table.act(Claim("throw 4", 0, 0, "k"))
            assert story(table.shown).state.pips == 4
            assert "Not saved yet" in table.page()

    @pytest.mark.parametrize("error", [FULL, READ_ONLY], ids=["full", "read-only"])
    def test_puts_the_game_that_ran_back_and_knows_pin_and_links(
        self, tmp_path, disk, error
    ):
        game_id = begun(tmp_path)
        with run_table(Wanted(0, tmp_path, None)) as there:
            before = there.known

        disk.error = error
        with run_table(Wanted(0, tmp_path, None)) as there:
            table = there.table
            known = there.known
            port = there.port
            assert known == before
            assert table.snapshot.game_id == game_id
            assert story(table.snapshot).state.pips == 4
            assert NOTHING in Up(table, port).page()

    def test_that_has_room_again_keeps_what_was_played(self, tmp_path, disk):
        disk.error = FULL
        with run_table(Wanted(0, tmp_path, None)) as there:
            table = there.table
            known = there.known
            port = there.port
            table.open_game(SETUP)
            table.act(Claim("throw 4", 0, 0, "k"))
            disk.error = None
            Up(table, port).until(lambda shown: shown.stored and not shown.warnings)
            game_id = table.snapshot.game_id

        with run_table(Wanted(0, tmp_path, None)) as there:
            table = there.table
            again = there.known
            assert again == known
            assert table.snapshot.game_id == game_id
            assert table.snapshot.story.state.pips == 4


@pytest.mark.slow
def test_a_folder_that_cannot_be_used_at_all_gives_a_table_that_keeps_nothing(tmp_path):
    (tmp_path / "file").touch()
    with up(tmp_path / "file" / "data") as table:
        assert NOTHING in table.page()
        table.table.open_game(SETUP)
        table.table.act(Claim("throw 4", 0, 0, "k"))
        assert story(table.shown).state.pips == 4


@pytest.mark.slow
class TestWires:
    @pytest.fixture
    def wires(self, tmp_path, monkeypatch):
        path = tmp_path / "pins.toml"
        monkeypatch.setattr("companion.cli.device.wiring_path", lambda: path)
        return path

    def test_that_contradict_each_other_cost_the_buttons_alone(self, tmp_path, wires):
        good = wiring_path().read_text(encoding="utf-8")
        wires.write_text(good.replace("bcm = 5\n", "bcm = 6\n"))

        with up(tmp_path / "data") as table:
            assert "pins.toml" in table.lines()["wiring"]
            table.table.open_game(SETUP)
            assert (
                "pins.toml"
                in json.loads(table.page("/api/state"))["status"]["pins_trouble"]
            )
            table.table.act(Claim("throw 4", 0, 0, "k"))
            assert story(table.shown).state.pips == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "part", "camera"),
    [
        ("companion.cli.device.open_pins", "device", None),
        ("companion.cli.device.Stage", "device", None),
        ("companion.cli.device.Announcer", "device", None),
        ("companion.capsule.input_recorder.InputRecorder.start", "journal", None),
        ("companion.capsule.evidence_store.EvidenceStore.start", "pictures", "9"),
        ("companion.watching.tray_watcher.Watcher.start", "eye", "9"),
    ],
)
def test_a_part_that_does_not_start_is_said_and_the_rest_comes_up(
    tmp_path, monkeypatch, where, part, camera
):
    def fault(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(where, fault)

    with up(tmp_path, camera) as table:
        assert table.lines() == {part: "can't start new thread"}
        table.table.open_game(SETUP)
        table.table.act(Claim("throw 4", 0, 0, "k"))
        assert story(table.shown).state.pips == 4
        assert "can&#39;t start new thread" in table.page()


@pytest.mark.slow
def test_an_eye_that_cannot_be_made_is_tried_again(tmp_path, monkeypatch):
    def fault(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(watchers, "MatReader", fault)

    with up(tmp_path, camera="9") as table:
        shown = table.until(lambda shown: shown.camera.why)
    assert shown.camera.why == "division by zero"


@pytest.mark.slow
def test_a_folder_with_a_pace_is_watched_as_a_live_camera_once_it_has_pictures(
    tmp_path,
):
    photos = tmp_path / "photos"
    photos.mkdir()
    wanted = Wanted(0, tmp_path / "data", str(photos), pictures_a_second=15)

    with run_table(wanted) as there:
        table = Up(there.table, there.port)
        shown = table.until(lambda shown: shown.camera.why)
        assert "holds no pictures" in shown.camera.why
        assert cv2.imwrite(str(photos / "a.png"), scene(1))
        shown = table.until(lambda shown: shown.camera.trouble is None)
        assert isinstance(there.watcher, LiveTrayWatcher)
        assert there.watcher.jpeg() is not None
    assert shown.camera.name == str(photos)


def test_a_free_port_that_is_taken_meanwhile_is_not_insisted_on():
    tried = []

    @contextmanager
    def serve(port: int) -> Iterator[str]:
        tried.append(port)
        if len(tried) < 3 or port == 8000:
            raise BadInput(f"port {port} cannot be used")
        yield f"at {port}"

    with ExitStack() as stack:
        assert pages.start_pages(stack, 0, serve) == f"at {tried[2]}"
        # One that was asked for is the only one.
        with pytest.raises(BadInput, match="port 8000"):
            pages.start_pages(stack, 8000, serve)
    assert tried[3:] == [8000]


def test_the_doctor_names_each_file_that_cannot_be_read(tmp_path):
    (tmp_path / "kits" / "ours").mkdir(parents=True)
    for name in ("kits/ours/kit.toml", "rig.json", "wifi.json"):
        (tmp_path / name).write_bytes(b"")

    found = {finding.id: finding for finding in kept_files(tmp_path)}

    assert found.keys() == {"kit", "rig", "wifi"}
    assert "kits/ours/kit.toml" in found["kit"].evidence
    assert "rig.json" in found["rig"].evidence
    assert all("\n" not in one.evidence and one.remedy for one in found.values())


@pytest.mark.slow
def test_a_greeting_says_all_that_is_missing_on_the_terminal(tmp_path, capsys):
    (tmp_path / "rig.json").write_bytes(b"")
    with run_table(Wanted(0, tmp_path, "9")) as there:
        greet(there)

    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert told[0].startswith("The camera’s settings cannot be read.")
    assert "rig.json" in told[0]


@pytest.mark.slow
def test_a_store_of_a_newer_version_is_left_alone_and_the_table_comes_up(tmp_path):
    begun(tmp_path)
    path = tmp_path / STORE_NAME
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
        db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
    db.close()
    before = path.read_bytes()

    with up(tmp_path) as table:
        assert NOTHING in table.page()
        table.table.open_game(SETUP)
    assert path.read_bytes() == before
