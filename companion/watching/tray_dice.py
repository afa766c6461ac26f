"""Which dice of a picture lie where dice fall."""

from collections.abc import Callable

from companion.table import TRAY, BoxPx, Reading, Shown, SurePiece, UnsurePiece


def tray_dice(
    reading: Reading, is_in_tray: Callable[[BoxPx], bool]
) -> tuple[tuple[SurePiece, ...], tuple[UnsurePiece, ...]]:
    """Return the dice that lie in the tray, and those that nobody can tell."""
    found = tuple(
        SurePiece(sight.piece, sight.face, TRAY, glimpse.confidence, glimpse.box_px)
        for glimpse in reading.glimpses
        if isinstance(sight := glimpse.sight, Shown)
        and glimpse.box_px is not None
        and is_in_tray(glimpse.box_px)
    )
    doubts = tuple(
        UnsurePiece(
            TRAY,
            tuple((choice.piece or "", face, odds) for face, odds in choice.faces),
            choice.box_px,
        )
        for choice in reading.choices
        if choice.box_px is not None and is_in_tray(choice.box_px)
    )
    return found, doubts
