"""One-line errors of the command line; `companion.cli.main` prints them."""

import os
import stat
from pathlib import Path

import click

from companion.games import GAMES
from companion.words.said import Said, say

EXIT_CODE = 75
"""EX_TEMPFAIL of sysexits.h: try again. systemd restarts the unit on any failure."""


class BadInput(click.ClickException):
    """Something given on the command line cannot be used; exit code 2."""

    exit_code = 2


class CheckFailed(click.ClickException):
    """A check came out badly; exit code 1."""

    exit_code = 1


class StartAgain(click.ClickException):
    """The program ends so that systemd starts it anew; the code says so."""

    exit_code = EXIT_CODE


class InputFile(click.Path):
    """A file or folder that a command reads; a device such as /dev/zero never ends."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path.

        Raises:
            BadInput: A device is there.
        """
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        refuse_device(path)
        return path


def refuse_device(path: Path) -> None:
    """See that whoever reads *path* comes to an end.

    Raises:
        BadInput: A device is there.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # whoever opens it says what is wrong
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise BadInput(say("terminal.device", path=str(path)))


def no_game(game_id: str) -> Said:
    """Return that there is no such game, and which there are."""
    known = ", ".join(game.id for game in GAMES)
    return say("terminal.unknown_game", game=repr(game_id), known=known)


def no_extra(error: ImportError) -> Said:
    """Return what to install for the club, of which *error* misses a part."""
    return say("terminal.extra", name=str(error.name))
