"""Lets ``python -m companion`` be the command line."""

from companion.cli import main

main()
