"""Whenever the plug is pulled, all is there that somebody was told is on disk.

And nothing of what somebody was told is gone for good.
"""

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.running.storage.salvage import memory
from companion.running.storage.store import Store
from companion.running.storage.stored import NoSuchGame
from tests.trust.cutting import Call, Disk, Model, traced
from tests.trust.writing import Told

pytestmark = pytest.mark.skipif(
    shutil.which("strace") is None,
    reason="no strace to see with what is written: apt install strace",
)

TORN = 3
"""So many ways in which a cut may tear what was on its way."""


def wrong_after(files: dict[str, bytes], told: list[Told]) -> list[str]:
    """Return what a start with these *files* finds other than people were *told*."""
    with TemporaryDirectory(dir=memory()) as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        wrong = _names_left(folder, told)
        store = Store(folder / "table.sqlite3")
        try:
            wrong += [f"{mishap.line}" for mishap in store.mishaps]
            wrong += _wrong_in(store, told)
        finally:
            store.close()
        return [*wrong, *_names_left(folder, told)]


def _names_left(folder: Path, told: list[Told]) -> list[str]:
    """Return where a name still stands that somebody was told is forgotten."""
    names = [one.what.encode() for one in told if one.kind == "forgotten"]
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    return [
        f"{name!r} in {file}"
        for file, content in files.items()
        for name in names
        if name in content
    ]


def _wrong_in(store: Store, told: list[Told]) -> Iterator[str]:
    def every(kind: str) -> set[str]:
        return {one.what for one in told if one.kind == kind}

    games = {game.id for game in store.games()}
    yield from (f"{game} is back" for game in games & every("deleted"))
    last = {one.what: one.seq for one in told if one.kind == "entry"}
    for game_id, seq in last.items():
        if game_id not in games:
            if game_id not in every("going"):
                yield f"{game_id} is gone"
            continue
        try:
            found = store.find_game(game_id)
        except NoSuchGame as error:
            yield f"{error}"
            continue
        if found.trouble is not None or found.story.seq < seq:
            yield f"{game_id} ends at {found.story.seq}, not {seq}"
    tokens = {token.hash for token in store.tokens()}
    yield from (f"{one} is not let in" for one in every("token") - tokens)
    keys = store.keys()
    yield from (
        "the PIN is another" for pin in every("keys") if not keys or keys.pin != pin
    )


class Outcome(Counter[str]):
    """How many *states* were tried, and how many of them were wrong, by model."""

    def wrong(self) -> int:
        return sum(count for what, count in self.items() if what.startswith("wrong"))


def cut_everywhere(calls: list[Call], folder: Path, each: int = 1) -> Outcome:
    """Cut the power after every call, or one of *each*; start the table each time."""
    disk, rng, known, result = Disk(folder), random.Random(3), set[int](), Outcome()
    number = 0
    for call in calls:
        if not disk.follow(call):
            continue
        number += 1
        if number % each:
            continue
        models: list[Model] = ["all", "synced", *["torn"] * TORN]
        for model in models:
            files = disk.after_cut(model, rng)
            state = hash((len(disk.told), *sorted(files.items())))
            result["states"] += 1
            if state not in known:
                known.add(state)
                wrong = wrong_after(files, disk.told)
                result[f"wrong: {model}"] += bool(wrong)
                if wrong:
                    result[wrong[0]] += 1
    result["told"], result["different"] = len(disk.told), len(known)
    return result


@pytest.mark.slow
def test_what_was_told_is_there_and_what_is_gone_stays_away(tmp_path: Path):
    folder = tmp_path / "table"

    result = cut_everywhere(traced(folder, 4), folder, each=4)

    assert result["told"] > 20
    assert result["different"] > 150
    assert result.wrong() == 0, result


@pytest.mark.slow
def test_without_waiting_for_the_disk_much_would_be_lost(tmp_path: Path):
    """So it would be noticed if nothing were tried at all."""
    folder = tmp_path / "table"

    result = cut_everywhere(traced(folder, 4, "nosync"), folder, each=8)

    assert result["wrong: all"] == 0
    assert result["wrong: synced"] > 10
    assert result["wrong: torn"] > 10


@pytest.mark.long
def test_a_name_would_be_back_if_the_log_of_writes_were_not_waited_for(tmp_path: Path):
    """As it once was: the emptied log was not on the disk when people were told."""
    folder = tmp_path / "table"

    result = cut_everywhere(traced(folder, 4, "log not emptied"), folder)

    assert result["wrong: all"] == 0
    assert result["wrong: synced"] + result["wrong: torn"] > 0


@pytest.mark.long
def test_five_thousand_power_cuts_of_an_evening(tmp_path: Path, record_property):
    folder = tmp_path / "table"

    result = cut_everywhere(traced(folder, 40), folder)

    states, different, told = result["states"], result["different"], result["told"]
    text = f"{states:,} states, {different:,} different, {told} things told: "
    record_property("figures", f"{text}{result.wrong()} wrong")
    assert result["states"] > 5_000
    assert result.wrong() == 0, result
