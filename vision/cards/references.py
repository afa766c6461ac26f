"""Teach the cards of one copy: shots become references, and these a deck.

A deck is what reader.py compares with; it is kept as one file. What the audit of a
fresh deck found stands in it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile
from zlib import error as zip_broken

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.arrays import Floats, Picture
from vision.camera.files import VisionError
from vision.cards.audit import DeckAudit, audit_deck, drop_bad_shots
from vision.cards.details import blend_shots, learn_spot_limit
from vision.cards.fine import fine_size, fine_tones, pack_tones
from vision.cards.learning import learn_noise
from vision.cards.limits import CardLimits, card_limits
from vision.cards.noise import Noise
from vision.cards.outlines import CardSize
from vision.cards.quads import find_cards
from vision.cards.raster import (
    even_light,
    match_light,
    picture_corners,
    raster_size,
    rectify_card,
    to_tones,
)
from vision.cards.templates import (
    TemplateMatch,
    make_template,
    match_template,
    warp_tones,
)

LEAST_SHARE = 0.2
"""Part of a shot that a card fills at least; a smaller outline is print on a card that
fills all of it."""

SQUARE = 0.85
"""Width over height from which a card has no long side to tell it upright by."""

_OBLIQUE = 1.25
"""Times that a card looks longer or shorter than it is before all four turns are tried:
below, the long side is sure."""


_NO_DECK = (ValueError, KeyError, OSError, EOFError, BadZipFile, zip_broken)


class DeckUnreadable(VisionError, ValueError):
    """A file is no deck, or shots make none."""


class CardShot(Struct, frozen=True):
    """A picture of one card.

    Attributes:
        picture: ``(H, W, 3)``, uint8, BGR.
        box: Where the card lies in it, None for wherever it is found.
        corners: Its corners (x, y), px, where they are known: it is not looked for.
    """

    picture: Picture
    box: BoxPx | None = None
    corners: tuple[tuple[float, float], ...] | None = None


class CardShots(Struct, frozen=True):
    """A card and its shots."""

    face: Face
    shots: tuple[CardShot, ...]


class Reference(Struct, frozen=True):
    """How one card looks.

    Attributes:
        face: Which it is.
        tones: ``(h, w, 3)``, float32, in even light.
        shots: How many it is the mean of.
        fine: Packed brightness at the resolution of the camera, uint8.
    """

    face: Face
    tones: Floats
    shots: int
    fine: Picture


class Deck(Struct, frozen=True):
    """The cards of one copy.

    Attributes:
        size: Rows and columns of all references.
        references: One a face.
        noise: How much a card differs from its reference.
        audit: What to mend, and what will always be asked.
        spot: How strange the worst spot of a card may be, 0 where too few shots tell.
        card_px: Shorter and longer side of a card in its shots, px; 0 where nobody
            knows.
    """

    size: tuple[int, int]
    references: tuple[Reference, ...]
    noise: Noise
    audit: DeckAudit = DeckAudit()
    spot: float = 0.0
    card_px: CardSize = (0.0, 0.0)

    @property
    def aspect(self) -> float:
        """Width over height of the cards, at most 1."""
        return self.size[1] / self.size[0]


def build_deck(
    items: Iterable[CardShots],
    parts: Iterable[Face] = (),
    limits: CardLimits | None = None,
) -> Deck:
    """Return the deck that shots of its cards make.

    Args:
        items: Cards and their shots, one to ten each; three where cards look alike.
            Pictures are looked at one by one, and none is kept: one may have 48 MB.
        parts: All faces that the box holds, so that missing ones are reported.
        limits: Limits.

    Raises:
        DeckUnreadable: There is no shot at all.
    """
    limits = limits or card_limits()
    found = [
        (item.face, [(shot, shot_corners(shot)) for shot in item.shots])
        for item in items
        if item.shots
    ]
    if not found:
        raise DeckUnreadable("no shot of any card; give at least one picture a card")
    sides = np.sort([_sides(corners) for _, shots in found for _, corners in shots])
    size = raster_size(float(np.median(sides[:, 0] / np.maximum(sides[:, 1], 1e-6))))
    short_px, long_px = np.median(sides, axis=0).tolist()
    shown = {
        face: _align(
            (_Turns(shot.picture, corners, size) for shot, corners in shots),
            limits.noise,
        )
        for face, shots in found
    }
    aligned = {face: [one.tones for one in shots] for face, shots in shown.items()}
    kept, bad = drop_bad_shots(aligned, limits.noise)
    noise = learn_noise(list(kept.values()), limits.noise)
    means = {face: np.mean(shots, 0).astype(np.float32) for face, shots in kept.items()}
    fine = _blended(shown, bad)
    references = tuple(
        Reference(face, mean, len(kept[face]), pack_tones(np.mean(fine[face], 0)))
        for face, mean in means.items()
    )
    audit = audit_deck(means, kept, fine, noise, limits.audit)
    missing = tuple(sorted(set(parts) - set(means)))
    audit = msgspec.structs.replace(audit, bad=bad, missing=missing)
    spot_limit = learn_spot_limit(fine.values())
    return Deck(size, references, noise, audit, spot_limit, (short_px, long_px))


def _blended(
    shown: Mapping[Face, list["_AlignedShot"]], bad: Collection[tuple[Face, int]]
) -> dict[Face, list[Floats]]:
    """Return the detail of each face's shots, bad ones left out."""
    return {
        face: blend_shots(
            [one.fine for n, one in enumerate(shots) if (face, n) not in bad]
        )
        for face, shots in shown.items()
    }


def shot_corners(shot: CardShot) -> Floats:
    """Return where the card of a shot lies: known, found, else the whole of it."""
    if shot.corners is not None:
        return np.array(shot.corners, np.float32)
    picture = shot.picture
    height, width = picture.shape[:2]
    left, top, right, bottom = shot.box or (0, 0, width, height)
    cut = picture[top:bottom, left:right]
    if min(cut.shape[:2], default=0) < 2:
        raise DeckUnreadable(
            f"box {shot.box} lies outside a picture of {width}x{height} pixels; "
            "give left, top, right, bottom within it"
        )
    whole = picture_corners(cut)
    cards = find_cards(cut)
    if cards:
        corners = cards[0].array()
        if cv2.contourArea(corners) > LEAST_SHARE * cut.shape[0] * cut.shape[1]:
            whole = corners
    return whole + np.array([left, top], np.float32)


def _sides(corners: Floats) -> tuple[float, float]:
    """Return width and height of a quad, means of opposite sides, px."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _aspect(corners: Floats) -> float:
    wide, high = _sides(corners)
    return min(wide, high) / max(wide, high, 1e-6)


def corner_orders(corners: Floats, size: tuple[int, int]) -> tuple[Floats, ...]:
    """Return the corners in each order that may put the card upright, ``(4, 2)``."""
    aspect = size[1] / size[0]
    seen = _aspect(corners)
    wide, high = _sides(corners)
    first = 0 if high >= wide else 1
    oblique = not 1 / _OBLIQUE < seen / aspect < _OBLIQUE
    rolls = [first, first + 2]
    if aspect > SQUARE or seen > SQUARE or oblique:
        rolls += [first + 1, first + 3]
    return tuple(np.roll(corners, -roll, 0) for roll in rolls)


class _Turns:
    """A shot, turned each way that may put its card upright."""

    def __init__(
        self, picture: Picture, corners: Floats, size: tuple[int, int]
    ) -> None:
        self.picture = picture
        self.orders = corner_orders(corners, size)
        self.tones = [to_tones(rectify_card(picture, o, size)) for o in self.orders]

    def fine(self, turn: int, aspect: float) -> Floats:
        """Return the fine tones of one turn."""
        return fine_tones(self.picture, self.orders[turn], fine_size(aspect))


class _AlignedShot(NamedTuple):
    """A shot in the place, turn and light of the first of its card, and its detail."""

    tones: Floats
    fine: Floats


def _align(shots: Iterator[_Turns], noise: Noise) -> list[_AlignedShot]:
    """Return shots of a card in the place, turn and light of the first."""
    first = next(shots)
    base = even_light(first.tones[0])
    aspect = base.shape[1] / base.shape[0]
    model = make_template(base, noise)
    aligned = [_AlignedShot(base, first.fine(0, aspect))]
    del first  # with its picture
    for seen in shots:
        matches = [match_template(turned, model) for turned in seen.tones]
        best = int(np.argmin([_mean_residual(found) for found in matches]))
        straight = warp_tones(seen.tones[best], matches[best].place)
        even = match_light(straight, base, model.trust**2)
        aligned.append(_AlignedShot(even, seen.fine(best, aspect)))
    return aligned


def _mean_residual(found: TemplateMatch) -> float:
    return float((found.residual**2).mean())


def save_deck(deck: Deck, path: Path) -> None:
    """Write a deck as one file.

    Raises:
        OSError: It cannot be written.
    """
    header = {
        "size": deck.size,
        "faces": [(reference.face, reference.shots) for reference in deck.references],
        "noise": deck.noise,
        "audit": deck.audit,
        "spot": deck.spot,
        "card_px": deck.card_px,
    }
    header_bytes = np.frombuffer(msgspec.json.encode(header), np.uint8)
    stack = np.stack([reference.tones for reference in deck.references])
    content = BytesIO()
    fine = np.stack([reference.fine for reference in deck.references])
    np.savez_compressed(
        content, told=header_bytes, tones=stack.astype(np.float16), fine=fine
    )
    path.write_bytes(content.getvalue())


class _DeckHeader(Struct, frozen=True):
    """What a deck's file says beside the references."""

    size: tuple[int, int]
    faces: tuple[tuple[Face, int], ...]
    noise: Noise
    audit: DeckAudit
    spot: float
    card_px: CardSize = (0.0, 0.0)


def load_deck(path: Path) -> Deck:
    """Return a deck from its file.

    Raises:
        DeckUnreadable: The file is no deck.
        OSError: It cannot be read.
    """
    content = path.read_bytes()
    try:
        with np.load(BytesIO(content), allow_pickle=False) as file:
            header = msgspec.json.decode(file["told"].tobytes(), type=_DeckHeader)
            stack = file["tones"].astype(np.float32)
            fine = file["fine"]
    except _NO_DECK as error:
        raise DeckUnreadable(f"{path} is no deck of cards; enrol it again") from error
    if stack.shape != (len(header.faces), *header.size, 3) or len(fine) != len(stack):
        raise DeckUnreadable(f"{path} lacks references; enrol it again")
    references = tuple(
        Reference(face, tone, shots, detail)
        for (face, shots), tone, detail in zip(header.faces, stack, fine, strict=True)
    )
    return Deck(
        header.size, references, header.noise, header.audit, header.spot, header.card_px
    )
