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
    # 42 places with 26 kinds of cards each, and a token on each of 42 cards.
    assert counts(start(), 1) == (42 * 26 + 42,)
    # 36 places with 22 kinds; gold is out.
    assert counts(start(ED0="short"), 1) == (36 * 22 + 36,)


def test_a_known_table_offers_one_card_a_place():
    # 42 cards and 42 tokens; then, after one of 32 parts, 41 second cards; after a gain
    # or a trap (nobody holds a card) the player keeps the token: 41 tokens and the end,
    # where the twin card, turned, may still be blocked; after a token, 41 cards.
    assert counts(dealt(), 2) == (84, 32 * 41 + 9 * (41 + 1) + (42 + 1) + 42 * 41)


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
    (small(GAINS, HANDS), (5, 14, 194, 6173)),
    (small(GAINS, HANDS, ED7="goes_on"), (5, 14, 199, 6196)),
    (small(GAINS, HANDS, ED14="exchange"), (5, 14, 194, 6170)),
    (paired(SHAPES), (5, 21, 99, 379, 1691, 6707)),
    (paired(SHAPES, ED1="colour"), (5, 21, 99, 377, 1621, 6353)),
    (paired(SHAPES, ED3="swap"), (5, 21, 79, 239, 939, 3383)),
    (paired(SHAPES, ED10="spent"), (5, 20, 90, 350, 1520, 5648)),
    (paired(SHAPES, ED35="no"), (5, 21, 99, 279, 1131, 4607)),
    (paired(SHAPES, blocked=TWO[:1]), (4, 13, 50, 192, 713, 2519)),
    (paired(SHAPES, blocked=TWO), (3, 7, 27, 137, 583, 2049, 6407)),
    (paired(SHAPES, blocked=TWO, ED18="owner"), (3, 7, 27, 137, 599, 2561)),
    (paired(SHAPES, blocked=TWO, ED18="liberator"), (3, 7, 27, 137, 615, 3009)),
    (paired(SHAPES, blocked=TWO, ED31="all"), (3, 7, 27, 141, 671, 2689)),
    (paired(SHAPES, tokens=(1, 0)), (10, 42, 167, 712, 3840)),
    (paired(SHAPES, tokens=(1, 0), ED34="no"), (10, 42, 167, 712, 3720)),
    (paired(SHAPES, FULL), (5, 17, 83, 461, 2451, 12769)),
    (paired("red_tail green_legs diamond"), (3, 4, 6, 4, 0)),
    (paired("red_tail green_legs diamond", ED22="exactly"), (3, 4, 6, 4, 12, 16, 24)),
    (paired(LONELY), (5, 16, 28, 24, 0)),
    (paired(LONELY, ED29="ask"), (5, 21, 46, 78, 246, 690, 1362, 2842)),
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
