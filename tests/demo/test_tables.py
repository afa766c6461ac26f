"""Every game's stand-in table has room for whatever may ever lie there."""

from itertools import combinations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.demo.tables import DRAWN_GAMES, dragonix, dragorun
from companion.games import find
from companion.games.dragonix.box import Colour
from tests.games import contract
from vision.drawn.lessons import random_pose
from vision.tabletop.plan import CARD, FIGURE, TOKEN
from vision.tabletop.surface import hidden_outline

each_table = pytest.mark.parametrize("stand_in", DRAWN_GAMES, ids=lambda one: one.game)

pytestmark = pytest.mark.slow


def tables(stand_in):
    """Return the game and the table of our own copy."""
    game = find(stand_in.game)
    return game, stand_in.table(game.stand_in)


def layouts(game, games=40):
    """Yield all that lies on the table in whole random games, for all players."""
    for seed in range(games):
        seats = game.seats[seed % len(game.seats)]
        yield from (
            game.layout(step.after)
            for step in contract.steps(game, contract.config(game, seats), seed)
        )


@each_table
def test_every_place_that_a_game_names_has_a_spot_for_what_lies_there(stand_in):
    game, plan = tables(stand_in)
    named = {(piece, place) for lying in layouts(game) for piece, _, place in lying}

    assert named
    for piece, place in sorted(named):
        assert plan.spots_of(piece, place), (piece, place)


@each_table
def test_every_face_that_may_lie_there_is_painted(stand_in):
    game, plan = tables(stand_in)
    painted = {(look.piece, look.face) for look in plan.looks}
    dice = {look.piece for look in plan.looks} - {
        look.piece for look in plan.looks if look.face is None
    }

    for lying in layouts(game):
        for piece, face, _ in lying:
            # What a die shows before it is thrown is told by no layout.
            bare = face is None and piece in dice
            assert bare or (piece, face) in painted or (piece, None) in painted


@each_table
def test_two_faces_of_a_piece_look_different(stand_in):
    _, plan = tables(stand_in)

    for one, other in combinations(plan.looks, 2):
        if one.piece == other.piece:
            paints = [
                (look.colour, look.second, look.sign, look.quarter)
                for look in (one, other)
            ]
            assert paints[0] != paints[1], (one.piece, one.face, other.face)


@each_table
def test_flat_pieces_lie_side_by_side_on_the_table(stand_in):
    _, plan = tables(stand_in)
    flat = [
        spot for spot in plan.spots if plan.thing(spot.holds[0]).shape in (CARD, TOKEN)
    ]

    for one, other in combinations(flat, 2):
        beside = abs(one.x_mm - other.x_mm) - (one.width_mm + other.width_mm) / 2
        along = abs(one.y_mm - other.y_mm) - (one.height_mm + other.height_mm) / 2
        assert max(beside, along) > -0.01, (one.place, other.place)
    for spot in flat:
        thing = plan.thing(spot.holds[0])
        assert min(spot.width_mm, spot.height_mm) >= thing.width_mm
        assert abs(spot.x_mm - plan.width_mm / 2) + spot.width_mm / 2 < (
            plan.width_mm / 2 - 15
        )
        assert abs(spot.y_mm - plan.height_mm / 2) + spot.height_mm / 2 < (
            plan.height_mm / 2 - 15
        )


@pytest.mark.parametrize("game", ["dragon_run", "dragonix", "dragorun"])
@pytest.mark.parametrize("seed", range(4))
def test_a_dragon_hides_no_card_and_no_token_wherever_it_stands(seed, game):
    """A camera leans to the near side and sees no card behind a figure."""
    stand_in = next(one for one in DRAWN_GAMES if one.game == game)
    _, plan = tables(stand_in)
    pose = random_pose(plan, seed)
    figures = [thing for thing in plan.things if thing.shape is FIGURE]
    cards = [s for s in plan.spots if plan.thing(s.holds[0]).shape in (CARD, TOKEN)]

    for thing in figures:
        for spot in plan.spots_of(thing.piece):
            hidden = hidden_outline(pose, thing, spot.x_mm, spot.y_mm)
            for card in cards:
                assert not meet(hidden, card), (spot.place, card.place)


def meet(outline_mm, spot):
    """Tell whether an outline ``(N, 2)`` and a spot have a point in common."""
    half = np.array([spot.width_mm, spot.height_mm]) / 2
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    box = np.asarray(ends + np.array([spot.x_mm, spot.y_mm]), np.float32)
    area, _ = cv2.intersectConvexConvex(np.asarray(outline_mm, np.float32), box)
    return area > 0


@pytest.mark.parametrize("finish", [10, 25, 26, 53])
def test_a_track_of_any_length_has_room_for_a_dragon_on_each_cell(finish):
    """26 cells and the snail's in two rows of 13, each 536 / 13 = 41 mm wide."""
    box = replace(find("dragorun").stand_in, finish=finish)
    plan = dragorun.table(box)
    cells = [spot for spot in plan.spots if spot.place.startswith("track/")]

    assert [spot.place for spot in cells] == [f"track/{n}" for n in range(finish + 1)]
    assert min(spot.width_mm for spot in cells) >= plan.thing("red").width_mm
    for one, other in combinations(cells, 2):
        beside = abs(one.x_mm - other.x_mm) - (one.width_mm + other.width_mm) / 2
        along = abs(one.y_mm - other.y_mm) - (one.height_mm + other.height_mm) / 2
        assert max(beside, along) > -0.01


def test_cards_of_dragonix_have_the_colours_that_an_owner_tells():
    box = replace(find("dragonix").stand_in, colours=tuple(Colour)[:4])
    looks = {look.face: look for look in dragonix.table(box).looks}

    # The third people is orange, the fourth yellow; value 4 is shown as it is.
    assert looks["rock4"].colour == dragonix.PEOPLES[Colour.ORANGE]
    assert looks["krak4"].colour == dragonix.PEOPLES[Colour.YELLOW]
    assert (looks["rock6"].sign, looks["hero"].sign) == ("6", "H")
