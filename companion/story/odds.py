"""Chances by playing on: who wins how often, as far as one viewer can know.

Every play starts from another state that looks the same to the viewer, so nothing that
is hidden from them can show in the figures. The seed is an argument: the same seed
gives the same chances.
"""

import random
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from companion.games.core import (
    Game,
)
from companion.games.hidden import (
    Viewer,
)

PLAYS = 200
"""Plays for one figure: a chance of one half is then right to about 7 % (two sigma)."""

MOST_STEPS = 3_000
"""A play that takes longer is left out; random players may race in circles."""


class Chances(Struct, frozen=True, gc=False):
    """How often each seat won, 0 to 1; a shared win counts in parts.

    *plays* ended, *left_out* did not end in time. Without a play that ended there are
    no chances.
    """

    wins: tuple[float, ...]
    plays: int
    left_out: int = 0


def chances(
    game: Game[Any, Any, Any],
    state: Any,
    viewer: Viewer,
    seed: int,
    plays: int = PLAYS,
) -> Chances:
    """Return how often each seat wins from here when everybody plays at random."""
    seats = len(game.scores(state))
    wins = [0.0] * seats
    ended = 0
    for number in range(plays):
        chance = random.Random(f"{seed}/{number}")
        start = game.resample(state, viewer, chance.randrange(2**31))
        winners = play_on(game, start, chance)
        if winners is None:
            continue
        ended += 1
        for seat in winners:
            wins[seat] += 1 / len(winners)
    shares = tuple(win / ended for win in wins) if ended else ()
    return Chances(shares, ended, plays - ended)


def play_on(
    game: Game[Any, Any, Any], state: Any, chance: random.Random
) -> tuple[int, ...] | None:
    """Return who won when the game is played on at random, None if it took too long."""
    for _ in range(MOST_STEPS):
        outcome = game.outcome(state)
        if outcome is not None:
            winners: tuple[int, ...] = outcome.winners
            return winners
        state, _ = game.apply(state, _next(game, state, chance))
    return None


def _next(game: Game[Any, Any, Any], state: Any, chance: random.Random) -> Any:
    """Return what happens next: some kind of move, by its odds where chance decides.

    Odds are those of what shows once a hand has decided to turn or throw, so the kind
    is drawn first.
    """
    moves = chance.choice(_by_kind(game.legal(state)))
    odds = [pair for pair in game.chance(state) if isinstance(pair[0], type(moves[0]))]
    if odds:
        shares = [float(share) for _, share in odds]
        return chance.choices([move for move, _ in odds], shares)[0]
    return chance.choice(moves)


def _by_kind(moves: Iterable[Any]) -> list[list[Any]]:
    """Return the moves by kind: one that has many would else happen always."""
    found: dict[type[Any], list[Any]] = {}
    for move in moves:
        found.setdefault(type(move), []).append(move)
    return list(found.values())
