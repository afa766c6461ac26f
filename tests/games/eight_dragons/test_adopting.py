"""The table is right: the cards and tokens of the rectangle as they lie there."""

import pytest
from msgspec.structs import replace

from companion.corrections.adopt import as_it_lies
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.pieces import Card
from companion.games.eight_dragons.state import FACE_DOWN, LYING, PAIR, SECOND, Match
from companion.games.hidden import (
    Hidden,
    redact,
)
from companion.table import Flipped, Moved, Placed, Removed
from tests.games.eight_dragons.tables import place, spot, start

A1, A2, A3 = "grid/1/1", "grid/2/1", "grid/3/1"


def rectangle(grid="", *, options=(), **more):
    """Return a whole position; *grid* lists what lies on a1, a2, ... as in `table`.

    A card that lies nowhere is in the hand of seat 0, who has told nobody which it is.
    """
    state = start(**dict(options))
    spots = [spot(word) for word in grid.split()]
    hand = (Hidden(None, (0,)),) * spots.count(None)
    return replace(
        state,
        grid=(*spots, *state.grid[len(spots) :]),
        hands=(hand, ()),
        held=len(hand),
        **more,
    )


def lies(state, *sights):
    return as_it_lies(GAME, state, sights)


def spots(state, *squares):
    return [state.grid[place(square)] for square in squares]


def test_a_card_on_another_place_is_the_one_that_is_gone_from_its_own():
    state = rectangle("red_head -")

    after = lies(state, Moved("card", A1, A2))

    assert spots(after, "a1", "a2") == [None, LYING[Card.RED_HEAD]]


def test_of_two_cards_on_other_places_nobody_knows_which_is_which():
    state = rectangle("red_head green_head - -")
    gone = [Removed("card", A1, "back"), Removed("card", A2, "back")]
    came = [Placed("card", "back", A3), Placed("card", "back", "grid/4/1")]

    after = lies(state, *gone, *came)

    assert spots(after, "a1", "a2", "a3", "a4") == [None, None, FACE_DOWN, FACE_DOWN]


def test_a_card_that_is_gone_may_be_in_any_hand_and_is_not_taken_over():
    state = rectangle("red_head")

    assert lies(state, Removed("card", A1, "back")) is None


def test_a_card_that_lies_face_up_was_turned():
    state = rectangle("green_head!", phase=SECOND, up=(0,))

    after = lies(state, Flipped("card", "red_head", A2), Flipped("card", "back", A1))

    assert spots(after, "a1", "a2") == [LYING[Card.GREEN_HEAD], Card.RED_HEAD]
    assert after.up == (1,)
    assert after.phase is SECOND


def test_a_card_that_was_remembered_as_another_one_is_believed_as_it_lies():
    state = rectangle("green_head! red_tail",
                  phase=SECOND, up=(0,))  # fmt: skip
    turned = (Flipped("card", "red_head", A2), Flipped("card", "back", A1))

    after = lies(state, *turned)

    # Nobody else remembers it, so to refuse would tell that it was another one.
    assert spots(after, "a1", "a2") == [LYING[Card.GREEN_HEAD], Card.RED_HEAD]
    assert as_it_lies(GAME, redact(state, None), turned) is not None


def test_what_lies_open_is_remembered_nowhere_else_any_more():
    state = rectangle("green_head! ? multi_head",
                  phase=SECOND, up=(0,))  # fmt: skip

    after = lies(state, Flipped("card", "multi_head", A2), Flipped("card", "back", A1))

    # There is one multicolour head only, so the third card is another one.
    assert spots(after, "a2", "a3") == [Card.MULTI_HEAD, FACE_DOWN]


def test_a_pair_is_no_other_pair():
    state = rectangle("red_head! green_head!", phase=PAIR, up=(0, 1),
                  match=Match.SHAPE)  # fmt: skip
    wrong = (Removed("card", A2, "green_head"), Placed("card", "red_tail", A2))

    assert lies(state, *wrong) is None


def test_a_twin_card_that_was_moved_is_the_twin_card():
    state = rectangle("twin! -", options={"ED10": "spent"})

    after = lies(state, Moved("card", A1, A2))

    assert spots(after, "a1", "a2") == [None, Card.TWIN]


class TestTokens:
    """L. 112-114."""

    def test_a_token_on_another_card_is_its_owners_still(self):
        state = rectangle(blocked=((0, 1),), tokens=(1, 0))

        after = lies(state, Moved("token", A1, A2))

        assert (after.blocked, after.tokens) == (((1, 1),), (1, 0))

    def test_a_token_that_came_is_of_who_is_in_turn(self):
        state = rectangle(blocked=((0, 1),), tokens=(1, 0))

        after = lies(state, Placed("token", None, A2))

        assert (after.blocked, after.tokens) == (((0, 1), (1, 0)), (0, 0))

    @pytest.mark.parametrize(
        ("choice", "tokens"),
        [("retired", (1, 0)), ("owner", (1, 1)), ("liberator", (2, 0))],
    )
    def test_a_token_that_is_gone_goes_where_the_table_chose(self, choice, tokens):
        state = rectangle(blocked=((0, 1),), tokens=(1, 0), options={"ED18": choice})

        after = lies(state, Removed("token", A1))

        assert (after.blocked, after.tokens) == ((), tokens)
