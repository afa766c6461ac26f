"""The real program, killed at any moment while phones act, and what they were told.

A start from nothing takes most of its second to import. Here a server that has imported
everything forks the program, so that hundreds of kills fit into minutes; each is a
process of its own with its own threads, sockets and files.
"""

import json
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPException
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.running.storage.store import Store
from companion.running.unsaved import Begun, Unsaved
from tests.evening.real_process import Phone
from tests.ports import free_port

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["companion.cli", "tests.trust.killing"])

PLAYERS = ("Ana", "Bo", "Cy")


def start_forking() -> None:
    """Start what forks the programs, if it does not run yet; its coverage counts not.

    It ends after the tests, and would write what it has seen over what they have.
    """
    counted = os.environ.pop("COVERAGE_PROCESS_START", None)
    try:
        ensure_running()
    finally:
        if counted is not None:
            os.environ["COVERAGE_PROCESS_START"] = counted


def play(
    arguments: tuple[str, ...], out: Connection, change: Callable[[], object]
) -> None:
    """Be the program, with a *change*; its output goes to *out*."""
    os.dup2(out.fileno(), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    from companion.cli import main

    change()
    main(["play", *arguments])


def let_acts_wait() -> None:
    """Say that each act is saved, and save six at a time."""

    def are_due(unsaved: Unsaved) -> bool:
        begins = any(isinstance(write, Begun) for write in unsaved._waiting)
        return begins or len(unsaved._waiting) > 5

    # It is what is asked whether anything waits. To replace a method, which mypy warns
    # of, is what this control is for.
    Unsaved.__bool__ = are_due  # type: ignore[method-assign]


class ForkedProgram:
    """``dragon-table play`` in a process that was forked with everything imported."""

    def __init__(
        self,
        *arguments: str,
        data: Path,
        port: int,
        change: Callable[[], object] = bool,
    ) -> None:
        self.port = port
        ours, theirs = FORKS.Pipe(duplex=False)
        arguments = (*arguments, "--data", str(data), "--port", str(port))
        start_forking()
        self.forked = FORKS.Process(target=play, args=(arguments, theirs, change))
        self.forked.start()
        theirs.close()
        self.out = os.fdopen(os.dup(ours.fileno()), "rb")
        ours.close()

    def host(self) -> str:
        """Wait for the greeting, and return the host's link in it."""
        for raw in self.out:
            name, _, link = raw.decode().strip().partition("  ")
            if name == "host":
                return "/j/" + link.rsplit("/j/", 1)[1]
        raise AssertionError("the program ended before it was killed")

    def is_open(self) -> bool:
        """Tell whether somebody listens at the program's port."""
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self.forked.kill()
        self.forked.join()
        self.out.close()
        self.forked.close()


class Told(Struct, frozen=True):
    """An act that a phone was told is on disk."""

    game_id: str
    seq: int
    key: str


def moves(view: Any) -> Iterator[str]:
    """Yield the moves that a phone is offered."""
    yield from (offer["move"] for offer in view["moves"])
    for pick in view["picks"]:
        for what in pick["what"]:
            at = [pick["at"][0]["word"]] if pick["at"] else []
            words = (pick["verb"], *at, what["word"], pick["tail"])
            yield " ".join(filter(None, words))


class Hand(threading.Thread):
    """A phone that acts as fast as it can, until the table is gone.

    Each act that it begins it counts in *begun*.
    """

    def __init__(
        self, phone: Phone, name: str, rng: random.Random, begun: threading.Semaphore
    ) -> None:
        super().__init__(daemon=True)
        self.phone, self.prefix, self.rng, self.begun = phone, name, rng, begun
        self.told: list[Told] = []

    def run(self) -> None:
        number = 0
        try:
            while True:
                number += 1
                self._act(f"{self.prefix}/{number}")
        except (OSError, HTTPException, json.JSONDecodeError):
            return  # the plug is pulled

    def _act(self, key: str) -> None:
        view = self.phone.state()
        seq, game_id, offered = view["seq"], view["game_id"], [*moves(view)]
        self.begun.release()
        if view["ending"] is not None:
            self.phone.post("/api/rematch", {"game_id": game_id})
            return
        if view["undoes"] is not None and self.rng.random() < 0.15:
            status, answer = self.phone.post("/api/undo", {"seq": seq, "key": key})
        else:
            move = self.rng.choice(offered or ["throw 1"])
            body = {"move": move, "seq": seq, "key": key}
            status, answer = self.phone.post("/api/act", body)
        if status == 200 and answer["game_id"] == game_id:
            self.told.append(Told(game_id, answer["seq"], key))


def missing(data: Path, told: list[Told]) -> list[Told]:
    """Return what was told to be on disk and is not there."""
    keys: dict[str, set[str]] = {}
    with closing(Store(data / "table.sqlite3")) as store:
        assert store.mishaps == ()
        for game_id in {one.game_id for one in told}:
            entries = store.find_game(game_id).story.entries
            keys[game_id] = {getattr(entry.body, "key", "") for entry in entries}
    return [one for one in told if one.key not in keys[one.game_id]]


class Evening:
    """A table that is killed again and again; keeps what phones were told meanwhile."""

    def __init__(
        self, data: Path, seed: int, change: Callable[[], object] = bool
    ) -> None:
        self.data, self.change, self.port = data, change, free_port()
        self.rng = random.Random(seed)
        self.told: list[Told] = []
        self.kills = self.early = 0
        self._phone: Phone | None = None

    def kill_once(self) -> list[Told]:
        """Start, act, kill at some moment; return what was told and is not there."""
        self.kills += 1
        program = ForkedProgram(
            "drachenhort", "--players", ",".join(PLAYERS),
            data=self.data, port=self.port, change=self.change,
        )  # fmt: skip
        if self._phone is not None and self.rng.random() < 0.1:
            self._kill_early(program)
            return missing(self.data, self.told[-50:])
        told = self._kill_in_an_act(program)
        self.told += told
        return missing(self.data, told)

    def _kill_early(self, program: ForkedProgram) -> None:
        """Kill the program at once, or in the moment in which it begins to listen."""
        if self.rng.random() < 0.5:
            ends = time.perf_counter() + 60
            while not program.is_open():
                assert time.perf_counter() < ends, "it never listened"
        program.kill()
        self.early += 1

    def _kill_in_an_act(self, program: ForkedProgram) -> list[Told]:
        """Kill the program while two phones act; return what they were told."""
        link = program.host()
        if self._phone is None:
            # Known by its cookie from then on, whatever is killed.
            self._phone = Phone(self.port)
            self._phone.get(link)
        begun = threading.Semaphore(0)
        hands = [
            Hand(self._phone, f"{self.kills}/{n}", random.Random(n), begun)
            for n in range(2)
        ]
        for hand in hands:
            hand.rng.seed(self.rng.random())
            hand.start()
        for _ in range(self.rng.randrange(1, 30)):
            assert begun.acquire(timeout=60), "nobody acts any more"
        program.kill()
        for hand in hands:
            hand.join(60)
        return [one for hand in hands for one in hand.told]
