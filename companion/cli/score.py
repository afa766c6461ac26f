"""``dragon-table score``: only the final count, without a camera."""

from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.errors import BadInput, InputFile
from companion.cli.play import kit_option, port_option, run_lobby
from companion.games.drachenhort.tally import TallyError, count_points, parse_sheet
from companion.kits.kit import BadKit, load
from companion.words.said import say


@click.command()
@click.argument("game", type=click.Choice(["drachenhort"]), expose_value=False)
@kit_option
@click.option(
    "--json",
    "sheet",
    type=InputFile(),
    help="Count the sheet in this file and print the result.",
)
@port_option
def score(kit: Path | None, sheet: Path | None, port: int) -> None:
    """Count a finished game: medals, groups and jewels, on a phone or from a file."""
    if sheet is None:
        run_lobby(port, "/tally", _box(kit))
        return
    try:
        box = load(kit).box if kit else None
        result = count_points(parse_sheet(_text(sheet), box.groups if box else None))
    except TallyError as error:
        told = error.told
        said = say(told.line, **dict(told.params)) if told else str(error)
        raise BadInput(said) from error
    except BadKit as error:
        raise BadInput(str(error)) from error
    click.echo(msgspec.json.encode(result))


def _box(kit: Path | None) -> Any | None:
    """Return the box of a kit; the page counts without one that cannot be read."""
    try:
        return load(kit).box if kit else None
    except BadKit as error:
        click.echo(f"{error}; any three colours count as a group", err=True)
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadInput(say("terminal.no_sheet", path=str(path))) from error
    except OSError as error:
        why = str(error.strerror)
        raise BadInput(say("terminal.unreadable", path=str(path), why=why)) from error
    except UnicodeDecodeError as error:
        raise BadInput(say("terminal.not_text", path=str(path))) from error
