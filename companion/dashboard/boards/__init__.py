"""One drawing for each game, and a plain list for a game that has none yet."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from companion.dashboard.boards import (
    drachenhort,
    dragon_run,
    dragonix,
    dragorun,
    eight_dragons,
)
from companion.dashboard.boards.artist import Artist, Moves
from companion.dashboard.boards.drawing import Drawing, Icon
from companion.dashboard.boards.likely import in_order
from companion.dashboard.boards.picking import Pick, PickMove, gather
from companion.dashboard.boards.tapping import targets
from companion.dashboard.view.moves import AnyGame
from companion.games.core import (
    Prompt,
)
from companion.games.hidden import (
    Viewer,
    is_private,
)
from companion.story.log import Story
from companion.words import Words

ARTISTS = tuple(
    module.ARTIST
    for module in (dragorun, dragon_run, drachenhort, eight_dragons, dragonix)
)


def artist_of(game: AnyGame) -> Artist:
    """Return who draws a game; a plain list for one that nobody draws yet."""
    return next((one for one in ARTISTS if one.game == game.id), Artist())


def draw(
    story: Story, state: Any, legal: Moves, viewer: Viewer, words: Words
) -> Drawing:
    """Return the board of *state*, which is redacted for *viewer* already."""
    game, artist = story.game, artist_of(story.game)
    drawing = artist.draw(story, state, legal, viewer, words)
    tapped = targets(
        [(m, artist.spots(state, m)) for m in legal if not is_note(game, m)],
        artist.areas(state, drawing, words) if legal else {},
        lambda move: words.part(game.describe_move(state, move)),
        words,
    )
    return replace(drawing, targets=tapped)


def spots(game: AnyGame, state: Any, move: Any) -> str:
    """Return the places of the board that *move* concerns, parted by blanks."""
    artist = artist_of(game)
    return "" if is_note(game, move) else " ".join(artist.spots(state, move))


def icons(game: AnyGame, state: Any, move: Any, words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    return artist_of(game).icons(state, move, words)


def likeliest_first(
    game: AnyGame, state: Any, prompts: Iterable[Prompt], moves: Moves
) -> Moves:
    """Return *moves* in the order of their buttons."""
    likely = artist_of(game).likely
    return moves if likely is None else in_order(likely, state, prompts, moves)


def at_one_go(game: AnyGame, state: Any) -> tuple[str, Moves]:
    """Return moves that people make without a choice, and the line on their button."""
    return artist_of(game).at_one_go(state)


def is_note(game: AnyGame, move: Any) -> bool:
    """Tell whether *move* only tells the table a secret of one seat."""
    notes = artist_of(game).notes
    return is_private(move) if notes is None else isinstance(move, notes)


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
    artist = artist_of(game)
    if artist.label is None:
        return (), moves
    label, slots = artist.label, [artist.slot(state, move) for move in moves]
    gathered, few = gather(
        [
            PickMove(
                move,
                tuple(game.notate(state, move).split()),
                slot,
                whose(move),
                is_note(game, move),
                () if is_note(game, move) else artist.spots(state, move),
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
