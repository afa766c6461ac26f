"""Who won how often, and when a die may be blamed."""

import pytest

from companion.dashboard.pages.game_summaries import (
    GameSummaries,
    Played,
    Seated,
    ThrowCounts,
    sum_up,
)
from companion.dashboard.pages.statistics import chi_squared_tail, fairness, rankings
from companion.running.snapshot import Setup
from tests.dashboard.conftest import Clock
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on


def over(game: str, *seats: tuple[str, int, bool], variant=()) -> Played:
    return Played("g", game, variant, tuple(Seated(*seat) for seat in seats), ())


def thrown(*faces: tuple[str, int, float], game="drachenhort") -> Played:
    return Played("g", game, (), (), (ThrowCounts("die", faces),))


class TestWhoWon:
    def test_a_name_counts_as_one_however_it_was_written(self):
        games = [
            over("drachenhort", ("ana", 20, True), ("Bo", 11, False)),
            over("drachenhort", ("Ana", 10, False), ("Bo", 15, True)),
        ]

        (ranking,) = rankings(games)

        # As it was written last.
        told = [(r.name, r.played, r.won) for r in ranking.records]
        assert told == [("Ana", 2, 1), ("Bo", 2, 1)]

    def test_games_wins_mean_and_best_of_each(self):
        games = [
            over("drachenhort", ("Ana", 20, True), ("Bo", 11, False)),
            over("drachenhort", ("Ana", 10, False), ("Bo", 15, True)),
            over("drachenhort", ("Ana", 30, True), ("Cy", 6, False)),
        ]

        (ranking,) = rankings(games)

        told = [(r.name, r.played, r.won, r.mean, r.best) for r in ranking.records]
        assert told == [
            ("Ana", 3, 2, 20.0, 30),  # (20 + 10 + 30) / 3
            ("Bo", 2, 1, 13.0, 15),  # (11 + 15) / 2
            ("Cy", 1, 0, 6.0, 6),
        ]
        assert [r.percent for r in ranking.records] == [67, 50, 0]

    def test_games_by_other_house_rules_are_counted_apart(self):
        games = [
            over("drachenhort", ("Ana", 20, True)),
            over("drachenhort", ("Ana", 5, False), variant=(("DH1", "optional"),)),
        ]

        assert [r.games for r in rankings(games)] == [1, 1]

    def test_a_race_has_no_points_and_the_fewest_win_in_dragonix(self):
        games = [
            over("dragorun", ("Ana", 3, True)),
            over("dragonix", ("Ana", 4, True), ("Bo", 9, False)),
            over("dragonix", ("Ana", 7, False), ("Bo", 2, True)),
        ]

        race, armies = rankings(games)

        assert (race.records[0].mean, race.records[0].best) == (None, None)
        assert {r.name: r.best for r in armies.records} == {"Ana": 4, "Bo": 2}

    def test_a_deleted_name_counts_for_nobody(self):
        (ranking,) = rankings([over("drachenhort", ("1", 20, True), ("Bo", 3, False))])

        assert [r.name for r in ranking.records] == ["Bo"]
        assert ranking.games == 1


class TestDice:
    @pytest.mark.parametrize(
        ("strayed", "freedom", "chance"),
        # The critical values that every table of chi-squared gives.
        [(3.841, 1, 0.05), (9.488, 4, 0.05), (11.070, 5, 0.05), (16.919, 9, 0.05),
         (10.828, 1, 0.001), (18.467, 4, 0.001), (20.515, 5, 0.001)],
    )  # fmt: skip
    def test_the_tail_is_that_of_the_tables(
        self, strayed: float, freedom: int, chance: float
    ):
        assert chi_squared_tail(strayed, freedom) == pytest.approx(chance, rel=0.005)

    def test_too_few_throws_say_nothing_and_how_many_are_missing(self):
        # Each of six faces is due 12 / 6 = 2 times; 5 are wanted: 30 throws.
        (die,) = fairness([thrown(*[(str(n), 2, 2.0) for n in range(1, 7)])])

        assert (die.verdict, die.missing, die.chance) == ("early", 18, None)

    def test_an_even_die_is_not_blamed(self):
        # Strayed: (12-10)²/10 + (8-10)²/10 = 0.8 with five degrees of freedom.
        counts = [12, 8, 10, 10, 10, 10]
        (die,) = fairness([thrown(*[(str(n), c, 10.0) for n, c in enumerate(counts)])])

        assert die.verdict == "fair"
        assert die.chance == pytest.approx(0.977, abs=0.001)

    def test_a_loaded_die_is_told_with_how_rare_that_is(self):
        # Strayed: (30-10)²/10 + 5 (6-10)²/10 = 40 + 8 = 48.
        counts = [30, 6, 6, 6, 6, 6]
        (die,) = fairness([thrown(*[(str(n), c, 10.0) for n, c in enumerate(counts)])])

        assert die.verdict == "very_odd"
        assert die.chance < 1e-7

    def test_games_add_up(self):
        games = [
            thrown(("1", 3, 2.0), ("2", 1, 2.0)),
            thrown(("1", 5, 5.0), ("2", 5, 5.0)),
        ]

        (die,) = fairness(games)

        assert die.faces == (("1", 8, 7.0), ("2", 6, 7.0))


class TestRemembering:
    def test_the_second_two_of_drachenhort_is_due_twice_as_often(
        self, game: FakeTable, play
    ):
        play()

        played = sum_up("game-1", game.snapshot.story)

        (throws,) = played.throws
        n = sum(seen for _, seen, _ in throws.faces)
        due = {face: share for face, _, share in throws.faces}
        assert due == pytest.approx(
            {"1": n / 6, "2": n / 3, "3": n / 6, "4": n / 6, "6": n / 6}
        )
        assert [seat.name for seat in played.seats] == ["Ana", "Bo", "Cy"]
        assert any(seat.won for seat in played.seats)

    def test_both_dice_of_dragorun_are_fair_over_six_faces(self, table: FakeTable):
        import random

        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        play_on(table, random.Random(4), 60, "over")

        played = sum_up("game-1", table.snapshot.story)

        assert {throws.piece for throws in played.throws} == {"colour", "move"}
        for throws in played.throws:
            assert len(throws.faces) == 6
            assert len({round(due, 6) for _, _, due in throws.faces}) == 1

    def test_a_running_game_is_not_counted_until_it_is_put_away(
        self, game: FakeTable, clock: Clock, play
    ):
        play(moves=10)
        summaries = GameSummaries(game, clock)

        assert summaries.played() == ((), 0)
        game.leave()
        (played,), waiting = summaries.played()
        assert (played.id, played.seats, waiting) == ("game-1", (), 0)

    def test_many_games_are_summed_up_over_several_looks(self, table: FakeTable):
        for _ in range(3):
            table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        table.leave()
        seconds = iter(range(100))
        summaries = GameSummaries(table, lambda: float(next(seconds)), budget_s=0.5)

        assert [len(summaries.played()[0]) for _ in range(4)] == [1, 2, 3, 3]

    @pytest.mark.parametrize("fault", [LookupError, RuntimeError])
    def test_a_game_that_cannot_be_read_is_left_out(
        self, game: FakeTable, clock: Clock, monkeypatch, fault
    ):
        def torn(game_id):
            raise fault(game_id)

        game.leave()
        monkeypatch.setattr(game, "story", torn)

        assert GameSummaries(game, clock).played() == ((), 0)
