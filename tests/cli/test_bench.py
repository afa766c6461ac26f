"""The bench reports every game, beside the peers that are installed."""

import pytest

from companion.bench.rules import measure
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
    monkeypatch.setattr("companion.bench.rules.PEERS", {"nothing": lambda: None})

    figures = measure(budget_s=0.001, rounds=1)

    assert figures.missing == ("nothing",)
    assert figures.peers == {}
