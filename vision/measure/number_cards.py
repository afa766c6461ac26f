"""Count how drawn cards are read that differ by a number in a corner.

``python -m vision.measure.number_cards [LOOKS]`` prints a table: each deck is taught
with three shots a card, then each card is looked at so many times. In the rows with
siblings never shown, every second card was not taught.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator

from companion.table import Face
from vision.arrays import Picture
from vision.cards.reader import CardReader
from vision.cards.references import CardShot, CardShots, build_deck
from vision.measure.card_counts import (
    CardFigures,
    card_table,
    count_one_card,
    face_or_none,
    sum_up_cards,
)
from vision.measure.card_looks import (
    REPORTED,
    TUNING,
    LookLimits,
    look_at,
    pairs,
    twelve_by_four,
)

SHOTS = 3
_LOOK_SEED = 1000


def measure_numbers(
    name: str, cards: dict[Face, Picture], looks: int, hidden: frozenset[Face]
) -> CardFigures:
    """Return the counts of a deck, *hidden* faces of which are never shown."""
    limits = LookLimits()
    items = []
    for number, (face, art) in enumerate(cards.items()):
        seen = (look_at(art, (number, shot), limits) for shot in range(SHOTS))
        shots = tuple(
            CardShot(picture, corners=tuple((float(x), float(y)) for x, y in corners))
            for picture, corners in seen
        )
        if face not in hidden:
            items.append(CardShots(face, shots))
    reader = CardReader(build_deck(items))
    counts: Counter[str] = Counter()
    times = []
    for number, (face, art) in enumerate(cards.items()):
        for look in range(looks):
            seen_card = look_at(art, (number, _LOOK_SEED + look), limits)
            start = time.process_time()
            answer = reader.read(*seen_card)
            times.append(time.process_time() - start)
            counts += count_one_card(face not in hidden, face, face_or_none(answer))
    return sum_up_cards(name, counts, times)


def number_rows(looks: int) -> Iterator[CardFigures]:
    """Yield the figures of all decks, those that limits were chosen on first."""
    for paint in (*TUNING, *REPORTED):
        use = "tuning" if paint in TUNING else "reported"
        name = f"{use}, {paint.__name__.removeprefix('paint_')}"
        decks = {"14 pairs": pairs(paint), "12 numbers x 4": twelve_by_four(paint)}
        for kind, cards in decks.items():
            yield measure_numbers(f"{name}, {kind}", cards, looks, frozenset())
        siblings = pairs(paint)
        hidden = frozenset(list(siblings)[1::2])
        yield measure_numbers(f"{name}, siblings never shown", siblings, looks, hidden)


if __name__ == "__main__":
    rows = number_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    sys.stdout.write(card_table(rows) + "\n")
