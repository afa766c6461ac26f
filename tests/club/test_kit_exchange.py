"""A copy taught at one table is offered to all, and played with where it is chosen."""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.club.broker import Link, Will
from companion.club.messages import KIT_LABELS, encode, here_topic
from companion.club.table import kit_exchange
from companion.club.table.kit_exchange import Fresh, Heard, KitExchange
from companion.club.table.publisher import Membership, Publisher
from companion.dashboard import create_app
from companion.dashboard.door.auth import host_code
from companion.games import find
from companion.games.hidden import is_private
from companion.kits.kit import Kit, load, stand_in_kit
from companion.kits.kit_files import begin_kit
from companion.referee.decisions import Thresholds
from companion.running.offered_kits import OfferedKits
from companion.running.service import Table
from companion.running.snapshot import Done
from companion.running.storage.store import Store
from companion.running.wishes import Clock
from companion.table import Claim
from companion.words import Words
from tests.club.conftest import Club, at
from tests.club.servers import Process, until
from tests.dashboard.setting import ADDRESS, PIN, SECRET

pytestmark = pytest.mark.slow

FETCH_S = 10.0


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(kit_exchange, "LOOK_S", 0.05)


class Exchange:
    """A table that exchanges kits, and no more of a table."""

    def __init__(self, broker: Process, name: str, folder: Path) -> None:
        self.data = folder / name
        self.data.mkdir(exist_ok=True)
        self.taken: dict[str, Kit] = {}
        self.files: list[str] = []
        self.offered = OfferedKits(self.taken.__setitem__)
        self.link = Link(
            at(broker), name, Will(here_topic(name)), (KIT_LABELS,), self._receive,
            lambda: self.kits.hear(Fresh()),
        )  # fmt: skip
        self.kits = KitExchange(
            self.link, name, name.title(), self.data, Clock(), self.offered
        )

    def _receive(self, topic: str, payload: bytes, _number: int) -> bool:
        if topic.endswith("/file"):
            self.files.append(topic)
        self.kits.hear(Heard(topic, payload))
        return True

    def start(self) -> None:
        self.kits.start()
        self.link.start()

    def stop(self) -> None:
        self.kits.stop(5)
        self.link.stop()

    def names(self, game: str = "drachenhort") -> list[str]:
        return [kit.name for kit in self.offered.of(game)]

    def choose(self, name: str) -> str | None:
        (digest,) = [
            kit.digest for kit in self.offered.of("drachenhort") if kit.name == name
        ]
        return self.offered.fetch(digest, FETCH_S)


@pytest.fixture
def tables(own_broker: Process, tmp_path) -> Iterator[Callable[..., Exchange]]:
    """Make tables of one club that exchange kits, and end them.

    The broker is the test's own: what tables of another test have published stays.
    """
    with ExitStack() as stack:

        def table(name: str) -> Exchange:
            made = Exchange(own_broker, name, tmp_path)
            made.start()
            stack.callback(made.stop)
            return made

        yield table


def taught(
    data: Path, name: str, hours_ago: float = 1.0, folder: str | None = None
) -> Path:
    """Leave a kit in a table's folder that was taught so long ago."""
    kit = stand_in_kit(find("drachenhort"))
    path = data / "kits" / (folder or name)
    begin_kit(path, Kit(kit.game, name, kit.box, kit.meanings))
    rest(path, hours_ago)
    return path


def rest(folder: Path, hours_ago: float = 1.0) -> None:
    then = Clock().wall() - 3600 * hours_ago
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (then, then))


def test_others_hear_the_label_and_fetch_nothing_before_it_is_chosen(tables):
    first = tables("kit-one")
    folder = taught(first.data, "Ours")
    second = tables("kit-two")

    until(second.names, "label of the other table")

    (kit,) = second.offered.of("drachenhort")
    assert (kit.name, kit.table) == ("Ours", "Kit-One")
    assert second.files == []
    assert not (second.data / "kits").exists()
    assert second.choose("Ours") == "Ours"
    assert second.taken == {"Ours": load(folder)}
    assert len(second.files) == 1
    assert second.names() == []  # it is one of its own now


def test_it_is_not_published_again_by_who_fetched_it(tables):
    first = tables("kit-three")
    taught(first.data, "Theirs")
    second = tables("kit-four")
    until(second.names, "label of the other table")
    second.choose("Theirs")
    rest(second.data / "kits" / "Theirs")

    second.kits._publish_all()

    assert {topic.split("/")[2] for topic in second.kits._labels} == {"kit-three"}


def test_one_that_is_still_taught_is_not_published(tables):
    first = tables("kit-five")
    taught(first.data, "Half", hours_ago=0.1)
    until(lambda: first.link.is_up, "connection")

    first.kits._publish_all()

    assert first.kits._labels == {}


def test_a_file_that_is_not_what_its_label_says_is_left(tables, caplog):
    first = tables("kit-six")
    taught(first.data, "Right")
    second = tables("kit-seven")
    until(second.names, "label of the other table")
    (topic,) = second.kits._labels

    second.kits._take(topic, b"forged")

    assert second.taken == {}
    assert "is not what its label says" in caplog.text
    assert second.choose("Right") == "Right"


@pytest.mark.parametrize("names", [("Ours", "ours!"), ("Дракон", "龍")])
def test_copies_are_told_apart_however_they_are_called(tables, names):
    first = tables("kit-eight")
    for number, name in enumerate(names):
        # Two files that differ.
        folder = taught(first.data, f"{name} {number}", folder=name)
        assert folder.name == name
    second = tables("kit-nine")

    until(lambda: len(second.names()) == 2, "both labels")

    assert second.names() == sorted(f"{name} {n}" for n, name in enumerate(names))


def test_a_broker_that_has_forgotten_them_gets_them_again(tables, own_broker):
    first = tables("kit-ten")
    taught(first.data, "Ours")
    until(lambda: first.kits._labels, "label")

    own_broker.kill()
    own_broker.start()
    second = tables("kit-eleven")

    until(second.names, "label of the other table")
    assert second.choose("Ours") == "Ours"


def test_a_label_without_its_file_is_not_believed(tables):
    """The broker had confirmed the file, and was killed before it saved it."""
    first = tables("kit-20")
    taught(first.data, "Ours")
    until(lambda: first.kits._labels, "label")
    ((topic, label),) = first.kits._labels.items()
    file = topic.removesuffix("/label") + "/file"
    first.link.publish(file, b"", retain=True)

    first.kits.hear(Fresh())
    first.kits.hear(Heard(topic, encode(label)))
    second = tables("kit-21")

    until(second.names, "label of the other table")
    assert second.choose("Ours") == "Ours"


def test_what_its_teacher_adds_takes_the_place_of_what_was_fetched(tables):
    first = tables("kit-twelve")
    folder = taught(first.data, "Ours")
    second = tables("kit-thirteen")
    until(second.names, "label of the other table")
    second.choose("Ours")

    (folder / "lesson.json").write_text("{}")
    rest(folder)
    until(second.names, "label of what is new")

    assert second.choose("Ours") == "Ours"
    assert (second.data / "kits" / "Ours" / "lesson.json").exists()
    assert [one.name for one in (second.data / "kits").iterdir()] == ["Ours"]


def test_what_was_changed_here_stays_beside_it(tables):
    first = tables("kit-14")
    folder = taught(first.data, "Ours")
    second = tables("kit-15")
    until(second.names, "label of the other table")
    second.choose("Ours")
    (second.data / "kits" / "Ours" / "spaces.json").write_text("{}")

    (folder / "lesson.json").write_text("{}")
    rest(folder)
    until(second.names, "label of what is new")

    assert second.choose("Ours") == "Ours 2"
    assert (second.data / "kits" / "Ours" / "spaces.json").exists()


def test_a_copy_that_was_taken_off_its_table_is_offered_no_more(tables):
    first = tables("kit-16")
    folder = taught(first.data, "Sold")
    second = tables("kit-17")
    until(second.names, "label of the other table")

    shutil.rmtree(folder)

    until(lambda: not second.names(), "end of the offer")


def test_without_a_broker_whoever_chooses_is_not_kept_waiting(tables, own_broker):
    first = tables("kit-18")
    taught(first.data, "Ours")
    second = tables("kit-19")
    until(second.names, "label of the other table")

    own_broker.kill()
    until(lambda: not second.link.is_up, "end of the connection")

    assert second.choose("Ours") is None


class WholeTable:
    """A real table with its store, its pages and its club."""

    def __init__(self, broker: Process, name: str, folder: Path, stack: ExitStack):
        self.data = folder / name
        self.data.mkdir()
        store = Store(self.data / "table.sqlite3")
        stack.callback(store.close)
        ids = iter(range(1000))
        self.table = Table(
            store, {}, Clock(), lambda: f"{name}-{next(ids)}",
            lambda _cue, _names: None, Thresholds(),
        )  # fmt: skip
        self.table.start()
        stack.callback(self.table.stop)
        offered = OfferedKits(self.table.take_kit)
        self.app = create_app(
            self.table, secret=SECRET, pin=PIN, address=ADDRESS, offered=offered,
            strict_words=True,
        )  # fmt: skip
        member = Membership(at(broker), name)
        publisher = Publisher(
            self.table, member, self.data, Clock(), lambda: None, offered
        )
        publisher.start()
        stack.callback(publisher.stop)

    def host(self) -> Any:
        phone = self.app.test_client()
        phone.get(f"/j/{host_code(SECRET)}")
        return phone

    def play(self, seed: int) -> None:
        """Play the game on the table to its end."""
        dice = random.Random(seed)
        while True:
            story = self.table.snapshot.story
            assert story is not None
            moves = [
                move for move in story.game.legal(story.state) if not is_private(move)
            ]
            if story.game.outcome(story.state) is not None:
                return
            move = story.game.notate(story.state, dice.choice(moves))
            done = self.table.act(Claim(move, None, story.seq, f"k{story.seq}"))
            assert isinstance(done, Done)


@pytest.fixture
def whole_tables(own_broker: Process, tmp_path):
    with ExitStack() as stack:
        yield lambda name: WholeTable(own_broker, name, tmp_path, stack)


def until_offered(phone: Any, label: str) -> str:
    """Wait for a label in the lobby; return the lobby."""

    def shown() -> str:
        page = str(phone.get("/?to=drachenhort").text)
        return page if label in page else ""

    return str(until(shown, f"{label} in the lobby"))


def with_kit(lobby: str) -> dict[str, Any]:
    """Return the lobby's form, filled in, with the kit of the club that it offers."""
    digest = lobby.partition('<option value="club:')[2].partition('"')[0]
    return {
        "game": "drachenhort", "name": ["Ana", "Bo"], "first": "0",
        "kit": f"club:{digest}",
    }  # fmt: skip


def test_taught_once_it_is_played_with_at_every_table(
    whole_tables, own_broker, make_club: Callable[[Process], Club], tmp_path
):
    """From the label on three pages in three languages to the result in the club."""
    _, records, _ = make_club(own_broker).hub(f"sqlite:///{tmp_path}/club.db")
    teacher = whole_tables("Table 1")
    folder = taught(teacher.data, "Rue des Dragons")
    others = [whole_tables(f"Table {number}") for number in (2, 3)]
    lines = {
        "fr": "Boîtes du club",
        "en": "Boxes of the club",
        "de": "Schachteln des Clubs",
    }

    for number, other in enumerate(others):
        phone = other.host()
        until_offered(phone, "Rue des Dragons (Table 1)")
        for language, line in lines.items():
            shown = phone.get(f"/?to=drachenhort&lang={language}").text
            assert f'<optgroup label="{line}">' in shown
            assert "Rue des Dragons (Table 1)</option>" in shown
        assert not (other.data / "kits").exists()
        began = phone.post("/api/game", data=with_kit(shown))

        assert began.status_code == 303, began.text
        header = other.table.snapshot.story.header
        assert header.kit == "Rue des Dragons"
        assert header.kit_hash == load(folder).digest()
        assert header.box == load(folder).box
        other.play(seed=number)

    until(lambda: len(records.played()) == 2, "both results")
    assert {game.table for game in records.played()} == {"table-2", "table-3"}


@pytest.mark.parametrize("language", ["fr", "en", "de"])
def test_a_box_that_does_not_come_is_said_and_what_was_typed_stays(
    whole_tables, own_broker, language
):
    teacher = whole_tables("Table 1")
    taught(teacher.data, "Ours")
    other = whole_tables("Table 2")
    phone = other.host()
    form = with_kit(until_offered(phone, "Ours (Table 1)"))
    own_broker.kill()

    answer = phone.post(f"/api/game?lang={language}", data=form)

    assert answer.status_code == 422
    assert Words(language).say("club.kits.not_come") in answer.text
    assert 'value="Ana"' in answer.text
    assert f'<option value="{form["kit"]}" selected>' in answer.text
    assert other.table.snapshot.story is None
