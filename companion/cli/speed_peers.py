"""Programs that people know, as random walks of the same kind as ours.

They are in the group dev only; one that is not installed is left out and named.
"""

import importlib
import random
from collections.abc import Callable
from typing import TypeAlias

Walk: TypeAlias = Callable[[random.Random], int]
"""Plays one random game and returns the steps it took."""


def python_chess() -> Walk | None:
    """Return random chess to its end: outcome, legal moves, choice, push.

    Our `legal` is empty when a game is over, so asking for the outcome is part of a
    step there as it is here.
    """
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        return None

    def walk(rng: random.Random) -> int:
        board, steps = chess.Board(), 0
        while board.outcome() is None:
            board.push(rng.choice(list(board.legal_moves)))
            steps += 1
        return steps

    return walk


def openspiel_tic_tac_toe() -> Walk | None:
    """Return OpenSpiel's tic-tac-toe in Python: legal actions, choice, apply."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        importlib.import_module("open_spiel.python.games.tic_tac_toe")
    except ImportError:
        return None
    game = pyspiel.load_game("python_tic_tac_toe")

    def walk(rng: random.Random) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return walk


PEERS: dict[str, Callable[[], Walk | None]] = {
    "python-chess": python_chess,
    "OpenSpiel Python tic-tac-toe": openspiel_tic_tac_toe,
}
