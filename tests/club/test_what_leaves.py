"""Nothing leaves a table that not everybody at it may see: not a byte, on any topic."""

import random
import re

import msgspec
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from sqlalchemy import select

from companion.club.hub import schema
from companion.club.hub.records import Records
from companion.club.pages.app import create_app
from companion.club.table.public import game_line, public_entry, table_now
from companion.games import GAMES
from companion.games.hidden import is_private
from companion.running.snapshot import Setup
from companion.running.wishes import Clock
from companion.story.log import Asked, Entry
from companion.table import Glimpse, LinePart, Reading, Shown
from tests.club.conftest import Club
from tests.club.servers import until
from tests.dashboard.fakes import NOON, FakeTable
from tests.dashboard.playing import note, play_on
from tests.dashboard.toy import TOY
from tests.secrets.worlds import pair

PAIRS = 40
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def left(shown) -> list[bytes]:
    """Return all that a table would publish of its game."""
    story = shown.story
    return [
        msgspec.json.encode(table_now(shown, "Table 1", NOON)),
        msgspec.json.encode(game_line("game", story)),
        *map(public_entry, story.entries),
    ]


@each_game
@pytest.mark.parametrize(
    "pairs", [8, pytest.param(PAIRS, marks=pytest.mark.slow)], ids=["few", "more"]
)
def test_two_games_that_differ_in_secret_leave_the_same_bytes(game, pairs):
    differed = 0
    for seed in range(pairs):
        both = pair(game, f"club/{game.id}/{seed}")
        differed += both.differ

        assert left(both.ours) == left(both.theirs)

    # Dragorun hides nothing from anybody.
    assert (differed == 0) == (game.id == "dragorun")


def test_a_private_note_leaves_as_a_note_and_not_as_what_was_noted():
    table = FakeTable()
    table.open_game(Setup("drachenhort", ("Ana", "Bo")))
    note(table, 1, 5)
    (step,) = table.snapshot.story.steps
    assert is_private(step.made.move)

    entry = msgspec.json.decode(public_entry(table.snapshot.story.entries[1]))

    assert entry["body"]["move"]["group"] == {"value": None, "seen_by": [1]}


def test_no_entry_has_a_name_or_the_key_of_a_tap():
    table = FakeTable()
    table.open_game(Setup("drachenhort", ("Canary Ana", "Canary Bo")))
    play_on(table, random.Random(3), 10_000, "over")

    entries = b"".join(map(public_entry, table.snapshot.story.entries))

    assert b"Canary" not in entries
    assert not any(
        entry.body.key.encode() in entries
        for entry in table.snapshot.story.entries
        if getattr(entry.body, "key", None)
    )


def test_of_a_question_only_the_question_leaves():
    seen = Reading((Glimpse(Shown("card", "canary", "cell/1"), 0.7),))
    asked = Asked(seen, LinePart("core.ask.no_move"), ("turn canary",))

    told = public_entry(Entry(3, NOON, asked))

    assert b"canary" not in told
    assert b"core.ask.no_move" in told


class Listener:
    """Hears all that goes over a broker, from all to all."""

    def __init__(self, port: int) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._client = Client(
            CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5
        )
        self._client.on_message = lambda _, __, m: self.heard.append(
            (m.topic, bytes(m.payload))
        )
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


GAMES_WITH_A_SECRET = 200
CANARY = re.compile(rb"7000[0-4]\d\d")
"""Each of 400 secrets, and nothing else: no time of day here holds such a number."""


def everything(records: Records) -> bytes:
    """Return all that is in a club's database."""
    with records._engine.connect() as db:
        rows = [db.execute(select(one)).all() for one in schema.metadata.sorted_tables]
    return repr(rows).encode()


@pytest.mark.slow
def test_canaries_of_200_games_are_in_no_packet_table_or_page(
    club: Club, broker, store
):
    listener = Listener(broker.port)
    noon = Clock(wall=lambda: NOON)
    hub, records, room = club.hub(store, noon)
    table, _ = club.table("Table 6", FakeTable(lambda game_id: TOY), noon)
    for number in range(GAMES_WITH_A_SECRET):
        table.open_game(Setup("toy", ("Ana", "Bo")))
        for seat in (0, 1):
            note(table, seat, 7_000_000 + 2 * number + seat)
    story = table.snapshot.story
    assert CANARY.search(str(story.entries[-1]).encode())  # it is there to be found

    # What opens a game, and two notes.
    entries = 3 * GAMES_WITH_A_SECRET
    until(
        lambda: sum(c for c, _ in records.entry_counts().values()) == entries,
        "entries", 60,
    )  # fmt: skip
    game_id = table.snapshot.game_id
    until(
        lambda: [t for t in room.tables if t.now.game_id == game_id and t.now.moves],
        "table in the room",
    )
    listener.stop()

    topics = {topic for topic, _ in listener.heard}
    assert {f"dragon-table/tables/table-6/{at}" for at in ("now", "entries")} <= topics
    for topic, payload in listener.heard:
        assert not CANARY.search(payload), topic
    assert not CANARY.search(everything(records))
    assert not CANARY.search(str(room.tables).encode())
    staff = create_app(hub, room, records, "246810", clock=noon).test_client()
    staff.post("/pin", data={"pin": "246810"})
    for path in ("/", "/wall", "/table/table-6", "/evening", "/standings", "/now",
                 "/player?name=Ana", "/export.csv", "/export.json"):  # fmt: skip
        answer = staff.get(path)
        assert answer.status_code == 200, path
        assert not CANARY.search(answer.data), path
