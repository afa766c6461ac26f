"""Which of the layouts that may lie on a board fits what has changed at its spaces.

Pure. A layout may lie there because the record says so, because it did before, or
because a legal move leads to it; how much each space has changed tells which it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from companion.games.hidden import is_private
from companion.referee.changes import plain_changes
from companion.story.log import Amended, Edited, Made, Story, Undone
from companion.table import TRAY, Change, Face, Layout, Piece, Place, Placed, Removed
from vision.board.changes import UNCHANGED, SpaceChange

SURE = 0.6
"""Blob of a change from which something has surely come or gone. First guess."""

EDGE = 0.5
"""Share of a change beside it up to which another one may belong to it. First guess."""

NEARLY = 0.05
"""Area, in squared distances between neighbours, by which two layouts leave as much
open. First guess."""

MOVED = 2
"""Spaces that change by one figure: it left one and came to another."""

REMEMBERED = 12
"""So many earlier positions may still lie there: entered, not yet carried out."""

Things = tuple[tuple[Piece, Face | None], ...]


class BoardLook(Struct, frozen=True):
    """A board: where its spaces are, what last lay there, and what has changed.

    *last* is what was last seen to lie there; *seen* how each space differs from then.
    A room whose halves are spaces is *whole*: what stands in it stands on any of them.
    *beside* each space are its neighbours: a shadow or a wing reaches so far.
    """

    spaces: tuple[Place, ...]
    last: Layout
    seen: Mapping[Place, SpaceChange]
    whole: Mapping[Place, tuple[Place, ...]] = {}
    beside: Mapping[Place, frozenset[Place]] = {}


class Fit(Struct, frozen=True):
    """A layout that may lie there.

    *touched* are the spaces at which it differs from what lay there before,
    *unexplained* the area of changes beside them that it leaves open.
    """

    layout: Layout
    touched: frozenset[Place]
    unexplained: float = 0.0


def by_place(layout: Layout) -> dict[Place, Things]:
    """Return what lies at each place."""
    places: dict[Place, list[tuple[Piece, Face | None]]] = {}
    for piece, face, place in layout:
        places.setdefault(place, []).append((piece, face))
    return {place: tuple(sorted(some, key=repr)) for place, some in places.items()}


def known_layouts(story: Story, since: int = 0) -> list[Layout]:
    """Return what the record says, and what it said on the way there, the newest first.

    *since* is the number of moves after which the board was last seen to lie as the
    record said: what lay there before that lies there no more.
    """
    game = story.game
    states = [story.start, *(step.state for step in story.steps)]
    on_the_way = states[min(since, len(states) - 1) :][-REMEMBERED:]
    return [game.layout(state) for state in reversed(on_the_way)]


def is_being_set_up(story: Story) -> bool:
    """Tell whether hands may still be setting the board up.

    That is so as long as nothing was done and the first thing to do is no move on it.
    """
    if any(not is_private(step.made.move) for step in story.steps):
        return False
    game, state = story.game, story.state
    lies = _board_of(game.layout(state))
    return all(
        _board_of(game.layout(game.apply(state, move)[0])) == lies
        for move in game.legal(state)
    )


def layouts_ahead(
    story: Story, dice: Mapping[Piece, Face], on: frozenset[Place]
) -> Iterator[Layout]:
    """Yield what the table shows after each legal move, and after a throw and a move.

    Args:
        story: The game.
        dice: What lies in the tray; a throw that shows something else was not made.
        on: The places of the board. A move that shows anywhere else, or shows what is
            printed on a piece, is not known by spaces that have changed.
    """
    game, state = story.game, story.state
    lies = _board_of(game.layout(state))
    for after in _next(game, state, dice, on):
        layout = game.layout(after)
        if _board_of(layout) != lies:
            yield layout
            continue
        for later in _next(game, after, dice, on):
            yield game.layout(later)


def _next(
    game: Any, state: Any, dice: Mapping[Piece, Face], on: frozenset[Place]
) -> Iterator[Any]:
    for move in game.legal(state):
        if is_private(move):
            continue
        if all(
            _may_be(sight, dice, on)
            for sight in plain_changes(game.evidence(state, move))
        ):
            yield game.apply(state, move)[0]


def _may_be(sight: Change, dice: Mapping[Piece, Face], on: frozenset[Place]) -> bool:
    """Tell whether a change that proves a move may have happened on a board."""
    match sight:
        case Placed(piece, face, place) if place == TRAY:
            return dice.get(piece) == face
        case Placed(face=face, place=place):
            return face is None and place in on
        case Removed(place=place):
            return place in on
        case _:
            return False


def _board_of(layout: Layout) -> Layout:
    return frozenset(thing for thing in layout if thing[2] != TRAY)


def fitting_layouts(
    board: BoardLook, layouts: Iterable[Layout], *, ahead: bool
) -> list[Fit]:
    """Return the layouts that fit what has changed, each once."""
    before = by_place(board.last)
    fits: dict[object, Fit] = {}
    for layout in layouts:
        now = by_place(layout)
        here = tuple((place, now.get(place, ())) for place in board.spaces)
        if here in fits:
            continue
        fit = _fit(board, before, now, layout, ahead=ahead)
        if fit is not None:
            fits[here] = fit
    least = min((fit.unexplained for fit in fits.values()), default=0.0)
    return [fit for fit in fits.values() if fit.unexplained <= least + NEARLY]


def _fit(
    board: BoardLook,
    before: Mapping[Place, Things],
    now: Mapping[Place, Things],
    layout: Layout,
    *,
    ahead: bool,
) -> Fit | None:
    differs = set(_differing(board, before, now))
    # In a crowd one may come or go without a change at the point that was tapped.
    sure = {p for p in differs if max(len(before.get(p, ())), len(now.get(p, ()))) < 2}
    rooms = [
        halves
        for room, halves in board.whole.items()
        if before.get(room, ()) != now.get(room, ())
    ]
    if ahead and not rooms and not any(_has_come(before, now, p) for p in sure):
        # What is gone may be in a hand: only what has come tells of a move.
        return None
    shares = [_largest_blob(board, place) for place in sure]
    shares += [max(_seen(board, half).blob for half in halves) for halves in rooms]
    if any(share < SURE for share in shares):
        return None
    differs.update(half for halves in rooms for half in halves)
    loose = _loose_places(board, differs)
    if not all(_is_edge(board, place, differs) for place in loose):
        return None
    odd = sum(_seen(board, place).feet for place in loose)
    return Fit(layout, frozenset(differs), odd)


def _largest_blob(board: BoardLook, place: Place) -> float:
    """Return the blob of a place, or of a neighbour's change that may stand here.

    Else of two that stand beside each other the nearer to a change would be believed
    to have moved, however little nearer it is.
    """
    beside = [one.blob for one in board.seen.values() if place in one.or_at]
    return max([_seen(board, place).blob, *beside])


def _loose_places(board: BoardLook, differs: Iterable[Place]) -> list[Place]:
    """Return the places where something changed that these places do not explain.

    What may stand on either of two neighbours is explained by each of them.
    """
    known = frozenset(differs)
    return [
        place
        for place in changed_places(board)
        if place not in known and not _seen(board, place).or_at & known
    ]


def _has_come(
    before: Mapping[Place, Things], now: Mapping[Place, Things], place: Place
) -> bool:
    return bool(Counter(now.get(place, ())) - Counter(before.get(place, ())))


def _is_edge(board: BoardLook, place: Place, differs: Iterable[Place]) -> bool:
    """Tell whether a small change may come from what came or went beside it."""
    beside = board.beside.get(place, frozenset())
    large = max((_seen(board, p).part for p in differs if p in beside), default=0.0)
    return _seen(board, place).feet < EDGE * large


def _seen(board: BoardLook, place: Place) -> SpaceChange:
    return board.seen.get(place, UNCHANGED)


def is_like_a_move(board: BoardLook) -> bool:
    """Tell whether a piece may have gone from one space to another that was free."""
    before = by_place(board.last)
    changed = changed_places(board)
    if len(changed) != MOVED or any(_seen(board, p).blob < SURE for p in changed):
        return False
    return sum(bool(before.get(place)) for place in changed) == 1


def has_all_changed(board: BoardLook, places: Iterable[Place]) -> bool:
    """Tell whether something has surely come to all these spaces or gone."""
    return all(_seen(board, place).blob >= SURE for place in places)


def partly_done(board: BoardLook, layouts: Iterable[Layout]) -> list[Layout]:
    """Return what lies there where hands have carried out a part of some change.

    Of each layout that explains all that has changed, each once; none where nothing
    has.
    """
    changed = set(changed_places(board))
    before, parts = by_place(board.last), dict[Layout, None]()
    for layout in layouts:
        now = by_place(layout)
        differs = set(_differing(board, before, now))
        for room, halves in board.whole.items():
            if before.get(room, ()) != now.get(room, ()):
                differs.update(halves)
        if changed and not _loose_places(board, differs):
            kept = [thing for thing in board.last if thing[2] not in changed]
            come = [thing for thing in layout if thing[2] in changed]
            parts[frozenset([*kept, *_without_twins(come, kept)])] = None
    return list(parts)


def _without_twins(
    come: list[tuple[Piece, Face | None, Place]],
    kept: list[tuple[Piece, Face | None, Place]],
) -> Iterator[tuple[Piece, Face | None, Place]]:
    """Yield what came and does not stand elsewhere still: there is one of each."""
    there = Counter(piece for piece, _, _ in kept)
    for thing in come:
        if not there[thing[0]]:
            yield thing


def differing_places(board: BoardLook, layout: Layout) -> list[Place]:
    """Return the spaces at which a layout differs from what last lay there."""
    return _differing(board, by_place(board.last), by_place(layout))


def _differing(
    board: BoardLook, before: Mapping[Place, Things], now: Mapping[Place, Things]
) -> list[Place]:
    return [p for p in board.spaces if before.get(p, ()) != now.get(p, ())]


def changed_places(board: BoardLook) -> list[Place]:
    """Return the spaces on which something came or went, the largest first."""
    some = [place for place in board.spaces if _seen(board, place).feet]
    return sorted(some, key=lambda place: -_seen(board, place).feet)


def rooms(spaces: Iterable[Place]) -> dict[Place, tuple[Place, ...]]:
    """Return the spaces that are parts of one room: ``cell/3`` of its two halves."""
    parts: dict[Place, tuple[Place, ...]] = {}
    for place in spaces:
        room, _, part = place.rpartition("/")
        if "/" in room and part:
            parts[room] = (*parts.get(room, ()), place)
    return parts


def is_by_people(body: object) -> bool:
    """Tell whether an entry says what people know to lie there."""
    told = isinstance(body, Made | Undone | Edited | Amended)
    return told and getattr(body, "source", "") != "camera"
