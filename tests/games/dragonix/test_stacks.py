"""What fits on a row, against the plain definition, for every row that can lie there.

The definition: a row is sound when there is a value from 1 to 12 for its hero, if it
has one, so that all values strictly rise (or fall), and when its troops are of one
people where the row asks for one. Rows here are all up to symmetry of the peoples:
where no people is asked for, which people a troop is of does not matter.
"""

from itertools import combinations, pairwise, permutations

import pytest

from companion.games.dragonix.cards import DECK, NOTHING, cards_of, in_order
from companion.games.dragonix.hands import Hand
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOUR,
    COLOURED,
    HERO,
    RISING,
    TOWER,
    VALUE,
)
from companion.games.dragonix.reach import separates
from companion.games.dragonix.stacks import (
    clear_row,
    exchange_hero,
    fitting_cards,
    fitting_heroes,
    insert_card,
    place,
    recolour_row,
    slots,
    without_last,
)
from companion.games.dragonix.state import EMPTY, Stack
from tests.games.dragonix.tables import card, cards, names, stack


def sound(row, sequence):
    """Tell whether cards may lie on a row in this order, by the definition alone."""
    troops = [c for c in sequence if c != HERO]
    if COLOURED[row] and len({COLOUR[c] for c in troops}) > 1:
        return False
    if row == TOWER:
        return len(troops) == len(sequence)
    heroes = sequence.count(HERO)
    values = range(1, 13) if heroes else (0,)
    return heroes <= 1 and any(
        monotone(row, [VALUE[c] or value for c in sequence]) for value in values
    )


def monotone(row, values):
    return all((a < b) if RISING[row] else (a > b) for a, b in pairwise(values))


def all_stacks(row, longest, kinds):
    """Yield every row of up to *longest* cards of some *kinds*, grown card by card."""
    grown = [EMPTY]
    while grown:
        yield from grown
        grown = [
            place(row, one, c)
            for one in grown
            if len(one.cards) < longest
            for c in kinds
            if sound(row, (*one.cards, c))
        ]


@pytest.mark.slow
@pytest.mark.parametrize("row", ARMIES)
def test_a_row_takes_exactly_what_keeps_it_sound(row):
    suns = (*cards(" ".join(f"sun{value}" for value in range(1, 13))), HERO)

    for one in all_stacks(row, 4, suns):
        fitting = cards_of(c for c in DECK if sound(row, (*one.cards, c)))
        assert fitting_cards(row, one) == fitting, one


def test_the_tower_takes_any_troop_of_its_people():
    for one in (EMPTY, stack(TOWER, "sun5"), stack(TOWER, "sun5 sun2 sun9")):
        fitting = cards_of(c for c in DECK if sound(TOWER, (*one.cards, c)))

        assert fitting_cards(TOWER, one) == fitting


def fits(row, below, sequence):
    return all(
        sound(row, (*below, *sequence[:length]))
        for length in range(1, len(sequence) + 1)
    )


FEW = ("sun1 sun2 sun3 sun5 sun8 sun11 sun12", "sun4 sun6 sun7 rock2 rock9 sun10")
ALL = (
    " ".join(f"sun{value}" for value in range(1, 13)),
    " ".join(f"sun{value}" for value in range(1, 13)) + " rock2 rock9",
)


@pytest.mark.parametrize("row", ARMIES)
@pytest.mark.parametrize(
    ("of_row", "in_hand"),
    [
        pytest.param(*FEW, marks=pytest.mark.slow, id="some values"),
        pytest.param(*ALL, marks=pytest.mark.long, id="all values"),
    ],
)
def test_a_card_is_in_the_way_exactly_of_sets_that_fit_only_without_it(
    row, of_row, in_hand
):
    kinds = (*cards(in_hand), HERO)
    hands = [known for size in (1, 2, 3) for known in combinations(kinds, size)]

    for one in all_stacks(row, 3, (*cards(of_row), HERO)):
        if one.cards:
            low = without_last(row, one)
            for known in hands:
                hand = Hand(known, 0, NOTHING, 0, cards_of(known))
                expected = needs_less(row, one.cards, known)
                found = separates(row, low, one, False, hand)
                assert found == expected, (one, known)


def needs_less(row, lying, known):
    """Tell whether some of the cards fit only with the last lying card gone.

    In whatever order: l. 66 asks what keeps one from placing cards, and of the book's
    example (l. 70) the 5 fits behind the 2 in none.
    """
    return any(
        fits_somehow(row, lying[:-1], chosen) and not fits_somehow(row, lying, chosen)
        for count in range(1, len(known) + 1)
        for chosen in combinations(known, count)
    )


def fits_somehow(row, below, chosen):
    return any(fits(row, below, order) for order in permutations(chosen))


@pytest.mark.parametrize("row", ARMIES)
def test_what_takes_a_heros_place_keeps_the_row_sound(row):
    kinds = (*cards("sun1 sun4 sun5 sun9 sun12"), HERO)

    for one in all_stacks(row, 4, kinds):
        if HERO not in one.cards:
            assert fitting_heroes(row, one, same_value=False) == NOTHING
            continue
        spot = one.cards.index(HERO)
        fitting = {
            c
            for c in range(HERO)
            if sound(row, (*one.cards[:spot], c, *one.cards[spot + 1 :]))
        }
        assert fitting_heroes(row, one, same_value=False) == cards_of(fitting)
        same = {c for c in fitting if VALUE[c] == one.values[spot]}
        assert fitting_heroes(row, one, same_value=True) == cards_of(same)


@pytest.mark.parametrize("row", ARMIES)
def test_what_is_inserted_keeps_the_row_sound_with_the_values_that_lie_there(row):
    kinds = (*cards("sun1 sun4 sun5 sun9 sun12"), HERO)

    for one in all_stacks(row, 4, kinds):
        for c in DECK:
            for slot in range(1, len(one.cards)):
                made = insert_card(row, one, c, slot)
                troops = [n for n in made.cards if n != HERO]
                right = (
                    monotone(row, made.values)
                    and made.cards.count(HERO) <= 1
                    and (not COLOURED[row] or len({COLOUR[n] for n in troops}) == 1)
                )
                assert (slot in slots(row, one, c)) == right, (one, c, slot)


class TestRows:
    def test_a_counter_order_holds_until_the_row_is_empty(self):
        ordered = recolour_row(stack(2, "sun4 sun6"), COLOUR[card("rock1")])

        taken = in_order(fitting_cards(2, ordered))
        assert card("rock9") in taken
        assert card("sun9") not in taken
        once = without_last(2, ordered)
        assert (once.colour, once.ordered) == (COLOUR[card("rock1")], True)
        assert without_last(2, once) == EMPTY

    def test_a_row_of_a_hero_alone_asks_for_no_people(self):
        one = without_last(2, stack(2, "hero sun4"))

        assert names(one.cards) == "hero"
        assert {card("sun4"), card("rock9")} <= set(in_order(fitting_cards(2, one)))

    def test_an_exchange_gives_a_lone_hero_a_people(self):
        one = exchange_hero(2, stack(2, "hero"), card("rock7"))

        assert (one.values, one.colour) == ((7,), COLOUR[card("rock7")])

    def test_six_cards_leave_an_empty_row(self):
        six = stack(0, "sun1 sun2 sun3 sun4 sun5 sun6")

        assert clear_row(six) == EMPTY
        assert clear_row(without_last(0, six)).cards == six.cards[:5]

    def test_the_tower_has_no_place_for_a_hero_or_between_cards(self):
        one = stack(TOWER, "sun5 sun9")

        assert fitting_heroes(TOWER, one, same_value=False) == NOTHING
        assert slots(TOWER, one, card("sun7")) == ()

    def test_forced_values_stay_within_1_and_12(self):
        assert place(0, stack(0, "sun12"), HERO).values == (12, 12)
        assert place(1, stack(1, "sun1"), HERO).values == (1, 1)
        assert Stack() == EMPTY
