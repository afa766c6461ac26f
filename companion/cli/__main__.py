"""Lets ``python -m companion.cli`` be the command line."""

from companion.cli import main

main()
