"""The game against its second implementation, over random games of every kind."""

import random
from itertools import pairwise, product

import pytest

from companion.games.core import Config
from companion.games.dragon_run import GAME
from companion.games.dragon_run.box import (
    ANNULMENT,
    DRAGON_CARD,
    INVISIBILITY,
    REDIRECTION,
    STAND_IN,
    Box,
    Effect,
    Hero,
    PlaceCard,
    Special,
    check_box,
)
from companion.games.dragon_run.options import RULINGS
from companion.games.dragon_run.pieces import (
    AT_ONCE,
    HEROES,
    PLACES,
    SPECIALS,
    STANDING,
    VALUABLES,
    Health,
    Kind,
    Then,
)
from tests.oracle.dragon_run import Run

CHOICES = [(ruling.id, ruling.choices) for ruling in RULINGS if ruling.choices]
POTIONS, TALISMANS, ANY = sorted(AT_ONCE), sorted(STANDING), sorted(Then)
ROOMS = [*POTIONS, *[Kind.NO_CRYING] * 6]
HEALTH = list(Health)

LONGEST = 150
"""Most games are over by then."""

LIKED = {"note": 0.3, "forget": 0.1, "cry": 0.5, "discard": 0.8}
"""How often a kind of move is drawn, when not once."""


# --- copies of the game ---------------------------------------------------------------


def parts(dice, total, count):
    """Return *count* whole numbers from 1 that make up *total*."""
    cuts = sorted(dice.sample(range(1, total), count - 1))
    return [high - low for low, high in pairwise([0, *cuts, total])]


def effects(dice, kinds):
    """Return a row of up to three effects."""
    some = range(dice.choice((0, 1, 1, 2, 3)))
    return tuple(Effect(dice.choice(kinds), dice.choice((1, 1, 2, 3))) for _ in some)


def random_specials(dice):
    """Return potions and talismans, of which three bear the names of the rulebook."""
    counts = parts(dice, SPECIALS, dice.randint(4, SPECIALS))
    named = [
        Special(ANNULMENT, "a", (Effect(Kind.CANCEL),), count=counts.pop()),
        Special(REDIRECTION, "a", (Effect(Kind.REDIRECT),), True, counts.pop()),
        Special(INVISIBILITY, "a", effects(dice, TALISMANS), True, counts.pop()),
    ]
    for number, count in enumerate(counts):
        talisman = dice.random() < 0.3
        row = effects(dice, TALISMANS if talisman else POTIONS)
        named.append(Special(f"special-{number}", "a", row, talisman, count))
    return tuple(dice.sample(named, len(named)))


def random_places(dice):
    """Return the dragon, treasure rooms and other places."""
    first, *rest = parts(dice, PLACES - 1, dice.randint(3, 8))
    cards = [
        PlaceCard(DRAGON_CARD, "a"),
        PlaceCard("room", "a", (Effect(Kind.DRAW),), Then.CHOOSE, first),
    ]
    for number, count in enumerate(rest):
        row = effects(dice, ROOMS)
        cards.append(PlaceCard(f"place-{number}", "a", row, dice.choice(ANY), count))
    return tuple(dice.sample(cards, len(cards)))


def random_box(dice):
    """Return a copy whose cards do anything that a card can do."""
    heroes = (Hero(f"hero-{n}", "a", effects(dice, POTIONS)) for n in range(HEROES))
    gold = tuple(parts(dice, VALUABLES, 5))
    return Box(gold, random_specials(dice), random_places(dice), tuple(heroes))


def random_setting(dice):
    """Return a set-up: any copy, any number of seats, the defaults or any options."""
    box = random_box(dice) if dice.random() < 0.6 else STAND_IN
    options = ()
    if dice.random() < 0.6:
        options = tuple((ruling, dice.choice(choices)) for ruling, choices in CHOICES)
    seats = dice.choice(GAME.seats)
    return Config(seats, box, options, first=dice.randrange(seats))


# --- the comparison -------------------------------------------------------------------


def row(thing):
    """Return the effects of a card or a hero as the oracle has them."""
    return [(effect.kind.value, effect.n) for effect in thing.effects]


def oracle_of(setting):
    """Return the oracle's game for a set-up."""
    box = setting.box
    return Run(
        box.gold,
        [(one.id, row(one), one.talisman, one.count) for one in box.specials],
        [(one.id, row(one), one.then.value, one.count) for one in box.places],
        [(one.id, row(one)) for one in box.heroes],
        setting.seats,
        setting.first,
        {ruling: choices[0] for ruling, choices in CHOICES} | dict(setting.options),
    )


def face(state):
    """Return the state as the oracle shows its own."""
    return (
        state.phase.value,
        state.seat,
        state.anger,
        [hero for hero in state.heroes if hero >= 0],
        [HEALTH.index(health) for health in state.health],
        list(state.tilted),
        list(state.pile),
        list(state.turned),
        state.stock,
        list(state.unseen),
        list(state.hands),
        [list(noted.value) for noted in state.noted],
        [list(front) for front in state.fronts],
        list(state.discard),
        [sorted(shown) for shown in state.shown],
        state.paid,
        [(effect.kind.value, effect.n) for effect in state.todo],
        list(state.let),
        state.bonus,
    )


def draw(dice, texts):
    """Draw the kind of a move and then the move, so that it is not always a throw."""
    words = [text.partition(" ")[0] for text in texts]
    kinds = sorted(set(words))
    kind = dice.choices(kinds, [LIKED.get(word, 1) for word in kinds])[0]
    return dice.choice([n for n, word in enumerate(words) if word == kind])


def compare(seed):
    """Play one game on both sides and return how many moves it had."""
    dice = random.Random(seed)
    setting = random_setting(dice)
    state, oracle = GAME.setup(setting), oracle_of(setting)
    count = 0
    while count < LONGEST:
        moves = list(GAME.legal(state))
        texts = [GAME.notate(state, move) for move in moves]
        assert sorted(texts) == sorted(oracle.moves()), (seed, count)
        if not moves:
            assert_same_end(state, oracle)
            break
        chosen = draw(dice, texts)
        oracle.do(texts[chosen])
        state, _ = GAME.apply(state, moves[chosen])
        assert face(state) == oracle.face(), (seed, count, texts[chosen])
        count += 1
    return count


def assert_same_end(state, oracle):
    """Compare the points and the winners of a game that is over."""
    assert list(GAME.outcome(state).winners) == oracle.winners()
    scores = GAME.scores(state)
    assert [score.low for score in scores] == oracle.points()
    assert [score.high for score in scores] == oracle.points()


def test_forty_games_are_the_same():
    assert sum(map(compare, range(40))) > 2_000


@pytest.mark.slow
def test_a_quarter_of_a_thousand_games_are_the_same():
    assert sum(map(compare, range(100, 350))) > 12_500


@pytest.mark.long
def test_twenty_thousand_games_are_the_same(record_property):
    moves = sum(map(compare, range(1_000_000, 1_020_000)))

    record_property("figures", f"20,000 games, {moves:,} moves, 0 mismatches")
    assert moves > 1_000_000


def test_every_option_and_its_opposite_come_up():
    settings = [random_setting(random.Random(seed)) for seed in range(100)]

    chosen = {pair for setting in settings for pair in setting.options}
    every = {pair for ruling, kinds in CHOICES for pair in product([ruling], kinds)}
    assert chosen == every


def test_every_copy_drawn_is_one_that_could_be_in_a_box():
    assert not any(check_box(random_box(random.Random(seed))) for seed in range(100))
