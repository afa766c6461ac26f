"""``dragon-table demo``: a refereed game on the drawn table, for a first look."""

import json
import random
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click
from msgspec import Struct

from companion.capsule.file import pack
from companion.capsule.input_log import Recipe
from companion.cli.appliance import Wanted, run_table
from companion.cli.ending import wait_for_end
from companion.cli.errors import BadInput, no_game
from companion.cli.first_start import PICTURES_NAME
from companion.cli.play import greet, lay, port_option
from companion.demo.drawn_dice import DicePlayers, DrawnDice, tally
from companion.demo.setup import Watched
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import find as table_of
from companion.games import UnknownGame, find
from companion.games.core import Game
from companion.running.service import Table
from companion.running.snapshot import Setup
from companion.story.log import Story
from companion.words.said import say
from vision.drawn.light import LIGHTS

NAMES = ("Ana", "Bo", "Cléo", "Dédé", "Emma", "Finn", "Gigi")

DemoPlayers: TypeAlias = DicePlayers | SimulatedPlayers

RECORD_MB = 1000
"""Two or three pictures of 0.9 MB for each act: some 400 acts."""

LEAVE_S = 5.0
"""So long the players have to let go of the table once the demo has to end."""

PAUSE_S = 2.5
"""How long a demo player thinks: time to look from the table to the page."""


@click.command()
@click.argument("game", default="drachenhort")
@port_option
@click.option(
    "--seed", type=int, default=None, help="The same seed plays the same game."
)
@click.option("--acts", type=click.IntRange(1), help="Stop after this many acts.")
@click.option(
    "--light",
    type=click.Choice(tuple(LIGHTS)),
    default="good",
    show_default=True,
    help="How the table is lit.",
)
@click.option(
    "--headless", is_flag=True, help="Play without pages and without waiting."
)
@click.option("--until-end", is_flag=True, help="End when the game is over.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--slips",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    help="Before how many of 100 acts somebody moves a piece wrongly.",
)
@click.option("--players", type=click.IntRange(1, 7), default=3, show_default=True)
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep every picture that is read and write the game to this capsule file.",
)
@click.option("--you-play", is_flag=True, help="Play it yourself, on the page.")
def demo(
    game: str,
    port: int,
    seed: int | None,
    acts: int | None,
    light: str,
    headless: bool,
    until_end: bool,
    as_json: bool,
    slips: int,
    players: int,
    record: Path | None,
    you_play: bool,
) -> None:
    """Show a game that is played on a drawn table; open the page to follow it."""
    try:
        found = find(game)
    except UnknownGame as error:
        raise BadInput(no_game(game)) from error
    if players not in found.seats:
        raise BadInput(
            say(
                "terminal.seats",
                game=found.title,
                n=players,
                least=found.seats[0],
                most=found.seats[-1],
            )
        )
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    began = time.monotonic()
    wish = DemoWish(
        Setup(game, NAMES[:players], first=seed % players),
        seed, light, acts, slips / 100, 0 if headless else port, record,
        headless=headless, to_end=headless or until_end, you_play=you_play,
    )  # fmt: skip
    story, results = _referee(found, wish)
    if as_json:
        seconds = time.monotonic() - began
        click.echo(json.dumps(_report(story, seed, light, seconds, results)))


class DemoWish(Struct, frozen=True):
    """What was asked of a demo; *slips* is the share of acts before which one comes."""

    setup: Setup
    seed: int
    light: str
    acts: int | None
    slips: float
    port: int
    record: Path | None
    headless: bool
    to_end: bool
    you_play: bool


def _referee(game: Game[Any, Any, Any], wish: DemoWish) -> tuple[Story, dict[str, Any]]:
    """Run the demo; return the game as it stands at its end, and its figures."""
    stand_in, seed, light = table_of(game.id), wish.seed, wish.light
    watched = None
    if stand_in is not None and not wish.you_play:
        live = not wish.headless
        watched = Watched(stand_in, game.stand_in, seed, light, live=live)
    with TemporaryDirectory(prefix="dragon-table-") as folder:
        wanted = Wanted(
            wish.port,
            Path(folder),
            "drawn",
            seed=seed,
            watcher=watched.watcher if watched else None,
            recipe=Recipe(game.id, seed, light) if watched else None,
            frames_mb=RECORD_MB if wish.record else 0,
        )
        with run_table(wanted) as up:
            lay(up.table, wish.setup)
            if not wish.headless:
                greet(up)
            if watched is not None:
                cast: DemoPlayers = watched.players(up.table, wish.acts, wish.slips)
            else:
                pause_s = 0.0 if wish.headless else PAUSE_S
                cast = _cast(up.table, seed, pause_s, wish.acts)
            _play(up.table, cast, wish.you_play, to_end=wish.to_end)
            shown = up.table.snapshot
        story = shown.story
        assert story is not None
        assert shown.game_id is not None
        if wish.record is not None:
            # Once all is written: who plays in a demo has nothing to hide.
            write_capsule(wish.record, Path(folder), shown.game_id, story)
    return story, watched.figures() if watched else _dice_figures(story, seed, cast)


def write_capsule(path: Path, data: Path, game_id: str, story: Story) -> None:
    """Write a game and all that is kept of it to a file.

    Raises:
        BadInput: The file cannot be written.
    """
    try:
        with path.open("wb") as file:
            folder = data / PICTURES_NAME / game_id
            pack(file, game_id, story, folder, secrets=True)
    except OSError as error:
        raise BadInput(
            say("terminal.unwritable", path=str(path), why=str(error.strerror))
        ) from error


def _cast(table: Table, seed: int, pause_s: float, acts: int | None) -> DicePlayers:
    """Return the players of the demo's game."""
    story = table.snapshot.story
    assert story is not None
    return DicePlayers(
        table,
        DrawnDice(seed, time.monotonic),
        story.header.meanings,
        seed,
        pause_s,
        acts,
    )


def _dice_figures(story: Story, seed: int, cast: DemoPlayers) -> dict[str, Any]:
    """Return what came of a game of which the camera saw the dice alone."""
    assert isinstance(cast, DicePlayers)
    seen = tally(story, DrawnDice(seed, time.monotonic))
    return {
        "acts": cast.acts,
        "readings": seen.readings,
        "asked": seen.asked,
        "wrong_accepted": seen.wrong_accepted,
        "illegal": 0,
        "illegal_flagged": 0,
        "settle_to_page_ms": None,
    }


def _play(table: Table, cast: DemoPlayers, you_play: bool, to_end: bool) -> None:
    """Let the demo run until its end, or until somebody stops the program."""
    thread = threading.Thread(target=cast.play, name="players", daemon=True)
    if not you_play:
        thread.start()
    if to_end and not you_play:
        thread.join()
        return
    wait_for_end(table)
    cast.stop()
    if not you_play:
        thread.join(LEAVE_S)  # nobody presses a button of a table that is gone


def _report(
    story: Story, seed: int, light: str, seconds: float, results: dict[str, Any]
) -> dict[str, Any]:
    """Return what came of a demo game, as its JSON promises."""
    outcome = story.game.outcome(story.state)
    names = story.header.players
    return {
        "game": story.game.id,
        "seed": seed,
        "players": list(names),
        "light": light,
        **results,
        "outcome": None
        if outcome is None
        else {"winners": [names[seat] for seat in outcome.winners]},
        "scores": {
            names[score.seat]: score.low if score.low == score.high else None
            for score in story.game.scores(story.state)
        },
        "seconds": round(seconds, 2),
    }
