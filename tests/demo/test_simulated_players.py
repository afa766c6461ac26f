"""What people at the drawn table choose to do, and what hands show of it."""

import os
import random
import subprocess
import sys
from collections import Counter

import pytest

from companion.demo.hands import layout_after_move, press, slip
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import DRAWN_GAMES
from companion.games import GAMES, find
from companion.referee.changes import changes_between, explanations, under_way
from companion.running.snapshot import CameraStatus, Snapshot
from companion.story.log import Header, Made, begin, extend
from tests.games.dragon_run import tables as dragon_run
from tests.games.dragonix import tables as dragonix
from vision.tabletop.plan import CARD, FIGURE


def story_of(name, players=("Ana", "Bo")):
    game = find(name)
    return begin(game, Header(name, players, game.stand_in), at=0.0)


def actors(seed=1):
    return SimulatedPlayers(None, None, lambda state: "", (), seed)


def played_on(story, acts, seed=1):
    """Return the story after people have done what they choose."""
    people = actors(seed)
    for _ in range(acts):
        if story.game.outcome(story.state) is not None:
            break
        story = extend(story, Made(people.chooses(story), "test"), at=0.0)
    return story


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_people_find_something_to_do_until_the_game_is_over(game):
    players = tuple(["Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"][: game.seats[-1]])
    story = played_on(story_of(game.id, players), 1500)

    assert game.outcome(story.state) is not None


ACTS_AND_THROWS = """
from companion.demo.tables import DRAWN_GAMES
from tests.demo.test_simulated_players import actors, played_on, story_of
for one in DRAWN_GAMES:
    people, story = actors(7), played_on(story_of(one.game), 40, 7)
    for step in story.steps:
        print(story.game.notate(step.before, step.made.move))
        seen = story.game.evidence(step.before, step.made.move)
        print(list(people.thrown_faces(seen)))
"""


@pytest.mark.slow
def test_a_seed_plays_the_same_game_in_every_process():
    """Sets have another order in each; dice were laid in it, and so lay elsewhere."""
    told = [
        subprocess.run(
            [sys.executable, "-c", ACTS_AND_THROWS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert told[0].count(b"colour") > 5
    assert told[0] == told[1]


def test_people_do_not_only_rush_in_dragon_run():
    """Turning a card is but one of three acts, and there are powers and potions."""
    story = played_on(story_of("dragon_run", ("Ana", "Bo", "Cy")), 120)

    done = {type(step.made.move).__name__ for step in story.steps}
    assert {"Turn", "Sneak", "Cry", "UsePower", "Roll"} <= done


def test_people_remember_cards_of_8_dragons_and_lay_whole_dragons():
    """They draw from others, and hand back what their hands have no room for."""
    done = set()
    for seed in range(4):
        story = played_on(story_of("eight_dragons"), 150, seed)
        done |= {type(step.made.move).__name__ for step in story.steps}

    assert {"Lay", "Take", "TurnBack", "Draw", "Return", "PlaceToken"} <= done


def lying(game, state, text, place):
    """Return what lies at a place once hands have made a move given in notation."""
    layout = layout_after_move(game, state, game.parse(state, text))
    return {(piece, face) for piece, face, where in layout if where == place}


def test_the_dragon_card_lies_open_before_it_is_shuffled_in():
    game, state = find("dragon_run"), dragon_run.scene(turned="room crypt")

    assert lying(game, state, "turn dragon", "path/3") == {("place", "dragon")}
    # The dragon breathes only when everybody has seen the card (rulebook l. 113-117).
    assert lying(game, state, "turn dragon", "anger/6") == {("dragon", None)}


def test_who_counters_a_potion_lays_the_card_down_before_it_is_discarded():
    game = find("dragon_run")
    state = dragon_run.play(dragon_run.scene(noted={0: "light"}), "play light")

    assert lying(game, state, "annul 2", "front/2/1") == {("treasure", "annulment")}
    assert lying(game, state, "annul 2", "discard/1") == {("treasure", "light")}


def test_a_character_that_heals_by_its_power_is_tilted_first_and_turned_over_then():
    game = find("dragon_run")
    state = dragon_run.scene(heroes="cleric elf warrior", wounded=(0,))

    tilted = {("character", "cleric/wounded/across")}
    assert lying(game, state, "power", "seat/0") == tilted


def test_what_follows_is_done_at_once_where_the_proof_stays():
    game = find("dragon_run")
    state = dragon_run.scene(turned="room room room room room chest", phase="roll",
                             need=1, paid=1, discard="gold-1")  # fmt: skip

    # Seven is more than the four cards that are left: the pile is shuffled (l. 82-86).
    assert lying(game, state, "roll 7", "path/1") == set()
    assert lying(game, state, "roll 7", "anger/5") == {("dragon", None)}


def test_the_sixth_card_lies_in_its_row_before_all_go_into_the_box():
    game, five = find("dragonix"), "sun1 forest2 sun3 rock5 krak7"
    state = dragonix.scene(hands=("sun9", "?"), I=five, red="II")

    row = lying(game, state, "play sun9 I", "army/1")

    assert row == {("card", name) for name in (*five.split(), "sun9")}
    after, _ = game.apply(state, game.parse(state, "play sun9 I"))
    assert not [place for _, _, place in game.layout(after) if place == "army/1"]


@pytest.mark.parametrize("stand_in", DRAWN_GAMES, ids=lambda one: one.game)
def test_a_slip_is_no_move_and_no_part_of_one(stand_in):
    story = played_on(story_of(stand_in.game), 9)
    game, state = story.game, story.state
    plan = stand_in.table(game.stand_in)
    lies = game.layout(state)
    movable = {
        piece: tuple(spot.place for spot in plan.spots_of(piece))
        for piece, _, _ in lies
        if plan.thing(piece).shape in (CARD, FIGURE)
    }

    for seed in range(5):
        wrong = slip(story, lies, movable, random.Random(seed))

        assert wrong is not None
        changes = changes_between(lies, wrong)
        assert changes
        assert not explanations(game, state, changes)
        assert not under_way(game, state, changes)
        for (piece, place), count in Counter((p, at) for p, _, at in wrong).items():
            assert count <= len(plan.spots_of(piece, place))


class BusyTable:
    """A table that hears of its camera before each press, as on a busy computer."""

    def __init__(self, *shown):
        self.shown, self.pressed = list(shown), []

    def press(self, button, seat):
        self.pressed.append(button)

    def wait(self, version, timeout_s):
        return self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]


def test_a_press_has_been_answered_only_by_what_it_changes():
    before = Snapshot(version=1, cursor=0)
    camera = Snapshot(version=2, cursor=0, camera=CameraStatus("files"))
    answer = Snapshot(version=3, cursor=1)
    table = BusyTable(camera, answer)

    assert press(table, "next", before, 30.0) == answer
    assert table.pressed == ["next"]


def test_a_press_that_nobody_answers_is_waited_for_no_longer():
    before = Snapshot(version=1, cursor=0)

    assert press(BusyTable(before), "next", before, 30.0) == before
