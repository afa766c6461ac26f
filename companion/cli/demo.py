"""``dragon-table demo``: a refereed game on the drawn table, for a first look."""

import json
import random
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click

from companion.capsule.file import pack
from companion.capsule.input_log import Recipe
from companion.cli.appliance import Wanted, running
from companion.cli.ending import wait_for_end
from companion.cli.errors import BadInput
from companion.cli.first_start import PICTURES_NAME
from companion.cli.play import greet, lay, port_option
from companion.demo.drawn_dice import DrawnDice, Players, tally
from companion.demo.setup import Watched
from companion.demo.simulated_players import Actors
from companion.demo.tables import find as table_of
from companion.games import UnknownGame, find
from companion.running.service import Table
from companion.running.snapshot import Setup
from companion.story.log import Story
from vision.drawn.light import LIGHTS

NAMES = ("Ana", "Bo", "Cléo", "Dédé", "Emma", "Finn", "Gigi")

Cast: TypeAlias = Players | Actors

RECORD_MB = 1000
"""Two or three pictures of 0.9 MB for each act: some 400 acts."""

LEAVE_S = 5.0
"""So long the players have to let go of the table once the demo is told to end."""

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
        raise BadInput(str(error)) from error
    if players not in found.seats:
        raise BadInput(f"{found.title} cannot be played by {players} people")
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    stand_in = table_of(game)
    began = time.monotonic()
    if stand_in is None or you_play:
        watched = None
    else:
        watched = Watched(stand_in, found.stand_in, seed, light, live=not headless)
    with TemporaryDirectory(prefix="dragon-table-") as folder:
        setup = Setup(game, NAMES[:players], first=seed % players)
        wanted = Wanted(
            0 if headless else port,
            Path(folder),
            "drawn",
            seed=seed,
            onlooker=watched.onlooker if watched else None,
            recipe=Recipe(game, seed, light) if watched else None,
            frames_mb=RECORD_MB if record else 0,
        )
        with running(wanted) as up:
            table = up.table
            lay(table, setup)
            if not headless:
                greet(up)
            if watched is not None:
                cast: Cast = watched.actors(table, acts, slips / 100)
            else:
                cast = _cast(table, seed, 0.0 if headless else PAUSE_S, acts)
            _play(table, cast, you_play, to_end=headless or until_end)
            shown = table.snapshot
        story = shown.story
        assert story is not None
        assert shown.game_id is not None
        if record is not None:
            # Once all is written: who plays in a demo has nothing to hide.
            write_capsule(record, Path(folder), shown.game_id, story)
    if as_json:
        told = watched.figures() if watched else _dice_figures(story, seed, cast)
        seconds = time.monotonic() - began
        click.echo(json.dumps(_report(story, seed, light, seconds, told)))


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
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error


def _cast(table: Table, seed: int, pause_s: float, acts: int | None) -> Players:
    """Return the players of the demo's game."""
    story = table.snapshot.story
    assert story is not None
    return Players(
        table,
        DrawnDice(seed, time.monotonic),
        story.header.meanings,
        seed,
        pause_s,
        acts,
    )


def _dice_figures(story: Story, seed: int, cast: Cast) -> dict[str, Any]:
    """Return what came of a game of which the eye saw the dice alone."""
    assert isinstance(cast, Players)
    eye = tally(story, DrawnDice(seed, time.monotonic))
    return {
        "acts": cast.acts,
        "readings": eye.readings,
        "asked": eye.asked,
        "wrong_accepted": eye.wrong_accepted,
        "illegal": 0,
        "illegal_flagged": 0,
        "settle_to_page_ms": None,
    }


def _play(table: Table, cast: Cast, you_play: bool, to_end: bool) -> None:
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
    story: Story, seed: int, light: str, seconds: float, told: dict[str, Any]
) -> dict[str, Any]:
    """Return what came of a demo game, as its JSON promises."""
    outcome = story.game.outcome(story.state)
    names = story.header.players
    return {
        "game": story.game.id,
        "seed": seed,
        "players": list(names),
        "light": light,
        **told,
        "outcome": None
        if outcome is None
        else {"winners": [names[seat] for seat in outcome.winners]},
        "scores": {
            names[score.seat]: score.low if score.low == score.high else None
            for score in story.game.scores(story.state)
        },
        "seconds": round(seconds, 2),
    }
