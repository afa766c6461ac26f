"""Whole games: the contract, invariants, symmetry, and odds that are known exactly."""

import math
import random
import string
from fractions import Fraction
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.core import Config
from companion.games.dragorun import GAME
from companion.games.dragorun.box import STAND_IN, Box
from companion.games.dragorun.events import Event
from companion.games.dragorun.pieces import STEPS, Colour, Step
from companion.games.dragorun.state import DECIDE, TURN, MoveDragon, Swap, seat_of
from companion.words import LANGUAGES, catalogue
from tests.games import contract
from tests.games.dragorun.playthroughs import OTHER
from tests.games.dragorun.tables import DRAGONS, scene


@pytest.mark.parametrize("options", [(), OTHER], ids=["defaults", "other options"])
def test_a_whole_game_keeps_the_contract(options):
    seats = 3
    steps = list(contract.steps(GAME, contract.config(GAME, seats, options), seed=7))
    pool = tuple(dict.fromkeys(move for step in steps for move in step.legal))

    for step in steps:
        contract.check_turn(GAME, step, seats)
        contract.check_chance(GAME, step)
        contract.check_notation(GAME, step)
        contract.check_layout(GAME, step)
    for step in [*steps[::23], steps[-1]]:
        contract.check_codec(GAME, step)
        contract.check_verdicts(GAME, step, pool)
        contract.check_apply(GAME, step, pool)
        contract.check_evidence(GAME, step)
        contract.check_secrets(GAME, step, seats, seed=1)
        contract.check_words(GAME, step, pool)
    contract.check_end(GAME, steps[-1].after, seats)


def test_every_line_has_the_same_values_in_every_language():
    def values(message):
        texts = message if isinstance(message, tuple) else (message,)
        return [
            {name for _, name, _, _ in string.Formatter().parse(text) if name} - {"n"}
            for text in texts
        ]

    spoken = {
        language: {
            message.id if isinstance(message.id, str) else message.id[0]: values(
                message.string
            )
            for message in catalogue(language)
            if message.id and "dragorun" in str(message.id)
        }
        for language in LANGUAGES
    }
    assert all(spoken[language] == spoken["fr"] for language in LANGUAGES)
    assert all(
        len({frozenset(v) for v in forms}) == 1 for forms in spoken["fr"].values()
    )


def test_no_line_is_without_use():
    package = Path(contract.__file__).parents[2] / "companion" / "games" / "dragorun"
    source = "".join(path.read_text() for path in package.glob("*.py"))
    lines = {
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue("en")
        if message.id
    }
    stems = {line for line in lines if line.startswith("dragorun.")}
    built = (
        "dragon.",
        "colour.",
        "egg.",
        "step.",
        "ruling.",
        "choice.",
        "no.waits_",
        "no.stays_",
        "event.",
        "end.",
        "do.decide",
        "do.again",
        "move.",
    )
    for line in stems:
        rest = line.removeprefix("dragorun.")
        word = rest.partition(".")[2]
        assert rest.startswith(built) or word in source, line


boxes = st.builds(
    lambda gaps, way: Box(tuple(accumulate(gaps)), sum(gaps) + way, STAND_IN.fifth),
    st.lists(st.integers(1, 3), min_size=5, max_size=5),
    st.integers(1, 12),
)
chosen = st.fixed_dictionaries(
    {rule.id: st.sampled_from(rule.choices) for rule in GAME.rulings if rule.choices}
).map(lambda choices: tuple(choices.items()))
draws = st.lists(st.integers(0, 10**6), min_size=1, max_size=200)
modest = settings(max_examples=60, deadline=None, derandomize=True)


def steps(config, picks):
    """Yield (before, move, after) of the game that *picks* choose."""
    state = GAME.setup(config)
    for pick in picks:
        moves = list(GAME.legal(state))
        if not moves:
            return
        move = moves[pick % len(moves)]
        after, _ = GAME.apply(state, move)
        yield state, move, after
        state = after


@modest
@given(boxes, st.integers(2, 5), chosen, draws)
def test_no_move_breaks_what_must_hold(box, seats, choices, picks):
    for before, move, after in steps(Config(seats, box, choices), picks):
        assert GAME.check(after) == ()
        assert bool(list(GAME.legal(after))) == (GAME.outcome(after) is None)
        if isinstance(move, MoveDragon) and before.step is not None:
            check_direction(before, DRAGONS.index(move.dragon), move.cell)
        if isinstance(move, Swap):
            rider = seat_of(before, DRAGONS.index(move.dragon))
            assert rider is None or not before.hidden[rider]


def check_direction(before, index, there):
    """No face ahead leads back, none back leads ahead, none moves a sole leader."""
    here = before.cells[index]
    if before.step in (Step.BACK, Step.SNAIL):
        assert there <= here
    else:
        assert there >= here
    alone = before.cells.count(here) == 1
    if before.step is Step.TROPHY and alone and here == max(before.cells):
        assert there == here


@modest
@given(st.integers(2, 5), st.integers(0, 4), chosen, draws)
def test_it_does_not_matter_who_sits_where(seats, turn, choices, picks):
    """A game is the same game with every seat moved on by some places."""
    turn %= seats
    mine = Config(seats, STAND_IN, choices)
    theirs = Config(seats, STAND_IN, choices, turn)
    # What is dealt and tied is listed by seat, so that equal picks are equal moves.
    pairs = zip(steps(mine, picks), steps(theirs, picks), strict=True)
    for (_, _, here), (_, _, there) in pairs:
        assert there.cells == here.cells
        assert there.seat == (here.seat + turn) % seats
        for rows in ("markers", "hidden", "eggs"):
            row = getattr(here, rows)
            assert getattr(there, rows) == row[seats - turn :] + row[: seats - turn]
        if here.phase is DECIDE:
            return  # the tied are offered in the order of their seats


def test_every_kind_of_event_is_in_a_playthrough():
    kinds = set()
    for path in contract.playthrough_paths(GAME):
        lines = path.read_text(encoding="utf-8").splitlines()
        head = dict(line.partition(" ")[::2] for line in lines[:4])
        options = tuple(tuple(pair.split("=")) for pair in head["options"].split())
        seats, first = int(head["seats"]), int(head["first"])
        state = GAME.setup(Config(seats, STAND_IN, options, first))
        for line in lines:
            if line.startswith("> "):
                state, events = GAME.apply(state, GAME.parse(state, line[2:]))
                kinds |= {type(event) for event in events}
        assert GAME.outcome(state) is not None

    # A tie for second place needs four dragons on the snail cell: too rare for chance.
    assert {kind.__name__ for kind in set(get_args(Event)) - kinds} <= {"RaceTied"}


FINISH = 4
"""The finish of a track so short that every position of it can be listed."""


def destination(cells, index, step):
    """Return where a face leads on the short track, in other words than the rules."""
    here = cells[index]
    free = [cell for cell in range(1, FINISH) if cell not in cells]
    match step:
        case Step.TROPHY:
            alone = cells.count(here) == 1
            return here if here == max(cells) and alone else max(cells) + 1
        case Step.SNAIL:
            return here if here == min(cells) else max(min(cells) - 1, 0)
        case Step.BACK:
            return max([cell for cell in free if cell < here], default=0)
        case _:
            ahead = [cell for cell in free if cell > here]
            n = int(step)
            return ahead[n - 1] if len(ahead) >= n else FINISH


@cache
def turns(cells, mine):
    """Return what one turn leads to, as ((cells, chance), ...): always one throw.

    The joker moves the player's own dragon, which is dragon *mine*.
    """
    odds = {}
    for index in (*range(5), mine):
        for step in STEPS:
            cell = destination(cells, index, step)
            after = (*cells[:index], cell, *cells[index + 1 :])
            odds[after] = odds.get(after, 0) + 1 / 36
    return tuple(odds.items())


def exact_chances(start):
    """Return the chance that red, then that green is first, by value iteration."""
    places = {start}
    queue = [start]
    while queue:
        cells = queue.pop()
        for mine in (0, 1):
            for after, _ in turns(cells, mine):
                if FINISH not in after and after not in places:
                    places.add(after)
                    queue.append(after)
    found = []
    for dragon in (0, 1):
        value = {(cells, seat): 0.0 for cells in places for seat in (0, 1)}
        change = 1.0
        while change > 1e-9:
            change = 0.0
            for cells, seat in value:
                new = sum(
                    part
                    * (
                        float(after[dragon] == FINISH)
                        if FINISH in after
                        else value[after, 1 - seat]
                    )
                    for after, part in turns(cells, seat)
                )
                change = max(change, abs(new - value[cells, seat]))
                value[cells, seat] = new
        found.append(value[start, 0])
    return found


@pytest.mark.slow
def test_a_short_race_is_won_as_often_as_it_should():
    start = scene((0,) * 5, finish=6)
    box = replace(start.setting.box, finish=FINISH)
    start = replace(start, setting=replace(start.setting, box=box))
    dice, games, first = random.Random(20_180_101), 4_000, [0, 0]
    for _ in range(games):
        state = start
        while True:
            colour, step = dice.choice([*DRAGONS, "white"]), dice.choice(STEPS)
            state, _ = GAME.apply(state, GAME.parse(state, f"throw {colour} {step}"))
            own = DRAGONS[state.markers[state.seat]]
            name = own if colour == "white" else colour
            (move,) = (
                move
                for move in GAME.legal(state)
                if isinstance(move, MoveDragon) and move.dragon == name
            )
            state, _ = GAME.apply(state, move)
            if state.phase is not TURN:
                break
        for dragon in (0, 1):
            first[dragon] += state.cells[dragon] == FINISH

    for wins, chance in zip(first, exact_chances(start.cells), strict=True):
        sigma = math.sqrt(chance * (1 - chance) / games)
        assert abs(wins / games - chance) < 4 * sigma


def test_the_odds_of_a_throw_are_even():
    state = scene((8, 6, 5, 4, 3), riders=" ".join(DRAGONS), hidden={1, 2, 3, 4})
    odds = GAME.chance(state)

    assert {part for _, part in odds} == {Fraction(1, 36)}
    assert {move.colour for move, _ in odds} == {*map(Colour, DRAGONS), Colour.WHITE}
