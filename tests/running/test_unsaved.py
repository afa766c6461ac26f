"""While the disk refuses nothing is dropped, and nothing is told that is not so."""

import errno
import math
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import contextmanager

import pytest

from companion.running.snapshot import (
    Done,
    PhoneToken,
    Rejected,
    Setup,
    StoredGame,
)
from companion.running.storage.archive import StoredGames
from companion.running.storage.store import Store
from companion.running.storage.trouble import StoreTrouble
from companion.table import Claim, LinePart, Word
from tests.running.table_setup import SETUP, claim, running

OTHER = Setup("drachenhort", ("Zoé", "龍"))


@contextmanager
def refusing(table):
    """Let the disk refuse every write of *table*, as a card does that went bad."""
    db = table._store._db
    db.execute("PRAGMA query_only=ON")
    try:
        yield
    finally:
        db.execute("PRAGMA query_only=OFF")


def tap(table, move: str) -> object:
    story = table.snapshot.story
    return table.act(
        Claim(move, None, story.seq, f"{table.snapshot.game_id}/{story.seq}")
    )


def lines(table) -> list[str]:
    return [line.line for line in table.snapshot.warnings]


def waited(table, until: Callable[[], bool]) -> bool:
    """Wait until the writer has tried the disk again and *until* holds."""
    for _ in range(200):
        if until():
            return True
        table.wait(table.snapshot.version, 0.1)
    return until()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("companion.running.service.RETRY_S", 0.01)


def test_acts_outlast_the_end_of_their_game_while_the_disk_refuses(tmp_path):
    """Six acts, put away, another game, six acts: all twelve are kept."""
    with running(tmp_path) as table:
        table.open_game(SETUP)
        with refusing(table):
            for move in ("throw 3", "advance green", "throw 2"):
                assert tap(table, move) == Done(
                    table.snapshot.story.seq, "game-1", stored=False
                )
            first = table.snapshot.story
            assert table.leave() == Done(0, None, stored=False)
            assert lines(table) == ["core.store.unsaved"]
            assert dict(table.snapshot.warnings[0].params)["n"] == 3

            assert table.open_game(OTHER) == Done(0, "game-2", stored=False)
            tap(table, "throw 4")
            second = table.snapshot.story
            assert [game.id for game in table.games()] == ["game-2", "game-1"]
            assert table.story("game-1") == first
            assert lines(table) == ["core.store.unsaved"]
        assert waited(table, lambda: table.snapshot.stored)
        assert table.snapshot.warnings == ()

    with running(tmp_path) as table:
        assert table.snapshot.game_id == "game-2"
        assert table.snapshot.story == second
        assert table.story("game-1") == first
        assert [game.closed for game in table.games()] == [False, True]


def test_a_game_is_resumed_with_what_was_not_saved_of_it(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        table.open_game(OTHER)
        with refusing(table):
            tap(table, "throw 4")
            mine = table.snapshot.story
            assert table.resume("game-1") == Done(0, "game-1", stored=False)
            tap(table, "throw 3")

            assert table.resume("game-2") == Done(1, "game-2", stored=False)

            assert table.snapshot.story == mine
            tap(table, "advance green")
        assert waited(table, lambda: table.snapshot.stored)
        last = table.snapshot.story

    with running(tmp_path) as table:
        assert table.snapshot.story == last
        assert table.story("game-1").steps[-1].made.move is not None


def test_what_was_put_away_unsaved_is_not_told_as_done(tmp_path):
    """Should the power go now, the game is on the table again: nobody was told else."""
    with running(tmp_path) as table:
        table.open_game(SETUP)
        with refusing(table):
            assert table.leave() == Done(0, None, stored=False)
            assert lines(table) == ["core.store.unsaved_other"]
            assert not table.snapshot.stored


def test_each_act_says_whether_it_is_on_disk(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        with refusing(table):
            assert not tap(table, "throw 3").stored
        assert waited(table, lambda: table.snapshot.stored)
        assert tap(table, "advance green").stored


class Seconds:
    """Seconds that grow when a test says so."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class TestAFileThatAnotherProgramHolds:
    """As a backup does that locks it, or somebody who looks into it with sqlite3."""

    @pytest.fixture
    def table(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            yield table

    @contextmanager
    def held(self, table):
        other = sqlite3.connect(table._store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.close()

    def patience_ms(self, table) -> int:
        (ms,) = table._store._db.execute("PRAGMA busy_timeout").fetchone()
        return ms

    def test_holds_up_one_act_for_half_a_second_and_none_after_it(self, table):
        assert self.patience_ms(table) == 500
        with self.held(table):
            assert not tap(table, "throw 3").stored
            assert self.patience_ms(table) == 0
            why = ("why", Word("core.disk.busy"))
            assert table.snapshot.warnings == (
                LinePart("core.store.unsaved", (("n", 1), why)),
            )
            for _ in range(20):
                assert not tap(table, sorted(table.snapshot.offers)[0]).stored
            assert dict(table.snapshot.warnings[0].params)["n"] >= 21
            assert self.patience_ms(table) == 0

        assert tap(table, sorted(table.snapshot.offers)[0]).stored
        assert table.snapshot.warnings == ()
        assert self.patience_ms(table) == 500

    def test_is_written_when_it_is_free_and_nobody_acts(self, table, tmp_path):
        table._store.wait_for_others(0)
        with self.held(table):
            for _ in range(12):
                tap(table, sorted(table.snapshot.offers)[0])
            last = table.snapshot.story
        assert waited(table, lambda: table.snapshot.stored)
        assert table.snapshot.warnings == ()
        assert StoredGames(tmp_path / "table.sqlite3").game("game-1").story == last


def test_a_disk_that_takes_long_to_refuse_is_tried_seldom(tmp_path, monkeypatch):
    """A card that fails holds a write for seconds: acts wait for a fifth at most."""
    # The writer is never idle here: two threads would count the same seconds.
    monkeypatch.setattr("companion.running.service.RETRY_S", 60.0)
    seconds = Seconds()
    with running(tmp_path, monotonic=seconds) as table:
        table.open_game(SETUP)
        real, tries = table._store.try_again, []

        def slow():
            seconds.now_s += 5.0
            tries.append(seconds.now_s)
            raise StoreTrouble("it takes 5 s to refuse")

        monkeypatch.setattr(table._store, "try_again", slow)
        for _ in range(100):  # one a second
            tap(table, sorted(table.snapshot.offers)[0])
            seconds.now_s += 1.0
        monkeypatch.setattr(table._store, "try_again", real)

        # At 5 s, and then each 5 s + 4 x 5 s later.
        assert tries == [5.0, 30.0, 55.0, 80.0, 105.0]


class TestAtTheDoor:
    def test_a_phone_that_came_in_meanwhile_stays_in(self, tmp_path):
        token = PhoneToken("hash", "seat", 1, "game-1")
        with running(tmp_path) as table:
            table.open_game(SETUP)
            with refusing(table):
                table.add_token(token)
                assert lines(table) == ["core.store.unsaved_other"]
            assert waited(table, lambda: table.snapshot.stored)

        with running(tmp_path) as table:
            assert table.tokens() == (token,)

    def test_a_phone_that_was_put_out_meanwhile_stays_out(self, tmp_path):
        with running(tmp_path) as table:
            table.add_token(PhoneToken("hash", "host"))
            with refusing(table):
                table.drop_tokens(frozenset({"hash"}))
                assert table.tokens() == ()
                assert lines(table) == ["core.store.unsaved_other"]
            assert waited(table, lambda: table.snapshot.stored)

        with running(tmp_path) as table:
            assert table.tokens() == ()


class TestDeleting:
    def test_a_name_stays_where_the_disk_refuses_and_the_table_runs_on(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            with refusing(table):
                answer = table.forget("Ana")
                assert isinstance(answer, Rejected)
                assert answer.why.line == "core.not_forgotten"
                assert table.snapshot.story.header.players == ("Ana", "Bo", "Cy")
            assert not table.failed.is_set()

            assert table.forget("Ana") == Done(0, "game-1")
            assert table.games()[0].players == ("1", "Bo", "Cy")

    def test_a_name_in_acts_that_were_not_saved_goes_as_well(self, tmp_path):
        with running(tmp_path) as table:
            with refusing(table):
                table.open_game(Setup("drachenhort", ("Wilhelmine", "Bo")))
                tap(table, "throw 3")
                assert isinstance(table.forget("Wilhelmine"), Rejected)

            assert isinstance(table.forget("Wilhelmine"), Done)

        for file in tmp_path.iterdir():
            assert b"Wilhelmine" not in file.read_bytes(), file

    def test_it_is_done_only_when_no_trace_is_left(self, tmp_path):
        """Somebody reads the file: the log of writes cannot be emptied yet."""
        with running(tmp_path) as table:
            table.open_game(Setup("drachenhort", ("Wilhelmine", "Bo")))
            table._store._db.execute("PRAGMA busy_timeout=0")
            reader = sqlite3.connect(tmp_path / "table.sqlite3")
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM games").fetchone()

            answer = table.forget("Wilhelmine")

            assert isinstance(answer, Rejected)
            assert answer.why.line == "core.not_wiped"
            assert lines(table) == ["core.store.unwiped"]
            assert table.games()[0].players == ("1", "Bo")
            assert not table.failed.is_set()
            reader.close()
            assert waited(table, lambda: table.snapshot.stored)
            assert table.snapshot.warnings == ()
            log = tmp_path / "table.sqlite3-wal"
            assert not log.exists() or log.stat().st_size == 0
            for file in tmp_path.iterdir():
                assert b"Wilhelmine" not in file.read_bytes(), file

    def test_a_name_stays_away_when_the_power_goes_right_after(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(Setup("drachenhort", ("Wilhelmine", "Bo")))
            table.forget("Wilhelmine")

            for file in tmp_path.iterdir():
                assert b"Wilhelmine" not in file.read_bytes(), file
            players = StoredGames(tmp_path / "table.sqlite3").games()[0].players
            assert players == ("1", "Bo")

    def test_a_game_is_deleted_with_what_was_not_saved_of_it(self, tmp_path):
        with running(tmp_path) as table:
            with refusing(table):
                table.open_game(SETUP)
                table.leave()
                answer = table.delete("game-1")
                assert answer.why.line == "core.not_deleted"
                assert [game.id for game in table.games()] == ["game-1"]

            assert table.delete("game-1") == Done(0)
            assert table.games() == ()
        with running(tmp_path) as table:
            assert table.games() == ()

    def test_a_chain_is_made_anew_where_a_name_went(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            tap(table, "throw 3")
            table.forget("Ana")
            tap(table, "advance green")
            last = table.snapshot.story

        with running(tmp_path) as table:
            assert table.snapshot.story == last
            assert table.games()[0].trouble is None


@pytest.mark.slow
class TestAStartOnAFailingDisk:
    def start(self, tmp_path, monkeypatch, code: int):
        """Let the file open only for reading a copy, as on a full or broken card."""
        from companion.running.storage import opening as module

        real = module.open_mended
        path = tmp_path / "table.sqlite3"
        refused = [True]

        def full(at):
            if refused[0] and at == path:
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = code
                raise error
            return real(at)

        monkeypatch.setattr(module, "open_mended", full)
        return refused

    @pytest.mark.parametrize(
        ("code", "why"),
        [
            (sqlite3.SQLITE_FULL, Word("core.disk.full")),
            (sqlite3.SQLITE_READONLY, Word("core.disk.read_only")),
            (sqlite3.SQLITE_IOERR, Word("core.disk.failing")),
        ],
    )
    def test_the_game_that_ran_is_back_and_told_as_not_saved(
        self, tmp_path, monkeypatch, code, why
    ):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            tap(table, "throw 3")
            before = table.snapshot.story
        refused = self.start(tmp_path, monkeypatch, code)

        with running(tmp_path) as table:
            assert table.snapshot.story == before
            assert lines(table) == ["core.store.refuses"]
            assert dict(table.snapshot.warnings[0].params) == {"why": why}
            assert tap(table, "advance green") == Done(2, "game-1", stored=False)
            assert lines(table) == ["core.store.unsaved"]
            after = table.snapshot.story
            refused[0] = False
            assert waited(table, lambda: table.snapshot.stored)
            assert table.snapshot.warnings == ()

        monkeypatch.undo()
        with running(tmp_path) as table:
            assert table.snapshot.story == after

    def test_a_first_start_on_such_a_disk_comes_up_as_well(self, tmp_path, monkeypatch):
        refused = self.start(tmp_path, monkeypatch, sqlite3.SQLITE_FULL)

        with running(tmp_path) as table:
            assert isinstance(table.open_game(SETUP), Done)
            assert lines(table) == ["core.store.unsaved"]
            refused[0] = False
            assert waited(table, lambda: table.snapshot.stored)

        with running(tmp_path) as table:
            assert table.snapshot.game_id == "game-1"

    def test_games_that_could_not_be_read_are_there_once_they_can(
        self, tmp_path, monkeypatch
    ):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            tap(table, "throw 3")
            table.leave()
        refused = self.start(tmp_path, monkeypatch, sqlite3.SQLITE_IOERR)

        def a_dead_sector(*_):
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(
            "companion.running.storage.salvage.shutil.copyfile", a_dead_sector
        )
        with running(tmp_path) as table:
            assert table.games() == ()
            assert lines(table) == ["core.store.refuses", "core.store.unread"]
            refused[0] = False
            assert waited(table, lambda: table.snapshot.warnings == ())
            assert [game.id for game in table.games()] == ["game-1"]
            assert table.resume("game-1") == Done(1, "game-1")

    def test_nobody_is_sent_to_a_copy_that_is_gone(self, tmp_path, monkeypatch):
        Store(tmp_path / "table.sqlite3").close()
        refused = self.start(tmp_path, monkeypatch, sqlite3.SQLITE_FULL)
        store = Store(tmp_path / "table.sqlite3")
        cleanup, sent = store._copy.cleanup, []

        def looked_at():
            sent.append(store.readable)
            cleanup()

        monkeypatch.setattr(store._copy, "cleanup", looked_at)
        refused[0] = False
        store.try_again()
        store.close()

        assert sent == [tmp_path / "table.sqlite3"]

    def test_nothing_of_the_copy_stays_behind(self, tmp_path, monkeypatch):
        Store(tmp_path / "table.sqlite3").close()
        self.start(tmp_path, monkeypatch, sqlite3.SQLITE_FULL)
        store = Store(tmp_path / "table.sqlite3")
        copy = store.readable.parent
        assert copy != tmp_path

        store.close()

        assert not copy.exists()


def test_a_full_disk_takes_all_or_nothing_and_goes_on(tmp_path):
    """SQLite itself says that there is no room, at whichever page it comes to."""
    with running(tmp_path) as table:
        table.open_game(SETUP)
        db = table._store._db
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count={pages}")
        while table.snapshot.stored:
            moves = sorted(offer for offer in table.snapshot.offers)
            tap(table, moves[0])
        assert lines(table) == ["core.store.unsaved"]
        assert dict(table.snapshot.warnings[0].params)["why"] == Word("core.disk.full")
        before = table.snapshot.story
        db.execute("PRAGMA max_page_count=100000")
        assert waited(table, lambda: table.snapshot.stored)

    with running(tmp_path) as table:
        assert table.snapshot.story == before


def test_a_tap_that_was_told_twice_while_unsaved_counts_once(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        with refusing(table):
            once = claim(table.snapshot.story, "throw 3", "once")
            assert table.act(once) == Done(1, "game-1", stored=False)
            assert table.act(once) == Done(1, "game-1", stored=False)


class TestWhatAStartFound:
    """Read by whoever chooses a game: told at each start until somebody did."""

    def damaged(self, tmp_path):
        with running(tmp_path) as table:
            table._store.keep_keys("ab" * 32, "123456")
            table.open_game(SETUP)
        path = tmp_path / "table.sqlite3"
        path.write_bytes(bytes(100) + path.read_bytes()[100:])

    def test_is_told_until_somebody_chose_a_game(self, tmp_path):
        self.damaged(tmp_path)
        for _ in range(2):  # a power cut before anybody looked
            with running(tmp_path) as table:
                assert table.snapshot.game_id == "game-1"
                assert lines(table) == ["core.store.salvaged"]
        with running(tmp_path) as table:
            table.open_game(OTHER)
            assert lines(table) == ["core.store.salvaged"]  # all this evening
        with running(tmp_path) as table:
            assert lines(table) == []

    def test_names_the_file_that_is_kept(self, tmp_path):
        self.damaged(tmp_path)

        with running(tmp_path) as table:
            told = dict(table.snapshot.warnings[0].params)
            assert told == {"n": 1, "file": "table.sqlite3.corrupt-1"}
            assert table.kept_aside() == ("table.sqlite3.corrupt-1",)


def test_a_table_that_stops_tries_once_more_and_says_what_it_could_not_save(
    tmp_path, caplog
):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        db = table._store._db
        db.execute("PRAGMA query_only=ON")
        tap(table, "throw 3")

    assert "not all that happened is saved" in caplog.text


class TestTheFileAlone:
    """Somebody copies the file of the games and not the log of writes beside it."""

    def alone(self, tmp_path) -> tuple[StoredGame, ...]:
        """Return the games of a copy."""
        copy = tmp_path / "copy" / "table.sqlite3"
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(tmp_path / "table.sqlite3", copy)
        return StoredGames(copy).games()

    def test_has_every_game_that_was_put_away(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            tap(table, "throw 3")
            table.leave()

            (game,) = self.alone(tmp_path)

        assert (game.entries, game.closed, game.trouble) == (2, True, None)

    def test_has_a_game_that_is_over(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(OTHER)
            rng = random.Random(1)
            while table.snapshot.story.game.outcome(table.snapshot.story.state) is None:
                tap(table, rng.choice(sorted(table.snapshot.offers)))

            (game,) = self.alone(tmp_path)

            assert game.entries == len(table.snapshot.story.entries)
            assert game.trouble is None

    def test_has_all_once_nobody_acted_for_half_a_minute(self, tmp_path):
        seconds = Seconds()
        with running(tmp_path, monotonic=seconds) as table:
            table.open_game(SETUP)
            tap(table, "throw 3")
            table.sync()
            seconds.now_s = 29.0
            for _ in range(3):
                table.sync()
            assert self.alone(tmp_path) == ()

            seconds.now_s = 31.0

            assert waited(table, lambda: table._unsaved._folds_at == math.inf)
            (game,) = self.alone(tmp_path)
            assert game.entries == 2

    def test_waits_for_nobody_who_reads(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            reader = sqlite3.connect(tmp_path / "table.sqlite3")
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM games").fetchone()
            tap(table, "throw 3")

            assert table.leave().stored

            reader.close()
            assert table.snapshot.warnings == ()
