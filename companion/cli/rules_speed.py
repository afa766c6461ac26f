"""How fast the rules are: steps, whole games, judging, replaying, undoing."""

import random
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.cli.speed_peers import PEERS, Walk
from companion.games import GAMES
from companion.games.core import Config, Game
from companion.story.codec import encode
from companion.story.log import (
    Header,
    Made,
    Story,
    Undone,
    begin,
    extend,
    fold,
)

BUDGET_S = 0.5
"""How long one figure is measured in one round."""

ROUNDS = 5
"""Rounds; ours and the peers' take turns, so that a slow moment hits them alike."""


class GameFigures(Struct, frozen=True):
    """The figures of one game; each the median of some rounds."""

    steps_per_s: float
    games_per_s: float
    judge_and_record_us: float
    replay_ms: float
    undo_ms: float
    ratios: dict[str, float]


class RulesFigures(Struct, frozen=True):
    """The figures of all games and of the peers that are installed (steps a second)."""

    games: dict[str, GameFigures]
    peers: dict[str, float]
    missing: tuple[str, ...]


def measure(
    budget_s: float = BUDGET_S,
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.process_time,
) -> RulesFigures:
    """Return all figures, measured on one thread in process time."""
    walks = {name: walk for name, load in PEERS.items() if (walk := load()) is not None}
    steps: dict[str, list[float]] = {}
    whole: dict[str, list[float]] = {}
    for number in range(rounds):
        for game in GAMES:
            pace, ended = _pace(_walk(game), random.Random(number), budget_s, clock)
            steps.setdefault(game.id, []).append(pace)
            whole.setdefault(game.id, []).append(ended)
        for name, walk in walks.items():
            pace, _ = _pace(walk, random.Random(number), budget_s, clock)
            steps.setdefault(name, []).append(pace)
    peers = {name: _median(steps[name]) for name in walks}
    games = {
        game.id: _figures(
            game, _median(steps[game.id]), _median(whole[game.id]), peers, clock
        )
        for game in GAMES
    }
    return RulesFigures(games, peers, tuple(sorted(set(PEERS) - set(walks))))


def _pace(
    walk: Walk, rng: random.Random, budget_s: float, clock: Callable[[], float]
) -> tuple[float, float]:
    """Return steps and whole games a second of random play."""
    began = clock()
    steps = games = 0
    while (spent := clock() - began) < budget_s:
        steps += walk(rng)
        games += 1
    return steps / spent, games / spent


def _walk(game: Game[Any, Any, Any]) -> Walk:
    """Return a function that plays one random game and counts its steps."""
    start = game.setup(Config(game.seats.stop - 1, game.stand_in))
    legal, apply = game.legal, game.apply

    def walk(rng: random.Random) -> int:
        state, steps = start, 0
        choice = rng.choice
        while moves := list(legal(state)):
            state, _ = apply(state, choice(moves))
            steps += 1
        return steps

    return walk


def _figures(
    game: Game[Any, Any, Any],
    steps: float,
    games: float,
    peers: dict[str, float],
    clock: Callable[[], float],
) -> GameFigures:
    story = _played(game, random.Random(1))
    return GameFigures(
        steps_per_s=round(steps),
        games_per_s=round(games, 1),
        judge_and_record_us=round(_judging_us(story, clock), 1),
        replay_ms=round(_least(lambda: fold(game, story.entries), clock) * 1e3, 3),
        undo_ms=round(
            _least(lambda: extend(story, Undone("bench"), 0.0), clock) * 1e3, 3
        ),
        ratios={name: round(steps / pace, 1) for name, pace in peers.items()},
    )


def _played(game: Game[Any, Any, Any], rng: random.Random) -> Story:
    seats = game.seats.stop - 1
    header = Header(game.id, tuple(f"Player {n}" for n in range(seats)), game.stand_in)
    story = begin(game, header, 0.0)
    while moves := list(game.legal(story.state)):
        story = extend(story, Made(rng.choice(moves), "bench"), 0.0)
    return story


def _judging_us(story: Story, clock: Callable[[], float]) -> float:
    """Return what it costs to judge a move, apply it and write its entry, in us."""
    game = story.game
    began = clock()
    again = begin(game, story.header, 0.0)
    for step in story.steps:
        game.judge(again.state, step.made.move)
        again = extend(again, step.made, 0.0)
        encode(again.entries[-1])
    return (clock() - began) / len(story.steps) * 1e6


def _least(act: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the least of some times in seconds: what the act takes undisturbed."""
    times = []
    for _ in range(20):
        began = clock()
        act()
        times.append(clock() - began)
    return min(times)


def _median(figures: list[float]) -> float:
    return sorted(figures)[len(figures) // 2]
