"""The board itself is a page of buttons: cells, cards and rows, in all five games."""

import random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.dashboard import boards
from companion.dashboard.boards.tapping import Area, targets
from companion.dashboard.door.auth import Who
from companion.dashboard.view.view import View
from companion.dashboard.view.views import view_of
from companion.running.snapshot import Setup
from companion.table import Claim
from companion.words import Words
from tests.dashboard.fakes import FakeTable
from tests.dashboard.situations import SITUATIONS, game_of, random_move, reach
from tests.dashboard.test_drawings import IDS, snapshot, stories

FINGER = 44.0
"""Source: WCAG 2.2, 2.5.5 Target Size (Enhanced)."""

BY_BOARD = {
    "drachenhort": {"Advance", "MoveDragon"},
    "dragorun": {"MoveDragon", "Place", "Swap"},
    "dragon_run": {"Turn", "Roll"},
    "eight_dragons": {"Turn", "Take", "TurnBack", "Shift", "PlaceToken"},
    "dragonix": {"Play", "TurnUp", "Fly"},
}
"""What is made on the board itself; dice, hands and notes lie beside it."""


def offered_at(view: View, spot: str) -> set[str]:
    """Return the notations that the page's forms offer for a place of the board."""
    found = {o.move for o in view.moves if spot in o.spots.split()}
    for pick in view.picks:
        for at in pick.at or (None,):
            for what in pick.what:
                places = (pick.spots, at.spots if at else "", what.spots)
                words = (pick.verb, at and at.word, what.word, pick.tail)
                if spot in " ".join(places).split():
                    found.add(" ".join(filter(None, words)))
    return found


@pytest.mark.parametrize("game_id", IDS)
def test_whoever_taps_a_place_gets_each_move_that_concerns_it(game_id: str):
    game, told, legal = game_of(game_id), set(), set()
    for story in list(stories(game_id, game.seats[1], most=90))[::6]:
        state = story.state
        legal |= {type(move).__name__ for move in game.legal(state)}
        view = view_of(snapshot(story), Who(host=True), "en", strict=True)
        assert view.board is not None
        shown = {target.spot for target in view.board.targets}
        for spot in shown:
            offered = offered_at(view, spot)
            assert offered
            for notation in offered:
                move = game.parse(state, notation)
                assert spot in boards.spots(game, state, move).split()
                told.add(type(move).__name__)
        # And nothing that concerns a place is left without it.
        for offer in view.moves:
            assert set(offer.spots.split()) <= shown

    assert BY_BOARD[game_id] & legal <= told


@pytest.mark.parametrize("game_id", IDS)
def test_a_place_is_as_large_as_a_finger_and_says_what_it_is(game_id: str):
    for nth, story in enumerate(stories(game_id, game_of(game_id).seats[-1], most=60)):
        if nth % 12:
            continue
        board = view_of(snapshot(story), Who(host=True), "fr", strict=True).board
        assert board is not None
        for target in board.targets:
            assert min(target.width, target.height) >= FINGER
            assert 0 <= target.x <= target.x + target.width <= board.width
            assert len(target.name) > 3


def test_a_place_with_one_move_says_it_and_one_with_more_how_many():
    areas = {"a": Area("Space 1", 30, 30), "b": Area("Space 2", 80, 30)}
    moves = [("first", ("a", "b")), ("second", ("b",))]

    found = targets(moves, areas, str.title, Words("en"))

    assert [target.name for target in found] == ["Space 1: First", "Space 2: 2 moves"]


def test_who_only_watches_can_tap_nothing():
    story = next(stories("eight_dragons", 2))

    board = view_of(snapshot(story), Who(), "fr", strict=True).board

    assert board is not None
    assert board.targets == ()


# --- in a browser --------------------------------------------------------------------


def begin(table: FakeTable, game: str, *moves: str) -> None:
    table.open_game(Setup(game, ("Ana", "Bo")))
    for move in moves:
        seq = table.snapshot.story.seq
        table.act(Claim(move, None, seq, f"{move} {seq}"))


def newest(table: FakeTable) -> str:
    story = table.snapshot.story
    step = story.steps[-1]
    return story.game.notate(step.before, step.made.move)


def spot(page: Page, name: str) -> Locator:
    return page.locator(f'.tap[data-spot="{name}"]')


def until(page: Page, seq: int) -> None:
    wanted = "seq => Number(document.querySelector('main').dataset.seq) >= seq"
    page.wait_for_function(wanted, arg=seq)


browser = [pytest.mark.browser, pytest.mark.slow]


class TestInABrowser:
    pytestmark = browser

    @pytest.mark.parametrize("first", ["cell-0", "cell-3"])
    def test_which_figure_then_where_or_where_then_which(
        self, first: str, phone, game: FakeTable
    ):
        begin(game, "drachenhort", "throw 3")
        page = phone().sit(0, "game-2")
        second = {"cell-0": "cell-3", "cell-3": "cell-0"}[first]

        spot(page, first).click()
        expect(page.locator("#chooser button")).to_have_count(7)
        expect(spot(page, first)).to_have_attribute("aria-pressed", "true")
        spot(page, second).click()
        page.locator("#chooser button", has_text="Vert").click()

        until(page, 2)
        assert newest(game) == "advance green"
        expect(page.locator("#chooser")).to_be_hidden()

    def test_a_place_with_one_move_makes_it(self, phone, game: FakeTable):
        begin(game, "drachenhort", "throw 3", "advance green", "throw 2")
        page = phone().sit(1, "game-2")

        spot(page, "cell-3").click()

        until(page, 4)
        assert newest(game) == "advance green"

    def test_a_card_is_turned_and_named_on_the_board(self, phone, game: FakeTable):
        begin(game, "eight_dragons")
        page = phone().sit(0, "game-2")

        spot(page, "c4").click()
        page.locator('#chooser [name="what"][value="red_head"]').click()

        until(page, 1)
        assert newest(game) == "turn c4 red_head"

    def test_a_key_does_what_a_finger_does_and_escape_leaves(
        self, phone, game: FakeTable
    ):
        begin(game, "eight_dragons")
        page = phone().sit(0, "game-2")

        spot(page, "c4").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.closest('#chooser') !== null")
        page.keyboard.press("Escape")
        expect(page.locator("#chooser")).to_be_hidden()
        assert page.evaluate("document.activeElement.dataset.spot") == "c4"
        page.keyboard.press("Space")
        page.locator('#chooser [name="what"][value="c4"]').press("Enter")

        until(page, 1)
        assert newest(game) == "token c4"

    @pytest.mark.parametrize("order", [("a1", "c1"), ("c1", "a1")])
    def test_a_card_of_a_pair_goes_elsewhere_in_either_order(
        self, order: tuple[str, str], phone, game: FakeTable
    ):
        pair = ("turn c1 red_head", "turn d1 red_tail", "take c1", "take d1")
        again = ("turn a1 gold_head", "turn b1 gold_tail")
        begin(game, "eight_dragons", *pair, "end", "miss", *again)
        page = phone().sit(0, "game-2")

        for name in order:
            spot(page, name).click()
        if page.locator("#chooser button").count():
            page.locator("#chooser button").first.click()

        until(page, 9)
        assert newest(game) == "shift a1 c1"

    def test_a_card_of_dragon_run_comes_off_the_pile(self, phone, game: FakeTable):
        table = reach(next(s for s in SITUATIONS if s.game == "dragon_run"))
        game.show(story=table.snapshot.story)
        seat = game.snapshot.story.state.seat
        page = phone().sit(seat)
        before = game.snapshot.story.seq

        spot(page, "pile").click()
        page.locator("#chooser button").first.click()

        until(page, before + 1)
        assert newest(game).startswith("turn ")

    def test_places_are_as_large_as_a_finger_on_a_phone(self, phone, game: FakeTable):
        one, rng = phone(), random.Random(3)
        one.host()
        for game_id in IDS:
            # Else the page turns by itself as soon as another game begins.
            one.page.goto("about:blank")
            begin(game, game_id)
            sizes: list[Any] = []
            while not sizes:
                story = game.snapshot.story
                move = random_move(rng, story.game, story.state)
                notation = story.game.notate(story.state, move)
                game.act(Claim(notation, None, story.seq, f"{game_id} {story.seq}"))
                if view_of(game.snapshot, Who(host=True), "fr").board.targets:
                    boxes = "all => all.map(one => one.getBoundingClientRect())"
                    rects = one.open("/").locator(".tap rect")
                    sizes = rects.evaluate_all(boxes)
            for box in sizes:
                assert min(box["width"], box["height"]) >= FINGER, (game_id, box)
