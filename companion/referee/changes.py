"""What changed on the table, and which moves explain it; knows no game and no picture.

Sights are compared as two kinds of plain change: a piece came to a place (`Placed`) or
went from one (`Removed`). A move from here to there is one of each, and a card turned
over has come with another face. So it does not matter in which words the camera and the
rules tell of the same change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from companion.games.core import Game
from companion.games.hidden import is_private, redact
from companion.table import (
    BACK,
    TRAY,
    Change,
    Changes,
    Face,
    Flipped,
    Layout,
    Moved,
    Piece,
    Place,
    Placed,
    Pressed,
    Removed,
    Shown,
    Sight,
    Turned,
)

NONE: Changes = frozenset()

TIE = 2
"""Two equally good explanations are a tie."""

MOST_MOVES = 2
"""How many moves in a row one look at the table may explain: what people do before
hands are out of the picture is a throw and what it is used for."""


def plain_changes(sights: Iterable[Sight]) -> Changes:
    """Return *sights* as plain changes; presses are none."""
    changes: set[Change] = set()
    for sight in sights:
        changes.update(_plain(sight))
    faces = {(s.piece, s.place) for s in changes if isinstance(s, Placed) and s.face}
    # "It came here" and "it lies here face down" are one change, named twice.
    return frozenset(
        sight
        for sight in changes
        if not (
            isinstance(sight, Placed)
            and sight.face is None
            and (sight.piece, sight.place) in faces
        )
    )


def _plain(sight: Sight) -> Iterator[Change]:
    match sight:
        case Shown(piece, face, place) | Flipped(piece, face, place):
            yield Placed(piece, face, place)
        case Moved(piece, here, there):
            yield Removed(piece, here)
            yield Placed(piece, None, there)
        case Placed() | Removed() | Turned():
            yield sight
        case Pressed():
            return


def changes_between(before: Layout, after: Layout) -> Changes:
    """Return what changed between two layouts.

    A card that shows its back, or whose face nobody knew, was turned over; one that
    shows another face was exchanged for another card.
    """
    came = {_thing(thing) for thing in after - before}
    gone = before - after
    turned = {
        (piece, place)
        for piece, face, place in gone
        for other in came
        if (other.piece, other.place) == (piece, place)
        and (face in (None, BACK) or other.face in (None, BACK))
    }
    went = {
        Removed(piece, place, face)
        for piece, face, place in gone
        if (piece, place) not in turned
    }
    return frozenset[Change]((*came, *went))


def _thing(thing: tuple[Piece, Face | None, Place]) -> Placed:
    piece, face, place = thing
    return Placed(piece, face, place)


def apply_changes(layout: Layout, changes: Changes) -> Layout:
    """Return *layout* after *changes*; undoes `changes_between`."""
    lying = set(layout)
    for sight in changes:
        if isinstance(sight, Removed):
            lying.discard(_lying_at(lying, sight))
    for sight in changes:
        if isinstance(sight, Placed):
            lying -= {
                (piece, face, place)
                for piece, face, place in lying
                if (piece, place) == (sight.piece, sight.place)
                and (face in (None, BACK) or sight.face in (None, BACK))
            }
            lying.add((sight.piece, sight.face, sight.place))
    return frozenset(lying)


def _lying_at(
    lying: set[tuple[Piece, Face | None, Place]], gone: Removed
) -> tuple[Piece, Face | None, Place]:
    """Return what of the things at a place is *gone*, the first where any may be."""
    known = (gone.piece, gone.face, gone.place)
    there = sorted(
        (thing for thing in lying if (thing[0], thing[2]) == (gone.piece, gone.place)),
        key=repr,
    )
    return known if known in lying or not there else there[0]


def not_yet_moved(record: Layout, lying: Layout | None) -> Changes:
    """Return how the table still differs from the record since it was last looked at.

    That is what hands have yet to carry out. Dice are thrown, so they are left out.
    """
    if lying is None:
        return NONE
    return frozenset(
        sight
        for sight in changes_between(record, lying)
        if not (isinstance(sight, Placed | Removed) and sight.place == TRAY)
    )


def take_out(changes: Changes, proof: Changes) -> Changes | None:
    """Return what is left of *changes* once *proof* is taken out, None if it is not in.

    Where *proof* leaves a face open, any face will do.
    """
    missing = proof - changes
    if not missing:
        return changes - proof
    left = changes - proof
    for sight in missing:
        same = find_seen(sight, left)
        if same is None:
            return None
        left -= {same}
    return left


def find_seen(expected: Change, seen: Changes) -> Change | None:
    """Return what was *seen* of an *expected* change, None if nothing was.

    A face that is not known may be any. The face of what is gone need not be seen.
    """
    if expected in seen:
        return expected
    for sight in seen:
        if type(sight) is not type(expected) or isinstance(sight, Turned):
            continue
        assert not isinstance(expected, Turned)
        if (sight.piece, sight.place) != (expected.piece, expected.place):
            continue
        if expected.face is None or (isinstance(sight, Removed) and sight.face is None):
            return sight
    return None


class Explained(Struct, frozen=True):
    """Moves in a row that explain a look at the table, and how many sights prove it.

    *late* is the evidence of all moves but the first.
    """

    moves: tuple[Any, ...]
    proofs: int
    late: Changes = NONE


def explanations(
    game: Game[Any, Any, Any], state: Any, seen: Changes, most: int = MOST_MOVES
) -> tuple[Explained, ...]:
    """Return the moves that explain everything that was *seen*, best proven first.

    The fewest moves in a row that do; a move explains what is its evidence, and what
    follows from it on the table as well, such as a piece that was hit and goes home.
    """
    rows: list[tuple[Explained, Any, Changes]] = [(Explained((), 0), state, seen)]
    for number in range(most):
        found: list[Explained] = []
        begun: list[tuple[Explained, Any, Changes]] = []
        for row, there, left in rows:
            steps = _steps(game, there, left, last=number == most - 1)
            for move, after, rest, proof in steps:
                late = row.late | proof if row.moves else NONE
                longer = Explained((*row.moves, move), row.proofs + len(proof), late)
                if rest == NONE:
                    found.append(longer)
                else:
                    begun.append((longer, after, rest))
        if found:
            return tuple(sorted(found, key=lambda row: -row.proofs))
        rows = _unlike(begun)
    return ()


def _unlike(
    rows: list[tuple[Explained, Any, Changes]],
) -> list[tuple[Explained, Any, Changes]]:
    """Return *rows* without the third and later ones that look the same to all.

    A hidden card may be turned at any of forty places; two that go on alike are a tie.
    """
    counts: Counter[Any] = Counter()
    kept = []
    for row, after, left in rows:
        like = (redact(after, None), left, row.proofs)
        counts[like] += 1
        if counts[like] <= TIE:
            kept.append((row, after, left))
    return kept


def _steps(
    game: Game[Any, Any, Any], state: Any, seen: Changes, *, last: bool
) -> Iterator[tuple[Any, Any, Changes, Changes]]:
    """Yield each legal move that may have been made, what it leads to and leaves open.

    With the *last* move nothing may be left that one after it would have to explain.

    A move without evidence may have been made on the way: a throw implies that the
    turn before it was ended. But what it brings about on the table must then be seen,
    and something more that a move after it explains. What is entered in private is
    never taken for granted, nor what a game says is only told.
    """
    for move in game.legal(state):
        proof = plain_changes(game.evidence(state, move))
        if not proof and (last or not _goes_without_saying(game, move)):
            continue
        rest = take_out(seen, proof)
        if rest is None:
            continue
        after, _ = game.apply(state, move)
        if proof:
            rest = _without_consequences(game, state, after, rest)
        else:
            unseen = take_out(rest, _follows(game, state, after))
            if not unseen:
                continue
            rest = unseen
        yield move, after, rest, proof


def _goes_without_saying(game: Game[Any, Any, Any], move: Any) -> bool:
    return not (isinstance(move, game.only_told) or is_private(move))


def _without_consequences(
    game: Game[Any, Any, Any], state: Any, after: Any, rest: Changes
) -> Changes:
    if not rest:
        return rest
    for sight in _follows(game, state, after):
        same = find_seen(sight, rest)
        if same is not None:
            rest -= {same}
    return rest


def _follows(game: Game[Any, Any, Any], state: Any, after: Any) -> Changes:
    """Return how the table changes between two states."""
    follows = changes_between(game.layout(state), game.layout(after))
    # A die that has done its work shows nothing that counts: that is no new throw.
    return frozenset(
        sight
        for sight in follows
        if not (isinstance(sight, Placed | Removed) and sight.place == TRAY)
    )


def under_way(game: Game[Any, Any, Any], state: Any, seen: Changes) -> bool:
    """Tell whether what was *seen* is part of what a legal move changes.

    People move one piece after another, and a look may fall between.
    """
    for move in game.legal(state):
        evidence = plain_changes(game.evidence(state, move))
        if not evidence:
            continue
        if all(_is_among(sight, evidence) for sight in seen):
            return True
        if any(_is_among(sight, evidence) for sight in seen):
            # Only then it is worth reckoning what else the move brings about.
            after, _ = game.apply(state, move)
            follows = changes_between(game.layout(state), game.layout(after))
            if all(_is_among(sight, evidence | follows) for sight in seen):
                return True
    return False


def _is_among(seen: Change, proof: Changes) -> bool:
    return any(find_seen(sight, frozenset({seen})) for sight in proof)
