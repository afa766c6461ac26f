"""Figures glide to their new place, and nothing moves for whoever asks for that."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.running.snapshot import Setup
from companion.table import Claim
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import PLAYERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WATCH = """
window.ran = [];
document.addEventListener("transitionrun", e =>
    ran.push([e.propertyName, e.target.dataset.key ?? "", e.pseudoElement].join(" ")));
document.addEventListener("animationstart", e => ran.push(e.animationName));
"""


def make(table: FakeTable, text: str) -> None:
    seq = table.snapshot.story.seq
    table.act(Claim(text, None, seq, f"made {seq}"))


def watched(phone: Any, motion: str) -> Page:
    page = phone(reduced_motion=motion).open()
    page.evaluate(WATCH)
    return page


def test_a_figure_that_moved_glides_from_where_it_stood(phone, game: FakeTable):
    page = watched(phone, "no-preference")
    make(game, "throw 3")
    make(game, "advance green")

    page.wait_for_function("() => ran.length > 0")

    assert "transform pawn green " in page.evaluate("ran")


def test_a_card_that_is_turned_is_seen_to_arrive(phone, game: FakeTable):
    game.open_game(Setup("eight_dragons", PLAYERS))
    page = watched(phone, "no-preference")
    make(game, "turn a1 red_head")

    page.wait_for_function("() => ran.includes('arrive')")

    assert page.locator(".map .fresh").count() == 2  # the card, and the ring about it


def test_nothing_moves_for_whoever_asks_for_that(phone, game: FakeTable):
    page = watched(phone, "reduce")
    make(game, "throw 3")
    make(game, "advance green")
    expect(page.locator("#turn")).to_contain_text("Bo")
    page.locator("#board summary").click()
    expect(page.locator("#board .twin")).to_be_visible()

    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate("ran") == []
