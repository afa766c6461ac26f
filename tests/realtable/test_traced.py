"""What is traced, and one evening at a traced table: needs ``--group traced``."""

import numpy as np
import pytest

from tests.realtable.acts import play
from tests.realtable.camera import camera_over
from tests.realtable.evening import spend
from tests.realtable.film import disturbed, film
from tests.realtable.games import traced_table
from tests.realtable.lamps import LIGHTS
from tests.realtable.stage import Stage, View
from vision.measure.bench.traced import mitsuba

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def mi():
    found = mitsuba()
    if found is None:
        # 230 MB that only measure: no installation brings it unasked.
        pytest.skip("mitsuba is missing: pip install --group traced")
    return found


@pytest.mark.parametrize("light", ["lamp", "window"])
def test_what_an_act_changes_is_all_that_has_to_be_traced_anew(mi, light):
    table = traced_table("drachenhort")
    size = (270, 480)
    stage, whole = (Stage(mi, table, size, (64, 8)) for _ in range(2))
    pose = camera_over(table.view_mm, 1)
    acts = [act for act, _ in play(table, ("Ana", "Bo"), 1, 8)]
    steps = [step for act in acts for step in act.stages]
    view = View(steps[0].ground, LIGHTS[light], pose)
    before = stage.picture(view, steps[0].lying)
    for step in steps[1:]:
        kept = stage.picture(view, step.lying)
    full = whole.picture(view, steps[-1].lying)

    far = np.abs(kept - full).mean(axis=2) / (0.02 + full.mean(axis=2))
    changed = np.abs(kept - before).max(axis=2) > 0
    assert changed.mean() < 0.2
    # Where nothing was traced anew the rest differs by the noise of rays alone.
    smooth = np.abs(_mean(kept - full)) / (0.02 + _mean(full))
    assert np.percentile(far, 99) < 0.5
    assert smooth.max() < 0.12
    assert stage.traced_px < 0.3 * len(steps) * size[0] * size[1]


def _mean(light):
    """Return light in squares of ten pixels."""
    high, wide = light.shape[0] // 10 * 10, light.shape[1] // 10 * 10
    squares = light[:high, :wide].mean(axis=2).reshape(high // 10, 10, wide // 10, 10)
    return squares.mean(axis=(1, 3))


def test_an_evening_of_drachenhort(mi, tmp_path, record_property):
    table = traced_table("drachenhort-pips")
    film(mi, table, disturbed(12, "lamp", 1), tmp_path / "film")

    evening = spend(tmp_path / "film", tmp_path, off_mm=3.0)

    counts = evening.counts()
    record_property("figures", ", ".join(f"{n} {what}" for what, n in counts.items()))
    assert sum(counts.values()) + evening.told == 12
    assert counts["wrong"] == 0
