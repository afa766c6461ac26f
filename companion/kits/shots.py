"""Makes shots for a kit of what is shown to the camera, and counts them."""

from collections.abc import Iterable

from companion.games.copy import Item, Kind
from companion.kits.kit import KeptShot, NewShot
from companion.table import BoxPx, Face, Piece
from vision.arrays import Picture
from vision.camera.files import encode_png
from vision.lesson import ShownThing, crop_with_margin

MARGIN = {True: 0.08, False: 1.2}
"""Surroundings that are kept about a card, and about all else, in sides of its box: the
colour of dice and tokens is told by the ground beside them."""


def shot_of(item: Item, picture: Picture, shown: ShownThing) -> NewShot:
    """Return the shot of a thing that lies alone.

    Of a die with many facets all that is seen from above is shown: the facets beside
    the upper one tell it as well as its sign does. *picture* is ``(h, w, 3)``, uint8,
    BGR.
    """
    assert shown.box is not None, "what lies alone has a box"
    box = shown.facets if item.has_facets else shown.top
    assert box is not None, "and an upper side"
    return shot_in(item, picture, box if item.is_die else shown.box)


def shot_in(item: Item, picture: Picture, box: BoxPx) -> NewShot:
    """Return the shot of a thing whose face lies in a box of a picture, px."""
    is_card = item.kind is Kind.CARD
    cut, inner = crop_with_margin(picture, box, MARGIN[is_card])
    if is_card:
        # A card may lie askew in its box: what reads cards looks for its outline.
        inner = 0, 0, cut.shape[1], cut.shape[0]
    return NewShot(
        item.kind, item.piece, item.face, encode_png(cut), inner,
        float(max(picture.shape[:2])),
    )  # fmt: skip


def counts_of(shots: Iterable[KeptShot]) -> dict[tuple[str, Piece, Face], int]:
    """Return how many shots there are of each face, by `Item.key`."""
    counts: dict[tuple[str, Piece, Face], int] = {}
    for shot in shots:
        key = shot.kind, shot.piece, shot.face
        counts[key] = counts.get(key, 0) + 1
    return counts
