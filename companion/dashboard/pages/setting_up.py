"""How a game is set up, step by step, in words."""

from companion.dashboard.view.moves import AnyGame
from companion.dashboard.view.view import Task, source
from companion.games.core import Config, SetupStep
from companion.words import Words


def tasks(steps: tuple[SetupStep, ...], words: Words) -> tuple[Task, ...]:
    """Return *steps* in words; who begins only where the players have names."""
    return tuple(
        Task(
            words.part(step.told),
            source(step.cite, words),
            None if step.begins is None or not words.names else words.name(step.begins),
        )
        for step in steps
    )


def to_look_up(game: AnyGame, played: Config | None, seats: int) -> Config:
    """Return how *game* is set up for so many players.

    Args:
        game: The game that is looked up.
        played: How it lies on the table, None where it does not.
        seats: How many are asked about. Where so many cannot play, it is as on the
            table, or for the fewest.
    """
    if seats not in game.seats:
        seats = game.seats.start if played is None else played.seats
    if played is not None and seats == played.seats:
        return played
    return Config(seats, game.stand_in)
