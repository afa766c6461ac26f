"""Audit a fresh deck: bad shots, cards too much alike, and a leave-one-out test.

The owner sees what it finds; cards that look the same are always asked.
"""

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Floats
from vision.cards.details import told_in_detail
from vision.cards.limits import AuditLimits
from vision.cards.noise import (
    FINE_PX,
    Noise,
    ResidualVariance,
    Strangeness,
    deviation_map,
    measure_strangeness,
    residual_variance,
)
from vision.cards.raster import thumbnail
from vision.cards.templates import (
    CONTRAST,
    HUES,
    Template,
    make_template,
    match_template,
)

_BAD = 8.0
"""Times the usual residual between shots of a card from which a shot is bad."""

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


class DeckAudit(Struct, frozen=True):
    """What a deck's owner should know.

    Attributes:
        bad: (face, number of the shot) to be taken again.
        clusters: Faces that look alike.
        pairs: Where look-alikes differ.
        always_ask: Pairs of faces too much alike to be decided.
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


class PreparedReference(NamedTuple):
    """A reference made ready: its template, variance of residuals and thumbnail."""

    face: Face
    model: Template
    usual: ResidualVariance
    thumb: Floats


def prepare_reference(face: Face, even: Floats, noise: Noise) -> PreparedReference:
    """Return a reference ``(h, w, 3)`` made ready for comparing."""
    return PreparedReference(
        face,
        make_template(even, noise),
        residual_variance(even, noise),
        thumbnail(even),
    )


def compare_with_reference(
    shown: Floats, known: PreparedReference, noise: Noise
) -> Strangeness:
    """Return how little a reference explains the tones ``(h, w, 3)`` of a card."""
    found = match_template(shown, known.model)
    contrast = float(found.sizes[CONTRAST])
    return measure_strangeness(
        found.residual,
        found.sizes[HUES],
        contrast,
        known.model.ink,
        known.usual,
        noise,
    )


def drop_bad_shots(
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
        model = make_template(shot, noise)
        ink = float(model.goal.var()) + 0.02
        rows.append(
            [
                float((match_template(other, model).residual ** 2).mean()) / ink
                for other in shots
            ]
        )
    table = np.array(rows)
    medoid = int(np.argmin(np.median(table, 1)))
    return np.asarray(table[medoid])


def audit_deck(
    means: dict[Face, Floats],
    shots: dict[Face, list[Floats]],
    details: dict[Face, list[Floats]],
    noise: Noise,
    limits: AuditLimits,
) -> DeckAudit:
    """Return the audit of a deck, without its bad shots and missing cards.

    Args:
        means: Tones of each card, ``(h, w, 3)``.
        shots: Tones of its shots.
        details: Fine tones of its shots, ``(h', w')``; they part what tones do not.
        noise: Of the deck.
        limits: Limits.
    """
    known = [prepare_reference(face, mean, noise) for face, mean in means.items()]
    pairs = _like_pairs(known, noise, limits)
    mistaken = _mistaken(known, shots, noise)
    doubtful = {(min(pair), max(pair)) for pair in mistaken}
    doubtful |= {pair.faces for pair in pairs if pair.apart < limits.twins}
    always = sorted(pair for pair in doubtful if not told_in_detail(*pair, details))
    mistaken = tuple(pair for pair in mistaken if (min(pair), max(pair)) in always)
    return DeckAudit(
        clusters=_clusters(pairs),
        pairs=pairs,
        always_ask=tuple(always),
        tested=sum(len(several) for several in shots.values() if len(several) > 2),
        mistaken=mistaken,
    )


def nearest_references(
    shown: Floats, known: list[PreparedReference], most: int
) -> list[int]:
    """Return numbers of the references nearest to a thumbnail, the nearest first."""
    thumbs = np.stack([one.thumb for one in known])
    return [int(i) for i in np.argsort(((thumbs - shown) ** 2).sum(1))[:most]]


def _like_pairs(
    known: list[PreparedReference], noise: Noise, limits: AuditLimits
) -> tuple[LikePair, ...]:
    pairs: dict[tuple[Face, Face], LikePair] = {}
    for one in known:
        for index in nearest_references(one.thumb, known, _RIVALS + 1):
            other = known[index]
            if other.face == one.face:
                continue
            apart = compare_with_reference(one.model.tones, other, noise).worst
            first, second = sorted((one.face, other.face))
            before = pairs.get((first, second))
            if apart < limits.alike and (before is None or apart < before.apart):
                region = _region(one, other)
                pairs[first, second] = LikePair((first, second), apart, region)
    return tuple(pairs[key] for key in sorted(pairs))


def _region(
    one: PreparedReference, other: PreparedReference
) -> tuple[float, float, float, float]:
    """Return where two references differ by half of the most, 0 to 1 of the card."""
    left = match_template(one.model.tones, other.model).residual
    strange = deviation_map(left, other.usual.fine, FINE_PX)
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
    known: list[PreparedReference], shots: dict[Face, list[Floats]], noise: Noise
) -> tuple[tuple[Face, Face], ...]:
    """Return (true, read) of shots that, left out, look more like another card."""
    wrong = []
    for face, several in shots.items():
        if len(several) < 3:
            continue
        for index, shot in enumerate(several):
            rest = [other for i, other in enumerate(several) if i != index]
            own = prepare_reference(face, np.mean(rest, 0).astype(np.float32), noise)
            mine = compare_with_reference(shot, own, noise).worst
            rivals = [one for one in known if one.face != face]
            for near in (
                nearest_references(thumbnail(shot), rivals, _RIVALS) if rivals else ()
            ):
                if compare_with_reference(shot, rivals[near], noise).worst < mine:
                    wrong.append((face, rivals[near].face))
                    break
    return tuple(wrong)
