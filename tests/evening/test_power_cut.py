"""Whenever the plug is pulled, the game goes on where every phone saw it."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from companion.running.storage.store import Store
from companion.story.log import Entry
from tests.evening.real_process import Program
from tests.ports import free_port

pytestmark = pytest.mark.slow

FEW, CUTS = 8, 50
NAMES = ("Ana", "Bo", "Cy")


def start(data: Path, port: int) -> Program:
    return Program(
        "play", "drachenhort", "--players", ",".join(NAMES), "--camera", "drawn",
        data=data, port=port,
    )  # fmt: skip


def entries(data: Path) -> tuple[Entry, ...]:
    with closing(Store(data / "table.sqlite3")) as store:
        assert store.mishaps == ()
        return store.find_game(store.games()[0].id).story.entries


def test_a_few_power_cuts_lose_nothing_that_a_phone_was_told(tmp_path):
    lose_nothing(tmp_path, FEW, played=4)


@pytest.mark.long
def test_fifty_power_cuts_lose_nothing_that_a_phone_was_told(tmp_path):
    lose_nothing(tmp_path, CUTS, played=30)


def lose_nothing(tmp_path, cuts: int, played: int) -> None:
    """Cut the power so often in one game, of which at least so much is *played*."""
    rng = random.Random(8)
    port = free_port()
    before: tuple[Entry, ...] = ()
    phone = None
    for _ in range(cuts):
        program = start(tmp_path, port)
        if phone is None:
            phone = program.phone("Ana")
        # The phone is known by its cookie: nobody has to join again.
        view = phone.state()
        assert view["me"]["name"] == "Ana"
        assert view["seq"] >= (before[-1].seq if before else 0)
        told = press_a_while(phone, rng)
        program.kill()

        after = entries(tmp_path)

        assert after[: len(before)] == before
        assert after[-1].seq >= told
        before = after
    assert before[-1].seq >= played  # a game was really being played


def press_a_while(phone, rng: random.Random) -> int:
    """Play with the buttons for a while; return the newest state that was told.

    Ends right behind a press or an event, so that the plug is pulled while the program
    is at work on it.
    """
    told = phone.state()["seq"]
    left = rng.randrange(2, 14)
    for seq in phone.views():
        told = max(told, seq)
        phone.press(rng.choice(("next", "next", "confirm", "confirm", "undo")))
        left -= 1
        if left == 0:
            break
    return told
