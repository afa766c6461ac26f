"""One evening with several games, in a real browser, as a family has it."""

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.fakes import FakeTable
from tests.dashboard.test_browser import throw

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def chairs(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator(".chairs input[name=name]").all()]


def test_the_second_game_of_the_evening_needs_no_code_and_no_name(
    phone, game: FakeTable
):
    """Four taps: put away, sure, the other game, begin."""
    host, ana, bo = phone(), phone().sit(0), phone().sit(1)
    host.host()
    cy = phone().open()
    cy.get_by_role("button", name="Cy").click()
    expect(cy.locator(".who")).to_contain_text("Cy")

    page = host.open("/host")
    page.locator("summary", has_text="Ranger la partie").click()
    page.get_by_text("Oui, ranger cette partie", exact=True).click()
    page.get_by_role("button", name="Dragonix", exact=True).click()
    assert chairs(page) == ["Ana", "Bo", "Cy", ""]
    page.locator("button.start").click()

    expect(page.locator("h1").first).not_to_contain_text("Chacun prend sa place")
    assert game.snapshot.story.header.game == "dragonix"
    for one, name in ((ana, "Ana"), (bo, "Bo"), (cy, "Cy")):
        expect(one.locator(".home")).to_contain_text("Dragonix")
        expect(one.locator(".who")).to_contain_text(name)


def test_what_was_typed_stays_while_one_looks_at_other_games(phone, game: FakeTable):
    game.leave()
    page = phone().host()
    page.locator("#name-0").fill("Zoé")
    page.locator("#name-3").fill("Élo")
    page.locator("label.first").nth(3).click()

    page.get_by_role("button", name="8 Dragons").click()
    expect(page.locator("button.start")).to_contain_text("8 Dragons")
    page.get_by_role("button", name="Drachenhort", exact=True).click()

    expect(page.locator("button.start")).to_contain_text("Drachenhort")
    assert chairs(page)[:5] == ["Zoé", "Bo", "Cy", "Élo", ""]
    expect(page.locator("input[name=first]").nth(3)).to_be_checked()


def test_enter_begins_the_game_and_changes_no_other_choice(phone, game: FakeTable):
    game.leave()
    page = phone().host()

    page.locator("#name-1").press("Enter")

    expect(page.locator("h1").first).to_contain_text("Chacun prend sa place")
    assert game.snapshot.story.header.game == "drachenhort"


def test_a_watcher_sits_down_by_name_and_plays(phone, game: FakeTable):
    first, second = phone().open(), phone().open()
    expect(second.get_by_role("button", name="Ana")).to_be_visible()

    first.get_by_role("button", name="Ana").click()

    expect(throw(first, 3)).to_be_visible()
    # Whoever watches on is not offered that seat any more.
    expect(second.get_by_role("button", name="Ana")).to_have_count(0)
    expect(second.get_by_role("button", name="Bo")).to_be_visible()
