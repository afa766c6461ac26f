"""``dragon-table pin``: the host's PIN and link, for whoever may read the folder.

A service prints neither: its journal is kept for months, and others may read it.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import click

from companion.cli.errors import BadInput
from companion.cli.first_start import default_data
from companion.cli.pages import address
from companion.cli.printed import qr_text
from companion.dashboard import host_link
from companion.running.storage.keysfile import NAME, read_keys
from companion.words.said import say


@click.command("pin")
@click.option(
    "--data", type=click.Path(path_type=Path), default=None,
    help="Folder of games, kits and secrets  [default: in your home]",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8000, show_default=True,
    help="Port of the page.",
)  # fmt: skip
def pin_command(data: Path | None, port: int) -> None:
    """Print the host's PIN and link; the table may be running or not."""
    folder = data or default_data()
    keys = read_keys(folder / NAME)
    if keys is None:
        raise BadInput(say("terminal.no_pin", folder=str(folder)))
    link = host_link(address(port), bytes.fromhex(keys.key), keys.tokens)
    click.echo(f"host PIN {keys.pin}")
    click.echo(f"host  {link}")
    click.echo(qr_text(link))


def goes_to_journal(output: IO[str], environment: Mapping[str, str]) -> bool:
    """Tell whether what is printed there is kept in systemd's journal.

    Source: systemd.exec(5), ``$JOURNAL_STREAM``.
    """
    try:
        found = os.fstat(output.fileno())
    except (OSError, ValueError):  # what a test prints to is no file
        return False
    return environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
