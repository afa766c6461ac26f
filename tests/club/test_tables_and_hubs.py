"""What a table stores comes to the club's database once, in order, and to the room."""

import random

import pytest

from companion.club.broker import Link, Will
from companion.club.messages import (
    HERE,
    HUBS,
    Delivery,
    Need,
    decode,
    entries_topic,
    home_topic,
    hub_topic,
)
from companion.club.table import calls
from companion.club.table.home_assistant import device_topic
from companion.running.snapshot import Setup
from companion.running.wishes import Clock
from companion.story.log import Asked
from companion.table import LinePart, Reading
from tests.club.conftest import Club, at
from tests.club.servers import Process, until
from tests.club.test_what_leaves import Listener
from tests.dashboard.fakes import NOON, FakeTable
from tests.dashboard.playing import play_on

pytestmark = pytest.mark.slow


def played(table: FakeTable, game: str = "drachenhort", seed: int = 1) -> int:
    """Play a game to its end; return how many entries it has."""
    table.open_game(Setup(game, ("Ana", "Bo", "Cy")))
    play_on(table, random.Random(seed), 10_000, "over")
    return len(table.snapshot.story.entries)


def stored(records, table: str, entries: int):
    """Wait till all entries of a table are stored."""

    def all_of_them():
        counts = records.entry_counts()
        mine = [count for (name, _), (count, _) in counts.items() if name == table]
        return sum(mine) == entries

    until(all_of_them, f"{entries} entries of {table}")


class TestOneTable:
    def test_a_game_comes_to_the_database_once_and_in_order(self, club: Club, store):
        _, records, _ = club.hub(store)
        table, _ = club.table("Table 7")

        entries = played(table)

        stored(records, "table-7", entries)
        ((_, (count, last)),) = records.entry_counts().items()
        assert (count, last) == (entries, entries - 1)  # counted from 0, none missing

    def test_its_result_is_there_with_points_and_winner(self, club: Club, store):
        _, records, _ = club.hub(store)
        table, _ = club.table("Table 8")
        played(table)
        story = table.snapshot.story
        outcome = story.game.outcome(story.state)
        scores = {s.seat: s.low for s in story.game.scores(story.state)}

        (game,) = until(records.played, "result")

        assert [seat.player for seat in game.seats] == ["Ana", "Bo", "Cy"]
        assert [seat.points for seat in game.seats] == [scores[n] for n in range(3)]
        assert [n for n, s in enumerate(game.seats) if s.won] == [*outcome.winners]

    def test_the_room_shows_the_table_and_then_that_it_is_gone(self, club: Club, store):
        _, _, room = club.hub(store)
        table, publisher = club.table("Table 9")
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))

        seen = until(
            lambda: next((t for t in room.tables if t.here and t.now.game), None),
            "table in the room",
        )
        assert seen.now.name == "Table 9"
        assert [player.name for player in seen.now.players] == ["Ana", "Bo"]
        assert [player.to_act for player in seen.now.players] == [True, False]

        publisher.stop()
        until(lambda: not room.table("table-9").here, "word that it is gone")


class TestWhatGoesWrong:
    def test_a_hub_that_comes_late_gets_all(self, club: Club, store):
        table, _ = club.table("Table 3")
        entries = played(table)

        _, records, _ = club.hub(store)

        stored(records, "table-3", entries)

    def test_a_broker_that_is_killed_loses_nothing(
        self, own_broker: Process, make_club, tmp_path
    ):
        club = make_club(own_broker)
        _, records, _ = club.hub(f"sqlite:///{tmp_path}/club.db")
        table, _ = club.table("Table 4")
        first = played(table)
        stored(records, "table-4", first)

        own_broker.kill()
        second = played(table, seed=2)
        own_broker.start()

        stored(records, "table-4", first + second)

    def test_after_a_week_without_a_network_all_comes_in_its_order(
        self, own_broker: Process, make_club, tmp_path
    ):
        """35 games: five an evening, by a clock that goes on for seven days."""
        club, day = make_club(own_broker), 24 * 3600.0
        now = [NOON]
        own_broker.kill()
        table, _ = club.table("Table 2", clock=Clock(wall=lambda: now[0]))
        entries = []
        for number in range(35):
            now[0] = NOON + number // 5 * day + number % 5 * 1800
            entries.append(played(table, "eight_dragons", number))
        own_broker.start()
        listener = Listener(own_broker.port)
        _, records, _ = club.hub(f"sqlite:///{tmp_path}/club.db")

        stored(records, "table-2", sum(entries))
        listener.stop()
        sent = [
            decode(payload, Delivery)
            for topic, payload in listener.heard
            if topic == entries_topic("table-2")
        ]
        games = [*dict.fromkeys(one.line.game_id for one in sent)]
        oldest_first = [game.id for game in reversed(table.games())]
        # The one on the table goes first: that is what the room looks at.
        assert games == [oldest_first[-1], *oldest_first[:-1]]
        counts = records.entry_counts()
        assert [counts["table-2", game] for game in oldest_first] == [
            (count, count - 1) for count in entries
        ]

    def test_a_name_is_deleted_here_and_at_the_table(self, club: Club, store):
        hub, records, room = club.hub(store)
        table, _ = club.table("Table 5")
        played(table)
        until(records.played, "result")
        until(lambda: room.table("table-5"), "table in the room")

        assert hub.forget("ana") == 1

        until(
            lambda: table.snapshot.story.header.players == ("1", "Bo", "Cy"),
            "name gone from the table",
        )
        (game,) = records.played()
        assert [seat.player for seat in game.seats] == ["1", "Bo", "Cy"]
        assert records.played(player="Ana") == ()

    def test_a_table_that_was_off_deletes_the_name_once_it_is_back(
        self, own_broker: Process, make_club, tmp_path
    ):
        club = make_club(own_broker)
        hub, records, room = club.hub(f"sqlite:///{tmp_path}/club.db")
        table, publisher = club.table("Table 15")
        played(table)
        until(records.played, "result")
        until(lambda: room.table("table-15"), "table in the room")
        publisher.stop()
        until(lambda: not room.table("table-15").here, "word that it is gone")

        assert hub.forget("Bo") == 1
        # What the broker shows of it may have named Bo.
        until(lambda: "Bo" not in str(room.tables), "end of what was shown")
        assert table.snapshot.story.header.players[1] == "Bo"
        club.table("Table 15", table)

        until(
            lambda: table.snapshot.story.header.players == ("Ana", "2", "Cy"),
            "name gone from the table",
        )
        until(
            lambda: "Ana" in (seen := str(room.table("table-15"))) and "Bo" not in seen,
            "table in the room without the name",
        )
        # It may have delivered once more what it had not heard of as stored.
        until(lambda: not records.played(player="Bo"), "end of the name")


class UnwaitedTable(FakeTable):
    """A table for which no thread of a club may wait: its writer would wake it."""

    def wait(self, version, timeout_s):
        raise AssertionError("the club waits for the table's writer")


def test_the_writer_of_a_table_never_wakes_its_club(club: Club, tmp_path):
    _, records, room = club.hub(f"sqlite:///{tmp_path}/club.db")
    table, _ = club.table("Table 12", UnwaitedTable())

    entries = played(table)

    stored(records, "table-12", entries)
    until(
        lambda: (seen := room.table("table-12")) and seen.now.ended,
        "end of the game in the room",
    )


def test_a_question_of_a_time_without_a_broker_calls_once_it_is_back(
    own_broker: Process, make_club, tmp_path
):
    now, looks = [1000.0], [0]

    def monotonic() -> float:
        looks[0] += 1
        return now[0]

    club = make_club(own_broker)
    own_broker.kill()
    table = FakeTable()
    table.open_game(Setup("drachenhort", ("Ana", "Bo")))
    table.tell(Asked(Reading(()), LinePart("core.ask.no_move"), ()))
    club.table("Table 13", table, Clock(monotonic=monotonic))
    until(lambda: looks[0] >= 2, "look at the table")  # the second is after the first

    now[0] = 1120.1  # two minutes, and a moment, after it was asked
    own_broker.start()
    _, _, room = club.hub(f"sqlite:///{tmp_path}/club.db")

    until(
        lambda: (seen := room.table("table-13")) and seen.now.needs == (Need.QUESTION,),
        "call for help",
    )


def test_a_call_for_help_comes_to_the_room_and_turns_a_lamp_on(
    club: Club, broker: Process, tmp_path, monkeypatch
):
    monkeypatch.setattr(calls, "QUESTION_S", 0.0)
    _, _, room = club.hub(f"sqlite:///{tmp_path}/club.db")
    listener = Listener(broker.port)
    table, _ = club.table("Table 16")
    table.open_game(Setup("drachenhort", ("Ana", "Bo")))
    until(lambda: room.table("table-16"), "table in the room")
    assert room.table("table-16").now.needs == ()

    table.tell(Asked(Reading(()), LinePart("core.ask.no_move"), ()))

    until(lambda: room.table("table-16").now.needs == (Need.QUESTION,), "call for help")

    def lamp() -> str:
        told = [
            decode(payload, dict)
            for topic, payload in listener.heard
            if topic == home_topic("table-16")
        ]
        return str(told[-1]["help"]) if told else ""

    until(lambda: lamp() == "on", "lamp")
    listener.stop()
    assert device_topic("table-16") in {topic for topic, _ in listener.heard}


def test_nothing_stays_of_hubs_that_have_ended(
    own_broker: Process, make_club, tmp_path
):
    club = make_club(own_broker)
    store = f"sqlite:///{tmp_path}/club.db"
    first, _, _ = club.hub(store)
    second, _, _ = club.hub(store)
    first.stop()

    heard: list[tuple[str, bytes]] = []
    listener = Link(
        at(own_broker), "listener", Will("test/here"), (f"{HUBS}/+/here",),
        lambda topic, payload, _: bool(heard.append((topic, payload))) or True,
    )  # fmt: skip
    listener.start()
    until(lambda: heard, "hub that is there")
    listener.stop()

    assert heard == [(hub_topic(second.id), HERE)]
