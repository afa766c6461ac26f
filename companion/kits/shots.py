"""Makes shots for a kit of what is shown to the camera, and counts them."""

from collections.abc import Iterable
from typing import Any

from companion.games.copy import Item, Kind
from companion.kits.curriculum import course
from companion.kits.from_answers import Reference
from companion.kits.kit import KeptShot, NewShot, still_px
from companion.kits.spaces import card_rows, card_zones
from companion.table import BoxPx, Face, Piece
from vision.arrays import Picture
from vision.camera.files import encode_png
from vision.camera.stills import factor_between, resized, scaled_box
from vision.lesson import ShownThing, crop_with_margin

MARGIN = {True: 0.08, False: 1.2}
"""Surroundings that are kept about a card, and about all else, in sides of its box: the
colour of dice and tokens is told by the ground beside them."""


def shot_of(
    item: Item, picture: Picture, shown: ShownThing, still: Picture | None = None
) -> NewShot:
    """Return the shot of a thing that lies alone, cut from a still where there is one.

    Of a die with many facets all that is seen from above is shown: the facets beside
    the upper one tell it as well as its sign does. *picture* is ``(h, w, 3)``, uint8,
    BGR.
    """
    assert shown.box is not None, "what lies alone has a box"
    box = shown.facets if item.has_facets else shown.top
    assert box is not None, "and an upper side"
    return shot_in(item, picture, box if item.is_die else shown.box, still)


def shot_in(
    item: Item, picture: Picture, box: BoxPx, still: Picture | None = None
) -> NewShot:
    """Return the shot of a thing whose face lies in a box of a picture, px.

    It is cut from a *still* of the same table where there is one.
    """
    is_still = still is not None
    if still is not None:
        picture, box = still, scaled_box(box, factor_between(picture, still))
    is_card = item.kind is Kind.CARD
    cut, inner = crop_with_margin(picture, box, MARGIN[is_card])
    if is_card:
        # A card may lie askew in its box: what reads cards looks for its outline.
        inner = 0, 0, cut.shape[1], cut.shape[0]
    return NewShot(
        item.kind, item.piece, item.face, encode_png(cut), inner,
        float(max(picture.shape[:2])), is_still,
    )  # fmt: skip


def may_be_still(item: Item, game: str, box: Any, shots: Iterable[KeptShot]) -> bool:
    """Tell whether a face is shown in a still, where the camera takes some.

    Asked for by dice with signs, and by cards and tokens of a game whose cards are
    followed: they are read in stills. Dice of colours and tokens on a board are told by
    the video. A kit that was begun in the video's pictures goes on in these.
    """
    shots = tuple(shots)
    followed = bool(card_rows(game, box) or card_zones(game, box))
    asking = {Kind.DIE, Kind.CARD, Kind.TOKEN} if followed else {Kind.DIE}
    begun = any(shot.kind in asking and not shot.still for shot in shots)
    return item.kind in asking and (still_px(shots) is not None or not begun)


def shot_of_answer(
    answer: Reference, picture: Picture, game: str, box: Any, shots: Iterable[KeptShot]
) -> NewShot | None:
    """Return the shot of a die that people named; None where no such face is taught.

    What the watcher keeps, *picture* ``(h, w, 3)``, uint8, BGR, is of the video: it is
    brought to the size of the kit's stills where the face is shown in those.
    """
    of_piece = course(game, box).of(answer.piece)
    item = next((item for item in of_piece if item.face == answer.face), None)
    if item is None:
        return None
    shots = tuple(shots)
    long_px = still_px(shots)
    asks = long_px is not None and may_be_still(item, game, box, shots)
    still = resized(picture, long_px) if asks and long_px is not None else None
    return shot_in(item, picture, answer.box, still)


def counts_of(shots: Iterable[KeptShot]) -> dict[tuple[str, Piece, Face], int]:
    """Return how many shots there are of each face, by `Item.key`."""
    counts: dict[tuple[str, Piece, Face], int] = {}
    for shot in shots:
        key = shot.kind, shot.piece, shot.face
        counts[key] = counts.get(key, 0) + 1
    return counts
