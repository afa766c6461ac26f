"""A newcomer's first look: a game that plays itself on the drawn table."""

import json
import subprocess
import sys

import pytest

from companion.games import GAMES


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_demo_plays_by_drawn_dice_and_mock_buttons_and_reads_nothing_wrong(seed):
    told = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--headless", "--until-end",
         "--json", "--seed", str(seed), "--acts", "25"],
        capture_output=True, check=True, timeout=120,
    ).stdout  # fmt: skip

    report = json.loads(told.splitlines()[-1])
    assert report["acts"] == 25
    assert report["readings"] >= 5
    assert report["wrong_accepted"] == 0
    assert (report["game"], report["seed"]) == ("drachenhort", seed)


@pytest.mark.slow
@pytest.mark.parametrize("game", [g.id for g in GAMES if g.id != "drachenhort"])
def test_the_players_play_every_game_by_buttons_and_phones(game):
    told = subprocess.run(
        [sys.executable, "-m", "companion", "demo", game, "--headless", "--until-end",
         "--json", "--seed", "3", "--acts", "8"],
        capture_output=True, check=True, timeout=120,
    ).stdout  # fmt: skip

    report = json.loads(told.splitlines()[-1])
    assert (report["game"], report["acts"]) == (game, 8)
    assert report["wrong_accepted"] == 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_whole_drachenhort_games_end_with_the_true_scores(seed, record_property):
    told = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--headless", "--until-end",
         "--json", "--seed", str(seed), "--players", str(2 + seed)],
        capture_output=True, check=True, timeout=900,
    ).stdout  # fmt: skip

    report = json.loads(told.splitlines()[-1])
    assert report["outcome"] is not None
    assert report["wrong_accepted"] == 0
    record_property(
        "figures",
        f"{report['readings']} readings, {report['asked']} asked, "
        f"{report['wrong_accepted']} wrong accepted, {report['seconds']:.0f} s",
    )
