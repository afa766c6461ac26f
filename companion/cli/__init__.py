"""The command line: builds everything, owns nothing.

Bad input ends with one line on stderr and exit code 2, a failed check with 1; nobody
at a table ever sees a traceback.
"""

import logging
import os
import sys
from collections.abc import Sequence

import click

from companion.cli.click_errors import error_in
from companion.cli.device import own_language
from companion.cli.loading import LoadedWhenAsked
from companion.cli.usage import speak
from companion.words import Words

COMMANDS = LoadedWhenAsked(
    "companion.cli",
    {
        "bench": "bench.bench",
        "calibrate": "calibrate.calibrate_command",
        "club": "club.club_command",
        "club-demo": "club_demo.club_demo",
        "club-files": "club_files.club_files",
        "demo": "demo.demo",
        "doctor": "doctor.doctor",
        "enrol": "enrol.enrol",
        "export": "records.export",
        "pin": "pin.pin_command",
        "play": "play.play",
        "replay": "records.replay",
        "score": "score.score",
        "see": "see.see",
        "serve": "play.serve",
    },
)


@click.group(
    commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="dragon-table")
def commands() -> None:
    """Referee a physical board game by camera, buttons and phones."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the entry point of ``dragon-table``."""
    speak(commands, COMMANDS, Words(own_language(os.environ)))
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
        line = error_in(error, Words(own_language(os.environ)))
        click.echo(f"dragon-table: {line}", err=True)
        sys.exit(error.exit_code)
    sys.exit(status if isinstance(status, int) else 0)
