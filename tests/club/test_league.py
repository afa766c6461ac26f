"""Places and points of a league, and what two deliveries of one game come to."""

from datetime import date, timedelta, timezone

import msgspec
import pytest
from sqlalchemy import event

from companion.club.broker import Address
from companion.club.hub.hub import Hub
from companion.club.hub.league import Rule, evening_of, league_points, places, standings
from companion.club.hub.received import Played, Seated, receive
from companion.club.hub.records import BadStore, Records
from companion.club.hub.room import Room
from companion.club.messages import Delivery
from tests.club.played import EVENING, clock, deliver, line


def played(*seats: tuple[str, int | None, bool], game: str = "drachenhort") -> Played:
    return Played("t", "g", game, 0.0, EVENING, tuple(Seated(*seat) for seat in seats))


FOUR = played(("A", 10, False), ("B", 30, True), ("C", 10, False), ("D", 5, False))


class TestPlaces:
    def test_winners_come_first_and_equal_points_share_a_place(self):
        assert places(FOUR) == (2, 1, 2, 4)

    def test_in_a_race_all_others_come_in_behind_the_winner(self):
        race = played(("A", None, False), ("B", None, True), ("C", None, False),
                      game="dragorun")  # fmt: skip

        assert places(race) == (2, 1, 2)

    def test_the_rules_winner_stays_first_whatever_the_points(self):
        # Dragonix: a dragon may win with fewer points than somebody else has.
        game = played(("A", 10, False), ("B", 0, True), game="dragonix")

        assert places(game) == (2, 1)


class TestPoints:
    @pytest.mark.parametrize(
        ("rule", "wanted"),
        [
            (Rule.WINS, (0, 1, 0, 0)),
            (Rule.BEATEN, (1, 3, 1, 0)),  # A and C beat D alone
            (Rule.PODIUM, (3, 5, 3, 0)),  # two seconds, and so no third
        ],
    )
    def test_each_rule_gives_its_points(self, rule, wanted):
        assert league_points(FOUR, rule) == wanted

    def test_where_nobody_wins_nobody_is_on_the_podium(self):
        game = played(("A", 3, False), ("B", 2, False))

        assert league_points(game, Rule.PODIUM) == (0, 0)


class TestStandings:
    def test_equal_points_and_wins_share_a_place(self):
        rows = standings([FOUR], Rule.BEATEN)

        assert [(r.place, r.name, r.points) for r in rows] == [
            (1, "B", 3), (2, "A", 1), (2, "C", 1), (4, "D", 0),
        ]  # fmt: skip

    def test_a_name_counts_as_one_however_it_is_written(self):
        games = [played(("ana", 2, True), ("Bo", 1, False)),
                 played(("Ana", 2, True), ("Bo", 1, False))]  # fmt: skip

        rows = standings(games, Rule.WINS)

        assert [(r.name, r.points, r.played) for r in rows] == [
            ("ana", 2, 2), ("Bo", 0, 2),
        ]  # fmt: skip

    def test_a_seat_without_a_name_is_nobodys(self):
        assert (
            standings([played(("1", 9, True), ("Bo", 1, False))], Rule.WINS)[0].name
            == "Bo"
        )


def test_two_in_the_morning_belongs_to_the_evening_before():
    paris = timezone(timedelta(hours=1))

    assert evening_of(EVENING, paris) == date(2026, 11, 30)
    assert evening_of(EVENING + 6 * 3600, paris) == date(2026, 11, 30)  # 02:00
    assert evening_of(EVENING + 10 * 3600, paris) == date(2026, 12, 1)  # 06:00


class TestRecords:
    @pytest.fixture
    def records(self, store):
        records = Records(store)
        yield records
        records.close()

    def test_an_older_line_that_comes_late_changes_nothing(self, records):
        deliver(records, line("g", ("Ana", 3, True)), seq=50)
        deliver(records, line("g", ("Ana", None, False), ended_at=None), seq=40)

        (game,) = records.played()
        assert game.seats == (Seated("Ana", 3, True),)

    def test_of_two_lines_that_come_together_the_newer_counts(self, records):
        over = line("g", ("Ana", 3, True))
        open_ = line("g", ("Ana", None, False), ended_at=None)
        both = [
            receive("t", Delivery(n, "T", EVENING, seq, made, 0, ()), EVENING)
            for n, (seq, made) in enumerate(((51, over), (50, open_)))
        ]

        records.keep(both)

        (game,) = records.played()
        assert game.seats == (Seated("Ana", 3, True),)

    def test_an_entry_that_changes_no_seat_writes_none(self, records):
        """Nearly all are: what they would write again costs more than to ask."""
        written = []
        event.listen(
            records._engine, "before_cursor_execute",
            lambda _c, _k, sql, *_: written.append(sql.split()[:3]),
        )  # fmt: skip
        counts = []
        for seq, points in ((50, None), (51, None), (52, 3)):
            deliver(records, line("g", ("Ana", points, False)), seq=seq)
            counts.append(written.count(["INSERT", "INTO", "seats"]))

        assert counts == [1, 1, 2]

    def test_an_end_that_was_taken_back_is_no_result_any_more(self, records):
        deliver(records, line("g", ("Ana", 3, True)), seq=50)
        deliver(records, line("g", ("Ana", None, False), ended_at=None), seq=51)

        assert records.played() == ()

    def test_a_clock_three_years_behind_still_ends_a_game_this_evening(self, records):
        three_years_s = 3 * 365 * 24 * 3600.0
        old = EVENING - three_years_s
        made = line("g", ("Ana", 3, True), ended_at=old - 10)

        deliver(records, made, sent_at=old)

        (game,) = records.played()
        assert game.ended_at == pytest.approx(EVENING - 10)

    def test_entries_that_do_not_follow_each_other_are_refused(self):
        entries = (msgspec.Raw(b'{"seq":4,"at":1}'), msgspec.Raw(b'{"seq":6,"at":1}'))
        delivery = Delivery(1, "T", 0.0, 6, line("g", ("Ana", 1, True)), 4, entries)

        with pytest.raises(msgspec.ValidationError, match="do not follow"):
            receive("t", delivery, EVENING)

    def test_what_is_delivered_twice_is_written_once(self, records):
        entries = tuple(
            msgspec.Raw(b'{"seq":%d,"at":1,"body":{}}' % n) for n in range(3)
        )
        made = line("g", ("Ana", 1, True))
        delivery = Delivery(1, "T", EVENING, 2, made, 0, entries)
        again = Delivery(2, "T", EVENING, 2, made, 1, entries[1:])

        for one in (delivery, delivery, again):
            records.keep([receive("t", one, EVENING)])

        assert records.entry_counts() == {("t", "g"): (3, 2)}
        assert len(records.played()) == 1

    @pytest.mark.parametrize("at", [-1.0, 1e12, 1e300])
    def test_a_time_that_no_calendar_has_is_refused(self, at):
        made = line("g", ("Ana", 1, True), ended_at=at)
        delivery = Delivery(1, "T", EVENING, 0, made, 0, ())

        with pytest.raises(msgspec.ValidationError, match="no times of day"):
            receive("t", delivery, EVENING)

    def test_one_that_cannot_be_kept_keeps_no_other_out(self, store, records, caplog):
        # PostgreSQL takes no text with a NUL, and no number above 31 bits.
        good = receive("t1", Delivery(1, "T", EVENING, 5, line("g", ("Bo", 1, True)),
                                      0, ()), EVENING)  # fmt: skip
        bad = receive("t2", Delivery(1, "T", EVENING, 5, line("h", ("A\0", 1, True)),
                                     0, ()), EVENING)  # fmt: skip
        hub = Hub(Address("127.0.0.1", 9, False), records, Room(clock().wall), clock())

        kept = hub._keep([bad, good])

        assert good in kept
        if store.startswith("postgresql"):
            assert kept == [good]
            assert "t2 delivered what cannot be kept" in caplog.text

    def test_a_second_start_finds_its_tables_there(self, store, records):
        again = Records(store)

        assert again.word("pin") == records.word("pin")
        assert again.check().startswith(("sqlite", "postgresql"))
        again.close()


@pytest.mark.parametrize("url", ["club.db", "mysql://localhost/club", ""])
def test_what_is_no_database_is_refused_with_what_to_do(url):
    with pytest.raises(BadStore):
        Records(url)
