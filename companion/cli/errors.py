"""One-line errors of the command line; `companion.cli.main` prints them."""

import click


class BadInput(click.ClickException):
    """Something given on the command line cannot be used; exit code 2."""

    exit_code = 2


class CheckFailed(click.ClickException):
    """A check came out badly; exit code 1."""

    exit_code = 1
