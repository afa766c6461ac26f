"""Puts a reading into the game's own words, as an owner's copy gives them meaning."""

from msgspec.structs import replace

from companion.table import Face, Glimpse, Meaning, Piece, Reading, Shown, UnsureSight


def translate(reading: Reading, taught: tuple[Meaning, ...]) -> Reading:
    """Return *reading* in the game's own words: a five on the die may be a second two.

    What has no meaning is passed on as it was seen.
    """
    meanings = {meaning.seen: meaning.means for meaning in taught}
    return replace(
        reading,
        glimpses=tuple(_glimpse(glimpse, meanings) for glimpse in reading.glimpses),
        choices=tuple(_choice(choice, meanings) for choice in reading.choices),
    )


def meaning_of(
    taught: tuple[Meaning, ...], piece: Piece, face: Face | None
) -> tuple[Piece, Face | None]:
    """Return what a piece and its face stand for; itself where nothing is taught."""
    if face is None:
        return piece, None
    for meaning in taught:
        if meaning.seen == (piece, face):
            return meaning.means
    return piece, face


def _glimpse(
    glimpse: Glimpse, meanings: dict[tuple[Piece, Face], tuple[Piece, Face]]
) -> Glimpse:
    sight = glimpse.sight
    if not isinstance(sight, Shown):
        return glimpse
    piece, face = meanings.get((sight.piece, sight.face), (sight.piece, sight.face))
    return replace(glimpse, sight=Shown(piece, face, sight.place))


def _choice(
    choice: UnsureSight, meanings: dict[tuple[Piece, Face], tuple[Piece, Face]]
) -> UnsureSight:
    if choice.piece is None:
        return choice
    seen = choice.piece
    means = [(meanings.get((seen, face), (seen, face)), p) for face, p in choice.faces]
    pieces = {piece for (piece, _), _ in means}
    if len(pieces) != 1:
        return choice
    best: dict[Face, float] = {}
    for (_, face), confidence in means:
        # Two faces of an ordinary die may stand for one of the game's: their chances
        # add up, since either reading would be the same move.
        best[face] = min(1.0, best.get(face, 0.0) + confidence)
    faces = tuple(sorted(best.items(), key=lambda item: -item[1]))
    return replace(choice, piece=pieces.pop(), faces=faces)
