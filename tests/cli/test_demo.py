"""A newcomer's first look: a game that plays itself on the drawn table."""

import json
import os
import subprocess
import sys
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from companion.cli.demo import demo
from companion.demo.tables import DRAWN_GAMES
from companion.games import GAMES, find

BY_SIGHT = [one.game for one in DRAWN_GAMES]


def played(*options: str, timeout_s: int = 600) -> dict:
    """Return what came of a headless game, as the command tells it.

    Its lines are not counted for coverage: that would slow every picture, and what they
    do is counted by the tests of each part.
    """
    env = {k: v for k, v in os.environ.items() if k != "COVERAGE_PROCESS_START"}
    told = subprocess.run(
        [sys.executable, "-m", "companion.cli", "demo", *options, "--headless",
         "--until-end", "--json"],
        capture_output=True, check=True, timeout=timeout_s, env=env,
    ).stdout  # fmt: skip
    report: dict = json.loads(told.splitlines()[-1])
    return report


@pytest.mark.slow
def test_drachenhort_is_refereed_by_sight_and_nothing_wrong_is_believed():
    report = played("drachenhort", "--seed", "1", "--acts", "40")

    assert report["acts"] == 40
    # Three private notes; almost everything else is a throw or a move on the table.
    assert report["readings"] >= 32
    assert report["asked"] <= 0.05 * report["readings"]
    assert report["wrong_accepted"] == 0
    assert (report["game"], report["seed"]) == ("drachenhort", 1)
    assert report["settle_to_page_ms"]["p50"] >= 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seed", "players"),
    [
        ("dragon_run", "1", "3"),
        ("eight_dragons", "2", "4"),
        ("dragonix", "1", "3"),
        ("dragorun", "1", "3"),
    ],
)
def test_every_other_game_is_refereed_by_sight(game, seed, players):
    report = played(game, "--seed", seed, "--players", players, "--acts", "24")

    # A third or less is said aloud or hidden in hands: sneaking, passing, drawing.
    assert report["acts"] == 24
    assert report["readings"] >= 16
    assert report["asked"] <= 0.05 * report["readings"]
    assert report["wrong_accepted"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", BY_SIGHT)
def test_a_piece_that_lies_where_none_may_is_told_of_at_once(game):
    report = played(game, "--seed", "4", "--acts", "10", "--slips", "60")

    assert report["illegal"] >= 3
    assert report["illegal_flagged"] == report["illegal"]
    assert report["wrong_accepted"] == 0


def replayed(path) -> dict:
    """Return what the command tells of a capsule that it plays again."""
    told = subprocess.run(
        [sys.executable, "-m", "companion.cli", "replay", str(path), "--json"],
        capture_output=True, check=True, timeout=600,
    ).stdout  # fmt: skip
    report: dict = json.loads(told)
    return report


@pytest.mark.slow
def test_a_capsule_of_a_game_by_sight_comes_to_the_same_with_a_real_eye(tmp_path):
    path = tmp_path / "game.capsule"
    report = played("drachenhort", "--seed", "1", "--acts", "5", "--record", str(path))

    found = replayed(path)

    with ZipFile(path) as files:
        kept = {name.partition("-")[2] for name in files.namelist()}
        entries = json.loads(files.read("game.json"))["entries"]
    seen = [one["body"]["evidence"] for one in entries if "evidence" in one["body"]]
    assert len(seen) == 2
    assert all(f"{name}.jpg" in kept for names in seen for name in names)
    # Three private notes, then a throw and a move.
    assert (found["moves"], found["stop"]) == (5, None)
    assert found["again"]["readings"] >= report["readings"] == 2
    assert (found["again"]["why_not"], found["again"]["differs"]) == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_game_without_a_table_is_played_by_buttons_and_phones(game, monkeypatch):
    monkeypatch.setattr(sys.modules["companion.cli.demo"], "table_of", lambda _: None)
    options = ["--headless", "--until-end", "--json", "--seed", "3", "--acts", "8"]

    told = CliRunner().invoke(demo, [game, *options], catch_exceptions=False).output

    report = json.loads(told.splitlines()[-1])
    assert (report["game"], report["acts"]) == (game, 8)
    assert report["wrong_accepted"] == 0


@pytest.mark.long
@pytest.mark.parametrize("game", BY_SIGHT)
def test_capsules_of_every_game_come_to_the_same(game, tmp_path, record_property):
    path = tmp_path / "game.capsule"
    players = str(find(game).seats[-1])
    played(game, "--seed", "3", "--players", players, "--acts", "20", "--slips", "20",
           "--record", str(path), timeout_s=1800)  # fmt: skip

    again = replayed(path)["again"]

    assert (again["why_not"], again["differs"]) == (None, None)
    record_property(
        "figures", f"{again['readings']} readings, {again['presses']} presses the same"
    )


LIGHTS = ("good", "warm", "cool", "dim", "side", "mixed")


@pytest.mark.long
@pytest.mark.parametrize("game", BY_SIGHT)
@pytest.mark.parametrize("seed", range(8))
def test_whole_games_by_sight_end_with_the_true_scores(game, seed, record_property):
    """What was believed is what was done, so that the scores are true."""
    seats = find(game).seats
    light, players = LIGHTS[seed % 6], seats[seed % len(seats)]
    report = played(
        game, "--seed", str(seed), "--players", str(players),
        "--light", light, timeout_s=1800,
    )  # fmt: skip

    assert report["outcome"] is not None
    assert report["wrong_accepted"] == 0
    assert light != "good" or report["asked"] <= 0.05 * report["readings"]
    record_property(
        "figures",
        f"{players} players, {light} light: {report['readings']} readings, "
        f"{report['asked']} asked, {report['wrong_accepted']} wrong accepted, "
        f"{report['seconds']:.0f} s",
    )
