"""What the help says that the table keeps, held against what it does keep.

A mark lies beside the table in every picture of the camera: somebody's shirt. It is
looked for in every file, page and answer.
"""

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.capsule.evidence_store import EvidenceStore
from companion.capsule.file import pack, unpack
from companion.capsule.input_log import Recipe
from companion.capsule.input_recorder import InputRecorder
from companion.dashboard import create_app
from companion.dashboard.door.access import ACCESS, ALL
from companion.dashboard.door.auth import host_code, seat_code
from companion.dashboard.pages.main import CHAPTERS
from companion.running.service import Table
from companion.teaching.teacher import KitTeacher
from companion.words import LANGUAGES, Words
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.running.table_setup import SETUP, running
from tests.watching.scene import Scene, at, lying, still
from vision.camera.evidence import Framing, encode_jpeg
from vision.camera.port import Frame

RIM = np.array([[0, 0], [120, 0], [120, 90], [0, 90]], np.float32)
BESIDE = (slice(92, 120), slice(0, 160))
SHIRT = (255, 0, 255)
"""In BGR; nothing on the table has that colour, and no JPEG makes it another."""

DIE = (40, 30, 80, 70)


def with_somebody(picture: Any) -> Any:
    """Return a picture of the camera, with somebody beside the table at two sides."""
    picture[BESIDE] = SHIRT
    picture[:, 122:] = SHIRT
    return picture


class Filmed(Scene):
    """A watched table in whose pictures somebody stands beside it."""

    def rest(self, seen: Any, times: int = 8) -> Any:
        self.reader.seen = seen
        place = 10 + (self.shows * 17) % 50
        for _ in range(times):
            self.number += 1
            picture = with_somebody(still(place))
            name = f"picture-{self.number}"
            self.picture = picture
            self.eye.see(Frame(picture, self.number / 15, None, name))
        return self.story


def shows_the_shirt(coded: bytes) -> bool:
    """Tell whether a picture shows what stood beside the table."""
    picture = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    blue, green, red = (picture[..., n].astype(int) for n in range(3))
    return bool(((blue > 180) & (red > 180) & (green < 90)).any())


def pictures_in(content: bytes) -> Iterator[bytes]:
    """Yield what begins as a picture anywhere in some bytes."""
    for head in (rb"\xff\xd8\xff", rb"\x89PNG\r\n"):
        for found in re.finditer(head, content):
            yield content[found.start() :]


class Evening:
    """A game that was seen by a camera, and phones that look at it."""

    def __init__(self, folder: Path, outline: Any) -> None:
        self.folder = folder
        self.evidence = EvidenceStore(folder / "pictures")
        recipe = Recipe("drachenhort", 1, "good")
        self.recorder = InputRecorder(folder / "pictures", recipe, 10_000_000)
        self.recorder.start()
        self.outline = outline
        self.teacher: KitTeacher | None = None

    def teach(self) -> None:
        """Teach a copy as far as whole views of the camera are kept of it."""
        self.teacher = KitTeacher(self.folder / "kits", lambda *_: None)
        for number in range(8):
            picture = with_somebody(still(10))
            self.teacher.see(Frame(picture, number / 15, None, f"view {number}"))
        if not self.teacher.kits():
            self.teacher.begin("drachenhort", "mine")
            self.teacher.take_bare_table()
            self.teacher.tap_space(0.2, 0.2)

    def play(self, table: Table) -> Filmed:
        """Throw and move, seen by the camera; keep what entries rest on."""
        scene = Filmed(
            table, Framing(self.outline), keep=self.evidence.keep,
            witness=self.recorder,
        )  # fmt: skip
        scene.show(lying(scene.story, at("d6", "tray", "3", DIE)))
        self.evidence.take_in(table.sync(), ("game-1",))
        self.recorder.stop()
        return scene

    def phone(self, table: Table, scene: Filmed, code: str = "") -> FlaskClient:
        """Return a phone that was let in by a *code*, the host's for none."""
        app = create_app(
            table, secret=SECRET, pin=PIN, address=ADDRESS, evidence=self.evidence,
            frames=lambda: encode_jpeg(scene.picture), strict_words=True,
            teacher=self.teacher,
        )  # fmt: skip
        phone = app.test_client()
        phone.get(f"/j/{code or host_code(SECRET)}")
        return phone

    def files(self) -> dict[str, bytes]:
        return {
            path.name: path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }


PAGES = ("/", "/table", "/host", "/api/state", "/past", "/past/game-1",
         "/past/game-1/game.json", "/past/game-1/points.csv",
         "/past/game-1/game.capsule", "/help")  # fmt: skip


def looked_at(outline: Any, folder: Path) -> list[tuple[str, bool]]:
    """Return where pictures were found after a game, and which show the shirt."""
    evening = Evening(folder, outline)
    with running(folder, witness=evening.recorder) as table:
        table.open_game(SETUP)
        scene = evening.play(table)
        story = table.snapshot.story
        assert story is not None
        names = [
            name for e in story.entries for name in getattr(e.body, "evidence", ())
        ]
        paths = (*PAGES, *(f"/evidence/game-1/{name}" for name in names))
        phone, found = evening.phone(table, scene), dict[str, bytes]()
        for path in paths:
            with phone.get(path) as answer:
                assert answer.status_code == 200, path
                found[path] = answer.data
    # The camera did see it.
    assert shows_the_shirt(encode_jpeg(scene.picture))
    capsule = unpack(found["/past/game-1/game.capsule"])
    found |= evening.files() | {f"frame {n}": f for n, f in capsule.frames.items()}
    return [
        (what, shows_the_shirt(one))
        for what, content in found.items()
        for one in pictures_in(content)
    ]


@pytest.mark.parametrize("outline", [RIM, None], ids=["known rim", "no rim"])
def test_nothing_beside_the_table_is_stored_sent_or_saved(
    outline: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    found = looked_at(outline, tmp_path)

    assert [what for what, shows in found if shows] == []
    where = {what.partition("/")[0].partition(" ")[0] for what, _ in found}
    # On the disk, on a phone and in the capsule; whole frames where the rim is known.
    assert any(what.endswith(".jpg") for what, _ in found)
    assert any(what.startswith("/evidence/") for what, _ in found)
    assert ("frame" in where) == (outline is not None)
    assert caplog.text == ""


def test_a_table_that_kept_more_around_a_piece_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """So it would be noticed if nothing were looked at."""
    monkeypatch.setattr("vision.camera.evidence.AROUND", 2.0)

    assert any(shows for _, shows in looked_at(None, tmp_path))


def test_a_table_that_does_not_cut_at_its_rim_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for user in ("companion.watching.table_watcher", "vision.camera.evidence"):
        monkeypatch.setattr(f"{user}.grey_out_beyond", lambda picture, outline: picture)

    assert any(shows for what, shows in looked_at(RIM, tmp_path) if "frame" in what)


def test_what_the_camera_sees_now_is_shown_and_not_kept(tmp_path: Path):
    evening = Evening(tmp_path, RIM)

    with running(tmp_path, witness=evening.recorder) as table:
        table.open_game(SETUP)
        scene = evening.play(table)
        before = set(evening.files())
        shown = evening.phone(table, scene).get("/picture").data

    # The help says so: whoever opens the page sees all of it.
    assert shows_the_shirt(shown)
    assert set(evening.files()) - before <= {"table.sqlite3-wal", "table.sqlite3-shm"}
    assert not any(
        shows_the_shirt(one)
        for content in evening.files().values()
        for one in pictures_in(content)
    )


LESSON = ("/teach", "/teach/now", "/teach/facts", "/teach/spaces", "/teach/picture",
          "/teach/map", "/teach/kit/mine")  # fmt: skip
WHOLE_VIEWS = {"/teach/picture", "/teach/map", "/teach/kit/mine", "/picture"}
"""Where the help says that all is seen: the live picture, and the file of a box."""

SEATED = seat_code(SECRET, "game-1", 0)


def show_the_shirt(found: dict[str, bytes]) -> set[str]:
    """Return in which of some files or answers somebody beside the table is seen."""
    return {
        what
        for what, content in found.items()
        for one in pictures_in(content)
        if shows_the_shirt(one)
    }


class TestALesson:
    """The whole view is kept of a table that is taught, and is in the box's file."""

    @pytest.fixture
    def evening(self, tmp_path: Path) -> Evening:
        evening = Evening(tmp_path, RIM)
        evening.teach()
        return evening

    def answers(self, evening: Evening, code: str = "") -> dict[str, bytes]:
        """Return what a phone that a *code* let in gets by all addresses."""
        found = {}
        with running(evening.folder, witness=evening.recorder) as table:
            table.open_game(SETUP)
            phone = evening.phone(table, evening.play(table), code)
            for path in (*PAGES, *LESSON, "/picture"):
                with phone.get(path) as answer:
                    if code and path in LESSON:
                        assert answer.status_code == 403, path
                    found[path] = answer.data
        return found

    def test_it_is_where_the_help_says_and_nowhere_else(self, evening: Evening):
        answers = self.answers(evening)

        assert show_the_shirt(answers) == WHOLE_VIEWS
        assert show_the_shirt(evening.files()) == {"bare.png", "tapped.png"}

    @pytest.mark.parametrize("code", [SEATED, "nobody's"], ids=["player", "guest"])
    def test_only_the_host_gets_it(self, evening: Evening, code: str):
        assert show_the_shirt(self.answers(evening, code)) == {"/picture"}

    @pytest.mark.parametrize("path", ["/teach/kit/<name>", "/teach/map"])
    def test_a_route_that_gave_it_to_guests_would_be_found_out(
        self, evening: Evening, monkeypatch: pytest.MonkeyPatch, path: str
    ):
        monkeypatch.setitem(ACCESS, ("GET", path), ALL)

        with pytest.raises(AssertionError, match=path.split("<")[0]):
            self.answers(evening, SEATED)

    def test_a_table_that_kept_more_of_it_would_be_found_out(
        self, evening: Evening, monkeypatch: pytest.MonkeyPatch
    ):
        """As if each tap on the picture kept one of its own."""
        kept = evening.folder / "kits" / "mine"
        monkeypatch.setattr("companion.teaching.teacher.TAPPED", "second.png")
        assert evening.teacher is not None
        evening.teacher.tap_space(0.8, 0.2)

        assert (kept / "second.png").exists()
        with pytest.raises(AssertionError, match="second"):
            self.test_it_is_where_the_help_says_and_nowhere_else(evening)

    def test_it_goes_with_the_folder_of_the_box(self, evening: Evening):
        shutil.rmtree(evening.folder / "kits" / "mine")
        evening.teacher = KitTeacher(evening.folder / "kits", lambda *_: None)

        assert show_the_shirt(self.answers(evening)) == {"/picture"}
        assert show_the_shirt(evening.files()) == set()


def test_pictures_go_with_their_game(tmp_path: Path):
    evening = Evening(tmp_path, RIM)

    with running(tmp_path, witness=evening.recorder) as table:
        table.open_game(SETUP)
        phone = evening.phone(table, evening.play(table))
        assert list((tmp_path / "pictures").rglob("*.jpg"))
        phone.post("/api/leave", json={})
        phone.post("/api/delete", json={"id": "game-1"})

    assert list((tmp_path / "pictures").rglob("*.*")) == []


def test_no_address_of_a_phone_and_none_of_its_words_is_kept(tmp_path: Path):
    evening = Evening(tmp_path, RIM)

    with running(tmp_path, witness=evening.recorder) as table:
        table.open_game(SETUP)
        phone = evening.phone(table, evening.play(table))
        phone.get("/", environ_overrides={"REMOTE_ADDR": "10.11.12.13"})
        phone.get(f"/j/{host_code(SECRET)}", headers={"User-Agent": "a red phone"})
        cookie = phone.get_cookie("dragon_host_80")

    kept = b"".join(evening.files().values())
    assert cookie is not None
    assert len(kept) > 1000
    for word in (b"10.11.12.13", b"red phone", cookie.value.encode()):
        assert word not in kept


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_says_what_is_kept(language: str, tmp_path: Path):
    points = dict(CHAPTERS)["privacy"]
    evening = Evening(tmp_path, RIM)
    words = Words(language, strict=True)

    with running(tmp_path, witness=evening.recorder) as table:
        table.open_game(SETUP)
        phone = evening.phone(table, evening.play(table))
        text = phone.get("/help", headers={"Accept-Language": language}).text

    assert points == 8
    for point in range(1, points + 1):
        assert words.say(f"dashboard.help.privacy.{point}") in text
    assert 'href="#privacy"' in text


def test_a_capsule_before_the_end_holds_no_more(tmp_path: Path):
    evening = Evening(tmp_path, RIM)

    with running(tmp_path, witness=evening.recorder) as table:
        table.open_game(SETUP)
        evening.play(table)
        file = io.BytesIO()
        story = table.snapshot.story
        assert story is not None
        pack(file, "game-1", story, tmp_path / "pictures" / "game-1", secrets=True)

    capsule = unpack(file.getvalue())
    assert capsule.frames
    assert not any(map(shows_the_shirt, capsule.frames.values()))
