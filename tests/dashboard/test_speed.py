"""A slow phone sees the page within a second."""

import pytest
from playwright.sync_api import Page

from tests.dashboard.fakes import FakeTable
from tests.dashboard.situations import SITUATIONS, Situation, reach

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLOWER = 4
"""How much slower than this machine a phone's processor is."""

TRIES = 3


@pytest.fixture(params=SITUATIONS, ids=lambda situation: situation.game)
def game(request) -> FakeTable:
    situation: Situation = request.param
    return reach(situation)


def test_the_first_paint_of_a_seat_comes_within_a_second(
    phone, game: FakeTable, record_property
):
    one = phone()
    one.sit(game.snapshot.story.state.seat)
    one.page.context.new_cdp_session(one.page).send(
        "Emulation.setCPUThrottlingRate", {"rate": SLOWER}
    )

    # The best of some tries: the machine that runs the tests may be busy itself.
    best_ms = min(first_paint_ms(one.page, one.at) for _ in range(TRIES))

    record_property("figures", f"first paint {best_ms:.0f} ms at 1/{SLOWER} speed")
    assert best_ms < 1_000


def first_paint_ms(page: Page, at: str) -> float:
    page.goto(at)
    page.wait_for_function(
        "() => performance.getEntriesByName('first-contentful-paint')[0]"
    )
    return page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
