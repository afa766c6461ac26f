"""What the drawings of the three card games are asked for at the table."""

from typing import Any

from msgspec.structs import replace

from companion.dashboard.boards.dragon_run.draw import Dungeon
from companion.dashboard.boards.dragonix.draw import Armies
from companion.dashboard.boards.eight_dragons.draw import Rectangle
from companion.dashboard.door.auth import Who
from companion.dashboard.view.views import look
from companion.games.dragon_run.pieces import Health
from companion.games.dragon_run.state import Phase
from companion.games.dragonix.pieces import HERO
from companion.games.dragonix.state import Phase as Moment
from companion.games.dragonix.state import Stack
from companion.games.eight_dragons.pieces import HAND_LIMIT, Card
from companion.games.eight_dragons.state import Phase as Step
from companion.games.hidden import (
    Hidden,
)
from companion.story.log import Edited, Story, begin, extend
from companion.story.log import Header as Head
from tests.dashboard.fakes import NOON
from tests.dashboard.situations import game_of
from tests.dashboard.test_drawings import snapshot

NAMES = ("Ana", "Bo", "Cy")
WATCHER = Who()


def begun(game_id: str, **changes: Any) -> Story:
    """Return a game of three in a state that differs from its start in *changes*."""
    game = game_of(game_id)
    story = begin(game, Head(game.id, NAMES, game.stand_in), NOON)
    edited = Edited(replace(story.state, **changes), "test")
    return extend(story, edited, NOON)


def drawn(story: Story, who: Who = WATCHER) -> Any:
    return look(snapshot(story), who, "en", strict=True).board


class TestDragonRun:
    def test_the_odds_grow_as_places_are_turned(self):
        # Six cards are left, so that the die has to show 7, 8 or 9.
        story = begun("dragon_run", pile=(5, 1, 0, 0, 0, 0), turned=(2, 3, 4, 5))

        board = drawn(story)

        assert isinstance(board, Dungeon)
        assert board.left == 6
        assert [face.pips for face in board.faces if face.good] == [7, 8, 9]
        assert board.odds_text == "Stealth: 7 or more succeeds, 30 %"
        assert board.last is not None
        assert board.last.name == "Dragon"
        assert len(board.older) == 3

    def test_wounds_powers_and_ashes(self):
        story = begun(
            "dragon_run",
            phase=Phase.ACT,
            heroes=(0, 1, 2),
            health=tuple(Health),
            tilted=(True, False, False),
        )

        thieves = drawn(story).thieves

        assert [thief.health for thief in thieves] == ["fit", "wounded", "out"]
        assert [thief.ready for thief in thieves] == [False, True, True]

    def test_a_sleeping_dragon_is_called_so(self):
        assert drawn(begun("dragon_run", anger=0)).dragon_text == "asleep"


class TestEightDragons:
    def test_a_card_that_was_turned_back_has_no_face(self):
        story = begun("eight_dragons")
        down = Hidden(Card.RED_HEAD, ())
        grid = (Card.RED_HEAD, *story.state.grid[1:])
        story = begun("eight_dragons", grid=grid, up=(0,))
        assert drawn(story).spots[0].icon is not None

        back = replace(story.state, grid=(down, *grid[1:]), up=())
        story = extend(story, Edited(back, "test"), NOON)

        board = drawn(story)
        assert isinstance(board, Rectangle)
        assert board.spots[0].kind == "down"
        assert board.spots[0].icon is None
        assert board.spots[0].changed
        assert not any("red" in line for line in board.twin)

    def test_spent_blocked_and_empty_places_differ(self):
        start = begun("eight_dragons").state.grid
        grid = (Card.DIAMOND, None, *start[2:])
        story = begun("eight_dragons", grid=grid, blocked=((2, 1),))

        spots = drawn(story).spots

        assert [spot.kind for spot in spots[:4]] == ["spent", "gone", "down", "down"]
        assert [spot.owner for spot in spots[:4]] == ["", "", "Bo", ""]

    def test_a_ghost_lies_where_a_card_may_be_put_back(self):
        start = begun("eight_dragons").state
        grid = (None, None, *start.grid[2:])
        too_many = tuple(Card)[: HAND_LIMIT + 1]
        hands = (too_many, *start.hands[1:])
        story = begun("eight_dragons", phase=Step.AFTER, grid=grid, hands=hands)

        goals = [
            n for n, spot in enumerate(drawn(story, Who(seat=0)).spots) if spot.goal
        ]

        assert goals == [0, 1]
        assert not any(spot.goal for spot in drawn(story).spots)

    def test_the_short_game_has_six_columns(self):
        game = game_of("eight_dragons")
        option = next(r.id for r in game.rulings if "short" in r.choices)
        head = Head(game.id, NAMES, game.stand_in, ((option, "short"),))

        board = drawn(begin(game, head, NOON))

        assert len(board.columns) == 6
        assert len(board.spots) == 36


class TestDragonix:
    def test_cards_stand_in_order_and_count_to_six(self):
        row = Stack((0, HERO, 14), (1, 2, 3))
        rows = (row, *begun("dragonix").state.rows[1:])

        board = drawn(begun("dragonix", rows=rows))

        assert isinstance(board, Armies)
        line = board.rows[0]
        assert line.count == "3/6"
        icons = [place.icon for place in line.places if place.icon]
        assert [icon.text for icon in icons] == ["1", "2", "3"]
        assert [icon.mark for icon in icons] == ["forest", "hero", "sun"]
        assert "Army I, 3 cards of 6: Druids 1, Hero (2), Tribes 3." in board.twin

    def test_a_ghost_lies_where_a_card_may_be_laid(self):
        start = begun("dragonix").state
        six_of_druids = replace(start.sides[0], hand=1, shown=(5,))
        rows = (Stack((0,), (1,)), Stack((11,), (12,)), *start.rows[2:])
        story = begun(
            "dragonix",
            phase=Moment.PLAY,
            rows=rows,
            red=2,
            sides=(six_of_druids, *start.sides[1:]),
        )

        lines = drawn(story, Who(seat=0)).rows

        goals = [[n for n, p in enumerate(line.places) if p.goal] for line in lines]
        # I rises and II falls, III is shut by the dragon, IV and the tower are empty.
        assert goals == [[1], [1], [], [0], [0]]

    def test_dragons_shut_their_army_and_tokens_say_till_when(self):
        board = drawn(
            begun("dragonix", red=1, undead=3, undead_by=2, prison_by=0, red_off=True)
        )

        assert [row.shut for row in board.rows] == [False, False, False, True, True]
        assert [dragon.asleep for dragon in board.dragons] == [True, False]
        assert [text for _, text in board.timers] == [
            "Undead dragon: token goes when Cy’s turn begins.",
            "Tower closed: token goes when Ana’s turn begins.",
        ]
