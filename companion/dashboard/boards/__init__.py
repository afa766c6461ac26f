"""One drawing for each game, and a plain list for a game that has none yet."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct

from companion.dashboard.boards import drachenhort
from companion.dashboard.boards.drawing import Drawing, Icon
from companion.dashboard.moves import AnyGame
from companion.games.core import Viewer
from companion.log import Story
from companion.words import Words

Moves: TypeAlias = tuple[Any, ...]


class Artist(Struct, frozen=True):
    """How one game is drawn: the whole board, and the pictures on a move's button."""

    draw: Callable[[Story, Any, Moves, Viewer, Words], Drawing]
    icons: Callable[[Any, Any, Words], tuple[Icon, ...]]


ARTISTS = {"drachenhort": Artist(drachenhort.draw, drachenhort.icons)}


def draw(
    story: Story, state: Any, legal: Moves, viewer: Viewer, words: Words
) -> Drawing:
    """Return the board of *state*, which is redacted for *viewer* already."""
    artist = ARTISTS.get(story.game.id)
    if artist is None:
        return _listed(story.game, state, words)
    return artist.draw(story, state, legal, viewer, words)


def icons(game: AnyGame, state: Any, move: Any, words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    artist = ARTISTS.get(game.id)
    return artist.icons(state, move, words) if artist else ()


def _listed(game: AnyGame, state: Any, words: Words) -> Drawing:
    """Return a board in words alone: what should lie where."""
    lying = sorted(game.table(state), key=lambda thing: (thing[2], thing[0]))
    twin = tuple(
        f"{place}: {piece}" + (f" ({face})" if face else "")
        for piece, face, place in lying
    )
    return Drawing("list", words.say("dashboard.board.listed"), twin)
