"""Of what is hidden, not a word stands anywhere: pages, JSON, streams, files, logs.

`test_two_worlds` compares what is told; here the hidden itself is looked for.
"""

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from companion.dashboard.view import views
from companion.games import GAMES
from companion.running.storage import game_file
from companion.words import LANGUAGES
from tests.secrets.canaries import CANARY, Log, Planter, a_game, planted, said, zones_of

GAMES_EACH = 200
FEW = 12

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@contextmanager
def logged() -> Iterator[Log]:
    """Keep all that is logged meanwhile, however little it matters."""
    log, root = Log(), logging.getLogger()
    level = root.level
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    try:
        yield log
    finally:
        root.removeHandler(log)
        root.setLevel(level)


def look(game: Any, seed: int) -> tuple[int, set[str]]:
    """Look at one moment of one game; return how much was said, and where it hid."""
    dice = random.Random(f"canaries/{game.id}/{seed}")
    story = a_game(game, dice)
    viewer = dice.randrange(len(story.header.players)) if seed % 2 else None
    planter, count = Planter(viewer), 0
    story = planted(story, planter)
    with logged() as log:
        for what, text in said(story, viewer, dice.choice(LANGUAGES)):
            assert CANARY not in (what + text).lower(), (seed, viewer, what)
            count += 1
    assert CANARY not in "\n".join(log.lines).lower()
    # Whoever reckons with the word fails, and is left out of the page.
    assert log.faults == [], (seed, viewer)
    return count, planter.zones


def look_at(game: Any, games: int) -> int:
    """Look at some games; return how much was said of them."""
    looked = [look(game, seed) for seed in range(games)]
    found = {zone for _, zones in looked for zone in zones}
    wanted = {*zones_of(game.state_type), *zones_of(game.move_type)}
    # In every place that can hide something, something was hidden once.
    assert wanted <= found
    # Dragorun hides nothing from anybody.
    assert (not wanted) == (game.id == "dragorun")
    return sum(count for count, _ in looked)


@pytest.mark.slow
@each_game
def test_of_what_is_hidden_no_phone_file_or_log_has_a_word(game):
    assert look_at(game, FEW) > 100


WITH_NOTES = [game for game in GAMES if game.id in ("drachenhort", "dragon_run")]


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_NOTES, ids=lambda game: game.id)
def test_pages_of_what_is_not_cut_would_be_found_out(game, monkeypatch):
    """So it would be noticed if nothing were looked for."""
    monkeypatch.setattr(views, "redact", lambda thing, viewer: thing)

    with pytest.raises(AssertionError):
        look_at(game, FEW)


@pytest.mark.slow
def test_files_of_what_is_not_cut_would_be_found_out(monkeypatch):
    monkeypatch.setattr(game_file, "redact_entry", lambda entry, viewer: entry)
    game = next(game for game in GAMES if game.id == "eight_dragons")

    with pytest.raises(AssertionError, match="json"):
        look_at(game, FEW)


@pytest.mark.long
@each_game
def test_of_a_thousand_games_with_what_they_hide(game, record_property):
    count = look_at(game, GAMES_EACH)

    zones = len({*zones_of(game.state_type), *zones_of(game.move_type)})
    record_property(
        "figures",
        f"{GAMES_EACH} games, {zones} places that hide: {count:,} answers, none of it",
    )
