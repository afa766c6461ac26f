"""Let two or three readings of one stillness agree before anything is taken.

Glare, noise and compression differ from picture to picture; a die does not.
"""

from companion.table import BoxPx, Choice, Face, Glimpse, Reading, Shown


def vote(readings: tuple[Reading, ...]) -> Reading:
    """Return one reading from some of the same stillness.

    What all of them show, at the same spot where boxes are known, stays a glimpse with
    its least confidence. What only some show for sure becomes a choice with the faces
    that were named; what all were unsure of stays a choice.

    Raises:
        ValueError: No readings.
    """
    if not readings:
        raise ValueError("no readings to vote on; give one to three of one stillness")
    last = readings[-1]
    taken: list[Glimpse] = []
    doubts: list[Choice] = []
    claims = [_claims(reading) for reading in readings]
    while any(claims):
        lead = next(row[0] for row in reversed(claims) if row)
        alike = [_pick(row, lead) for row in claims]
        agreed = _agreed(alike)
        if agreed is not None:
            taken.append(agreed)
        else:
            doubts.append(_doubt([thing for thing in alike if thing is not None]))
    return Reading(
        glimpses=tuple(taken),
        choices=tuple(doubts),
        taken_at=last.taken_at,
        source=last.source,
        position=last.position,
        trouble=next((r.trouble for r in readings if r.trouble is not None), None),
    )


def _claims(reading: Reading) -> list[Glimpse | Choice]:
    return [*reading.glimpses, *reading.choices]


def _pick(
    row: list[Glimpse | Choice], lead: Glimpse | Choice
) -> Glimpse | Choice | None:
    """Take out of a row the claim about the same thing as *lead*, if there is one."""
    same = [thing for thing in row if _same_thing(thing, lead)]
    same.sort(key=lambda thing: _names(thing)[:1] != _names(lead)[:1])
    if not same:
        return None
    row.remove(same[0])
    return same[0]


def _same_thing(one: Glimpse | Choice, other: Glimpse | Choice) -> bool:
    if one.box_px is not None and other.box_px is not None:
        return _overlap(one.box_px, other.box_px)
    return _names(one)[:1] == _names(other)[:1]


def _overlap(a: BoxPx, b: BoxPx) -> bool:
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    least = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return wide > 0 and high > 0 and wide * high > 0.4 * least


def _agreed(alike: list[Glimpse | Choice | None]) -> Glimpse | None:
    glimpses = [thing for thing in alike if isinstance(thing, Glimpse)]
    if len(glimpses) < len(alike) or len({repr(g.sight) for g in glimpses}) > 1:
        return None
    least = min(glimpse.confidence for glimpse in glimpses)
    last = glimpses[-1]
    return Glimpse(last.sight, least, last.box_px, last.evidence_id)


def _names(thing: Glimpse | Choice) -> list[tuple[Face, float]]:
    """Return the faces that a claim names, best first."""
    if isinstance(thing, Choice):
        return list(thing.faces)
    return [(getattr(thing.sight, "face", "") or "", thing.confidence)]


def _doubt(things: list[Glimpse | Choice]) -> Choice:
    """Return a choice among all faces that were named, each with its mean chance."""
    sums: dict[Face, float] = {}
    for thing in things:
        for face, chance in _names(thing):
            sums[face] = sums.get(face, 0.0) + chance / len(things)
    best = sorted(sums.items(), key=lambda pair: -pair[1])[:3]
    # The last claim is about the table as it is now.
    last = things[-1]
    piece, place = _where(last)
    faces = tuple((face, round(chance, 4)) for face, chance in best)
    return Choice(piece, place, faces, last.box_px, last.evidence_id)


def _where(thing: Glimpse | Choice) -> tuple[str | None, str]:
    if isinstance(thing, Choice):
        return thing.piece, thing.place
    sight = thing.sight
    return (sight.piece, sight.place) if isinstance(sight, Shown) else (None, "")
