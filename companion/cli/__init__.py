"""The command line: builds everything, owns nothing.

Bad input ends with one line on stderr and exit code 2, a failed check with 1; nobody
at a table ever sees a traceback.
"""

import logging
import os
import sys
from collections.abc import Sequence

import click

from companion.cli.bench import bench
from companion.cli.calibrate import calibrate_command
from companion.cli.club import club_command
from companion.cli.club_demo import club_demo
from companion.cli.club_files import club_files
from companion.cli.demo import demo
from companion.cli.device import own_language
from companion.cli.doctor import doctor
from companion.cli.enrol import enrol
from companion.cli.pin import pin_command
from companion.cli.play import play, serve
from companion.cli.records import export, replay
from companion.cli.score import score
from companion.cli.see import see
from companion.cli.usage import speak
from companion.words import Words
from companion.words.said import in_words


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dragon-table")
def commands() -> None:
    """Referee a physical board game by camera, buttons and phones."""


for command in (
    serve, demo, play, score, see, enrol, calibrate_command, doctor, bench, replay,
    export, pin_command, club_command, club_files,
    club_demo,
):  # fmt: skip
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the entry point of ``dragon-table``."""
    speak(commands, Words(own_language(os.environ)))
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    try:
        status = commands.main(args=arguments, standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        # One line, also where click would print its usage first.
        told = in_words(error.format_message(), Words(own_language(os.environ)))
        line = " ".join(told.split())
        click.echo(f"dragon-table: {line}", err=True)
        sys.exit(error.exit_code)
    sys.exit(status if isinstance(status, int) else 0)
