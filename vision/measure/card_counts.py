"""Count how cards were read against what lies there.

Right, asked, missed and wrong as everywhere; what was never shown counts apart.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.cards.reader import CardVerdict, SureCard, UnknownCard
from vision.cards.see import UNKNOWN, DetectedCard
from vision.measure.card_labels import LabelledCard


class CardFigures(Struct, frozen=True):
    """Counts of one set.

    Of *cards* true ones that were enrolled, how many were read how. *foreign* cards
    were never shown; *taken* of them were read as some face all the same. *ms* is the
    median processor time of a picture or crop.
    """

    name: str
    cards: int
    right: int
    asked: int
    missed: int
    wrong: int
    foreign: int
    taken: int
    ms: float


def count_by_faces(
    truth: tuple[Face, ...], cards: Iterable[DetectedCard]
) -> Counter[str]:
    """Return how the cards of a picture were read, matched by counting faces."""
    known = list(cards)
    read = [card.face for card in known if card.face is not None]
    seen = Counter(face for face in read if face != UNKNOWN)
    there = Counter(truth)
    right = (seen & there).total()
    wrong = (seen - there).total()
    left = max(0, len(truth) - right - wrong)
    asked = min(left, sum(card.face is None for card in known))
    return Counter(
        cards=len(truth), right=right, wrong=wrong, asked=asked, missed=left - asked
    )


def count_by_places(
    spots: tuple[LabelledCard, ...],
    cards: tuple[DetectedCard, ...],
    taught: set[Face],
    own: set[Face],
    back: bool,
) -> Counter[str]:
    """Return how the cards of a grid were read, matched by place.

    Args:
        spots: The cards that lie face up.
        cards: What was seen.
        taught: Faces of the deck.
        own: Faces that were taught from this very photograph; they do not count.
        back: Whether the back is in the deck.
    """
    counts: Counter[str] = Counter()
    left = list(spots)
    for card in cards:
        here = [spot for spot in left if _holds(card, spot)]
        face = here[0].face if here else "back"
        left = [spot for spot in left if spot not in here]
        if face in own:
            continue
        counts += count_one_card(face in taught or (back and not here), face, card.face)
    for spot in left:
        if spot.face in taught - own:
            counts += Counter(cards=1, missed=1)
    return counts


def _holds(card: DetectedCard, spot: LabelledCard) -> bool:
    x0, y0, x1, y1 = card.box
    return x0 < spot.x < x1 and y0 < spot.y < y1


def count_one_card(shown: bool, truth: Face, face: Face | None) -> Counter[str]:
    """Return how one card was read; *face* is None where it was asked."""
    if not shown:
        return Counter(foreign=1, taken=int(face not in (None, UNKNOWN)))
    if face is None:
        return Counter(cards=1, asked=1)
    if face == UNKNOWN:
        return Counter(cards=1, missed=1)
    return Counter(cards=1, right=int(face == truth), wrong=int(face != truth))


def face_or_none(answer: CardVerdict) -> Face | None:
    """Return the face of an answer, None where it asks."""
    if isinstance(answer, SureCard):
        return answer.face
    return UNKNOWN if isinstance(answer, UnknownCard) else None


def sum_up_cards(name: str, counts: Counter[str], times: list[float]) -> CardFigures:
    """Return the figures of a set from its counts and times in seconds."""
    ms = round(float(np.median(times)) * 1000, 0) if times else 0.0
    return CardFigures(
        name,
        counts["cards"],
        counts["right"],
        counts["asked"],
        counts["missed"],
        counts["wrong"],
        counts["foreign"],
        counts["taken"],
        ms,
    )


def card_table(figures: Iterable[CardFigures]) -> str:
    """Return the counts as a Markdown table."""
    lines = [
        "| set | cards | right | asked | missed | wrong | never shown | taken | ms |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in figures:
        right = f"{row.right} ({row.right / max(row.cards, 1):.1%})"
        wrong = f"{row.wrong} ({row.wrong / max(row.cards, 1):.2%})"
        taken = f"{row.taken} ({row.taken / row.foreign:.1%})" if row.foreign else "–"
        lines.append(
            f"| {row.name} | {row.cards} | {right} | {row.asked} | {row.missed} "
            f"| {wrong} | {row.foreign} | {taken} | {row.ms:.0f} |"
        )
    return "\n".join(lines)
