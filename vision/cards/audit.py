"""Look a fresh deck over: bad shots, cards too much alike, and a test by itself.

What it finds is told to the owner; cards that cannot be told apart are always asked.
"""

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Floats
from vision.cards.limits import AuditLimits
from vision.cards.noise import (
    FINE_PX,
    Noise,
    Strangeness,
    Variance,
    strange_map,
    strangeness,
    variance,
)
from vision.cards.raster import thumb
from vision.cards.templates import (
    CONTRAST,
    HUES,
    Template,
    match,
    template,
)

_BAD = 8.0
"""Times the usual leftover between shots of a card from which a shot is bad."""

_RIVALS = 6


class LikePair(Struct, frozen=True):
    """Two cards that look alike.

    Attributes:
        faces: The two.
        apart: Strangeness of one for the other; 1 is the limit of the same card.
        region: Left, top, right, bottom of where they differ, 0 to 1 of the card.
    """

    faces: tuple[Face, Face]
    apart: float
    region: tuple[float, float, float, float]


class Audit(Struct, frozen=True):
    """What a deck's owner should know.

    Attributes:
        bad: (face, number of the shot) to be taken again.
        clusters: Faces that look alike.
        pairs: Where look-alikes differ.
        always_ask: Pairs of faces that cannot be told apart.
        missing: Faces of the parts list that were not shown.
        tested: Shots that were left out and read with the rest.
        mistaken: (true, read) of those that came out as another card.
    """

    bad: tuple[tuple[Face, int], ...] = ()
    clusters: tuple[tuple[Face, ...], ...] = ()
    pairs: tuple[LikePair, ...] = ()
    always_ask: tuple[tuple[Face, Face], ...] = ()
    missing: tuple[Face, ...] = ()
    tested: int = 0
    mistaken: tuple[tuple[Face, Face], ...] = ()


class Ready(NamedTuple):
    """A reference made ready: its template, its usual leftovers and its thumb."""

    face: Face
    model: Template
    usual: Variance
    thumb: Floats


def ready(face: Face, even: Floats, noise: Noise) -> Ready:
    """Return a reference ``(h, w, 3)`` made ready for comparing."""
    return Ready(face, template(even, noise), variance(even, noise), thumb(even))


def compare(shown: Floats, known: Ready, noise: Noise) -> Strangeness:
    """Return how little a reference explains seen tones ``(h, w, 3)``."""
    found = match(shown, known.model)
    contrast = float(found.sizes[CONTRAST])
    return strangeness(
        found.left,
        found.sizes[HUES],
        contrast,
        known.model.ink,
        known.usual,
        noise,
    )


def steady(
    aligned: dict[Face, list[Floats]], noise: Noise
) -> tuple[dict[Face, list[Floats]], tuple[tuple[Face, int], ...]]:
    """Return the shots that agree with the others of their card, and the bad ones.

    Of three or more shots, the one nearest to all others is the medoid; who is far from
    it is bad. Two shots cannot outvote each other.
    """
    apart = {
        face: _apart(shots, noise) for face, shots in aligned.items() if len(shots) > 2
    }
    if not apart:
        return aligned, ()
    usual = float(np.median(np.concatenate(list(apart.values()))))
    kept, bad = {}, []
    for face, shots in aligned.items():
        off = apart.get(face, np.zeros(len(shots)))
        good = off <= _BAD * max(usual, 1e-6)
        bad += [(face, index) for index in np.flatnonzero(~good).tolist()]
        kept[face] = [shot for shot, fine in zip(shots, good, strict=True) if fine]
    return kept, tuple(bad)


def _apart(shots: list[Floats], noise: Noise) -> Floats:
    """Return how far each shot is from the medoid, ``(N,)``, for its ink."""
    rows = []
    for shot in shots:
        model = template(shot, noise)
        ink = float(model.goal.var()) + 0.02
        rows.append(
            [float((match(other, model).left ** 2).mean()) / ink for other in shots]
        )
    table = np.array(rows)
    medoid = int(np.argmin(np.median(table, 1)))
    return np.asarray(table[medoid])


def audited(
    means: dict[Face, Floats],
    shots: dict[Face, list[Floats]],
    noise: Noise,
    limits: AuditLimits,
) -> Audit:
    """Return the audit of a deck, without its bad shots and missing cards."""
    known = [ready(face, mean, noise) for face, mean in means.items()]
    pairs = _like_pairs(known, noise, limits)
    mistaken = _mistaken(known, shots, noise)
    confused = {tuple(sorted(pair)) for pair in mistaken}
    twins = {pair.faces for pair in pairs if pair.apart < limits.twins}
    always = sorted(twins | {(pair[0], pair[1]) for pair in confused})
    return Audit(
        clusters=_clusters(pairs),
        pairs=pairs,
        always_ask=tuple(always),
        tested=sum(len(several) for several in shots.values() if len(several) > 2),
        mistaken=mistaken,
    )


def nearest(shown: Floats, known: list[Ready], most: int) -> list[int]:
    """Return which references look most like a thumb, the nearest first."""
    thumbs = np.stack([one.thumb for one in known])
    return [int(i) for i in np.argsort(((thumbs - shown) ** 2).sum(1))[:most]]


def _like_pairs(
    known: list[Ready], noise: Noise, limits: AuditLimits
) -> tuple[LikePair, ...]:
    pairs: dict[tuple[Face, Face], LikePair] = {}
    for one in known:
        for index in nearest(one.thumb, known, _RIVALS + 1):
            other = known[index]
            if other.face == one.face:
                continue
            apart = compare(one.model.tones, other, noise).worst
            first, second = sorted((one.face, other.face))
            before = pairs.get((first, second))
            if apart < limits.alike and (before is None or apart < before.apart):
                region = _region(one, other)
                pairs[first, second] = LikePair((first, second), apart, region)
    return tuple(pairs[key] for key in sorted(pairs))


def _region(one: Ready, other: Ready) -> tuple[float, float, float, float]:
    """Return where two references differ by half of the most, 0 to 1 of the card."""
    left = match(one.model.tones, other.model).left
    strange = strange_map(left, other.usual.fine, FINE_PX)
    rows, columns = np.nonzero(strange >= 0.5 * strange.max())
    height, width = strange.shape
    return (
        round(float(columns.min()) / width, 3),
        round(float(rows.min()) / height, 3),
        round(float(columns.max() + 1) / width, 3),
        round(float(rows.max() + 1) / height, 3),
    )


def _clusters(pairs: tuple[LikePair, ...]) -> tuple[tuple[Face, ...], ...]:
    """Return the faces that pairs of look-alikes hold together."""
    clusters: list[set[Face]] = []
    for pair in pairs:
        joined = set(pair.faces)
        for cluster in [c for c in clusters if c & joined]:
            joined |= cluster
            clusters.remove(cluster)
        clusters.append(joined)
    return tuple(sorted(tuple(sorted(cluster)) for cluster in clusters))


def _mistaken(
    known: list[Ready], shots: dict[Face, list[Floats]], noise: Noise
) -> tuple[tuple[Face, Face], ...]:
    """Return (true, read) of shots that, left out, look more like another card."""
    wrong = []
    for face, several in shots.items():
        if len(several) < 3:
            continue
        for index, shot in enumerate(several):
            rest = [other for i, other in enumerate(several) if i != index]
            own = ready(face, np.mean(rest, 0).astype(np.float32), noise)
            mine = compare(shot, own, noise).worst
            rivals = [one for one in known if one.face != face]
            for near in nearest(thumb(shot), rivals, _RIVALS) if rivals else ():
                if compare(shot, rivals[near], noise).worst < mine:
                    wrong.append((face, rivals[near].face))
                    break
    return tuple(wrong)
