"""``dragon-table demo``: a refereed game on the drawn table, for a first look."""

import json
import random
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from companion.cli import appliance
from companion.cli.errors import BadInput
from companion.cli.play import greet, lay, port_option
from companion.demo import DrawnDice, Players, tally
from companion.games import UnknownGame, find
from companion.log import Story
from companion.service import Table
from companion.snapshot import Setup

NAMES = ("Ana", "Bo", "Cléo", "Dédé", "Emma", "Finn", "Gigi")

LIGHTS = ("good",)
"""How the drawn table can be lit."""

PAUSE_S = 2.5
"""How long a demo player thinks: time to look from the table to the page."""


@click.command()
@click.argument("game", default="drachenhort")
@port_option
@click.option(
    "--seed", type=int, default=None, help="The same seed plays the same game."
)
@click.option("--acts", type=click.IntRange(1), help="Stop after so many acts.")
@click.option(
    "--light",
    type=click.Choice(LIGHTS),
    default=LIGHTS[0],
    show_default=True,
    help="How the table is lit.",
)
@click.option(
    "--headless", is_flag=True, help="Play without pages and without waiting."
)
@click.option("--until-end", is_flag=True, help="End when the game is over.")
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
@click.option("--players", type=click.IntRange(2, 7), default=3, show_default=True)
@click.option(
    "--you-play", is_flag=True, help="Nobody else plays: you do, on the page."
)
def demo(
    game: str,
    port: int,
    seed: int | None,
    acts: int | None,
    light: str,
    headless: bool,
    until_end: bool,
    as_json: bool,
    players: int,
    you_play: bool,
) -> None:
    """Show a game that is played on a drawn table; open the page to follow it."""
    try:
        found = find(game)
    except UnknownGame as error:
        raise BadInput(str(error)) from error
    if players not in found.seats:
        raise BadInput(f"{found.title} cannot be played by {players}")
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    began = time.monotonic()
    with TemporaryDirectory(prefix="dragon-table-") as folder:
        setup = Setup(game, NAMES[:players], first=seed % players)
        at = 0 if headless else port
        with appliance.running(at, Path(folder), "drawn", seed=seed) as (
            table,
            known,
            taken,
        ):
            lay(table, setup)
            if not headless:
                greet(table, known, taken)
            pause_s = 0.0 if headless else PAUSE_S
            cast = _cast(table, seed, pause_s, acts)
            _play(table, cast, you_play, to_end=headless or until_end)
            story = table.snapshot.story
    assert story is not None
    if as_json:
        seconds = time.monotonic() - began
        click.echo(json.dumps(_report(story, seed, light, seconds, cast.acts)))


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


def _play(table: Table, cast: Players, you_play: bool, to_end: bool) -> None:
    """Let the demo run until its end, or until somebody stops the program."""
    thread = threading.Thread(target=cast.play, name="players", daemon=True)
    if not you_play:
        thread.start()
    if to_end and not you_play:
        thread.join()
        return
    appliance.until_told_to_stop(table)
    cast.stop()


def _report(
    story: Story, seed: int, light: str, seconds: float, acts: int
) -> dict[str, Any]:
    """Return what came of a demo game, as its JSON promises."""
    outcome = story.game.outcome(story.state)
    eye = tally(story, DrawnDice(seed, time.monotonic))
    names = story.header.players
    return {
        "game": story.game.id,
        "seed": seed,
        "players": list(names),
        "light": light,
        "acts": acts,
        "readings": eye.readings,
        "asked": eye.asked,
        "wrong_accepted": eye.wrong_accepted,
        "illegal_flagged": 0,
        "outcome": None
        if outcome is None
        else {"winners": [names[seat] for seat in outcome.winners]},
        "scores": {
            names[score.seat]: score.low if score.low == score.high else None
            for score in story.game.scores(story.state)
        },
        "seconds": round(seconds, 2),
    }
