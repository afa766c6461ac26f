"""What each released version wrote is opened and comes to the same, for good."""

import json
import shutil
from pathlib import Path

import pytest

from companion.capsule.file import replay_log, unpack
from companion.referee.decisions import Thresholds
from companion.running.snapshot import Done
from companion.running.storage.archive import StoredGames
from companion.running.storage.keysfile import Keys
from companion.running.storage.store import Store
from companion.story.log import fold
from tests.running.table_setup import running
from tests.trust.keeping import (
    CAPSULE,
    COMES_TO,
    KEPT,
    KEY,
    PIN,
    STORE,
    TOKENS,
    comes_to,
    tap,
)

VERSIONS = sorted(path.name for path in KEPT.iterdir())

every_version = pytest.mark.parametrize("version", VERSIONS)


def stands_at(version: str) -> dict[str, object]:
    """Return what the games of a version came to when they were kept."""
    found = json.loads((KEPT / version / COMES_TO).read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.fixture
def data(tmp_path: Path, version: str) -> Path:
    """A table's folder with a store of that version."""
    shutil.copyfile(KEPT / version / STORE, tmp_path / STORE)
    return tmp_path


def test_todays_version_is_kept():
    assert "0.1.0" in VERSIONS


@every_version
class TestAKeptStore:
    def test_opens_without_a_word_and_every_game_comes_to_the_same(
        self, data: Path, version: str
    ):
        store = Store(data / STORE)
        games = store.games()
        found = {game.id: store.find_game(game.id) for game in games}
        store.close()

        assert store.mishaps == ()
        assert {i: one.trouble for i, one in found.items()} == dict.fromkeys(found)
        assert {i: comes_to(one.story) for i, one in found.items()} == stands_at(
            version
        )
        # The last one that was begun lies on the table.
        assert [game.closed for game in games] == [False, *[True] * (len(games) - 1)]

    def test_keeps_who_may_come_in(self, data: Path, version: str):
        store = Store(data / STORE)
        keys, tokens = store.keys(), store.tokens()
        store.close()

        assert keys == Keys(KEY, PIN, keys.tokens if keys else ())
        assert set(tokens) == set(TOKENS)

    def test_is_looked_at_without_being_changed(self, data: Path, version: str):
        before = (data / STORE).read_bytes()
        archive = StoredGames(data / STORE)
        found = {one.id: archive.game(one.id).story for one in archive.games()}

        assert {i: comes_to(one) for i, one in found.items()} == stands_at(version)
        assert (data / STORE).read_bytes() == before

    def test_is_played_on(self, data: Path, version: str):
        with running(data) as table:
            for game_id in stands_at(version):
                assert isinstance(table.resume(game_id), Done)
                table.rest(pause=False)
                before = table.snapshot.story
                assert before is not None
                move = sorted(table.snapshot.offers)[0]
                assert tap(table, move, "on")
                after = table.snapshot.story
                assert after is not None
                assert after.entries[: before.seq + 1] == before.entries


@every_version
def test_a_kept_capsule_is_played_again_to_the_bit(version: str):
    capsule = unpack((KEPT / version / CAPSULE).read_bytes())

    again = replay_log(capsule, Thresholds())

    assert again.replayed.stop is None
    assert again.commands > 20
    assert comes_to(again.replayed.story) == stands_at(version)[capsule.about.game_id]


@every_version
def test_a_kept_game_without_its_last_entry_would_come_to_another(version: str):
    """So it would be noticed if nothing were compared at all."""
    archive = StoredGames(KEPT / version / STORE)
    for game_id, kept in stands_at(version).items():
        story = archive.game(game_id).story

        shorter = fold(story.game, story.entries[:-1])

        assert comes_to(story) == kept
        assert comes_to(shorter) != kept
