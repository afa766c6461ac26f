"""One drawing for each game, and a plain list for a game that has none yet."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.dashboard.boards import (
    drachenhort,
    dragon_run,
    dragonix,
    dragorun,
    eight_dragons,
)
from companion.dashboard.boards.drawing import Drawing, Icon
from companion.dashboard.boards.likely import Likely, in_order
from companion.dashboard.boards.picking import Pick, Slot, Sorted, gather
from companion.dashboard.view.moves import AnyGame, holds_secret
from companion.games.core import Prompt, Viewer
from companion.story.log import Story
from companion.words import Words

Moves: TypeAlias = tuple[Any, ...]
Named: TypeAlias = tuple[str, tuple[Icon, ...]]


class Artist(Struct, frozen=True):
    """How one game is drawn: the whole board, and the pictures on a move's button.

    *likely* says which button comes first. *notes* are the kinds of move that only tell
    the table a secret. *slot* tells which pick a move belongs to, and *label* names the
    answers there.
    """

    draw: Callable[[Story, Any, Moves, Viewer, Words], Drawing]
    icons: Callable[[Any, Any, Words], tuple[Icon, ...]]
    likely: Likely = Likely()
    notes: tuple[type, ...] = ()
    slot: Callable[[Any, Any], Slot | None] = lambda _state, _move: None
    label: Callable[[Any, Any, int, Words], Named] | None = None


ARTISTS = {
    module.ID: Artist(*module.ARTS)
    for module in (dragorun, dragon_run, drachenhort, eight_dragons, dragonix)
}


def draw(
    story: Story, state: Any, legal: Moves, viewer: Viewer, words: Words
) -> Drawing:
    """Return the board of *state*, which is redacted for *viewer* already."""
    artist = ARTISTS.get(story.game.id)
    if artist is None:
        return listed(story.game, state, words)
    return artist.draw(story, state, legal, viewer, words)


def icons(game: AnyGame, state: Any, move: Any, words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    artist = ARTISTS.get(game.id)
    return artist.icons(state, move, words) if artist else ()


def likeliest_first(
    game: AnyGame, state: Any, prompts: Iterable[Prompt], moves: Moves
) -> Moves:
    """Return *moves* in the order of their buttons."""
    artist = ARTISTS.get(game.id)
    return in_order(artist.likely, state, prompts, moves) if artist else moves


def is_note(game: AnyGame, move: Any) -> bool:
    """Tell whether *move* only tells the table a secret of one seat."""
    artist = ARTISTS.get(game.id)
    return isinstance(move, artist.notes) if artist else holds_secret(move)


def shelve(
    game: AnyGame,
    state: Any,
    moves: Moves,
    whose: Callable[[Any], str | None],
    words: Words,
) -> tuple[tuple[Pick, ...], Moves]:
    """Return the picks that stand for long lists of moves, and the moves left over.

    *whose* names the player of a move that is not the viewer's own.
    """
    artist = ARTISTS.get(game.id)
    if artist is None or artist.label is None:
        return (), moves
    label, slots = artist.label, [artist.slot(state, move) for move in moves]
    gathered, few = gather(
        [
            Sorted(
                move,
                tuple(game.notate(state, move).split()),
                slot,
                whose(move),
                is_note(game, move),
            )
            for move, slot in zip(moves, slots, strict=True)
            if slot is not None
        ],
        words.part,
        lambda move, which: label(state, move, which, words),
    )
    kept = set(few)
    left = tuple(
        move
        for move, slot in zip(moves, slots, strict=True)
        if slot is None or move in kept
    )
    single = next((move for move in left if not is_note(game, move)), None)
    before = moves[: moves.index(single)] if single is not None else moves
    leading = {game.notate(state, move) for move in before}
    return tuple(
        replace(pick, first=pick.leading in leading and not pick.private)
        for pick in gathered
    ), left


def listed(game: AnyGame, state: Any, words: Words) -> Drawing:
    """Return a board in words alone: what should lie where."""
    lying = sorted(game.table(state), key=lambda thing: (thing[2], thing[0]))
    twin = tuple(
        f"{place}: {piece}" + (f" ({face})" if face else "")
        for piece, face, place in lying
    )
    return Drawing(words.say("dashboard.board.listed"), twin)
