"""A box cannot be shown where no camera sees the table: the page says why."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.dashboard.door.auth import host_code
from companion.running.snapshot import CameraStatus
from companion.teaching.teacher import KitTeacher
from companion.words import Words
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.watching.scene import still
from vision.camera.port import Frame

UNPLUGGED = "teach.no.picture"


class Host:
    """The host's phone at a table with a camera of that name."""

    def __init__(self, folder: Path, camera: str) -> None:
        self.teacher = KitTeacher(folder / "kits", lambda *_: None)
        table = FakeTable()
        table.show(camera=CameraStatus(camera))
        app = create_app(
            table, secret=SECRET, pin=PIN, address=ADDRESS, teacher=self.teacher,
            strict_words=True,
        )  # fmt: skip
        self.phone: FlaskClient = app.test_client()
        self.phone.get(f"/j/{host_code(SECRET)}")

    def reads(self, path: str = "/teach") -> str:
        return self.phone.get(path).text

    def asks(self, **wish: Any) -> str:
        return self.phone.post("/api/teach", json=wish).get_json().get("text", "")


def words(line: str) -> str:
    return Words("fr", strict=True).say(line)


@pytest.mark.parametrize(
    ("camera", "line"),
    [
        ("drawn", "teach.blind.drawn"),
        ("/home/family/photos", "teach.blind.folder"),
        ("none", "teach.blind.none"),
    ],
)
def test_before_a_lesson_in_it_and_at_each_tap_it_is_said(
    camera: str, line: str, tmp_path: Path
):
    host = Host(tmp_path, camera)
    assert words(line) in host.reads()

    host.asks(do="begin", game="drachenhort", name="ours")

    assert words(line) in host.reads()
    assert host.asks(do="look") == words(line)
    assert words(UNPLUGGED) not in host.reads()


@pytest.mark.parametrize("camera", ["pi", "0", "/dev/video0"])
def test_a_camera_that_shows_nothing_yet_may_be_unplugged(camera: str, tmp_path: Path):
    host = Host(tmp_path, camera)
    assert "teach.blind" not in host.reads()
    assert words(UNPLUGGED) not in host.reads()

    host.asks(do="begin", game="drachenhort", name="ours")

    assert words(UNPLUGGED) in host.reads()
    assert host.asks(do="look") == words(UNPLUGGED)


def test_a_folder_that_is_shown_as_a_live_camera_sees(tmp_path: Path):
    host = Host(tmp_path, "/home/family/photos")
    host.teacher.see(Frame(still(10), 0.0, None, "a"))

    assert words("teach.blind.folder") not in host.reads()
