"""A table on which games are played one after the other, as fast as they can be.

Run as ``python -m tests.trust.soaking FOLDER GAMES EVERY``: it says its port, and after
each so many games a line of JSON with what it holds. Phones may listen meanwhile. Only
the newest games are kept, so that the list of them does not grow.
"""

import gc
import itertools
import os
import random
import sys
import threading
import time
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.dashboard import create_app, start
from companion.games import GAMES
from companion.running.service import Table
from companion.running.snapshot import Done, Setup
from companion.story.log import Story
from companion.table import Claim
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.dashboard.situations import random_move
from tests.running.table_setup import running

NAMES = ("Ana", "Bo", "Cy", "Dan", "Eva", "Flo", "Gil")
KEPT_GAMES = 50
MOST_MOVES = 120
"""By chance alone some games never end; such a one is put away."""


class Held(Struct, frozen=True):
    """What the process holds after some *games* and *at_s*.

    *cached* is how many results the games' own bounded caches kept until then.
    """

    at_s: float
    games: int
    events: int
    kb: int
    threads: int
    files: int
    cached: int


def held(games: int, events: int) -> Held:
    """Return what this process holds now, the games' bounded caches emptied.

    Those fill for hours, up to some 15,000 results of a kilobyte; what grows beside
    them would not be seen.
    """
    known = bounded_caches()
    cached = sum(one.cache_info().currsize for one in known)
    for one in known:
        one.cache_clear()
    gc.collect()
    status = Path("/proc/self/status").read_text()
    kb = int(status.split("VmRSS:")[1].split()[0])
    files = len([*Path("/proc/self/fd").iterdir()])
    threads = threading.active_count()
    return Held(time.monotonic(), games, events, kb, threads, files, cached)


def bounded_caches() -> list[Any]:
    """Return the caches of functions that forget by themselves.

    Found in their modules: a list of all objects holds tuples that other threads are
    still making, and these then fail.
    """
    found = {
        id(one): one
        for module in [*sys.modules.values()]
        for one in [*vars(module).values()]
        if isinstance(one, _lru_cache_wrapper) and one.cache_info().maxsize is not None
    }
    return [*found.values()]


def say(line: bytes) -> None:
    os.write(1, line + b"\n")


def play(table: Table, dice: random.Random, number: int) -> int:
    """Play one game to its end; return how many entries it has."""
    game = GAMES[number % len(GAMES)]
    seats = dice.choice(game.seats)
    answer = table.open_game(Setup(game.id, NAMES[:seats]))
    assert isinstance(answer, Done), answer
    for count in range(MOST_MOVES):
        story = table.snapshot.story
        assert story is not None
        move = None if is_over(story) else random_move(dice, game, story.state)
        if move is None:
            break
        actor = game.actor(story.state, move)
        text = game.notate(story.state, move)
        table.act(Claim(text, actor, story.seq, f"{number}/{count}"))
        if dice.random() < 0.03:
            newest = table.snapshot.story
            assert newest is not None
            table.undo(None, newest.seq, f"{number}/undo/{count}")
    story = table.snapshot.story
    assert story is not None
    if not is_over(story):
        table.leave()
    return story.seq


def put_out_old(table: Table) -> None:
    """Delete the oldest games, as a host does now and then."""
    for game in table.games()[KEPT_GAMES:]:
        assert isinstance(table.delete(game.id), Done)


def is_over(story: Story) -> bool:
    return story.game.outcome(story.state) is not None


def soak(folder: Path, games: int, every: int) -> None:
    """Play so many games while phones listen."""
    dice, events = random.Random(13), 0
    with running(folder) as table:
        app = create_app(table, secret=SECRET, pin=PIN, address=ADDRESS)
        server = start(app, "127.0.0.1", 0)
        say(str(server.port).encode())
        # Whoever started it says when its phones listen.
        os.read(0, 1)
        for number in itertools.count(1):
            events += play(table, dice, number)
            put_out_old(table)
            if number % every == 0:
                say(msgspec.json.encode(held(number, events)))
            if number == games:
                break
        server.close()


if __name__ == "__main__":
    soak(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
