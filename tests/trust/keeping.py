"""Keeps what today's program writes, so that later ones must read it the same.

Run as ``python -m tests.trust.keeping VERSION`` when a version is released: a store
with a game of each kind, a capsule, and what they come to, in ``kept/VERSION``. What is
kept is never made anew: it stands for what lies on the cards of those who play.
"""

import io
import random
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from companion.capsule.file import pack
from companion.capsule.input_recorder import InputRecorder
from companion.games import GAMES
from companion.running.service import Table
from companion.running.snapshot import Done, PhoneToken, Setup
from companion.story.log import Story
from companion.table import Claim, Glimpse, Moved, Reading
from tests.running.table_setup import doubted, running, saw

KEPT = Path(__file__).with_name("kept")
KEY, PIN = "5a" * 32, "271828"
TOKENS = (
    PhoneToken("hash of the host", "host"),
    PhoneToken("hash of a seat", "seat", 1, "game-1"),
    PhoneToken("word of a seat", "freed", 0, "game-1"),
)
NAMES = ("Zoé", "龍", "Bo")
STORE, CAPSULE, COMES_TO = "table.sqlite3", "game.capsule", "comes_to.json"
ACTS = 30


def comes_to(story: Story) -> dict[str, Any]:
    """Return what a story comes to, in what JSON has."""
    standing = {
        "game": story.game.id,
        "players": story.header.players,
        "kinds": [type(entry.body).__name__ for entry in story.entries],
        "state": story.state,
        "scores": [(one.low, one.high) for one in story.game.scores(story.state)],
        "paused": story.paused,
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(standing))
    return plain


def tap(table: Table, move: str, key: str) -> bool:
    story = table.snapshot.story
    assert story is not None
    return isinstance(table.act(Claim(move, None, story.seq, key)), Done)


def corrected(table: Table) -> None:
    """Begin Drachenhort with every kind of entry: asked, adopted, amended, undone."""
    for number, move in enumerate(
        ("throw 3", "advance green", "throw 1", "advance red")
    ):
        assert tap(table, move, f"first {number}")
    moved = Moved("green", "cell/3/dark", "cell/5/dark")
    table.hear(Reading((Glimpse(moved, 0.99),), whole=True))
    asked = table.sync().story
    assert asked is not None
    table.adopt(None, asked.seq, "adopt", house=False)
    table.hear(doubted(("2", 0.6), ("3", 0.3)))
    table.hear(saw("2"))
    shown = table.sync()
    assert shown.story is not None
    table.amend(shown.story.seq, "throw 1", None, shown.story.seq, "amend")
    table.rest(pause=True)
    table.rest(pause=False)


def played(table: Table, game_id: str) -> None:
    """Play a game by chance, and take a move back now and then."""
    rng = random.Random(game_id)
    for number in range(ACTS):
        shown = table.snapshot
        if not shown.offers:
            return
        assert shown.story is not None
        if number % 7 == 6:
            table.undo(None, shown.story.seq, f"undo {number}")
        else:
            tap(table, rng.choice(sorted(shown.offers)), f"act {number}")


def keep(folder: Path) -> None:
    """Write a store, a capsule and what they come to."""
    with TemporaryDirectory() as name:
        data = Path(name)
        recorder = InputRecorder(data)
        recorder.start()
        stories = {}
        with running(data, witness=recorder) as table:
            table._store.keep_keys(KEY, PIN)
            for token in TOKENS:
                table.add_token(token)
            for game in GAMES:
                answer = table.open_game(Setup(game.id, NAMES[: game.seats.start + 1]))
                assert isinstance(answer, Done)
                assert answer.game_id is not None
                if game.id == "drachenhort":
                    corrected(table)
                played(table, answer.game_id)
                story = table.snapshot.story
                assert story is not None
                stories[answer.game_id] = story
            table.rest(pause=True)
            assert table.snapshot.story is not None
            stories[answer.game_id] = table.snapshot.story
        recorder.stop()
        folder.mkdir(parents=True)
        shutil.copyfile(data / STORE, folder / STORE)
        packed = io.BytesIO()
        of = next(i for i, one in stories.items() if one.game.id == "drachenhort")
        pack(packed, of, stories[of], data / of, secrets=True)
        (folder / CAPSULE).write_bytes(packed.getvalue())
        standing = {game_id: comes_to(story) for game_id, story in stories.items()}
        text = msgspec.json.format(msgspec.json.encode(standing))
        (folder / COMES_TO).write_bytes(text + b"\n")


if __name__ == "__main__":
    keep(KEPT / sys.argv[1])
