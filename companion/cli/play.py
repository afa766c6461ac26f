"""``dragon-table play`` and ``serve``: a real table."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from companion.capsule.evidence_store import MOST_BYTES
from companion.cli.appliance import MB, Running, Wanted, run_table
from companion.cli.club import club_option, in_club, table_name_option
from companion.cli.device import own_language
from companion.cli.ending import switch_off_file, wait_for_end
from companion.cli.errors import BadInput, InputFile, no_game
from companion.cli.kits import kit_name, kit_part
from companion.cli.pages import address
from companion.cli.pin import goes_to_journal
from companion.cli.printed import qr_text, read_options
from companion.cli.watchers import check_pace
from companion.dashboard import host_link, seat_link
from companion.games import UnknownGame, find
from companion.games.player_names import MOST_LETTERS, common_form, is_long, tidy
from companion.running.missing import in_a_line
from companion.running.service import Table
from companion.running.snapshot import Rejected, Setup
from companion.words import Words
from companion.words.said import Part, say

port_option = click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Port of the page; 0 takes any free one.",
)  # fmt: skip
data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=None,
    help="Folder of games, kits and secrets  [default: in your home]",
)  # fmt: skip
kit_option = click.option(
    "--kit", type=InputFile(), default=None,
    help="The owner's kit, a folder or one file; without it, the stand-in.",
)  # fmt: skip
camera_option = click.option(
    "--camera", default=None,
    help="pi, a webcam's number, a folder of pictures, or drawn.",
)  # fmt: skip
pace_option = click.option(
    "--pictures-a-second", type=float, default=None,
    help="Show the folder of --camera as a live camera at this pace, with what is put "
    "into it meanwhile; the last picture stays.",
)  # fmt: skip
pictures_option = click.option(
    "--pictures-mb", type=click.IntRange(0), default=MOST_BYTES // MB,
    show_default=True,
    help="How many MB of the pictures behind the log are kept; 0 keeps none.",
)  # fmt: skip


@click.command()
@port_option
@data_option
@camera_option
@pace_option
@pictures_option
@club_option
@table_name_option
def serve(
    port: int,
    data: Path | None,
    camera: str | None,
    pictures_a_second: float | None,
    pictures_mb: int,
    club: str | None,
    table_name: str,
) -> None:
    """Open the lobby: choose a game on the phone."""
    check_pace(camera, pictures_a_second)
    wanted = Wanted(
        port, data, camera, pictures_mb=pictures_mb,
        pictures_a_second=pictures_a_second,
    )  # fmt: skip
    with run_table(wanted) as up, in_club(club, table_name, up):
        greet(up)
        wait_for_end(up.table, up.watcher, switch_off_file(data))


@click.command()
@click.argument("game")
@click.option("--players", required=True, help="Names by seat: Ana,Bo,Cy")
@kit_option
@click.option(
    "--options", type=InputFile(), default=None,
    help='Rulings that this table has chosen: a TOML file with lines like DH1 = "...".',
)  # fmt: skip
@port_option
@data_option
@camera_option
@pace_option
@pictures_option
def play(
    game: str,
    players: str,
    kit: Path | None,
    options: Path | None,
    port: int,
    data: Path | None,
    camera: str | None,
    pictures_a_second: float | None,
    pictures_mb: int,
) -> None:
    """Referee GAME at once, or resume an unfinished one of the same players."""
    names = split_names(players)
    check_pace(camera, pictures_a_second)
    try:
        find(game)
    except UnknownGame as error:
        raise BadInput(no_game(game)) from error
    setup = Setup(game, names, read_options(options), kit_name(kit) if kit else None)
    wanted = Wanted(
        port, data, camera, kit, pictures_mb=pictures_mb,
        pictures_a_second=pictures_a_second,
    )  # fmt: skip
    with run_table(wanted) as up:
        lay(up.table, setup)
        greet(up)
        wait_for_end(up.table, up.watcher, switch_off_file(data))


def lay(table: Table, setup: Setup) -> None:
    """Put a game on the table: the same players' unfinished one, or a new one.

    Raises:
        BadInput: It cannot be set up like this.
    """
    story = table.snapshot.story
    if story is not None and story.game.outcome(story.state) is None:
        header = story.header
        names = tuple(map(tidy, header.players))
        if (header.game, names) == (setup.game, setup.players):
            return
    answer = table.open_game(setup)
    if isinstance(answer, Rejected):
        part = kit_part(setup.kit or "")
        broken = (one.why for one in table.snapshot.missing if one.part == part)
        raise BadInput(next(broken, say(answer.why.line, **dict(answer.why.params))))


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas.

    Raises:
        BadInput: A name is empty, too long or there twice.
    """
    names = tuple(map(tidy, text.split(",")))
    for name in names:
        if not name:
            raise BadInput(say("terminal.name_empty", names=ascii(text)))
        if is_long(name):
            values: dict[str, Part] = {"name": repr(name), "most": MOST_LETTERS}
            raise BadInput(say("terminal.name_long", **values))
    if len(set(map(common_form, names))) < len(names):
        raise BadInput(say("terminal.name_twice", names=repr(text)))
    return names


def run_lobby(port: int, page: str, box: Any | None) -> None:
    """Serve only the pages, without camera and buttons, and say where *page* is.

    *box* is the owner's, for the tally to know its groups.
    """
    with run_table(Wanted(port, bare=True, box=box)) as up:
        for part in up.table.snapshot.missing:
            click.echo(in_a_line(part, Words(own_language(os.environ))), err=True)
        click.echo(f"{address(up.port)}{page}")
        wait_for_end(up.table)


def greet(up: Running) -> None:
    """Print where the page is, who joins how, and a QR code for the host.

    Where it goes to the journal it says only how somebody who may know it is told.
    """
    table, known, at = up.table, up.known, address(up.port)
    to_journal = goes_to_journal(sys.stdout, os.environ)
    words = Words(own_language(os.environ))
    for part in table.snapshot.missing:
        click.echo(in_a_line(part, None if to_journal else words), err=True)
    pin = words.say("terminal.host_pin", {"pin": known.pin})
    # A journal is kept and read by others: it has the way to the PIN, in English.
    how = f"for the host: sudo {sys.argv[0]} pin --data {up.data} --port {up.port}"
    click.echo(f"Dragon Table  {at}/   {how if to_journal else pin}")
    for line in table.snapshot.warnings:
        click.echo(f"! {words.part(line)}")
    if to_journal:
        return
    host = host_link(at, known.key, table.tokens())
    shown = table.snapshot
    if shown.story is not None and shown.game_id is not None:
        tokens = table.tokens()
        for seat, name in enumerate(shown.story.header.players):
            link = seat_link(at, known.key, shown.game_id, seat, tokens)
            click.echo(f"{name}  {link}")
    click.echo(f"{words.say('terminal.host')}  {host}")
    click.echo(qr_text(host))
