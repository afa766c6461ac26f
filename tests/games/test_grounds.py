"""Whatever happens can be looked up: lines of the rulebook, and rulings."""

import sys
from typing import Any, get_args

import pytest

from companion.games import GAMES, find
from companion.games.core import (
    Grounds,
)
from companion.games.eight_dragons.events import DragonLaid
from companion.games.eight_dragons.pieces import Colour
from companion.games.hidden import (
    redact,
)
from tests.games import contract

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def table_of(game) -> dict[type, Grounds | None]:
    return sys.modules[game.grounds.__module__].GROUNDS


@each_game
class TestEveryGame:
    def test_every_kind_of_event_is_thought_of(self, game):
        assert set(table_of(game)) == set(get_args(game.event_type))

    def test_rulings_are_the_games_own_and_lines_are_in_its_book(self, game):
        known = {ruling.id for ruling in game.rulings}
        module = vars(sys.modules[game.grounds.__module__])

        found = [one for one in deep(list(module.values())) if one is not None]

        assert len(found) > 15
        for one in found:
            assert one.cite.rulebook == game.id
            assert 1 <= one.cite.first <= one.cite.last
            assert set(one.rulings) <= known

    def test_whoever_watches_could_say_the_same(self, game):
        """What rests on a secret would tell it."""
        for seats in (game.seats.start, game.seats.stop - 1):
            for step in contract.steps(game, contract.config(game, seats), seed=5):
                known = redact(step.before, None)
                for event in step.events:
                    told = game.grounds(step.before, event)
                    assert game.grounds(known, redact(event, None)) == told

    def test_most_rulings_are_told_by_something_that_happens(self, game):
        module = vars(sys.modules[game.grounds.__module__])

        told = {name for one in deep(list(module.values())) for name in one.rulings}

        # The rest is about the box, the set-up, and what is not allowed.
        assert len(told) >= 0.6 * len(game.rulings)


def deep(thing: Any) -> list[Grounds]:
    """Return all grounds in nested tables."""
    if isinstance(thing, Grounds):
        return [thing]
    if isinstance(thing, dict):
        return deep(list(thing.values()))
    if isinstance(thing, list):
        return [one for part in thing for one in deep(part)]
    return []


def told(game_id: str, seed: int, kind: str, until: int = 30) -> set[Any]:
    """Return what events of a kind rested on, in some games, with the state before."""
    game, found = find(game_id), set()
    for number in range(until):
        seats = game.seats[number % len(game.seats)]
        for step in contract.steps(game, contract.config(game, seats), seed + number):
            for event in step.events:
                if type(event).__name__ == kind:
                    found.add((step.before.phase, game.grounds(step.before, event)))
    return found


def lines(found: set[Any]) -> set[tuple[int, int]]:
    return {(one.cite.first, one.cite.last) for _, one in found}


class TestWhereItDepends:
    def test_a_dragons_way_rests_on_the_face_that_was_used(self):
        found = told("dragorun", 1, "DragonMoved")

        # +1 to +3; -1; the trophy; the snail; an egg; the egg with the snail.
        assert lines(found) == {
            (97, 97), (101, 101), (105, 105), (109, 109), (131, 131), (135, 135)
        }  # fmt: skip
        assert any("DG23" in one.rulings for _, one in found)  # after a joker

    def test_an_egg_rests_on_what_it_is(self):
        assert lines(told("dragorun", 1, "EggDrawn")) == {
            (125, 131), (135, 135), (139, 139)
        }  # fmt: skip

    def test_a_dragon_that_stays_rests_on_why(self):
        assert len(lines(told("dragorun", 1, "DragonStayed"))) >= 3

    def test_passing_rests_on_what_came_before_it(self):
        assert lines(told("dragon_run", 1, "Passed")) == {
            (124, 127), (89, 89), (97, 99)
        }  # fmt: skip

    def test_a_pair_rests_on_its_kind(self):
        assert lines(told("eight_dragons", 1, "PairTurned", 6)) == {(72, 72), (74, 74)}

    def test_the_end_of_eight_dragons_rests_on_its_reason(self):
        found = lines(told("eight_dragons", 1, "GameEnded", 6))

        assert found
        assert found <= {(124, 124), (122, 126), (126, 126)}

    def test_a_dragon_with_a_silver_part_rests_on_that_too(self):
        game = find("eight_dragons")
        start = game.setup(contract.config(game, 2))

        pure, mixed = (
            game.grounds(start, DragonLaid(0, Colour.RED, silver, 15))
            for silver in (False, True)
        )

        assert "ED15" not in pure.rulings
        assert "ED15" in mixed.rulings

    def test_a_card_on_the_tower_a_volunteer_and_a_flight_alone(self):
        assert lines(told("dragonix", 1, "Placed")) == {(44, 57), (47, 57)}
        assert lines(told("dragonix", 1, "HeroPlaced", 60)) == {(62, 64), (150, 150)}
        assert lines(told("dragonix", 1, "Flown")) == {(84, 84), (102, 102)}
