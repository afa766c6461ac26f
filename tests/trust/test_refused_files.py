"""Wherever the disk refuses a kit, a picture or the Wi-Fi: said at once, nothing lost.

Every order is refused at every point at which it writes, by a disk that is full, that
fails and that is read-only; then the disk takes everything again.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.capsule.evidence_store import EvidenceStore
from companion.capsule.input_recorder import InputRecorder
from companion.files import write_whole
from companion.kits import kit_files
from companion.kits.kit_files import UNTOLD, pack
from companion.running.snapshot import Snapshot
from companion.running.wifi import Wifi, WifiFiles
from companion.teaching.page import CannotTeach
from companion.teaching.teacher import KitTeacher
from tests.capsule.test_evidence_store import JPEGS, rests_on
from tests.running.table_setup import SETUP, claim, new_story, running
from tests.trust.refusing import FAILS, FULL, READ_ONLY, refusing
from vision.camera.port import Frame

CODES = {"full": FULL, "failing": FAILS, "read-only": READ_ONLY}

MOST_POINTS = 60


def a_teacher(home: Path) -> KitTeacher:
    """Return somebody who leads through teaching, with one kit whose lesson is open."""
    teacher = KitTeacher(home, lambda *_: None)
    picture = np.full((90, 160, 3), 128, np.uint8)
    for number in range(8):
        teacher.see(Frame(picture, number / 15, None, f"p{number}"))
    if not teacher.kits():
        teacher.begin("drachenhort", "mine")
    else:
        teacher.open("mine")
    return teacher


class Kits:
    """Orders of somebody who teaches a copy."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "kits"
        self.teacher = a_teacher(self.home)
        self.teacher.take_bare_table()
        self.packed = pack(self.home / "mine")

    def stands(self) -> Any:
        """Return what a start finds of the kit that was there."""
        teacher = a_teacher(self.home)
        assert ("mine", "drachenhort") in teacher.kits()
        lesson = teacher.lesson
        assert lesson is not None
        return lesson.kit, lesson.bare, lesson.counts

    def left_over(self) -> list[str]:
        """Return what is neither a kit nor a part of one."""
        names = [path.name for path in self.home.rglob("*")]
        broken = [
            path.name
            for path in self.home.iterdir()
            if not path.name.startswith(".") and not (path / "kit.toml").exists()
        ]
        hidden = [name for name in names if name.startswith(".")]
        return [name for name in hidden if name != UNTOLD] + broken


def begin(kits: Kits) -> None:
    kits.teacher.begin("dragorun", "other")


def bring(kits: Kits) -> None:
    kits.teacher.unpack(kits.packed)


def bare(kits: Kits) -> None:
    kits.teacher.take_bare_table()


def tray(kits: Kits) -> None:
    kits.teacher.retap()
    kits.teacher.tap(0.1, 0.1)
    kits.teacher.tap(0.9, 0.9)


def facts(kits: Kits) -> None:
    kits.teacher.enter_box(kits.teacher.box())


def corner(kits: Kits) -> None:
    kits.teacher.tap_space(0.2, 0.2)


def on(kits: Kits) -> None:
    kits.teacher.go("next")


ORDERS: dict[str, Callable[[Kits], None]] = {
    "a new kit": begin, "a kit from a file": bring, "the bare table": bare,
    "where dice fall": tray, "facts of the box": facts, "a corner": corner,
    "the next step": on,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", ORDERS)
@pytest.mark.parametrize("code", CODES)
def test_a_kit_is_as_before_or_as_wanted(what: str, code: str, tmp_path: Path):
    for first in range(1, MOST_POINTS):
        kits = Kits(tmp_path / str(first))
        before, order = kits.stands(), ORDERS[what]
        kits.teacher = a_teacher(kits.home)
        refused = ""

        with refusing(kits.home, CODES[code], first) as disk:
            try:
                order(kits)
            except CannotTeach as error:
                refused = error.line
            came_to = len(disk.points)

        if came_to < first:
            break
        if code == "full" and disk.points[first - 1 :] == ["unlink .untold"]:
            # A full disk takes nothing more, but lets go: all is as wanted.
            assert not refused, disk.points
            continue
        # Said in the answer itself.
        assert refused == "teach.no.disk", (first, disk.points)
        assert kits.stands() == before, (first, disk.points)
        if code == "full":
            assert kits.left_over() == [], (first, disk.points)
        order(kits)  # the same table, and no start in between
    assert first > 3
    assert came_to < first


class Told(list[tuple[str, bool]]):
    """Which parts the disk refused, and took again."""

    def hear(self, part: str, why: OSError | None) -> None:
        self.append((part, why is None))


class TestPictures:
    """What readings rest on; a game goes on without it."""

    @pytest.mark.parametrize("code", CODES)
    def test_they_wait_in_memory_and_are_written_later(self, code, tmp_path):
        for first in range(1, MOST_POINTS):
            folder, told = tmp_path / str(first), Told()
            evidence = EvidenceStore(folder, trouble=told.hear)
            name = evidence.keep(JPEGS[0])
            shown = Snapshot(game_id="a", story=rests_on(new_story(), name))

            with refusing(folder, CODES[code], first) as disk:
                evidence.take_in(shown, ("a",))
                assert evidence.picture("a", name) == JPEGS[0]
                came_to = len(disk.points)

            if came_to < first:
                break
            assert told == [("pictures", False)], disk.points
            evidence.take_in(shown, ("a",))
            assert told[1:] == [("pictures", True)], disk.points
            assert EvidenceStore(folder).picture("a", name) == JPEGS[0]
        assert first > 3

    @pytest.mark.parametrize("code", ["failing", "read-only"])
    def test_those_of_a_deleted_game_go_as_soon_as_the_disk_lets_them(
        self, code, tmp_path
    ):
        for first in range(1, MOST_POINTS):
            folder, told = tmp_path / str(first), Told()
            evidence = EvidenceStore(folder, trouble=told.hear)
            name = evidence.keep(JPEGS[0])
            shown = Snapshot(game_id="a", story=rests_on(new_story(), name))
            evidence.take_in(shown, ("a",))

            with refusing(folder, CODES[code], first) as disk:
                evidence.drop("a")
                assert evidence.picture("a", name) is None
                came_to = len(disk.points)

            if came_to < first:
                break
            assert told == [("old_pictures", False)], disk.points
            evidence.take_in(Snapshot(), ())
            assert told[1:] == [("old_pictures", True)], disk.points
            assert not (folder / "a").exists(), disk.points
        assert first > 2

    def test_those_that_could_not_go_before_the_plug_was_pulled_go_at_the_start(
        self, tmp_path
    ):
        evidence = EvidenceStore(tmp_path)
        name = evidence.keep(JPEGS[0])
        shown = Snapshot(game_id="a", story=rests_on(new_story(), name))
        evidence.take_in(shown, ("a",))
        with refusing(tmp_path, FAILS, 3) as disk:
            evidence.drop("a")
        # It has another name by now, and that is on the disk.
        assert [point.split()[0] for point in disk.points] == [
            "replace", "fsync", "unlink",
        ]  # fmt: skip

        EvidenceStore(tmp_path).take_in(Snapshot(), ())

        assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("code", CODES)
def test_lines_of_the_journal_are_lost_aloud_and_written_again_later(code, tmp_path):
    told: list[bool] = []
    recorder = InputRecorder(
        tmp_path / "pictures", trouble=lambda why: told.append(why is None)
    )
    with running(tmp_path, witness=recorder) as table:
        recorder.start()
        table.open_game(SETUP)
        with refusing(tmp_path / "pictures", CODES[code], 1):
            assert table.act(claim(table.snapshot.story, "throw 3", "a")).stored
            recorder_is_through(recorder)
        assert told == [False]

        table.act(claim(table.snapshot.story, "advance green", "b"))
        recorder_is_through(recorder)
        assert told == [False, True]
        recorder.stop()


def recorder_is_through(recorder: InputRecorder) -> None:
    """Wait until all that the recorder was told so far is written or lost."""
    through = threading.Event()
    write = recorder._write

    recorder._write = lambda item: through.set() if item is through else write(item)
    recorder._queue.put(through)
    assert through.wait(60)
    recorder._write = write


class TestTheWifi:
    @pytest.mark.parametrize("code", CODES)
    def test_it_is_as_before_or_as_wanted(self, code, tmp_path):
        for first in range(1, MOST_POINTS):
            files = WifiFiles(tmp_path / "wifi.json", tmp_path / "hotspot.json")
            files.keep(Wifi("Home", "password"))

            with refusing(tmp_path, CODES[code], first) as disk:
                try:
                    files.keep(Wifi("Other", "password"))
                except OSError:
                    refused = True
                else:
                    refused = False

            if not refused:
                break
            found = files.read()
            assert found is not None
            assert found.name in ("Home", "Other"), disk.points
        assert first > 4


def test_a_kit_that_is_not_written_as_a_whole_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """So it would be noticed if nothing were refused."""

    def in_place(path: Path, content: bytes, mode: int = 0) -> None:
        with path.open("wb") as file:
            file.write(content)

    monkeypatch.setattr(kit_files, "write_whole", in_place)
    assert write_whole is not in_place

    with pytest.raises((AssertionError, CannotTeach)):
        test_a_kit_is_as_before_or_as_wanted("facts of the box", "full", tmp_path)
