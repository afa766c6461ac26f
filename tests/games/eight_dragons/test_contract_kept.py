"""8 Dragons keeps what every game owes the table, also where games go deep."""

import pytest

from companion.games.core import BadSetup, Config
from companion.games.eight_dragons import GAME
from tests.games import contract
from tests.games.eight_dragons.playthroughs import OTHER
from tests.games.eight_dragons.tables import config, keen, place, start

EVERY = 19
"""The dear checks look at every nineteenth position, so that all sorts come up."""


def played(seats, options):
    """Return the steps of one game of sensible people, and moves for the judge."""
    steps = list(keen(Config(seats, GAME.stand_in, options, seats - 1), seats))
    moves = dict.fromkeys(m for s in steps for m in s.legal[:: 1 + len(s.legal) // 9])
    return steps, tuple(moves)[::3]


@pytest.mark.parametrize("options", [(), OTHER], ids=["defaults", "other options"])
@pytest.mark.parametrize("seats", GAME.seats)
class TestPlay:
    def test_every_move_keeps_the_cheap_promises(self, seats, options):
        steps, _ = played(seats, options)

        for step in steps:
            assert GAME.outcome(step.before) is None
            contract.check_turn(GAME, step, seats)
            contract.check_chance(GAME, step)
            contract.check_layout(GAME, step)
            contract.check_codec(GAME, step)
            if len(step.legal) < 100:
                contract.check_notation(GAME, step)
        contract.check_end(GAME, steps[-1].after, seats)

    def test_every_nineteenth_position_keeps_the_dear_ones(self, seats, options):
        steps, pool = played(seats, options)

        for step in [*steps[seats % EVERY :: EVERY], steps[-1]]:
            contract.check_verdicts(GAME, step, pool)
            contract.check_apply(GAME, step, pool)
            contract.check_evidence(GAME, step)
            contract.check_secrets(GAME, step, seats, seed=seats)
        for step in steps[seats % EVERY :: 4 * EVERY]:
            contract.check_words(GAME, step, pool)

    def test_the_log_folds_to_the_same_state(self, seats, options):
        steps, _ = played(seats, options)
        state = steps[0].before

        for step in steps:
            text = GAME.notate(state, step.move)
            state, events = GAME.apply(state, GAME.parse(state, text))
            assert (state, events) == (step.after, step.events)


@pytest.mark.parametrize(
    "setting",
    [
        config(1),
        config(5),
        config(2, first=2),
        config(2, ED4="five"),
        config(2, ED1="both"),
        config(2, ED39="yes"),
    ],
)
def test_a_set_up_that_cannot_be_is_told(setting):
    with pytest.raises(BadSetup):
        GAME.setup(setting)


def test_places_have_two_names_for_one_spot():
    names = {spot: piece for piece, _, spot in GAME.table(start())}

    assert len(names) == 42
    move = GAME.parse(start(), "turn e3 red_head")
    (sight,) = GAME.evidence(start(), move)
    assert (move.place, sight.place) == (place("e3"), "grid/3/5")


PATHS = contract.playthrough_paths(GAME)


@pytest.mark.parametrize("path", PATHS, ids=[path.name for path in PATHS])
def test_a_recorded_game_is_played_the_same_today(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    head = dict(line.partition(" ")[::2] for line in lines[:4])
    options = tuple(tuple(pair.split("=")) for pair in head["options"].split())
    setting = Config(int(head["seats"]), GAME.stand_in, options, int(head["first"]))
    moves = [line[2:] for line in lines if line.startswith("> ")]

    assert contract.transcript(GAME, setting, moves) == text
    assert "\nwon by " in text


def test_the_recorded_games_show_nearly_every_kind_of_event():
    told = "".join(path.read_text(encoding="utf-8") for path in PATHS)

    for words in (
        " laid: ",
        "completed with silver",
        "took the hand of",
        "exchanged hands",
        " drew a card from ",
        " freed ",
        " blocked ",
        "the twin card",
        " put a card back",
        " swapped the two cards",
        "The game goes on.",
    ):
        assert words in told
