"""A card of a pile whose outline was taken from the card below it."""

import numpy as np
import pytest
from msgspec.structs import replace

from vision.cards.framing import frame_anew
from vision.cards.reader import CardReader, SureCard
from vision.cards.references import CardShot, CardShots, build_deck

WIDE, HIGH = 160, 240
TRUE = np.array(
    [(370, 230), (370 + WIDE, 230), (370 + WIDE, 230 + HIGH), (370, 230 + HIGH)],
    np.float32,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader(drawing):
    """Cards that were shown as a camera shows them, so that their size is known."""
    faces = [
        (s, i, n) for s in drawing.SHAPES[:3] for i in ("red", "green") for n in (1, 2)
    ]
    return CardReader(
        build_deck(
            CardShots(
                f"{number} {ink} {shape}",
                (CardShot(drawing.alone(shape, ink, number, 0)),),
            )
            for shape, ink, number in faces
        )
    )


@pytest.mark.parametrize(("right", "down"), [(0.14, 0.1), (-0.12, 0.05), (0.0, -0.16)])
def test_is_framed_where_it_looks_like_itself(drawing, reader, right, down):
    below = (drawing.card("disc", "green", 2), 450 + 18, 350 + 14, 0)
    picture = drawing.table(below, (drawing.card("square", "red", 1), 450, 350, 0))
    found = TRUE + np.array([right * WIDE, down * WIDE], np.float32)

    framed = frame_anew(reader, picture, found)

    assert np.abs(framed - TRUE).max() < 0.05 * WIDE
    seen = reader.read(picture, framed)
    assert isinstance(seen, SureCard)
    assert seen.face == "1 red square"


def test_keeps_its_size_where_nobody_knows_how_large_a_card_is(drawing, deck):
    picture = drawing.table((drawing.card("square", "red", 1), 450, 350, 0))
    unknown = CardReader(replace(deck, card_px=(0.0, 0.0)))

    framed = frame_anew(unknown, picture, TRUE + 6)

    assert np.abs(framed - TRUE).max() < 0.05 * WIDE


def test_is_given_the_size_that_was_shown(drawing, reader):
    picture = drawing.table((drawing.card("square", "red", 1), 450, 350, 0))
    middle = TRUE.mean(0)
    # The outline of two cards that lie beside each other by a fifth.
    found = middle + (TRUE - middle) * np.array([1.0, 1.2], np.float32)

    framed = frame_anew(reader, picture, found)

    sides = np.linalg.norm(framed - np.roll(framed, -1, 0), axis=1)
    assert sorted(sides)[::2] == pytest.approx([WIDE, HIGH], rel=0.04)
