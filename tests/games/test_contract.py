"""Every game keeps the contract of `companion.games.core`."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.games import GAMES, UnknownGame, find
from companion.games.core import BadSetup, Config, NotAMove
from companion.words import LANGUAGES, Words
from tests.games import contract

FILES = {
    "__init__.py",
    "pieces.py",
    "state.py",
    "options.py",
    "cues.py",
    "adopting.py",
    "setting_up.py",
    "RULES.md",
}
EVERY = 9
"""The dear checks look at every ninth position, so that all sorts come up."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
each_table = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in GAMES for seats in game.seats],
    ids=lambda value: getattr(value, "id", value),
)


def played(game, seats, options=()):
    """Return the steps of one game, and all moves that were ever legal in it."""
    setting = contract.config(game, seats, options)
    steps = list(contract.steps(game, setting, seed=seats))
    pool = tuple(dict.fromkeys(move for step in steps for move in step.legal))
    return steps, pool


def other_options(game):
    """Return for every choice the one that is farthest from the default."""
    return tuple(
        (ruling.id, ruling.choices[-1]) for ruling in game.rulings if ruling.choices
    )


class TestListOfGames:
    def test_a_game_is_found_by_its_id(self):
        assert all(find(game.id) is game for game in GAMES)

    def test_an_unknown_game_is_told_with_those_there_are(self):
        with pytest.raises(UnknownGame) as told:
            find("ludo")

        assert str(told.value).startswith("no game 'ludo'; there are ")
        assert all(game.id in str(told.value) for game in GAMES)


@each_game
class TestRecord:
    def test_the_folder_has_its_files(self, game):
        folder = Path(contract.__file__).parents[2] / "companion" / "games" / game.id

        assert {path.name for path in folder.iterdir()} >= FILES
        assert (folder / "rules.py").exists() or (folder / "rules").is_dir()

    def test_the_stand_in_box_is_sound_and_survives_json(self, game):
        coded = msgspec.json.encode(game.stand_in)

        assert game.check_box(game.stand_in) == ()
        assert msgspec.json.decode(coded, type=game.box_type) == game.stand_in

    def test_rulings_have_ids_of_their_own_lines_and_words(self, game):
        ids = [ruling.id for ruling in game.rulings]

        assert len(set(ids)) == len(ids)
        for ruling in game.rulings:
            assert ruling.cite.rulebook == game.id
            assert 1 <= ruling.cite.first <= ruling.cite.last
            assert len(ruling.choices) != 1
            for language in LANGUAGES:
                words = Words(language, strict=True)
                assert words.say(ruling.line)
                for choice in ruling.choices:
                    assert words.say(f"{game.id}.choice.{ruling.id}.{choice}")

    def test_a_set_up_that_cannot_be_is_told(self, game):
        seats = game.seats.start
        wrong = [
            Config(game.seats.start - 1, game.stand_in),
            Config(game.seats.stop, game.stand_in),
            Config(seats, game.stand_in, first=seats),
            Config(seats, game.stand_in, (("no such ruling", "yes"),)),
        ]
        wrong += [
            Config(seats, game.stand_in, ((ruling.id, "no such choice"),))
            for ruling in game.rulings
        ]

        for setting in wrong:
            with pytest.raises(BadSetup):
                game.setup(setting)

    def test_text_that_is_no_move_is_told_in_one_line(self, game):
        state = game.setup(contract.config(game, game.seats.start))

        for text in (
            "",
            " ",
            "castle",
            "1",
            "²",
            "\n",
            "throw",
            "x" * 5000,
            "🐉 1 2 3",
        ):
            with pytest.raises(NotAMove) as told:
                game.parse(state, text)
            assert "\n" not in str(told.value)

    @pytest.mark.slow  # starts Python twice a game
    def test_two_processes_play_the_same_game(self, game):
        code = (
            "from tests.games import test_contract as t;"
            f"print(t.digest(t.find({game.id!r})))"
        )
        told = [
            subprocess.run(
                [sys.executable, "-c", code],
                env={
                    **os.environ,
                    "PYTHONHASHSEED": seed,
                    "PYTHONPATH": os.pathsep.join(sys.path),
                },
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            for seed in ("0", "1")
        ]

        assert told == [digest(game), digest(game)]


def digest(game):
    """Return a fingerprint of one random game, of all its states and events."""
    fingerprint = hashlib.sha256()
    for step in contract.steps(game, contract.config(game, game.seats.start), seed=1):
        for thing in (step.legal, step.after, step.events):
            fingerprint.update(contract.coded(thing))
        layout = sorted(game.layout(step.after), key=repr)
        fingerprint.update(contract.coded(layout))
    return fingerprint.hexdigest()


@each_table
@pytest.mark.parametrize(
    "other",
    [False, pytest.param(True, marks=pytest.mark.slow)],
    ids=["defaults", "other options"],
)
class TestPlay:
    def test_every_move_keeps_the_cheap_promises(self, game, seats, other):
        steps, _ = played(game, seats, other_options(game) if other else ())

        for step in steps:
            assert game.outcome(step.before) is None
            contract.check_turn(game, step, seats)
            contract.check_chance(game, step)
            contract.check_notation(game, step)
            contract.check_layout(game, step)
            contract.check_codec(game, step)
        contract.check_end(game, steps[-1].after, seats)

    @pytest.mark.slow
    def test_every_ninth_position_keeps_the_dear_ones(self, game, seats, other):
        steps, pool = played(game, seats, other_options(game) if other else ())

        for step in [*steps[seats % EVERY :: EVERY], steps[-1]]:
            contract.check_verdicts(game, step, pool)
            contract.check_apply(game, step, pool)
            contract.check_evidence(game, step)
            contract.check_secrets(game, step, seats, seed=seats)
            contract.check_words(game, step, pool)

    def test_the_log_folds_to_the_same_state(self, game, seats, other):
        options = other_options(game) if other else ()
        steps, _ = played(game, seats, options)
        log = [contract.coded(step.move) for step in steps]

        state = game.setup(contract.config(game, seats, options))
        for entry, step in zip(log, steps, strict=True):
            move = msgspec.json.decode(entry, type=game.move_type)
            state, events = game.apply(state, move)
            assert (state, events) == (step.after, step.events)


PATHS = [(game, path) for game in GAMES for path in contract.playthrough_paths(game)]


@pytest.mark.parametrize(("game", "path"), PATHS, ids=[path.name for _, path in PATHS])
def test_a_recorded_game_is_played_the_same_today(game, path):
    text = path.read_text(encoding="utf-8")

    setting, moves = contract.recorded(text)

    assert contract.transcript(game, setting, moves) == text
    assert "\nwon by " in text
