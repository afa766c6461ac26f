"""Situations of each game that are worth a look, reached by chance from a seed."""

import importlib
import random
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.dashboard.view.moves import AnyGame
from companion.running.snapshot import Setup
from companion.story.log import Made
from tests.dashboard.fakes import FakeTable

RARELY = {
    "Decide": 0.01,
    "ForgetNotes": 0.01,
    "FreeToken": 0.1,
    "Miss": 0.1,
    "TurnBack": 0.4,
    "EndTurn": 0.4,
}
OFTEN = {"Take": 8.0, "Lay": 8.0, "Play": 2.0, "Swap": 0.5}
MOST_MOVES = 900
MOST_SEEDS = 200


class Situation(Struct, frozen=True):
    """A game, its players, and what has to hold for a picture of it."""

    game: str
    players: tuple[str, ...]
    holds: Callable[[Any], bool]


def game_of(game_id: str) -> AnyGame:
    return importlib.import_module(f"companion.games.{game_id}").GAME


def random_move(rng: random.Random, game: AnyGame, state: Any) -> Any:
    """Return a legal move, its kind first; None at the end.

    Else a long list, such as what a card may show, would drown the rest.
    """
    kinds: dict[str, list[Any]] = {}
    for move in game.legal(state):
        kinds.setdefault(type(move).__name__, []).append(move)
    if not kinds:
        return None
    weights = [RARELY.get(kind, OFTEN.get(kind, 1.0)) for kind in kinds]
    return rng.choice(kinds[rng.choices(list(kinds), weights)[0]])


SITUATIONS = (
    Situation(
        "dragorun",
        ("Ana", "Barnabé", "Chloé", "Dominique"),
        lambda s: (
            s.phase == "keep"
            and sum(map(len, s.eggs)) >= 5
            and any(s.hidden)
            and max(s.cells) > 16
        ),
    ),
    Situation(
        "dragon_run",
        ("Ana", "Barnabé", "Chloé", "Dominique"),
        lambda s: (
            s.phase == "act"
            and "wounded" in s.health
            and any(s.fronts)
            and any(s.tilted)
            and len(s.turned) >= 4
            and max(s.hands) > 2
        ),
    ),
    Situation(
        "eight_dragons",
        ("Ana", "Barnabé", "Chloé"),
        lambda s: (
            s.phase == "pair" and len(s.up) == 2 and len(s.blocked) >= 2 and any(s.laid)
        ),
    ),
    Situation(
        "dragonix",
        ("Ana", "Barnabé", "Chloé", "Dominique"),
        lambda s: (
            s.phase == "play"
            and s.undead >= 0
            and sum(len(row.cards) for row in s.rows) >= 14
        ),
    ),
)


def reach(situation: Situation) -> FakeTable:
    """Return a table that has come to the situation.

    Raises:
        AssertionError: No seed leads there.
    """
    game = game_of(situation.game)
    for seed in range(MOST_SEEDS):
        table = FakeTable(lambda _game_id: game)
        table.open_game(Setup(situation.game, situation.players))
        rng = random.Random(seed)
        for _ in range(MOST_MOVES):
            story = table.snapshot.story
            assert story is not None
            if situation.holds(story.state):
                return table
            move = random_move(rng, game, story.state)
            if move is None:
                break
            table.tell(Made(move, "camera"))
    raise AssertionError(f"no seed leads to the situation of {situation.game}")
