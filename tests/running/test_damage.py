"""Whatever becomes of the file of games: nothing is lost or altered in silence."""

import random
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from msgspec.structs import replace

from companion.running.snapshot import Done, PhoneToken, Rejected, Setup
from companion.running.storage.archive import (
    Archive,
    NoSuchGame,
    StoredGames,
    Unreadable,
)
from companion.running.storage.chain import Checked, StoredEntry
from companion.running.storage.keysfile import Keys
from companion.running.storage.opening import connect
from companion.running.storage.salvage import memory
from companion.running.storage.schema import MIGRATIONS
from companion.running.storage.store import Store
from companion.story.codec import encode
from companion.story.log import (
    Entry,
    Header,
)
from tests.running.damaging import filled, long_story, told_of
from tests.running.table_setup import GAME, SETUP, new_story, played, running

FLIPS, MANY = 100, 10_000
FEW = 25


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder in memory: nobody waits for the disk at each of 10,000 starts."""
    with TemporaryDirectory(dir=memory()) as name:
        yield Path(name)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.sqlite3"


def spoil(path: Path, sql: str, *values: object) -> None:
    """Change the closed file at *path* behind the store's back."""
    db = sqlite3.connect(path)
    db.execute(sql, values)
    db.commit()
    db.close()


def body(path: Path, seq: int, game_id: str = "g") -> bytes:
    db = sqlite3.connect(path)
    found = db.execute(
        "SELECT body FROM entries WHERE game_id = ? AND seq = ?", (game_id, seq)
    ).fetchone()
    db.close()
    return found[0]


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


class TestFlippedBits:
    """Of all bits of a closed file none can be flipped so that a game lies."""

    @pytest.mark.parametrize(
        "count", [FLIPS, pytest.param(MANY, marks=pytest.mark.long)]
    )
    def test_no_entry_is_altered_or_removed_in_silence(
        self, tmp_path, in_memory, count, record_property
    ):
        whole = tmp_path / "whole" / "table.sqlite3"
        true = filled(whole)
        content = whole.read_bytes()
        keys = (whole.parent / "keys.json").read_bytes()
        rng = random.Random(count)
        folder = in_memory / "hurt"
        said = 0
        for _ in range(count):
            bit = rng.randrange(8 * len(content))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "keys.json").write_bytes(keys)
            (folder / whole.name).write_bytes(flipped(content, bit))

            found, wrong, file = told_of(folder / whole.name)

            for game_id, entries in true.items():
                now = found.get(game_id, ())
                assert now == entries[: len(now)], (bit, game_id)
                if now != entries:
                    assert file or game_id in wrong, (bit, game_id)
            said += file or bool(wrong)
        record_property("figures", f"{count} flips, {said} noticed, 0 in silence")
        assert said > count // 10  # the flips really hit what is read

    def test_without_digests_an_entry_would_be_altered_in_silence(
        self, path, monkeypatch
    ):
        """So it would be noticed if nothing were compared at all."""

        def unchecked(_: str, rows: Iterable[StoredEntry], *rest: object) -> Checked:
            found = tuple(rows)
            return Checked(found, len(found))

        for user in ("stored", "salvage"):
            monkeypatch.setattr(
                f"companion.running.storage.{user}.check_chain", unchecked
            )
        true = filled(path)
        content = path.read_bytes()
        at = content.index(b'"source":"test"') + len(b'"source":"t')
        path.write_bytes(flipped(content, 8 * at))  # "tdst"

        found, wrong, said = told_of(path)

        assert found != true
        assert not wrong
        assert not said

    def test_an_index_that_names_another_game_hides_none(self, path):
        true = filled(path)
        content = path.read_bytes()
        at = content.index(b"g3\x06\x03\x01\x11\x02g2")  # the numbers, newest first
        path.write_bytes(flipped(content, 8 * at + 10))

        found, _, said = told_of(path)

        assert found == true
        assert said

    def test_a_file_cut_off_at_any_length_says_so(self, tmp_path):
        whole = tmp_path / "whole" / "table.sqlite3"
        true = filled(whole)
        content = whole.read_bytes()
        rng = random.Random(3)
        for _ in range(8):
            length = rng.randrange(1, len(content))
            folder = tmp_path / str(length)
            folder.mkdir()
            (folder / whole.name).write_bytes(content[:length])

            found, wrong, file = told_of(folder / whole.name)

            for game_id, entries in true.items():
                now = found.get(game_id, ())
                assert now == entries[: len(now)]
                assert now == entries or file or game_id in wrong

    @pytest.mark.parametrize(
        "count",
        [
            pytest.param(FEW, marks=pytest.mark.slow),
            pytest.param(MANY, marks=pytest.mark.long),
        ],
    )
    def test_in_the_log_that_a_power_cut_left_only_the_last_write_can_go_unsaid(
        self, tmp_path, in_memory, count, record_property
    ):
        """It looks as if torn before anybody was told; all others are saved."""
        path = tmp_path / "running" / "table.sqlite3"
        story = long_story(12, 2)
        store = Store(path)
        store.keep_keys("ab" * 32, "123456")
        store.create("g", replace(story, entries=story.entries[:1]))
        log = path.with_name(f"{path.name}-wal")
        for entry in story.entries[1:]:
            before = log.stat().st_size
            store.append("g", (entry,))
        base, written = path.read_bytes(), log.read_bytes()
        store.close()
        keys = path.with_name("keys.json").read_bytes()
        folder = in_memory / "hurt"
        rng = random.Random(count)
        lost = 0
        for _ in range(count):
            bit = rng.randrange(8 * len(written))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "keys.json").write_bytes(keys)
            (folder / path.name).write_bytes(base)
            (folder / log.name).write_bytes(flipped(written, bit))

            found, wrong, file = told_of(folder / path.name)

            now = found.get("g", ())
            assert now == story.entries[: len(now)], bit
            if now != story.entries:
                lost += 1
                newest = bit // 8 >= before and now == story.entries[:-1]
                assert file or wrong or newest, bit
        record_property("figures", f"{count} flips in the log, {lost} cost entries")


class TestADamagedEntry:
    """One bad byte in entry 100 of 130."""

    @pytest.fixture
    def hurt(self, path):
        story = long_story(129, 5)
        assert len(story.entries) == 130
        store = Store(path)
        store.create("g", story)
        store.close()
        torn = flipped(body(path, 100), 203)
        spoil(path, "UPDATE entries SET body = ? WHERE seq = 100", torn)
        return story

    def test_the_game_opens_with_what_stands_before_it_and_says_so(self, path, hurt):
        store = Store(path)

        (listed,) = store.games()
        found = store.find_game("g")

        assert found.story.entries == hurt.entries[:100]
        assert found.story.frozen is None
        assert found.trouble.line == "core.store.cut"
        assert dict(found.trouble.params) == {"good": 100, "of": 130}
        assert (listed.readable, listed.entries) == (True, 100)
        assert listed.trouble == found.trouble
        store.close()

    def test_it_goes_on_and_what_followed_is_kept_aside(self, path, hurt, tmp_path):
        with running(tmp_path) as table:
            shown = table.snapshot
            assert shown.story.entries == hurt.entries[:100]
            assert [line.line for line in shown.warnings] == ["core.store.cut"]
            table.rest(pause=True)

        with running(tmp_path) as table:
            again = table.snapshot
            assert again.story.entries[:100] == hurt.entries[:100]
            assert len(again.story.entries) == 101
            assert again.warnings == ()
        db = sqlite3.connect(path)
        aside = db.execute("SELECT seq FROM aside ORDER BY seq").fetchall()
        db.close()
        assert aside == [(seq,) for seq in range(100, 130)]

    def test_an_end_that_was_cut_off_is_noticed_too(self, path, hurt):
        spoil(path, "DELETE FROM entries WHERE seq >= 90")

        store = Store(path)

        found = store.find_game("g")
        assert len(found.story.entries) == 90
        assert dict(found.trouble.params) == {"good": 90, "of": 130}
        store.close()

    def test_entries_that_changed_places_are_noticed(self, path, hurt):
        one, two = body(path, 40), body(path, 41)
        spoil(path, "UPDATE entries SET body = ? WHERE seq = 40", two)
        spoil(path, "UPDATE entries SET body = ? WHERE seq = 41", one)

        store = Store(path)

        assert len(store.find_game("g").story.entries) == 40
        store.close()


class TestAGameThatCannotBeRead:
    """It is listed as that with one line, kept, and in nobody's way."""

    @pytest.mark.parametrize(
        ("spoiled", "line"),
        [
            ("UPDATE games SET game = 'chess'; UPDATE entries SET body = "
             "replace(CAST(body AS TEXT), '\"game\":\"drachenhort\"', "
             "'\"game\":\"chess\"'), digest = NULL WHERE seq = 0",
             "core.store.no_header"),
            ("UPDATE entries SET body = X'7B' WHERE seq = 0", "core.store.no_header"),
            ("DELETE FROM entries WHERE seq = 0", "core.store.no_header"),
        ],
    )  # fmt: skip
    def test_the_table_comes_up_and_plays(self, path, tmp_path, spoiled, line):
        store = Store(path)
        store.create("g", played(new_story(), "throw 3"))
        store.close()
        db = sqlite3.connect(path)
        db.executescript(spoiled)
        db.close()

        with running(tmp_path) as table:
            (listed,) = table.games()
            assert (listed.readable, listed.trouble.line) == (False, line)
            assert table.snapshot.story is None
            told = [warning.line for warning in table.snapshot.warnings]
            assert told == ["core.store.not_back"]
            assert isinstance(table.open_game(SETUP), Done)
            assert table.resume("g") == Rejected(listed.trouble)
        # A game that has begun since is the one that comes back; the other is kept.
        with running(tmp_path) as table:
            assert table.snapshot.game_id == "game-1"
            assert [game.id for game in table.games()] == ["game-1", "g"]

    def test_a_game_of_an_unknown_kind_is_named(self, path):
        store = Store(path)
        header = Header("chess", ("Ana", "Bo"), GAME.stand_in)
        odd = new_story()
        entry = Entry(0, 5.0, header)
        store.create("g", type(odd)(GAME, header, odd.start, (entry,)))

        (listed,) = store.games()

        assert listed.game == "chess"
        assert not listed.readable
        assert listed.trouble.line == "core.store.unknown_game"
        with pytest.raises(NoSuchGame, match="no game 'chess'"):
            store.find_game("g")
        store.close()

    def test_a_name_is_deleted_from_it_all_the_same(self, path):
        store = Store(path)
        header = Header("chess", ("Wilhelmine", "Bo"), GAME.stand_in)
        odd = new_story()
        store.create("g", type(odd)(GAME, header, odd.start, (Entry(0, 5.0, header),)))

        store.forget("Wilhelmine")
        store.wipe()
        store.close()

        for file in path.parent.iterdir():
            assert b"Wilhelmine" not in file.read_bytes(), file


class TestOtherRules:
    def stored(self, path: Path, story) -> None:
        store = Store(path)
        store.create("g", story)
        store.close()

    def test_a_game_of_other_rules_is_looked_at_and_not_played_on(self, path, tmp_path):
        header = Header("drachenhort", ("Ana", "Bo"), GAME.stand_in, rules=7)
        story = played(new_story(), "throw 3")
        entries = (Entry(0, 0.0, header), *story.entries[1:])
        self.stored(path, type(story)(GAME, header, story.start, entries))

        with running(tmp_path) as table:
            shown = table.snapshot.story
            answer = table.rest(pause=False)

            assert shown.state.pips == 3
            assert table.snapshot.offers == ()
            assert shown.frozen.line == "core.store.other_rules"
            assert dict(shown.frozen.params) == {"rules": 7}
            assert answer.why == shown.frozen
            assert table.games()[0].trouble == shown.frozen
            table.leave()
            assert table.story("g").frozen == shown.frozen
            assert [entry.seq for entry in table.story("g").entries] == [0, 1]

    def test_new_games_tell_by_which_rules_they_are_played(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(Setup("eight_dragons", ("Ana", "Bo")))

            # Its end was judged too early by the first.
            assert table.snapshot.story.header.rules == 2

    def test_a_header_of_the_first_rules_stays_one_of_the_first(self):
        old = b'{"type":"header","game":"drachenhort","players":["A","B"],"box":null}'
        assert msgspec.json.decode(old, type=Header).rules == 1

    def test_a_move_that_the_rules_refuse_today_ends_what_is_shown(
        self, path, tmp_path
    ):
        story = played(new_story(), "throw 3")
        # Today nobody may throw twice in a row.
        again = Entry(2, 2.0, story.entries[1].body)
        story = type(story)(GAME, story.header, story.start, (*story.entries, again))
        self.stored(path, story)

        with running(tmp_path) as table:
            shown = table.snapshot.story
            assert len(shown.steps) == 1
            assert shown.frozen.line == "core.store.refused"
            assert dict(shown.frozen.params) == {"n": 2}
        # Nothing of it was cut.
        assert body(path, 2)


class TestALostFile:
    def test_a_new_table_says_nothing(self, path):
        store = Store(path)

        assert store.mishaps == ()
        store.close()

    @pytest.mark.parametrize("empty", [True, False])
    def test_one_of_no_bytes_or_missing_is_told_and_the_pin_stays(self, path, empty):
        filled(path)
        path.unlink()
        if empty:
            path.touch()

        store = Store(path)

        assert [line.line for line in store.mishaps] == ["core.store.lost"]
        assert store.games() == ()
        host = PhoneToken("hash", "host")
        assert store.keys() == Keys("ab" * 32, "123456", (host,))
        assert store.tokens() == (host,)
        store.close()
        again = Store(path)
        assert again.mishaps == store.mishaps  # nobody has chosen a game since
        assert again.meta("pin") == "123456"
        again.heed()
        again.close()
        later = Store(path)
        assert later.mishaps == ()
        later.close()

    def test_keys_that_cannot_be_read_either_are_told(self, path):
        filled(path)
        path.unlink()
        keys = path.with_name("keys.json")
        keys.write_bytes(flipped(keys.read_bytes(), 200))

        store = Store(path)

        assert [line.line for line in store.mishaps] == ["core.store.lost_all"]
        assert store.keys() is None
        store.close()

    def test_a_pin_that_was_damaged_in_the_file_is_known_from_the_other(self, path):
        filled(path)
        spoil(path, "UPDATE meta SET value = '923456' WHERE key = 'pin'")

        store = Store(path)

        assert store.keys().pin == "123456"
        assert store.meta("pin") == "123456"
        store.close()


class TestADamagedFile:
    def test_of_a_file_without_its_head_the_games_are_saved(self, path):
        true = filled(path)
        path.write_bytes(bytes(100) + path.read_bytes()[100:])

        found, _, said = told_of(path)

        assert said
        assert found == true
        assert path.with_name("table.sqlite3.corrupt-1").exists()

    def test_of_a_file_with_a_bad_page_all_other_games_are_saved(self, path):
        true = filled(path)
        content = path.read_bytes()
        page = content.index(b'"type":"header"') // 4096 * 4096
        path.write_bytes(content[:page] + bytes(4096) + content[page + 4096 :])

        found, wrong, said = told_of(path)

        assert said or wrong
        kept = [game_id for game_id in true if found.get(game_id) == true[game_id]]
        assert len(kept) >= 2

    def test_the_power_may_go_while_it_is_mended(self, path, monkeypatch):
        true = filled(path)
        path.write_bytes(bytes(100) + path.read_bytes()[100:])
        real = Path.replace

        def cut(self, target):
            if self.parent == path.parent and self.name.endswith(".new"):
                raise OSError(5, "the power went")
            return real(self, target)

        monkeypatch.setattr(Path, "replace", cut)
        with_copy = Store(path)  # what can be read is there, though not written
        assert {game.id for game in with_copy.games()} == set(true)
        with_copy.close()
        monkeypatch.undo()

        found, _, _ = told_of(path)

        assert found == true

    def test_a_log_of_writes_that_lost_told_moves_is_told(self, path, tmp_path):
        story = new_story()
        store = Store(path)
        store._db.execute("PRAGMA wal_autocheckpoint=0")
        store.create("g", story)
        for move in ("throw 3", "advance green", "throw 2"):
            story = played(story, move)
            store.append("g", story.entries[-1:])
        copy = tmp_path / "after" / path.name
        copy.parent.mkdir()
        shutil.copy(path, copy)
        log = path.with_name(f"{path.name}-wal").read_bytes()
        store.close()
        sound, hurt = (copy.with_name(f"{copy.name}-wal"), 8 * (len(log) // 2) + 3)

        sound.write_bytes(log)
        whole, _, said = told_of(copy)
        assert (whole["g"], said) == (story.entries, False)

        shutil.copy(path, copy)
        with sqlite3.connect(copy) as db:
            db.execute("DELETE FROM games")
            db.execute("DELETE FROM entries")
        db.close()
        sound.write_bytes(flipped(log, hurt))
        _, _, said = told_of(copy)
        assert said
        assert list(copy.parent.glob("*.corrupt-1-wal"))


class TestAnOldFile:
    """Files of the first version, whose entries were not chained."""

    def old(self, path: Path, story) -> None:
        db = sqlite3.connect(path)
        db.executescript(MIGRATIONS[0] + "PRAGMA user_version=1;")
        db.execute("INSERT INTO games VALUES ('g', 'drachenhort', 0.0, 1, 0)")
        db.executemany(
            "INSERT INTO entries VALUES ('g', ?, ?)",
            [(entry.seq, encode(entry)) for entry in story.entries],
        )
        db.commit()
        db.close()

    def test_is_chained_and_goes_on(self, path):
        story = long_story(20, 1)
        self.old(path, story)

        store = Store(path)
        more = played(story, GAME.notate(story.state, next(GAME.legal(story.state))))
        store.append("g", more.entries[-1:])

        assert store.find_game("g").story == more
        assert store.find_game("g").trouble is None
        store.close()

    def test_with_an_entry_that_cannot_be_read_opens_before_it(self, path):
        story = long_story(20, 1)
        self.old(path, story)
        spoil(path, "UPDATE entries SET body = X'00' || body WHERE seq = 15")

        store = Store(path)

        found = store.find_game("g")
        assert found.story.entries == story.entries[:15]
        assert dict(found.trouble.params) == {"good": 15, "of": 21}
        store.close()

    def test_is_not_changed_by_a_look(self, path):
        self.old(path, long_story(20, 1))
        before = path.read_bytes()

        assert len(StoredGames(path).game("g").story.entries) == 21
        assert path.read_bytes() == before


class TestReadingChangesNothing:
    def everything(self, folder: Path) -> dict[str, tuple[bytes, int]]:
        return {
            one.name: (one.read_bytes(), one.stat().st_mtime_ns)
            for one in folder.iterdir()
        }

    @pytest.mark.parametrize("hurt", ["", "head", "row", "empty", "old log"])
    def test_in_or_beside_the_file(self, path, hurt):
        filled(path)
        content = path.read_bytes()
        match hurt:
            case "head":
                path.write_bytes(bytes(100) + content[100:])
            case "row":
                spoil(path, "UPDATE entries SET body = X'00' WHERE seq = 7")
            case "empty":
                path.write_bytes(b"")
            case "old log":
                path.with_name(f"{path.name}-wal").write_bytes(b"\x37" * 5000)
        before = self.everything(path.parent)

        games = StoredGames(path).games()

        assert len(games) == (0 if hurt == "empty" else 3)
        assert self.everything(path.parent) == before

    def test_a_file_that_is_not_there_is_not_made(self, path):
        with pytest.raises(Unreadable, match="name their folder with --data"):
            StoredGames(path).games()

        assert list(path.parent.iterdir()) == []

    def test_a_game_that_is_being_played_is_read_as_it_stands(self, path):
        store = Store(path)
        story = played(new_story(), "throw 3")
        store.create("g", story)

        assert StoredGames(path).game("g").story == story
        assert Archive(path).game("g").story == story
        store.close()


def test_the_file_is_opened_as_it_was_where_nothing_is_wrong(path):
    filled(path)
    before = path.read_bytes()

    connect(path).close()

    assert path.read_bytes() == before
