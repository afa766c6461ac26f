"""Traced tables have room for all that the rules lay on them."""

import numpy as np
import pytest

from companion.games import find
from companion.kits.spaces import standing_places
from companion.table import TRAY
from tests.realtable.acts import play
from tests.realtable.camera import camera_over, decoded, develop, expose, knocked
from tests.realtable.dice import ten_sided
from tests.realtable.evening import Evening, Judged, act_table
from tests.realtable.film import taps
from tests.realtable.games import TABLES, traced_table
from tests.realtable.lamps import LIGHTS, shadow_points
from tests.realtable.stage import merged
from vision.tabletop.plan import DICE

SIZE = (1080, 1920)


@pytest.fixture(scope="module", params=sorted(TABLES))
def table(request):
    return traced_table(request.param)


@pytest.mark.slow
def test_each_act_of_a_game_finds_its_place_on_the_table(table):
    acts = list(play(table, ("Ana", "Bo", "Cy"), 3, 40))

    # A game of 8 Dragons may be over after 36.
    assert len(acts) > 30
    for act, story in acts[1:]:
        assert not act.seen or act.stages
        lying = act.stages[-1].lying if act.stages else None
        if lying is not None:
            dice = {t.piece for t in table.plan.things if t.shape in DICE}
            there = sorted(one.piece for one in lying if one.piece not in dice)
            wanted = [
                piece
                for piece, _, place in story.game.layout(story.state)
                if place != TRAY
            ]
            assert there == sorted(wanted)


@pytest.mark.slow
def test_every_piece_and_face_has_a_shape_on_the_table(table):
    for look in table.plan.looks:
        solid = table.solid(look.piece, look.face)
        low, high = solid.mesh.points.min(axis=0), solid.mesh.points.max(axis=0)
        assert low[2] > -1.0
        assert 0.2 < high[2] < 60.0
        assert len(solid.mesh.points) == len(solid.mesh.normals)
        assert solid.mesh.triangles.max() < len(solid.mesh.points)


@pytest.mark.slow
def test_all_standing_places_can_be_tapped_in_the_picture(table):
    pose = camera_over(table.view_mm, 1)
    told = taps(table, pose, SIZE)

    box = find(table.game).stand_in
    assert {*standing_places(table.game, box)} <= set(told["spaces"])
    for x, y in (*told["corners"], *told["spaces"].values(), *(told["tray"] or ())):
        assert 0 < x < 1
        assert 0 < y < 1
    # From left to right 711 mm are seen of the larger tables.
    assert told["mm"][0] == pytest.approx(1 / table.view_mm)
    assert 2.6 < told["mm"][0] * SIZE[1] < 3.0


def test_a_knock_moves_the_view_by_no_more_than_three_percent_and_three_degrees():
    pose = camera_over(711.0, 4)
    for seed in range(20):
        after = knocked(pose, seed)
        middle = after.project(np.array([pose.target]), SIZE)[0]
        gone = np.abs(middle - (960, 540)) / 1920
        assert 0 < gone.max() < 0.032
        assert 0.5 < abs(after.roll_deg - pose.roll_deg) <= 3


def test_a_point_to_the_right_and_away_is_to_the_right_and_up():
    pose = camera_over(711.0, 1, tilt_deg=0.6)
    at, right, away = pose.project(
        np.array([(0, 0, 0), (100, 0, 0), (0, 100, 0)], float), SIZE
    )

    # 2.7 px a millimetre, less than a degree of turn.
    assert right[0] - at[0] == pytest.approx(270, abs=4)
    assert at[1] - away[1] == pytest.approx(270, abs=4)


def test_a_shadow_lies_away_from_its_lamp():
    lamp = LIGHTS["evening"].lamps[0]
    points = np.array(shadow_points(lamp, [(0.0, 0.0, 25.0)]))

    assert (points[:, 1] < 0).all()
    assert np.hypot(*points[:, :2].T).max() < 40


def test_windows_that_overlap_are_traced_as_one():
    assert merged([(0, 0, 4, 4), (8, 8, 9, 9), (3, 3, 8, 8)]) == [
        (8, 8, 9, 9), (0, 0, 8, 8),
    ]  # fmt: skip
    assert merged([(0, 0, 4, 4), (3, 0, 9, 9), (8, 8, 12, 12)]) == [(0, 0, 12, 12)]


def test_a_warm_lamp_is_balanced_half():
    light = np.ones((90, 160, 3), np.float32) * (0.3, 0.2, 0.1)

    picture = decoded(develop(light, expose(light), 1))

    blue, green, red = picture.reshape(-1, 3).mean(axis=0)
    assert red > green > blue
    # Of light three to one a balance by half leaves the root of it, as shown 2.2 less.
    assert red / blue == pytest.approx(3 ** (0.5 / 2.2), rel=0.05)


def test_what_became_of_acts_is_told_by_kind():
    judged = (
        Judged(1, "throw", "throw 3", "right"),
        Judged(2, "throw", "throw 4", "asked"),
        Judged(3, "advance", "advance red", "wrong", ("advance blue",)),
    )
    told = act_table(
        [Evening("drachenhort", "lamp", judged, 0, (), 0, ("die",), 18, 75)]
    )

    assert told.splitlines()[2:] == [
        "| drachenhort, lamp | advance | 0 | 0 | 0 | 1 |",
        "| drachenhort, lamp | throw | 1 | 1 | 0 | 0 |",
        "| drachenhort, lamp | all | 1 | 1 | 0 | 1 |",
    ]


def test_a_die_of_ten_shows_one_kite_on_top():
    for face in range(10):
        die = ten_sided(face, 24.0)
        tops = die.points[4 * face : 4 * face + 4, 2]
        assert np.ptp(tops) < 1e-6
        assert die.points[:, 2].min() == pytest.approx(0)
        assert tops[0] == pytest.approx(die.points[:, 2].max())
        assert die.normals[4 * face] == pytest.approx((0, 0, 1))
