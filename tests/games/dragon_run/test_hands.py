"""What a hand may be worth, by what is known of it."""

import pytest

from companion.games.dragon_run.hands import can_pay, most
from tests.games.dragon_run.tables import scene


@pytest.mark.parametrize(
    ("noted", "size", "dearest"),
    [
        # The two cards of five points are nowhere to be seen: 5 + 5.
        ("", 2, 10),
        # One of them is in this hand: 5 + 5; a one noted leaves 1 + 5.
        ("gold-5", 2, 10),
        ("gold-1", 2, 6),
        # All of it is known.
        ("gold-1 gold-2", 2, 3),
        ("gold-3", 1, 3),
    ],
)
def test_a_hand_pays_up_to_the_dearest_cards_that_it_may_hold(noted, size, dearest):
    """More than a single card is worth too: then it takes several."""
    state = scene(seats=2, noted={0: noted}, size={0: size})

    assert most(state, 0) == dearest
    assert can_pay(state, 0, dearest)
    assert not can_pay(state, 0, dearest + 1)
