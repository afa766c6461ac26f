"""What was acknowledged is on disk, and a damaged file never stops the table."""

import errno
import sqlite3
import stat
from contextlib import closing

import pytest

from companion.running.snapshot import PhoneToken
from companion.running.storage.archive import Archive, NoSuchGame
from companion.running.storage.keysfile import Keys
from companion.running.storage.opening import open_mended
from companion.running.storage.schema import MIGRATIONS
from companion.running.storage.store import Store
from companion.running.storage.trouble import StoreTrouble
from tests.running.table_setup import new_story, played


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "table.sqlite3"


def test_every_commit_is_synced_to_disk(path):
    store = Store(path)

    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)  # 2 is FULL
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    store.close()


def test_only_its_owner_may_read_the_file(path):
    Store(path).close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_game_is_stored_and_loaded(path):
    story = played(new_story(), "throw 3", "advance green")
    store = Store(path)
    store.create("g", story)
    store.append("g", played(story, "throw 2").entries[-1:])
    store.close()

    again = Store(path)

    assert again.find_game("g").story == played(story, "throw 2")
    assert again.on_the_table() == "g"
    again.close()


def test_entries_are_stored_all_or_none(path):
    story = played(new_story(), "throw 3")
    store = Store(path)
    store.create("g", new_story())

    with pytest.raises(StoreTrouble, match="UNIQUE"):
        store.append("g", (story.entries[1], story.entries[1]))

    assert store.find_game("g").story == new_story()
    store.close()


def test_a_damaged_file_is_put_aside_and_said(path):
    Store(path).close()
    path.write_bytes(b"this is no database at all" * 100)

    store = Store(path)

    assert store.games() == ()
    assert [line.line for line in store.mishaps] == ["core.store.salvaged"]
    assert path.with_name("table.sqlite3.corrupt-1").exists()
    store.close()


def test_two_damaged_files_are_both_kept(path):
    Store(path).close()
    path.write_bytes(b"broken" * 1000)
    Store(path).close()
    path.write_bytes(b"broken" * 1000)
    store = Store(path)

    kept = sorted(p.name for p in path.parent.glob("*.corrupt-?"))
    assert kept == ["table.sqlite3.corrupt-1", "table.sqlite3.corrupt-2"]
    store.close()


def test_a_file_of_a_newer_version_is_left_alone(path):
    Store(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=99")
    db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
    db.commit()
    db.close()

    before = path.read_bytes()

    with closing(Store(path)) as store:
        assert "newer Dragon Table" in str(store.refuses)
        assert store.games() == ()
        with pytest.raises(StoreTrouble, match="newer Dragon Table"):
            store.create("a", new_story())
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_is_not_said_to_be_lost_or_its_card_bad(path):
    with closing(Store(path)) as store:
        store.keep_keys("ab" * 32, "123456")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=99")
        db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
        db.commit()

    with closing(Store(path)) as store:
        assert store.mishaps == ()
        assert store.refuses is not None
        assert store.refuses.why == "core.disk.newer"


def test_a_file_that_cannot_be_read_is_said_and_left_and_the_table_plays(
    path, monkeypatch
):
    with closing(Store(path)) as store:
        store.keep_keys("ab" * 32, "123456")
        store.create("a", new_story())
    before = path.read_bytes()

    def a_dead_sector(*_):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as card:
        card.setattr(
            "companion.running.storage.opening.open_mended", dies_but_not_the_copy(path)
        )
        card.setattr("companion.running.storage.salvage.shutil.copyfile", a_dead_sector)
        with closing(Store(path)) as store:
            assert store.games() == ()
            assert store.keys() == Keys("ab" * 32, "123456")
            assert [line.line for line in store.mishaps] == ["core.store.unread"]
    assert path.read_bytes() == before
    with closing(Store(path)) as store:
        assert [game.id for game in store.games()] == ["a"]


def dies_but_not_the_copy(path):
    def opened(which):
        if which == path:
            raise sqlite3.OperationalError("disk I/O error")
        return open_mended(which)

    return opened


def test_a_folder_in_the_place_of_the_file_keeps_no_table_from_coming_up(path):
    path.mkdir(parents=True)
    with closing(Store(path)) as store:
        assert store.games() == ()
        assert [line.line for line in store.mishaps] == ["core.store.unread"]


def test_a_folder_that_cannot_be_made_is_said_and_made_when_it_can_be(tmp_path):
    (tmp_path / "file").write_text("")
    with closing(Store(tmp_path / "file" / "table.sqlite3")) as store:
        assert "choose another --data" in str(store.refuses)

        (tmp_path / "file").unlink()
        store.create("a", new_story())
        assert store.refuses is None
        assert [game.id for game in store.games()] == ["a"]


def test_a_game_that_is_not_there_is_said(path):
    store = Store(path)

    with pytest.raises(NoSuchGame, match="no game 'x'"):
        store.find_game("x")
    store.close()


class TestForgettingAName:
    def test_nothing_of_it_is_left_in_any_file(self, path):
        store = Store(path)
        store.create("g", new_story(("Wilhelmine", "Bo")))
        store.create("h", new_story(("Bo", "Cy", "Wilhelmine")))

        store.forget("Wilhelmine")
        store.wipe()

        seated = [game.players for game in store.games()]
        assert seated == [("Bo", "Cy", "3"), ("1", "Bo")]
        for file in path.parent.iterdir():
            assert b"Wilhelmine" not in file.read_bytes(), file
        store.close()

    def test_a_part_of_another_name_stays(self, path):
        store = Store(path)
        store.create("g", new_story(("Ana", "Anabel")))

        store.forget("Ana")

        assert store.games()[0].players == ("1", "Anabel")
        store.close()


def test_of_a_game_that_is_deleted_nothing_is_left_in_any_file(path):
    store = Store(path)
    store.create("gone", new_story(("Wilhelmine", "Bo")))
    store.create("kept", new_story())
    store.add_token(PhoneToken("hash", "seat", 0, "gone"))

    store.delete("gone")
    store.wipe()

    assert [game.id for game in store.games()] == ["kept"]
    assert store.tokens() == ()
    for file in path.parent.iterdir():
        assert b"Wilhelmine" not in file.read_bytes(), file
    store.close()


class TestArchive:
    def test_reads_a_game_while_the_writer_holds_the_file(self, path):
        story = played(new_story(), "throw 3", "advance green")
        store = Store(path)
        store.create("g", story)

        with store.together():
            read = Archive(path).game("g").story

        assert read == story
        store.close()

    def test_says_which_game_is_not_there_or_cannot_be_read(self, path):
        store = Store(path)
        store.create("g", new_story())
        store._db.execute("UPDATE entries SET body = 'torn'")

        with pytest.raises(NoSuchGame, match="'h'"):
            Archive(path).game("h")
        with pytest.raises(NoSuchGame, match="'g' cannot be read"):
            Archive(path).game("g")
        store.close()
