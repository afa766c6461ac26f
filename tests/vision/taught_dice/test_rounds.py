"""Round pieces are told by print and colour in any turn, also where they look alike."""

import cv2
import numpy as np
import pytest

from vision.taught_dice.looks import FaceShot
from vision.taught_dice.round_bodies import find_rounds, find_rounds_about
from vision.taught_dice.rounds import (
    read_new_rounds,
    read_round,
    read_rounds,
    teach_rounds,
)

RED, BLUE, WHITE = (40, 40, 190), (170, 70, 40), (235, 235, 235)
PIECES = {"red A": (RED, "A"), "red K": (RED, "K"), "blue A": (BLUE, "A")}


def table(colour=None, sign="", turn=0.0, seed=0, light=1.0):
    """Return a picture of grey cloth with one piece of 36 px radius on it."""
    noise = np.random.default_rng(seed).normal(0, 3, (240, 320, 3))
    picture = np.clip(90 + noise, 0, 255).astype(np.uint8)
    if colour is not None:
        piece = np.full((80, 80, 3), colour, np.uint8)
        cv2.putText(piece, sign, (24, 54), 0, 1.4, WHITE, 5, cv2.LINE_AA)
        cover = np.zeros((80, 80), np.uint8)
        cv2.circle(cover, (40, 40), 36, 255, -1, cv2.LINE_AA)
        way = cv2.getRotationMatrix2D((40, 40), turn, 1.0)
        piece = cv2.warpAffine(piece, way, (80, 80), borderMode=cv2.BORDER_REPLICATE)
        share = cover[:, :, None] / 255
        part = picture[80:160, 120:200]
        part[:] = part * (1 - share) + piece * share
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    return np.clip(soft * light, 0, 255).astype(np.uint8)


BOX = (124, 84, 196, 156)


@pytest.fixture(scope="module")
def model():
    return teach_rounds(
        [
            FaceShot(name, table(*look, turn, seed), BOX, 320.0)
            for name, look in PIECES.items()
            for seed, turn in enumerate((0, 70, 200))
        ]
    )


@pytest.mark.slow
class TestARoundPiece:
    @pytest.mark.parametrize("name", PIECES)
    def test_is_read_in_any_turn_and_in_less_light(self, model, name):
        seen = table(*PIECES[name], 131, 7, light=0.75)

        (piece,) = read_rounds(seen, model)

        assert (piece.faces[0][0], piece.sure) == (name, True)

    @pytest.mark.parametrize(
        ("colour", "sign"), [(RED, "S"), (BLUE, "K"), ((60, 150, 60), "A")]
    )
    def test_that_was_never_shown_is_asked_about(self, model, colour, sign):
        (piece,) = read_rounds(table(colour, sign, 40, 8), model)

        assert not piece.sure

    def test_is_not_seen_on_bare_cloth(self, model):
        assert read_rounds(table(seed=9), model, bare=table(seed=10)) == ()

    def test_shown_under_two_names_is_always_asked(self):
        shots = [
            FaceShot(name, table(RED, "A", turn, seed), BOX, 320.0)
            for name in ("one", "other")
            for seed, turn in enumerate((0, 70, 200))
        ]

        twins = teach_rounds(shots)

        assert twins.always_ask == (("one", "other"),)
        (piece,) = read_rounds(table(RED, "A", 20, 9), twins)
        assert not piece.sure


@pytest.mark.slow
class TestAPieceThatAMoveMayBring:
    def test_is_read_though_its_sign_is_darker(self, model):
        seen = table(*PIECES["red A"], 40, 8)
        sign = seen.min(-1) > 150
        seen[sign] = (seen[sign] * 0.75).astype(np.uint8)

        assert not read_round(seen, BOX, model).sure
        piece = read_round(seen, BOX, model, ("red A", "blue A"))
        assert (piece.faces[0][0], piece.sure) == ("red A", True)

    def test_is_not_what_another_piece_is_taken_for(self, model):
        seen = table(*PIECES["red K"], 40, 8)

        piece = read_round(seen, BOX, model, ("red A",))

        assert piece.faces[0][0] == "red K"

    @pytest.mark.parametrize("sign", ["S", "R"])
    def test_is_asked_about_where_its_sign_is_another(self, model, sign):
        assert not read_round(table(RED, sign, 40, 8), BOX, model, ("red A",)).sure


@pytest.mark.slow
def test_a_round_piece_is_found_once_however_many_boxes_suggest_it(model):
    seen = table(*PIECES["red A"], 40, 8)

    (box,) = find_rounds(seen, table(), [BOX, (130, 90, 190, 150)], 72.0)

    assert max(abs(one - other) for one, other in zip(box, BOX, strict=True)) <= 3
    assert find_rounds(table(seed=1), table(), [BOX], 72.0) == []


@pytest.mark.slow
def test_two_round_pieces_that_touch_are_two(model):
    """Both changed places, so that all about them differs as one body."""
    one, other = table(*PIECES["red A"], 40, 8), table(*PIECES["blue A"], 10, 8)
    left, top, right, bottom = BOX
    wide = right - left + 2
    beside = one.copy()
    beside[top - 2 : bottom + 2, right + 2 : right + wide + 2] = other[
        top - 2 : bottom + 2, left : left + wide
    ]
    both = (left, top, right + wide, bottom)

    found = find_rounds_about(beside, table(), both, float(right - left))

    middles = sorted((x1 + x2) / 2 for x1, _, x2, _ in found)
    assert middles == pytest.approx(
        [(left + right) / 2, (left + right) / 2 + wide], abs=4
    )


@pytest.mark.slow
def test_where_a_round_piece_was_taken_away_nothing_is_read(model):
    lay = table(*PIECES["red A"], 40, 8)

    assert read_new_rounds(table(seed=3), lay, model, 72.0, ("red A",)) == []
    (piece,) = read_new_rounds(lay, table(seed=3), model, 72.0, ("red A",))
    assert piece.faces[0][0] == "red A"
