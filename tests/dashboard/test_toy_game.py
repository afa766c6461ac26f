"""A sixth game is one record: added to GAMES, every page, lesson and command has it."""

import json
import sys

import pytest
from click.testing import CliRunner

from companion import games
from companion.capsule.evidence_store import EvidenceStore
from companion.cli.demo import demo
from companion.dashboard import create_app
from companion.dashboard.door.auth import host_code, seat_code
from companion.running.snapshot import Done, Setup
from companion.table import Claim
from companion.teaching.teacher import KitTeacher
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.dashboard.toy import TOY
from tests.running.table_setup import running

PAGES = (
    *("/", "/table", "/rules", "/help", "/past", "/figures", "/odds", "/api/state"),
    *("/past/{game}", "/past/{game}/points/0"),
    *("/past/{game}/game.json", "/past/{game}/points.csv"),
)


@pytest.fixture(autouse=True)
def _sixth(monkeypatch):
    """Add the toy to the games, wherever their list was taken from."""
    five = games.GAMES
    for name, module in list(sys.modules.items()):
        if name.startswith("companion") and getattr(module, "GAMES", None) is five:
            monkeypatch.setattr(module, "GAMES", (*five, TOY))


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        yield table


@pytest.fixture
def teacher(tmp_path, table):
    return KitTeacher(tmp_path / "kits", table.take_kit)


@pytest.fixture
def app(tmp_path, table, teacher):
    evidence = EvidenceStore(tmp_path / "pictures", 1_000_000)
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        teacher=teacher,
        evidence=evidence,
    )


@pytest.fixture
def host(app):
    phone = app.test_client()
    phone.get(f"/j/{host_code(SECRET)}")
    return phone


def begun(table) -> str:
    """Begin a game of the toy and return its id."""
    answer = table.open_game(Setup("toy", ("Ana", "Bo")))
    assert isinstance(answer, Done)
    return table.snapshot.game_id


def taken(table) -> None:
    """Take one coin more, whoever is in turn."""
    story = table.snapshot.story
    claim = Claim("take", story.state.seat, story.seq, f"key/{story.seq}")
    assert isinstance(table.act(claim), Done)


def test_a_lobby_offers_it_and_begins_it(host, table):
    assert b"Toy" in host.get("/").data

    asked = {"game": "toy", "players": ["Ana", "Bo"]}
    answer = host.post("/api/game", json=asked)

    assert answer.status_code == 200
    assert table.snapshot.story.game is TOY
    assert table.snapshot.story.header.players == ("Ana", "Bo")


@pytest.mark.parametrize("coins", [0, 1, 3])
def test_every_page_shows_it(coins, host, app, table):
    game_id = begun(table)
    for _ in range(coins):
        taken(table)
    phone = app.test_client()
    phone.get(f"/j/{seat_code(SECRET, game_id, 0, ())}")

    for path in PAGES:
        for who in (host, phone):
            answer = who.get(path.format(game=game_id))
            answer.close()
            assert answer.status_code == 200, path
    assert b"Toy" in host.get("/").data
    # In words, as nobody has drawn it: Ana's coins lie before her.
    assert f"seat/0: coin ({(coins + 1) // 2})".encode() in host.get("/").data


def test_its_moves_are_made_by_phone_and_taken_back(host, table):
    begun(table)
    taken(table)

    answer = host.post("/api/undo", json={"seq": 1, "key": "k"})

    assert answer.status_code == 200
    assert table.snapshot.story.state.coins == (0, 0)


def test_a_copy_of_it_is_taught_face_by_face(host, teacher):
    host.post("/api/teach", json={"do": "begin", "game": "toy", "name": "Ours"})

    faces = [item.face for item in teacher.lesson.course.items]
    assert faces == ["0", "1", "2"]
    for path in ("/teach", "/teach/facts", "/teach/spaces"):
        assert host.get(path).status_code == 200


@pytest.mark.slow
def test_a_demo_plays_it_to_its_end():
    options = "--headless --until-end --json --players 2 --seed 1"
    done = CliRunner().invoke(demo, ["toy", *options.split()])

    assert done.exit_code == 0, done.output
    report = json.loads(done.output.splitlines()[-1])
    assert report["game"] == "toy"
    # Two private numbers and three coins; Ana and Bo take turns.
    assert report["acts"] == 5
    assert sum(report["scores"].values()) == 3


def test_it_is_written_out_move_by_move(host, table):
    game_id = begun(table)
    for _ in range(3):
        taken(table)

    written = host.get(f"/past/{game_id}/game.json").get_json()
    assert [e["body"]["move"]["type"] for e in written["entries"][1:4]] == ["take"] * 3
    assert b"Ana" in host.get(f"/past/{game_id}/points.csv").data
    with host.get(f"/past/{game_id}/game.capsule") as capsule:
        assert capsule.data[:2] == b"PK"
