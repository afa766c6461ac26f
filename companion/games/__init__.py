"""The five games, listed by hand."""

from typing import Any

from companion.games import drachenhort, dragon_run, dragonix, dragorun, eight_dragons
from companion.games.core import Game

GAMES: tuple[Game[Any, Any, Any], ...] = (
    dragorun.GAME,
    dragon_run.GAME,
    drachenhort.GAME,
    eight_dragons.GAME,
    dragonix.GAME,
)
"""Every game that the table knows, in the order a lobby shows them."""


class UnknownGame(KeyError):
    """There is no game of this id."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would put quotes around the sentence


def find(game_id: str) -> Game[Any, Any, Any]:
    """Return the game of that id.

    Raises:
        UnknownGame: There is none; the message lists those there are.
    """
    for game in GAMES:
        if game.id == game_id:
            return game
    known = ", ".join(game.id for game in GAMES)
    raise UnknownGame(f"no game {game_id!r}; there are {known}")
