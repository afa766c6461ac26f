"""Usual recipes for recognising cards: a perceptual hash, ORB and SIFT matches.

Each gets the cards that our eye finds, straightened, and the same references.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table import Face
from vision.arrays import Picture

SIDE_PX = (280, 200)
"""Rows and columns of a straightened card for all recipes."""


class Named(NamedTuple):
    """The face that a recipe puts first, and whether it would take it."""

    face: Face
    taken: bool


Namer: TypeAlias = Callable[[Picture], Named]
"""Names a straightened card ``(280, 200, 3)``, uint8, BGR."""

References: TypeAlias = Sequence[tuple[Face, Picture]]

_FAR_BITS = 12
"""Hashes of 64 bits that differ in more are of different pictures, as libraries say."""

_FEW_MATCHES = 8
_RATIO = 0.75
"""Lowe's test: the best match must be so much nearer than the next."""


def by_hash(references: References) -> Namer:
    """Return a reader by perceptual hash, in both turns of a card."""
    known = [(face, _hash(picture)) for face, picture in references]

    def name(card: Picture) -> Named:
        seen = (_hash(card), _hash(np.ascontiguousarray(card[::-1, ::-1])))
        off, face = min(
            (int(np.count_nonzero(bits != one)), face)
            for face, one in known
            for bits in seen
        )
        return Named(face, off <= _FAR_BITS)

    return name


def _hash(picture: Picture) -> NDArray[np.bool_]:
    grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (32, 32))
    low = cv2.dct(grey.astype(np.float32))[:8, :8].ravel()
    return np.asarray(low > np.median(low[1:]))


def by_orb(references: References) -> Namer:
    """Return a reader by ORB corners that match."""
    return _by_matches(cv2.ORB.create(500), cv2.NORM_HAMMING, references)


def by_sift(references: References) -> Namer:
    """Return a reader by SIFT corners that match."""
    return _by_matches(cv2.SIFT.create(300), cv2.NORM_L2, references)


def _by_matches(corners: Any, norm: int, references: References) -> Namer:
    known = [
        (face, corners.detectAndCompute(picture, None)[1])
        for face, picture in references
    ]
    matcher = cv2.BFMatcher(norm)

    def name(card: Picture) -> Named:
        seen = corners.detectAndCompute(card, None)[1]
        count, face = max((_matches(matcher, seen, one), face) for face, one in known)
        return Named(face, count >= _FEW_MATCHES)

    return name


def _matches(matcher: cv2.BFMatcher, seen: Any, known: Any) -> int:
    """Return how many corners find one that is clearly the nearest."""
    if seen is None or known is None or len(known) < 2:
        return 0
    pairs = matcher.knnMatch(seen, known, k=2)
    return sum(
        len(pair) == 2 and pair[0].distance < _RATIO * pair[1].distance
        for pair in pairs
    )


PEERS: dict[str, Callable[[References], Namer]] = {
    "pHash": by_hash,
    "ORB": by_orb,
    "SIFT": by_sift,
}
