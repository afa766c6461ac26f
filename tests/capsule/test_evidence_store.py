"""Pictures that readings rest on are kept beside the games, within a size."""

import threading

import pytest
from msgspec.structs import replace

from companion.capsule.evidence_store import EvidenceStore
from companion.running.snapshot import Done, Snapshot
from companion.story.log import Made, extend
from companion.table import Claim, Glimpse, Reading, Shown
from tests.running.table_setup import GAME, SETUP, new_story, running

JPEGS = [b"\xff\xd8" + bytes([number]) * 998 for number in range(9)]


def rests_on(story, *names):
    """Return the story after one more throw and advance, seen in these pictures."""
    move = next(iter(GAME.legal(story.state)))
    return extend(story, Made(move, "camera", evidence=names), 1.0)


def lay(evidence, game_id, jpegs, games=("a",)):
    """Keep some pictures of a game, each of an entry of its own; return their names."""
    story, names = new_story(), []
    for jpeg in jpegs:
        names.append(evidence.keep(jpeg))
        story = rests_on(story, names[-1])
        evidence.take_in(Snapshot(game_id=game_id, story=story), games)
    return names


def files(folder):
    return sorted(path.name for path in folder.rglob("*.*"))


def test_a_picture_is_on_disk_once_an_entry_rests_on_it_and_found_after_a_restart(
    tmp_path,
):
    evidence = EvidenceStore(tmp_path)
    unused = evidence.keep(JPEGS[1])
    (name,) = lay(evidence, "a", JPEGS[:1])

    again = EvidenceStore(tmp_path)

    assert files(tmp_path) == [f"000001-{name}.jpg"]
    assert again.picture("a", name) == JPEGS[0]
    assert (again.has("a", name), again.has("b", name)) == (True, False)
    assert not again.has("a", unused)


def test_a_picture_is_shown_before_it_is_on_disk(tmp_path):
    evidence = EvidenceStore(tmp_path / "nowhere")

    assert evidence.picture("a", evidence.keep(JPEGS[0])) == JPEGS[0]


def test_a_torn_picture_is_lost_and_no_error(tmp_path):
    (name,) = lay(EvidenceStore(tmp_path), "a", JPEGS[:1])
    (path,) = tmp_path.rglob("*.jpg")
    path.write_bytes(JPEGS[0][:500])

    assert EvidenceStore(tmp_path).picture("a", name) is None
    path.unlink()
    assert EvidenceStore(tmp_path).picture("a", name) is None


def test_the_oldest_of_other_games_go_first(tmp_path):
    """Six pictures of 1,000 bytes where 4,500 may be kept: 4,275 once room is made."""
    evidence = EvidenceStore(tmp_path, most_bytes=4_500)
    old = lay(evidence, "a", JPEGS[:2], games=("a",))
    new = lay(evidence, "b", JPEGS[2:6], games=("b", "a"))

    kept = EvidenceStore(tmp_path)

    assert [kept.has("a", name) for name in old] == [False, False]
    assert [kept.has("b", name) for name in new] == [True] * 4


def test_the_photo_of_a_final_table_counts_and_goes_last_of_its_game(tmp_path):
    """Two games of 2,000 bytes and a photo of 1,000 where 3,500 may be kept."""
    evidence = EvidenceStore(tmp_path, most_bytes=3_500)
    old = lay(evidence, "a", JPEGS[:2], games=("a",))
    evidence.keep_photo("a", JPEGS[8])

    lay(evidence, "b", JPEGS[2:4], games=("b", "a"))

    kept = EvidenceStore(tmp_path)
    # 3,325 are left of it: the two pictures of the old game go.
    assert [kept.has("a", name) for name in old] == [False, False]
    assert kept.photo("a") == JPEGS[8]
    assert not kept.has("a", "")
    evidence.drop("a")
    assert kept.photo("a") is None


def test_one_long_game_loses_its_own_first_pictures(tmp_path):
    names = lay(EvidenceStore(tmp_path, most_bytes=2_500), "a", JPEGS[:4])

    assert [EvidenceStore(tmp_path).has("a", name) for name in names] == [
        False,
        False,
        True,
        True,
    ]


def test_a_full_disk_loses_pictures_and_takes_them_again_once_there_is_room(tmp_path):
    folder = tmp_path / "pictures"
    folder.write_text("no folder can be made here")
    evidence = EvidenceStore(folder)
    (name,) = lay(evidence, "a", JPEGS[:1])
    assert evidence.picture("a", name) == JPEGS[0]  # from memory

    folder.unlink()
    evidence.take_in(Snapshot(), ("a",))

    assert EvidenceStore(folder).picture("a", name) == JPEGS[0]


def test_what_memory_cannot_hold_is_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.capsule.evidence_store.FRESH_BYTES", 2_500)
    evidence = EvidenceStore(tmp_path)

    names = [evidence.keep(jpeg) for jpeg in JPEGS[:4]]

    assert [evidence.has("a", name) for name in names] == [False, False, True, True]


def test_a_game_that_is_deleted_takes_its_pictures_along(tmp_path):
    evidence = EvidenceStore(tmp_path)
    (name,) = lay(evidence, "a", JPEGS[:1])
    (other,) = lay(evidence, "b", JPEGS[1:2])

    evidence.drop("a")

    assert (evidence.has("a", name), evidence.has("b", other)) == (False, True)
    assert files(tmp_path) == [f"000001-{other}.jpg"]


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield table


def test_the_album_follows_a_running_table_till_it_is_stopped(table, tmp_path):
    evidence = EvidenceStore(tmp_path / "pictures")
    evidence.start(table)
    name = evidence.keep(JPEGS[0])
    seen = Glimpse(Shown("d6", "3", "tray"), 0.99, (0, 0, 9, 9), name)

    table.hear(Reading((seen,)))
    while table.snapshot.story.seq == 0:
        table.wait(table.snapshot.version, 5.0)
    evidence.stop()

    assert EvidenceStore(tmp_path / "pictures").picture("game-1", name) == JPEGS[0]
    assert table.snapshot.story.steps[0].made.evidence == (name,)


def test_a_disk_that_hangs_holds_no_move_up(table, tmp_path, monkeypatch):
    hangs, entered = threading.Event(), threading.Event()

    def write(self, one):
        entered.set()
        hangs.wait(10.0)

    monkeypatch.setattr(EvidenceStore, "_write", write)
    evidence = EvidenceStore(tmp_path / "pictures")
    evidence.start(table)
    seen = Glimpse(Shown("d6", "3", "tray"), 0.99, None, evidence.keep(JPEGS[0]))
    table.hear(Reading((seen,)))
    assert entered.wait(10.0)

    answer = table.act(Claim("advance green", 0, 1, "k"))
    kept = evidence.picture("game-1", seen.evidence_id)
    hangs.set()
    evidence.stop()

    assert answer == Done(2, "game-1")
    assert kept == JPEGS[0]


def test_a_story_is_read_once(tmp_path):
    """An entry that is read a second time must not bring back what was deleted."""
    evidence = EvidenceStore(tmp_path)
    name = evidence.keep(JPEGS[0])
    shown = Snapshot(game_id="a", story=rests_on(new_story(), name))
    evidence.take_in(shown, ("a",))
    evidence.drop("a")

    evidence.take_in(replace(shown, version=2), ("a",))

    assert files(tmp_path) == []
