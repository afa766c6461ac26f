"""The bench counts every reader alike, ours and the recipes that people know."""

import cv2
import numpy as np
import pytest

from vision.measure.bench.card_peers import PEERS, SIDE_PX
from vision.measure.bench.dice_peers import blobs_and_heaps
from vision.measure.bench.every_set import bench_rows
from vision.measure.bench.rows import OURS, BenchRow, bench_table, upper_bound


def pips(*dice: tuple[int, int, int]):
    """Return a pale picture with dark pips of dice (face, x, y); pips lie in a row."""
    picture = np.full((480, 640, 3), 230, np.uint8)
    for face, x, y in dice:
        for pip in range(face):
            cv2.circle(picture, (x + 24 * pip, y), 8, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


def card(signs: int):
    """Return a card with as many crosses, each turned another way."""
    picture = np.full((*SIDE_PX, 3), 230, np.uint8)
    for sign in range(signs):
        x, y = 40 + 60 * (sign % 3), 60 + 90 * (sign // 3)
        for turn in (0, 90):
            box = cv2.boxPoints(((x, y), (50, 14), 20 * sign + turn))
            cv2.fillConvexPoly(picture, np.int32(box), (60, 20 * sign, 150))
    return picture


class TestTheBoundOfWhatMayBeWrong:
    def test_is_three_in_all_when_none_was_wrong(self):
        # 1 - 0.05 ** (1 / 300) = 0.00994
        assert upper_bound(0, 300) == pytest.approx(0.00994, abs=1e-5)

    def test_has_what_was_seen_below_it(self):
        # Of 100 one was wrong; (1 - p)**100 + 100 p (1 - p)**99 = 0.05 at p = 0.0466.
        assert upper_bound(1, 100) == pytest.approx(0.0466, abs=1e-4)

    def test_says_nothing_where_nothing_was_taken(self):
        assert upper_bound(0, 0) == 1.0

    def test_holds_for_many_thousands(self):
        # 3 / 30,000, as the rule of three has it.
        assert upper_bound(0, 30_000) == pytest.approx(1e-4, rel=0.01)


class TestTheRecipes:
    def test_blobs_count_pips_that_lie_apart(self):
        dice = blobs_and_heaps(pips((3, 80, 100), (5, 350, 300)))

        assert sorted(die.faces[0][0] for die in dice) == [3, 5]
        assert all(die.sure for die in dice)

    def test_blobs_see_nothing_on_an_empty_table(self):
        assert blobs_and_heaps(pips()) == ()

    @pytest.mark.parametrize("peer", PEERS)
    def test_name_a_card_as_it_was_shown(self, peer):
        name = PEERS[peer]([(str(n), card(n)) for n in (1, 4, 6)])

        assert name(card(4)).face == "4"
        assert name(card(6)).face == "6"

    def test_a_hash_does_not_take_a_card_that_is_quite_another(self):
        stripes = np.tile(np.uint8([[[0]], [[255]]]), (SIDE_PX[0] // 2, SIDE_PX[1], 3))
        name = PEERS["pHash"]([("1", card(1))])

        assert not name(cv2.blur(stripes, (1, 40))).taken


class TestTheTable:
    def test_says_shares_and_what_is_not_known(self):
        row = BenchRow("pi_pips", OURS, 60, 59, 58, 2, 0, px_per_mm=4.25)

        # 1 - 0.05 ** (1 / 58) = 5.0 %
        cells = bench_table([row]).splitlines()[-1].strip("| ").split(" | ")
        assert cells[:2] == ["pi_pips", "Dragon Table"]
        assert cells[2:] == ["60", "98.3%", "96.7%", "3.3%", "0", "5.0%", "–", "4.2"]

    def test_is_empty_without_photographs_and_tables(self):
        assert list(bench_rows(None, 0)) == []
