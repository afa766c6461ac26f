"""How large one die looks says what a camera can read."""

import pytest

from companion.games.copy import Item, Kind
from companion.kits.resolution import Legible, resolution_of


def item(kind, piece="die"):
    return Item(kind, piece, "3", "3")


@pytest.mark.parametrize(
    ("side_px", "legible", "closer"),
    [
        # A die of 16 mm; marks want 1.8 pixels a millimetre, digits on facets 3.2.
        (24, Legible.LITTLE, 1.5 / 1.8),
        (32, Legible.MARKS, 2.0 / 3.2),
        (56, Legible.ALL, 1.0),
    ],
)
def test_a_die_says_what_can_be_read_and_how_much_nearer_the_rest_is(
    side_px, legible, closer
):
    seen = resolution_of(item(Kind.DIE), side_px)

    assert seen is not None
    assert (seen.px_per_mm, seen.legible) == (side_px / 16, legible)
    assert seen.closer == pytest.approx(closer)


@pytest.mark.parametrize("kind", [Kind.CARD, Kind.TOKEN])
def test_a_piece_of_no_usual_size_says_nothing(kind):
    assert resolution_of(item(kind), 54) is None
