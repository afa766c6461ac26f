"""A capsule that anybody may have made is played again, or refused in one line."""

import io
import random
import zipfile
from hashlib import blake2b

import msgspec
import pytest

from companion.capsule.file import ABOUT, GAME, TOLD, About, pack, replay_log, unpack
from companion.capsule.input_recorder import InputRecorder
from companion.referee.decisions import Thresholds
from companion.running.storage.game_file import BadRecord
from tests.kits.test_hostile_kits import WAYS, mutated
from tests.running.table_setup import SETUP, claim, running, saw


@pytest.fixture
def content(tmp_path) -> bytes:
    """Return a capsule of a game that has begun."""
    recorder = InputRecorder(tmp_path)
    recorder.start()
    with running(tmp_path, witness=recorder) as table:
        table.open_game(SETUP)
        table.hear(saw("3"))
        table.sync()
        for move in ("advance green", "throw 2"):
            story = table.snapshot.story
            table.act(claim(story, move, f"{story.seq}", 0))
        table.rest(pause=True)
        table.rest(pause=False)
        story = table.snapshot.story
    recorder.stop()
    file = io.BytesIO()
    pack(file, "game-1", story, tmp_path / "game-1")
    return file.getvalue()


def hostile(rng: random.Random, content: bytes) -> bytes:
    """Return a capsule of which a part was changed, its fingerprint or its file too."""
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    name = rng.choice((GAME, GAME, TOLD, TOLD, ABOUT))
    parts[name] = mutated(rng, parts[name])
    if name != ABOUT:
        about = msgspec.json.decode(parts[ABOUT], type=About)
        about.files[name] = blake2b(parts[name], digest_size=16).hexdigest()
        parts[ABOUT] = msgspec.json.encode(about)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice(WAYS)) as new:
        for name, data in parts.items():
            new.writestr(name, data)
    return mutated(rng, out.getvalue()) if rng.random() < 0.3 else out.getvalue()


def tried(content: bytes, count: int, seed: int) -> tuple[int, int]:
    """Open and replay so many; return how many were played again, and refused."""
    rng, again, lines = random.Random(seed), 0, list[str]()
    for _ in range(count):
        try:
            replay_log(unpack(hostile(rng, content)), Thresholds())
            again += 1
        except BadRecord as error:
            lines.append(str(error))
    assert not [line for line in lines if "\n" in line]
    return again, len(lines)


@pytest.mark.slow
def test_changed_capsules_are_played_again_or_refused_in_one_line(content: bytes):
    again, refused = tried(content, 500, 1)

    assert again > 10
    assert refused > 100
