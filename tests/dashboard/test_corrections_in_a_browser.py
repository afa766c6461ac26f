"""Every kind of correction from a phone's page, in a real browser."""

import pytest
from playwright.sync_api import expect

from companion.story.log import PUT_BACK, Asked, Made, Noted
from companion.table import Claim, Glimpse, LinePart, Moved, Reading, Shown
from tests.dashboard.fakes import FakeTable

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNEXPECTED = LinePart("core.ask.table_unexpected")
GREEN = Moved("green", "start", "cell/5/dark")
RED = Moved("red", "start", "cell/7/dark")


def read(game: FakeTable, text: str) -> None:
    """Let the eye see a move."""
    story = game.snapshot.story
    game.tell(Made(story.game.parse(story.state, text), "camera", confidence=0.97))


def ask(game: FakeTable, *sights) -> None:
    glimpses = tuple(Glimpse(sight, 0.99) for sight in sights)
    game.tell(Asked(Reading(glimpses, whole=True), UNEXPECTED, ()))


def test_a_wrong_die_is_put_right_by_one_tap(phone, game: FakeTable):
    page = phone().sit(0)
    read(game, "throw 3")

    page.locator(".misread summary").click()
    page.locator('form[data-key="instead throw 4"] button').click()

    expect(page.locator("#turn .die.thrown")).to_have_attribute(
        "aria-label", "Le dé montre 4"
    )
    expect(page.locator(".misread")).to_have_count(0)
    assert game.snapshot.story.state.pips == 4


def test_a_move_is_taken_back(phone, game: FakeTable):
    page = phone().sit(0)
    read(game, "throw 3")

    page.locator(".undo button").click()

    expect(page.locator("#history .undone")).to_have_count(1)
    assert game.snapshot.story.steps == ()


def test_an_earlier_move_is_amended_after_a_preview(phone, game: FakeTable):
    for number, text in enumerate(
        ("throw 1", "advance green", "throw 4", "advance red")
    ):
        game.act(Claim(text, None, number, f"made {number}"))
    page = phone().host()
    page.locator('#history [data-key="3"] summary').first.click()
    page.locator('a[href="/amend/3"]').click()
    page.locator("#move").select_option("throw 2")
    page.locator("form[method=get] button").click()
    # The four brought red to a jewel; a two would not have.
    bo = page.locator("tbody tr", has_text="Bo")
    expect(bo.locator("td")).to_have_text(["1", "0"])

    page.locator('form[action="/api/amend"] button').click()

    expect(page.locator("#turn")).to_contain_text("Cy")
    assert game.snapshot.story.steps[2].made.move.pips == 2


def test_the_table_is_right(phone, game: FakeTable):
    page = phone().sit(0)
    ask(game, GREEN)

    page.locator(".remedy summary").click()
    page.locator('form[data-key="adopt table"] button').click()

    expect(page.locator("#history")).to_contain_text("Ce qui est sur la table reste")
    assert game.snapshot.story.state.cells[0] == 5


def test_a_house_rule(phone, game: FakeTable):
    page = phone().sit(0)
    ask(game, GREEN)

    page.locator(".remedy summary").click()
    page.locator('form[data-key="adopt house"] button').click()

    expect(page.locator("#history")).to_contain_text("Règle maison")
    assert game.snapshot.story.state.cells[0] == 5


def test_an_unsure_reading_is_settled_by_one_tap(phone, game: FakeTable):
    page = phone().sit(0)
    glimpse = Glimpse(Shown("die", "3", "tray"), 0.5)
    why = LinePart("core.ask.unsure")
    game.tell(Asked(Reading((glimpse,)), why, ("throw 3", "throw 2")))

    page.locator("#turn .likely").click()

    expect(page.locator("#turn .die.thrown")).to_be_visible()
    assert game.snapshot.story.state.pips == 3


def test_pieces_are_put_back_one_by_one(phone, game: FakeTable):
    page = phone().sit(0)
    ask(game, GREEN, RED)
    lost = page.locator("#turn .astray li")
    expect(lost).to_have_count(2)
    expect(lost.first).to_contain_text(
        "Vert est sur la case 5, dans l’ombre ; sa place est au départ"
    )

    ask(game, RED)
    expect(lost).to_have_count(1)
    expect(lost).to_contain_text("Rouge")

    game.tell(Noted(PUT_BACK))
    expect(page.locator("#turn .question")).to_have_count(0)
    assert game.snapshot.story.steps == ()
