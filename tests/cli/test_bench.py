"""The bench reports every game, beside the peers that are installed."""

import json

import pytest
from click.testing import CliRunner

from companion.cli.bench import bench
from companion.cli.rules_speed import measure
from companion.games import GAMES


@pytest.mark.slow
def test_every_game_is_measured_beside_its_peers():
    figures = measure(budget_s=0.02, rounds=1)

    assert set(figures.games) == {game.id for game in GAMES}
    for one in figures.games.values():
        assert one.steps_per_s > 0
        assert one.replay_ms > 0
        assert set(one.ratios) == set(figures.peers)


def test_a_peer_that_is_not_installed_is_left_out_and_named(monkeypatch):
    monkeypatch.setattr("companion.cli.rules_speed.PEERS", {"nothing": lambda: None})

    figures = measure(budget_s=0.001, rounds=1)

    assert figures.missing == ("nothing",)
    assert figures.peers == {}


def test_the_eye_needs_a_folder_with_labels(tmp_path):
    told = CliRunner().invoke(bench, ["vision", "--photos", str(tmp_path)])

    assert told.exit_code == 2
    assert told.output.splitlines() == [
        f"Error: {tmp_path} has no labels.csv; give the folder that holds the sets"
    ]


def test_the_eye_is_told_as_json_too():
    told = CliRunner().invoke(bench, ["vision", "--tables", "0", "--json"])

    assert told.output.strip() == "[]"


def test_sight_says_which_acts_of_whole_games_a_camera_follows():
    told = CliRunner().invoke(bench, ["sight", "--games", "1", "--json"])

    rows = {row["game"]: row for row in json.loads(told.output)}
    assert set(rows) == {game.id for game in GAMES}
    for row in rows.values():
        assert 0 < row["followed"] <= row["traces"] <= row["acts"]
        assert sum(kind["a_game"] for kind in row["kinds"]) == row["traces"]
    followed = {
        name: {kind["kind"] for kind in row["kinds"] if kind["is_followed"]}
        for name, row in rows.items()
    }
    assert {"Throw", "MoveDragon", "DrawEgg", "Swap"} <= followed["dragorun"]
    # Eggs that only go are entered.
    assert "ReturnEggs" not in followed["dragorun"]
    assert {"Turn", "Take", "TurnBack"} <= followed["eight_dragons"]
    assert "FlipBoard" not in followed["drachenhort"]


def test_sight_is_a_table_for_people():
    told = CliRunner().invoke(bench, ["sight", "--games", "1"])

    lines = told.output.splitlines()
    assert lines[0] == "| game, act | a game | leave a trace | a camera follows |"
    assert sum(line.startswith("| **") for line in lines) == len(GAMES)
