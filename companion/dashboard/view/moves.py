"""Which moves a phone is offered, and which it may make."""

from collections.abc import Iterator
from typing import Any

from companion.dashboard.door.auth import Who
from companion.games.core import Game
from companion.games.hidden import is_private, redact

AnyGame = Game[Any, Any, Any]


def has_facts(game: AnyGame) -> bool:
    """Tell whether a copy of *game* has facts that its owner must tell."""
    return any(True for _ in game.copy.fields(game.stand_in))


def may_make(game: AnyGame, state: Any, move: Any, who: Who) -> bool:
    """Tell whether *who* may make *move*: its actor or the host, a secret its actor.

    A move that nobody owns, such as turning the board over, is anybody's at the table.
    """
    if who.role == "viewer":
        return False
    actor = game.actor(state, move)
    if actor is not None and is_private(move):
        return actor == who.seat
    return who.host or actor is None or actor == who.seat


def moves_for(game: AnyGame, state: Any, who: Who) -> Iterator[Any]:
    """Yield the legal moves that *who* is offered, judged by what they may know.

    Counting from the redacted state keeps buttons from betraying a secret.
    """
    if who.role == "viewer":
        return
    known = redact(state, who.viewer)
    for move in game.legal(known):
        if may_make(game, known, move, who):
            yield move
