"""The game against its second implementation, over random games of every kind."""

from companion.games.core import Config
from companion.games.dragonix import GAME
from companion.games.dragonix.box import STAND_IN
from companion.games.dragonix.options import RULINGS
from tests.oracle.dragonix import War

CHOICES = [(ruling.id, ruling.choices) for ruling in RULINGS if ruling.choices]

LONGEST = 150


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
