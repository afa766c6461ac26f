"""Eight phones at once: what comes of it is what some order one by one would give.

Commands are doubled, late, out of order and sent again; each counts once or not at all.
"""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from companion.running.service import Table
from companion.running.snapshot import Answer, Done, Rejected, Stale
from companion.running.storage.archive import StoredGames
from companion.story.log import Entry, Story, fold
from companion.table import Claim
from tests.running.table_setup import SETUP, running

PHONES = 8

Sent = tuple[str, Answer]
"""A command's key, and what was answered."""


def phone(table: Table, number: int, commands: int, together: Barrier) -> list[Sent]:
    """Send commands as a phone with a bad network does; return all answers."""
    rng, sent = random.Random(number), list[Sent]()
    old: list[tuple[str, Claim]] = []
    together.wait()
    for count in range(commands):
        shown = table.snapshot
        story = shown.story
        assert story is not None
        key = f"{number}/{count}"
        seq = max(0, story.seq - rng.choice((0, 0, 0, 1, 5)))
        match rng.randrange(8):
            case 0 if old:  # once more what was sent before, whatever became of it
                key, claim = rng.choice(old)
                sent.append((key, table.act(claim)))
            case 1:
                sent.append((key, table.undo(None, seq, key)))
            case 2:
                # The same tap by two phones: they share a key.
                shared = f"shared {story.seq}"
                move = sorted(shown.offers)[0] if shown.offers else "throw 3"
                answer = table.act(Claim(move, None, story.seq, shared))
                sent.append((shared, answer))
            case 3:  # not allowed, whatever was thrown
                sent.append((key, table.act(Claim("throw 0", None, story.seq, key))))
            case _:
                move = rng.choice(sorted(shown.offers) or ["throw 3"])
                claim = Claim(move, None, seq, key)
                old.append((key, claim))
                sent.append((key, table.act(claim)))
    return sent


def keys_of(entries: tuple[Entry, ...]) -> Counter[str]:
    """Return how many moves and undos each key made."""
    found = (getattr(entry.body, "key", None) for entry in entries)
    return Counter(key for key in found if key is not None)


def once_done_always_done(sent: list[Sent]) -> bool:
    """Tell whether a command of a phone's own that was done is so when sent again."""
    done = set[str]()
    for key, answer in sent:
        if key in done and not isinstance(answer, Done):
            return False
        if isinstance(answer, Done):
            done.add(key)
    return True


def crowded(folder: Path, commands: int) -> Counter[str]:
    """Let eight phones play at once; return how often each answer was given."""
    together = Barrier(PHONES)
    with running(folder) as table:
        table.open_game(SETUP)
        with ThreadPoolExecutor(PHONES) as pool:
            jobs = [
                pool.submit(phone, table, number, commands, together)
                for number in range(PHONES)
            ]
            sent = [one for job in jobs for one in job.result()]
        story = table.snapshot.story
    assert story is not None

    done = {key for key, answer in sent if isinstance(answer, Done)}
    refused = {key for key, _ in sent} - done
    assert [entry.seq for entry in story.entries] == list(range(len(story.entries)))
    # Whatever was done was done once, and nothing that was not.
    assert keys_of(story.entries) == Counter(dict.fromkeys(done, 1))
    assert not refused & set(keys_of(story.entries))
    for job in jobs:
        assert once_done_always_done(job.result())
    # One by one they come to the same, in memory and on the disk.
    assert fold(story.game, story.entries) == story
    assert StoredGames(folder / "table.sqlite3").game("game-1").story == story
    return Counter(type(answer).__name__ for _, answer in sent)


@pytest.mark.slow
def test_each_command_of_eight_phones_counts_once_or_not_at_all(tmp_path: Path):
    answers = crowded(tmp_path, 100)

    assert set(answers) >= {Done.__name__, Stale.__name__, Rejected.__name__}
    assert answers.total() == PHONES * 100


@pytest.mark.slow
def test_a_table_that_knows_no_command_again_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Story, "knows_key", lambda self, key: False)

    with pytest.raises(AssertionError, match="once_done_always_done"):
        crowded(tmp_path, 100)


@pytest.mark.long
def test_five_hundred_commands_of_each_of_eight_phones(tmp_path: Path, record_property):
    answers = Counter[str]()
    for evening in range(10):
        answers += crowded(tmp_path / str(evening), 500)

    told = ", ".join(f"{count:,} {name}" for name, count in answers.most_common())
    record_property("figures", f"{answers.total():,} commands: {told}; each once")
