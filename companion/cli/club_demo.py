"""``dragon-table club-demo``: drawn tables, a broker and a hub, for a first look."""

import multiprocessing
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.cli.appliance import Wanted, run_table
from companion.cli.club import end_asked, in_club, running_hub
from companion.cli.demo import NAMES
from companion.cli.ending import wait_for_end
from companion.cli.errors import BadInput
from companion.cli.pages import free_port
from companion.cli.play import lay
from companion.demo.setup import Watched
from companion.demo.tables import DRAWN_GAMES
from companion.demo.tables import find as table_of
from companion.games import find
from companion.running.snapshot import Setup

PLACES = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/opt/homebrew/sbin"
"""Debian has its servers where the path of a user does not lead."""

UP_S = 5.0


@click.command("club-demo")
@click.option("--tables", type=click.IntRange(1, 20), default=5, show_default=True)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True,
    help="Port of the club's pages; 0 takes any free one.",
)  # fmt: skip
@click.option("--seconds", type=float, default=None, help="End after so long.")
def club_demo(tables: int, port: int, seconds: float | None) -> None:
    """Show a club: drawn tables that play, a broker, and a hub with its pages."""
    with TemporaryDirectory(prefix="dragon-club-") as folder, ExitStack() as stack:
        broker = stack.enter_context(_broker(Path(folder)))
        store = f"sqlite:///{folder}/club.db"
        at, pin, _ = stack.enter_context(running_hub(broker, store, "beaten", port))
        for number in range(tables):
            stack.enter_context(_table(number, broker))
        click.echo(f"Dragon Table club  {at}/   wall {at}/wall   staff PIN {pin}")
        end_asked(seconds)


@contextmanager
def _broker(folder: Path) -> Iterator[str]:
    """Run a Mosquitto of our own, for this machine alone.

    Raises:
        BadInput: There is none, or it does not come up.
    """
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path=PLACES)
    if program is None:
        raise BadInput("there is no Mosquitto; sudo apt install mosquitto")
    port = free_port()
    (folder / "broker.conf").write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\n", encoding="utf-8"
    )
    log = (folder / "broker.log").open("wb")
    with log, subprocess.Popen(
        [program, "-c", str(folder / "broker.conf")], stdout=log, stderr=log
    ) as running:  # fmt: skip
        try:
            yield f"mqtt://127.0.0.1:{port}"
        finally:
            running.terminate()


@contextmanager
def _table(number: int, broker: str) -> Iterator[None]:
    """Run a drawn table as a process of its own, as a Pi would be."""
    # Spawned: a fork of a program with threads may hang in any of their locks.
    made = multiprocessing.get_context("spawn").Process(
        target=play_at_table, args=(number, broker), daemon=True
    )
    made.start()
    try:
        yield
    finally:
        made.terminate()
        made.join(UP_S)


def play_at_table(number: int, broker: str) -> None:
    """Have a game played on a drawn table, in the club, until asked to end."""
    game = find(DRAWN_GAMES[number % len(DRAWN_GAMES)].game)
    stand_in = table_of(game.id)
    assert stand_in is not None, "all of these games are drawn"
    watched = Watched(stand_in, game.stand_in, number, "good", live=True)
    players = min(game.seats[-1], max(game.seats[0], 2 + number % 3))
    names = tuple(NAMES[(number + n) % len(NAMES)] for n in range(players))
    with TemporaryDirectory(prefix="dragon-table-") as folder:
        wanted = Wanted(
            0,
            Path(folder),
            "drawn",
            seed=number,
            watcher=watched.watcher,
            pictures_mb=0,
        )
        with run_table(wanted) as up, in_club(broker, f"Table {number + 1}", up):
            lay(up.table, Setup(game.id, names))
            cast = watched.players(up.table, None, 0.0)
            threading.Thread(target=cast.play, daemon=True).start()
            wait_for_end(up.table)
            cast.stop()
