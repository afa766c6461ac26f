"""See the cards in one picture, as ``dragon-table see`` and the referee need them.

Pure: it keeps nothing and asks nobody.
"""

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.arrays import Floats, Picture
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, find_cards
from vision.cards.raster import picture_corners
from vision.cards.reader import (
    CardQuestion,
    CardReader,
    CardVerdict,
    SureCard,
    UnknownCard,
)
from vision.cards.references import LEAST_SHARE, Deck

UNKNOWN: Face = "unknown"

_LIKE_SHAPE = 1.15


class DetectedCard(Struct, frozen=True):
    """One card in a picture.

    Attributes:
        face: What it is, ``"unknown"`` for a card that was never shown, None where the
            product must ask or has no deck.
        confidence: Of *face*, 0 to 1; 0 where there is none.
        choices: Candidate faces with their chances, best first; empty unless asked.
        corners: (x, y) in px; the first is the taught top left corner once *face* is
            known.
        box: Left, top, right, bottom in px.
    """

    face: Face | None
    confidence: float
    choices: tuple[tuple[Face, float], ...]
    corners: tuple[tuple[float, float], ...]
    box: BoxPx


def see_cards(
    picture: Picture,
    deck: Deck | CardReader | None = None,
    size: CardSize | None = None,
) -> tuple[DetectedCard, ...]:
    """Return the cards in a picture ``(H, W, 3)``, uint8, BGR, the largest first.

    Without a deck, cards are found but not read. Give a CardReader rather than a Deck
    where many pictures are read: it makes the references ready once. *size* is that of
    a card in this picture, if the camera stands where it stood at teaching.
    """
    quads = find_cards(picture, size)
    if deck is None:
        return tuple(_as_detected(quad, None, quad.array()) for quad in quads)
    reader = CardReader(deck) if isinstance(deck, Deck) else deck
    cards = tuple(_read_quad(picture, quad, reader) for quad in quads)
    if size is not None or any(card.face not in (None, UNKNOWN) for card in cards):
        return cards
    return _read_as_one_card(picture, reader, quads) or cards


def _read_quad(picture: Picture, quad: Quad, reader: CardReader) -> DetectedCard:
    found = reader.candidates(picture, quad.array())
    return _as_detected(quad, reader.decide(found), found.candidates[0].corners)


def _read_as_one_card(
    picture: Picture, reader: CardReader, quads: tuple[Quad, ...]
) -> tuple[DetectedCard, ...]:
    """Return the picture as one card, if it has the shape of one and shows none."""
    height, width = picture.shape[:2]
    shape = min(height, width) / max(height, width) / reader.deck.aspect
    largest = max((cv2.contourArea(quad.array()) for quad in quads), default=0.0)
    if not 1 / _LIKE_SHAPE < shape < _LIKE_SHAPE:
        return ()
    if largest > LEAST_SHARE * height * width:
        return ()
    card = see_whole(picture, reader)
    return card if card[0].face not in (None, UNKNOWN) or not quads else ()


def see_whole(picture: Picture, reader: CardReader) -> tuple[DetectedCard]:
    """Return the one card that a picture ``(H, W, 3)``, uint8, BGR, is."""
    quad = Quad(_points(picture_corners(picture)), 0.0)
    return (_read_quad(picture, quad, reader),)


def _as_detected(
    quad: Quad, answer: CardVerdict | None, corners: Floats
) -> DetectedCard:
    match answer:
        case SureCard(face, confidence):
            answered: tuple[Face | None, float] = (face, confidence)
        case UnknownCard(confidence):
            answered = (UNKNOWN, confidence)
        case _:
            answered = (None, 0.0)
    choices = answer.choices if isinstance(answer, CardQuestion) else ()
    return DetectedCard(*answered, choices, _points(corners), quad.box)


def _points(corners: Floats) -> tuple[tuple[float, float], ...]:
    return tuple(
        (round(float(x), 1), round(float(y), 1)) for x, y in np.asarray(corners)
    )
