"""The scenes of the second renderer are told right; to trace them takes its package."""

import numpy as np
import pytest

from vision.measure.bench import traced_sets
from vision.measure.bench.traced import (
    DICE,
    GROUNDS,
    TracedDie,
    TracedPosition,
    TracedScene,
    rounded_cube,
)
from vision.measure.bench.traced_sets import (
    LOOKS,
    card_scene,
    dice_scene,
    project_box,
    traced_rows,
    true_dice_of,
)


def above(*dice: TracedDie) -> TracedScene:
    """Return dice under a camera that hangs 400 mm above the middle of the table."""
    return TracedScene(dice, (), GROUNDS[0], (0.0, 0.0, 400.0), (100.0, 0.0, 400.0), 1)


def test_a_die_in_the_middle_lies_in_the_middle_of_the_picture():
    scene = above(TracedDie(TracedPosition(0, 0, 30), 4, DICE[0]))

    (die,) = true_dice_of(scene)

    # The picture is 1280 px for 38 degrees: 640 / tan(19) = 1859 px focal length. The
    # top lies 384 mm below the camera: 24 mm are 1859 * 24 / 384 = 116 px.
    assert die.face == 4
    assert die.box is not None
    left, top, right, bottom = die.box
    assert (left + right) / 2 == pytest.approx(0.5, abs=1e-3)
    assert (top + bottom) / 2 == pytest.approx(0.5, abs=1e-3)
    assert (right - left) * 1280 == pytest.approx(116, abs=1.5)


def test_what_lies_to_the_right_and_away_is_right_and_up_in_the_picture():
    left, top, right, bottom = project_box(
        above(), TracedPosition(50, 30, 0), 0.0, 10.0
    )

    # 1859 / 400 = 4.65 px a millimetre.
    assert (left + right) / 2 == pytest.approx(640 + 50 * 4.65, abs=1)
    assert (top + bottom) / 2 == pytest.approx(360 - 30 * 4.65, abs=1)


def test_scenes_are_alike_for_the_same_seed_and_dice_lie_apart():
    scene = dice_scene(5)

    assert scene == dice_scene(5)
    places = np.array([die.at[:2] for die in scene.dice])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert gaps[~np.eye(6, dtype=bool)].min() >= 26.0


def test_cards_of_a_scene_stay_in_the_picture():
    scene = card_scene(3, LOOKS[::2])

    assert len(scene.cards) == 6
    for card in scene.cards:
        left, top, right, bottom = project_box(scene, card.at, 0.0, card.height_mm)
        assert left >= 0
        assert top >= 0
        assert right <= 1280
        assert bottom <= 720


def test_a_rounded_cube_looks_outwards_and_keeps_its_width():
    points, normals, prints, triangles = rounded_cube(0.2)

    assert np.abs(points).max() == pytest.approx(0.5)
    assert ((points * normals).sum(1) > 0).all()
    assert prints.min() >= 0
    assert prints.max() <= 1
    a, b, c = (points[triangles[:, k].astype(int)] for k in range(3))
    outwards = (np.cross(b - a, c - a) * (a + b + c)).sum(1)
    assert (outwards[np.abs(outwards) > 1e-9] > 0).all()


def test_without_the_renderer_there_are_no_lines(monkeypatch):
    monkeypatch.setattr(traced_sets, "mitsuba", lambda: None)

    assert list(traced_rows(3)) == []
