"""The game against its second implementation, over random games of every kind."""

import random
from itertools import product

import pytest
from msgspec.structs import replace

from companion.games.core import Config
from companion.games.dragonix import GAME
from companion.games.dragonix.box import STAND_IN
from companion.games.dragonix.options import RULINGS
from tests.oracle.dragonix import War

CHOICES = [(ruling.id, ruling.choices) for ruling in RULINGS if ruling.choices]

LONGEST = 45
"""Whole games take hundreds of moves; this much of one is enough."""

GRADES = ("none", "few", "fair", "failure", "carnage")


def random_setting(dice):
    """Return a set-up: any number of seats, the defaults or any options."""
    options = ()
    if dice.random() < 0.6:
        options = tuple((ruling, dice.choice(choices)) for ruling, choices in CHOICES)
    seats = dice.choice(GAME.seats)
    return Config(seats, STAND_IN, options, first=dice.randrange(seats))


def oracle_of(setting, dice):
    """Return the oracle's game for a set-up, with cards dealt at random."""
    house = {ruling: choices[0] for ruling, choices in CHOICES} | dict(setting.options)
    return War(setting.seats, house, dice)


def face(state):
    """Return the state as the oracle shows its own."""
    turn = state.turn
    off = [("red", state.red_off), ("undead", state.undead_off)]
    return (
        (state.phase.value, state.seat),
        (turn.bound, turn.placed, turn.swapped, turn.pending, turn.aim, turn.flown),
        [
            (list(row.cards), list(row.values), row.colour, row.ordered)
            for row in state.rows
        ],
        (
            state.red,
            state.undead,
            state.undead_by,
            state.prison_by,
            [dragon for dragon, is_off in off if is_off],
        ),
        [face_of(side) for side in state.sides],
        (state.unseen, state.heroes, sorted(state.tokens)),
        (list(state.boxed), list(state.deserters), list(state.spent)),
    )


def face_of(side):
    return (
        (side.hand, side.camp, side.tokens),
        (
            list(side.shown),
            list(side.noted.value or ()),
            list(side.under),
            list(side.mixed),
        ),
        (sorted(side.open_tokens), sorted(side.noted_tokens.value or ())),
    )


def shorten(dice, state, oracle):
    """Return the state with most cards of the camps in the box, so that games end."""
    sides = []
    for side, held in zip(state.sides, oracle.sides, strict=True):
        kept = dice.randint(0, 7)
        beside = dice.randint(0, 18) if oracle.seats == 1 else 0
        for n, card in enumerate(held.camp[kept:]):
            oracle.see(card)
            (oracle.deserters if n < beside else oracle.boxed).append(card)
        held.camp = held.camp[:kept]
        sides.append(replace(side, camp=len(held.camp)))
    return replace(
        state,
        sides=tuple(sides),
        unseen=oracle.unseen,
        heroes=oracle.heroes,
        boxed=tuple(oracle.boxed),
        deserters=tuple(oracle.deserters),
    )


def draw(dice, texts, tells):
    """Draw the kind of a move and then the move; *tells* is how often one notes."""
    notes = [text for text in texts if "note" in text.split()[0]]
    acts = [text for text in texts if text not in notes]
    if notes and (not acts or dice.random() < tells):
        return dice.choice(notes)
    words = sorted({text.split()[0] for text in acts})
    if len(words) > 1 and "token" in words and dice.random() < 0.6:
        words.remove("token")
    word = dice.choice(words)
    return dice.choice([text for text in acts if text.split()[0] == word])


def compare(seed):
    """Play one game on both sides and return how many moves it had."""
    dice = random.Random(seed)
    setting = random_setting(dice)
    state, oracle = GAME.setup(setting), oracle_of(setting, dice)
    tells, short = dice.choice((0, 0.3, 0.8, 1)), dice.random() < 0.6
    count = 0
    while count < LONGEST:
        legal = {GAME.notate(state, move): move for move in GAME.legal(state)}
        assert sorted(legal) == sorted(oracle.moves()), (seed, count)
        true = oracle.true_moves()
        assert legal.keys() >= set(true), (seed, count)
        if not true:
            break
        text = draw(dice, true, tells)
        oracle.do(text)
        state, _ = GAME.apply(state, legal[text])
        assert face(state) == oracle.face(), (seed, count, text)
        count += 1
        if short and oracle.task == "play":
            state, short = shorten(dice, state, oracle), False
    assert_same_end(state, oracle)
    return count


def assert_same_end(state, oracle):
    """Compare who won or how well one did alone, and the points."""
    outcome = GAME.outcome(state)
    assert (outcome is not None) == (oracle.task == "over")
    assert [score.low for score in GAME.scores(state)] == oracle.points()
    if outcome:
        grade = oracle.grade() if oracle.seats == 1 else 0
        assert list(outcome.winners) == ([] if grade > 2 else [oracle.who])
        reason = GRADES[grade] if oracle.seats == 1 else "no_card_left"
        assert outcome.reason == f"dragonix.end.{reason}"


def test_forty_games_are_the_same():
    assert sum(map(compare, range(40))) > 1_500


@pytest.mark.slow
def test_a_quarter_of_a_thousand_games_are_the_same():
    assert sum(map(compare, range(100, 350))) > 9_000


@pytest.mark.long
def test_twenty_thousand_games_are_the_same(record_property):
    moves = sum(map(compare, range(1_000_000, 1_020_000)))

    record_property("figures", f"20,000 games, {moves:,} moves, 0 mismatches")
    assert moves > 700_000


def test_every_option_and_its_opposite_come_up():
    settings = [random_setting(random.Random(seed)) for seed in range(100)]

    chosen = {pair for setting in settings for pair in setting.options}
    every = {pair for ruling, kinds in CHOICES for pair in product([ruling], kinds)}
    assert chosen == every
