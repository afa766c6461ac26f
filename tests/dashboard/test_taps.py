"""How many taps a turn takes by phone alone; `taps.py` counts those of whole games."""

from statistics import median

import pytest

from companion.dashboard.door.auth import Who
from companion.dashboard.view.views import view_of
from companion.running.snapshot import Setup
from companion.table import Claim
from tests.dashboard.fakes import FakeTable
from tests.dashboard.situations import game_of
from tests.dashboard.taps import measured, taps_of

MEDIAN = {
    "drachenhort": 2,
    "dragorun": 3,
    "dragon_run": 3,
    "eight_dragons": 6,
    "dragonix": 4,
}
"""What half of the turns take at most. Wished for are 2, 2, 2, 3 and 3; above that are
throws of two dice, effects of cards, pairs whose cards are named, and long turns."""


def taps(table: FakeTable, game: str, *moves: str) -> int:
    """Return the taps of the last of *moves* in a game of two."""
    table.open_game(Setup(game, ("Ana", "Bo")))
    *before, last = moves
    for move in before:
        seq = table.snapshot.story.seq
        table.act(Claim(move, None, seq, f"{move} {seq}"))
    return taps_of(view_of(table.snapshot, Who(host=True), "en"), last)


def test_a_button_is_one_tap_and_each_answer_one(table: FakeTable):
    assert taps(table, "drachenhort", "throw 3") == 1
    assert taps(table, "drachenhort", "throw 3", "advance green") == 1
    assert taps(table, "eight_dragons", "miss") == 1
    # A place and a card; the token is folded away on the page, and not on the board.
    assert taps(table, "eight_dragons", "turn c4 red_head") == 2
    assert taps(table, "eight_dragons", "token c4") == 2


def test_a_place_of_the_board_that_one_move_concerns_is_one_tap(table: FakeTable):
    moves = ("throw 3", "advance green", "throw 2", "advance green")

    assert taps(table, "drachenhort", *moves) == 1


@pytest.mark.long
@pytest.mark.parametrize("game_id", MEDIAN)
def test_turns_of_whole_games_take_no_more_taps(game_id: str, record_property):
    turns, each = measured(game_of(game_id))

    found = f"{turns} turns, median {median(each):g}, most {max(each)}"
    record_property("figures", found)
    assert median(each) <= MEDIAN[game_id]
