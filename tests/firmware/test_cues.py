"""Whatever a game or the referee may call for can be seen and heard."""

import importlib
from pathlib import Path

import pytest

from firmware.lights import SCENES
from firmware.sound import TUNES

FOLDER = Path(__file__).parents[2] / "companion" / "games"
GAMES = sorted(path.parent.name for path in FOLDER.glob("*/cues.py"))


def cues(game: str) -> list[tuple[str | None, str | None, bool]]:
    return list(importlib.import_module(f"companion.games.{game}.cues").CUES.values())


@pytest.mark.parametrize("game", GAMES)
def test_every_light_of_a_game_has_its_lamps(game):
    named = {light for light, _, _ in cues(game)} - {None}
    assert named <= set(SCENES)


@pytest.mark.parametrize("game", GAMES)
def test_every_sound_of_a_game_has_its_tune(game):
    named = {sound for _, sound, _ in cues(game)} - {None}
    assert named <= set(TUNES)


@pytest.mark.parametrize("light", ["throw", "act", "ask", "refused", "done"])
def test_what_the_table_waits_for_has_its_lamps(light):
    assert light in SCENES


def test_no_two_lights_are_the_same():
    assert len(set(SCENES.values())) == len(SCENES)


def test_no_two_tunes_are_the_same():
    assert len(set(TUNES.values())) == len(TUNES)


def test_no_tune_keeps_the_next_waiting_for_a_second():
    assert all(sum(for_s for _, for_s in tune) < 1.0 for tune in TUNES.values())
