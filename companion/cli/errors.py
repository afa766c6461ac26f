"""One-line errors of the command line; `companion.cli.main` prints them."""

import click

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
