"""Positions after n moves from small tables: one number guards the whole generator."""

import pytest
from msgspec.structs import replace

from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.options import RULINGS
from tests.games.eight_dragons.tables import dealt, place, start, table


def counts(state, depth):
    """Return how many positions there are after 1, 2, ... *depth* moves."""
    found, layer = [], [state]
    for _ in range(depth):
        layer = [
            GAME.apply(before, move)[0]
            for before in layer
            for move in GAME.legal(before)
        ]
        found.append(len(layer))
    return tuple(found)


def test_a_first_position_offers_every_card_everywhere():
    # 42 places with 26 kinds of cards each, a token on each of 42 cards, and a miss.
    assert counts(start(), 1) == (42 * 26 + 42 + 1,)
    # 36 places with 22 kinds; gold is out.
    assert counts(start(ED0="short"), 1) == (36 * 22 + 36 + 1,)


def test_a_known_table_offers_one_card_a_place():
    # 42 cards, 42 tokens and a miss; then, after one of 32 parts, 41 second cards;
    # after a gain or a trap (nobody holds a card) the player keeps the token: 41 tokens
    # and the end, where the twin card, turned, may still be blocked; after a token, 41
    # cards and a miss; after a miss, the same 85 for the other player.
    turned = 32 * 41 + 9 * (41 + 1) + (42 + 1)
    assert counts(dealt(), 2) == (85, turned + 42 * (41 + 1) + 85)


GAINS = "diamond fireball grab red_head red_tail"
HANDS = ["gold_tail", "multi_head silver_legs"]
SHAPES = "red_head gold_head red_tail twin red_head"
FULL = ["red_tail red_legs red_claws green_head"]
LONELY = "red_tail green_legs gold_claws multi_head twin"


def small(grid, hands=(), blocked=(), tokens=None, **options):
    at = tuple((place(square), seat) for square, seat in blocked)
    return table(
        grid=grid, hands=hands, blocked=at, tokens=tokens, state=start(**options)
    )


def paired(grid, hands=(), blocked=(), tokens=None, **options):
    """Return a table of six places only, so that few are empty."""
    state = small(grid, hands, blocked, tokens, **options)
    return replace(state, grid=state.grid[:6])


TWO = [("a5", 0), ("a3", 1)]
EXPECTED = [
    (small(GAINS, HANDS), (6, 20, 220, 6428)),
    (small(GAINS, HANDS, ED7="goes_on"), (6, 20, 225, 6460)),
    (small(GAINS, HANDS, ED14="exchange"), (6, 20, 220, 6424)),
    (paired(SHAPES), (6, 28, 134, 562, 2724)),
    (paired(SHAPES, ED1="colour"), (6, 28, 134, 560, 2636)),
    (paired(SHAPES, ED3="swap"), (6, 28, 114, 402, 1672, 6596)),
    (paired(SHAPES, ED10="spent"), (6, 27, 122, 503, 2404, 10119)),
    (paired(SHAPES, ED35="no"), (6, 28, 134, 462, 1964, 8284)),
    (paired(SHAPES, blocked=TWO[:1]), (5, 19, 75, 299, 1229, 4817)),
    (paired(SHAPES, blocked=TWO), (4, 12, 44, 202, 916, 3748)),
    (paired(SHAPES, blocked=TWO, ED18="owner"), (4, 12, 44, 202, 932, 4304)),
    (paired(SHAPES, blocked=TWO, ED18="liberator"), (4, 12, 44, 202, 948, 4764)),
    (paired(SHAPES, blocked=TWO, ED31="all"), (4, 12, 44, 206, 1008, 4496)),
    (paired(SHAPES, tokens=(1, 0)), (11, 53, 240, 1060, 5638)),
    (paired(SHAPES, tokens=(1, 0), ED34="no"), (11, 53, 240, 1060, 5488)),
    (paired(SHAPES, FULL), (6, 23, 112, 598, 3096)),
    (paired("red_tail green_legs diamond"), (4, 4, 6, 4, 0)),
    (
        paired("red_tail green_legs diamond", ED22="exactly"),
        (4, 8, 14, 18, 34, 66, 122),
    ),
    (paired(LONELY), (6, 16, 28, 24, 0)),
    (paired(LONELY, ED29="ask"), (6, 28, 68, 132, 408, 1152, 2864, 8336)),
]


@pytest.mark.parametrize(("state", "expected"), EXPECTED)
def test_a_small_table_counts_these_positions(state, expected):
    assert counts(state, len(expected)) == expected


def test_every_option_changes_a_count():
    told = {options for state, _ in EXPECTED for options in changed(state)}

    # The short game is counted above; who wins a tie changes no number of ways.
    choices = {ruling.id for ruling in RULINGS if ruling.choices}
    assert told == choices - {"ED0", "ED25"}
    assert len({expected for _, expected in EXPECTED}) == len(EXPECTED)


def changed(state):
    """Return the rulings in which a table differs from the defaults."""
    mine, usual = state.setting.options, start().setting.options
    return {
        ruling
        for ruling, field in FIELDS.items()
        if getattr(mine, field) != getattr(usual, field)
    }


FIELDS = {
    "ED1": "twins_are_colour",
    "ED3": "only_swap",
    "ED7": "gain_goes_on",
    "ED10": "twin_spent",
    "ED14": "exchange",
    "ED18": "token_to",
    "ED22": "exactly",
    "ED29": "ask_dead_end",
    "ED31": "free_all",
    "ED34": "token_between",
    "ED35": "split_pair",
}
