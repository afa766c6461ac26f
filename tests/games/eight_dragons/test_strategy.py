"""How people play 8 Dragons: what brings a dragon nearer, and what one can spare."""

from companion.games.eight_dragons import strategy
from companion.games.eight_dragons.pieces import Card, Colour, Part

RED = [card for card in Card if strategy.COLOUR.get(card) is Colour.RED]


def test_parts_of_one_colour_count_by_their_square():
    head, *others = RED[:3]

    # One part counts 1, two 4, three 9: the third brings 5 more than the second.
    assert strategy._gain([], head) == 1
    assert strategy._gain([head], others[0]) == 3
    assert strategy._gain([head, others[0]], others[1]) == 5


def test_a_diamond_brings_no_dragon_nearer():
    assert strategy._gain(RED[:2], Card.DIAMOND) == 0


def test_a_full_hand_gives_up_what_it_can_spare():
    """Three red parts and a gold one: a fourth red part takes the gold one's place."""
    (spare,) = [c for c in Card if strategy.COLOUR.get(c) is Colour.GOLD
                and strategy.PART[c] is Part(strategy.PART[RED[3]])]  # fmt: skip

    # 16 for four red parts, where 9 counted for three.
    assert strategy._gain([*RED[:3], spare], RED[3]) == 7


def test_what_nobody_holds_cannot_be_given_back():
    assert strategy._without(RED[:2], None) == RED[:2]
    assert strategy._without(RED[:2], RED[0]) == [RED[1]]
