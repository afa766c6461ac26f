"""A photo of the final table: only when the host asks, and it goes with its game."""

import random
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.capsule.evidence_store import EvidenceStore
from companion.dashboard import create_app
from companion.dashboard.door.auth import host_code
from companion.running.snapshot import Setup
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on
from tests.dashboard.setting import ADDRESS, PIN, PLAYERS, SECRET

JPEG, OTHER = b"\xff\xd8 the table", b"\xff\xd8 the table again"
PHOTO = "/past/game-1/table.jpg"


class Camera:
    """Gives the picture that it is told to; none where it is dark."""

    def __init__(self) -> None:
        self.jpeg: bytes | None = JPEG

    def __call__(self) -> bytes | None:
        return self.jpeg


@pytest.fixture
def camera() -> Camera:
    return Camera()


@pytest.fixture
def over(table: FakeTable) -> FakeTable:
    """A game of Drachenhort that has come to its end."""
    table.open_game(Setup("drachenhort", PLAYERS))
    play_on(table, random.Random(1), 2000, "over")
    return table


@pytest.fixture
def phone(table: FakeTable, camera: Camera, tmp_path: Path) -> FlaskClient:
    """The host's."""
    app = create_app(
        table, secret=SECRET, pin=PIN, address=ADDRESS, frames=camera,
        evidence=EvidenceStore(tmp_path / "pictures"), strict_words=True,
    )  # fmt: skip
    phone = app.test_client()
    phone.get(f"/j/{host_code(SECRET)}")
    return phone


def ask(phone: FlaskClient, do: str = "take", game: str = "game-1") -> int:
    return phone.post("/api/photo", json={"id": game, "do": do}).status_code


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "pictures").rglob("*.*"))


def test_nobody_takes_one_unless_asked(
    over: FakeTable, phone: FlaskClient, tmp_path: Path
):
    page = phone.get("/past/game-1").text

    assert "Prendre une photo de la table" in page
    assert PHOTO not in page
    assert phone.get(PHOTO).status_code == 404
    assert kept(tmp_path) == []


def test_the_host_takes_it_and_everybody_sees_it(
    over: FakeTable, phone: FlaskClient, tmp_path: Path
):
    assert ask(phone) == 200

    guest = phone.application.test_client()
    assert guest.get(PHOTO).data == JPEG
    page = guest.get("/past/game-1").text
    assert f'src="{PHOTO}"' in page
    assert "/api/photo" not in page
    assert kept(tmp_path) == ["table.jpg"]
    # A game may be looked at long after; its photo is of then.
    over.leave()
    assert f'src="{PHOTO}"' in guest.get("/past/game-1").text


def test_a_second_one_takes_its_place(
    over: FakeTable, phone: FlaskClient, camera: Camera, tmp_path: Path
):
    ask(phone)
    camera.jpeg = OTHER
    ask(phone)

    assert phone.get(PHOTO).data == OTHER
    assert kept(tmp_path) == ["table.jpg"]


def test_it_is_deleted_alone(over: FakeTable, phone: FlaskClient, tmp_path: Path):
    ask(phone)
    over.leave()
    assert "Effacer la photo" in phone.get("/past/game-1").text

    assert ask(phone, "delete") == 200

    assert phone.get(PHOTO).status_code == 404
    assert kept(tmp_path) == []


def test_it_is_deleted_with_its_game(
    over: FakeTable, phone: FlaskClient, tmp_path: Path
):
    ask(phone)
    over.leave()

    phone.post("/api/delete", json={"id": "game-1"})

    assert phone.get(PHOTO).status_code == 404
    assert kept(tmp_path) == []


def test_it_is_in_no_capsule(over: FakeTable, phone: FlaskClient):
    ask(phone)

    with phone.get("/past/game-1/game.capsule") as capsule:
        assert JPEG not in capsule.data
        assert b"game.json" in capsule.data


def test_only_of_a_table_as_a_game_left_it(table: FakeTable, phone: FlaskClient):
    table.open_game(Setup("drachenhort", PLAYERS))
    assert "/api/photo" not in phone.get("/past/game-1").text
    assert ask(phone) == 409

    play_on(table, random.Random(1), 2000, "over")
    assert ask(phone, game="game-2") == 409
    table.leave()

    # By now anything may lie there.
    assert "/api/photo" not in phone.get("/past/game-1").text
    assert ask(phone) == 409


def test_a_dark_camera_and_a_full_card_are_said(
    over: FakeTable, phone: FlaskClient, camera: Camera, tmp_path: Path
):
    camera.jpeg = None
    assert ask(phone) == 422
    camera.jpeg = JPEG
    (tmp_path / "pictures").write_text("in the way")

    assert ask(phone) == 503


@pytest.mark.parametrize("game", ["../game-1", "game-9"])
def test_only_of_a_game_that_is_stored_here(
    game: str, over: FakeTable, phone: FlaskClient, tmp_path: Path
):
    ask(phone)

    assert ask(phone, "delete", game) == 404

    assert kept(tmp_path) == ["table.jpg"]


def test_a_table_without_a_camera_offers_none(over: FakeTable, tmp_path: Path):
    app = create_app(
        over, secret=SECRET, pin=PIN, address=ADDRESS,
        evidence=EvidenceStore(tmp_path / "pictures"), strict_words=True,
    )  # fmt: skip
    phone = app.test_client()
    phone.get(f"/j/{host_code(SECRET)}")

    assert "/api/photo" not in phone.get("/past/game-1").text
    assert ask(phone) == 404
