"""A store with three games in it, and what a damaged copy of it gives back."""

import random
from pathlib import Path

from companion.running.snapshot import PhoneToken
from companion.running.storage.chain import StoredEntry
from companion.running.storage.store import Store
from companion.running.storage.stored import NoSuchGame
from companion.story.log import Entry
from tests.running.table_setup import GAME, new_story, played

NAMES = ("g1", "g2", "g3")


def long_story(moves: int, seed: int):
    """Return a game of many entries, played by chance."""
    rng = random.Random(seed)
    story = new_story()
    for _ in range(moves):
        legal = list(GAME.legal(story.state))
        if not legal:
            break
        move = rng.choice(legal)
        story = played(story, GAME.notate(story.state, move))
    return story


def filled(path: Path) -> dict[str, tuple[Entry, ...]]:
    """Fill the store at *path* and close it; return the entries of its games."""
    stories = {name: long_story(45, seed) for seed, name in enumerate(NAMES)}
    store = Store(path)
    store.keep_keys("ab" * 32, "123456")
    for name, story in stories.items():
        store.create(name, story)
    store.add_token(PhoneToken("hash", "host"))
    store.close()
    return {name: story.entries for name, story in stories.items()}


def told_of(path: Path) -> tuple[dict[str, tuple[Entry, ...]], set[str], bool]:
    """Return what a table finds that starts with the file at *path*.

    The entries of the games that it opens, those of which it says that something is
    wrong with them, and whether it says that something is wrong with the file.
    """
    store = Store(path)
    try:
        listed = {game.id: game for game in store.games()}
        found, wrong = {}, set()
        for game_id, game in listed.items():
            if game.trouble is not None:
                wrong.add(game_id)
            try:
                game_found = store.find_game(game_id)
            except NoSuchGame:
                assert not game.readable
                continue
            found[game_id] = game_found.story.entries
            if game_found.trouble is not None:
                wrong.add(game_id)
        return found, wrong, bool(store.mishaps)
    finally:
        store.close()


__all__ = ["NAMES", "StoredEntry", "filled", "long_story", "told_of"]
