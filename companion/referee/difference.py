"""What differs on the table: what the camera sees against what the record says."""

from collections import Counter
from collections.abc import Iterator

from companion.table import (
    BACK,
    Face,
    Flipped,
    Glimpse,
    LaidPiece,
    Layout,
    Moved,
    Piece,
    Place,
    Placed,
    Removed,
    Sight,
    SurePiece,
    UnsurePiece,
    UnsureSight,
)

GONE_CONFIDENCE = 0.95
"""Of a piece that is not seen where it lay: a thing can be hidden, but then what hides
it is seen and stays unexplained."""


def find_differences(
    known: Layout,
    lying: tuple[SurePiece, ...],
    unclear: tuple[UnsurePiece, ...],
    thrown: frozenset[Piece],
    rethrown: frozenset[Piece] = frozenset(),
) -> tuple[tuple[Glimpse, ...], tuple[UnsureSight, ...]]:
    """Return what differs from the record, for the referee to explain.

    What may be what the record says is no difference, however unsure it is. *thrown*
    are the dice that were moved since they were last believed: theirs counts even where
    the record awaits no face in particular. Of the *rethrown* ones even the face that
    the record has already counts.
    """
    # In the same order in every process: a capsule is replayed to the bit.
    gone = Counter(sorted(known, key=repr))
    came: list[SurePiece] = []
    for thing in lying:
        old = _same(gone, thing.piece, thing.face, thing.place)
        is_cast = thing.piece in rethrown or (
            thing.piece in thrown and old is not None and old[1] is None
        )
        if old is not None and not is_cast:
            gone[old] -= 1
        else:
            came.append(thing)
    open_: list[UnsurePiece] = []
    for doubt in unclear:
        olds = [
            old
            for piece, face, _ in doubt.choices
            if piece not in thrown
            and (old := _same(gone, piece, face, doubt.place)) is not None
        ]
        if olds:
            gone[olds[0]] -= 1
        else:
            open_.append(doubt)
    left = [thing for thing in gone.elements() if not _is_cast(thing, thrown)]
    glimpses = tuple(_glimpses(left, came))
    return (
        (*glimpses, *_guesses(open_)),
        tuple(UnsureSight(None, doubt.place, (), doubt.box_px) for doubt in open_),
    )


def _same(
    known: Counter[tuple[Piece, Face | None, Place]],
    piece: Piece,
    face: Face | None,
    place: Place,
) -> tuple[Piece, Face | None, Place] | None:
    """Return what the record has at a place that this may be."""
    there = (thing for thing, count in known.items() if count > 0)
    return next(
        (
            thing
            for thing in there
            if (thing[0], thing[2]) == (piece, place)
            and (None in (thing[1], face) or thing[1] == face)
        ),
        None,
    )


def _is_cast(thing: tuple[Piece, Face | None, Place], thrown: frozenset[Piece]) -> bool:
    # Dice are taken up to be thrown; that their old face is gone says nothing.
    return thing[0] in thrown


def _glimpses(
    gone: list[tuple[Piece, Face | None, Place]], came: list[SurePiece]
) -> Iterator[Glimpse]:
    """Yield moves, turns, arrivals and departures."""
    left = list(gone)
    for thing in came:
        olds = [old for old in left if old[0] == thing.piece]
        here = next((old for old in olds if old[2] == thing.place), None)
        if here is not None and thing.face is not None:
            left.remove(here)
            sight: Sight = Flipped(thing.piece, thing.face, thing.place)
            yield from _exchanged(here, thing)
        elif thing.face is None and _is_lone(thing.piece, olds, came):
            left.remove(olds[0])
            sight = Moved(thing.piece, olds[0][2], thing.place)
        else:
            sight = Placed(thing.piece, thing.face, thing.place)
        yield Glimpse(sight, thing.confidence, thing.box_px)
    for piece, face, place in left:
        yield Glimpse(Removed(piece, place, face), GONE_CONFIDENCE)


def _is_lone(piece: Piece, olds: list[LaidPiece], came: list[SurePiece]) -> bool:
    """Tell whether one such piece came and one went, so that it has moved.

    Of a card, which has a face, what came and what went are named.
    """
    return len(olds) == 1 and sum(other.piece == piece for other in came) == 1


def _exchanged(here: LaidPiece, thing: SurePiece) -> Iterator[Glimpse]:
    """Yield that an open face is gone where another one lies open instead.

    A tile that was turned on the spot would else be thought to lie there twice.
    """
    if here[1] not in (None, BACK) and thing.face != BACK:
        gone = Removed(*here[::2], here[1])
        yield Glimpse(gone, thing.confidence, thing.box_px)


def _guesses(unclear: list[UnsurePiece]) -> Iterator[Glimpse]:
    """Yield what unclear things may be, so that a question starts with it."""
    for doubt in unclear:
        for piece, face, chance in doubt.choices:
            if piece:
                sight = Placed(piece, face, doubt.place)
                yield Glimpse(sight, min(chance, 0.8), doubt.box_px)
