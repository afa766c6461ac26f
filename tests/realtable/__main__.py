"""``python -m tests.realtable GAME --acts N --light L --out FOLDER``."""

import argparse
import time
from pathlib import Path

import click

from tests.realtable.film import disturbed, film
from tests.realtable.games import TABLES, traced_table
from tests.realtable.lamps import LIGHTS
from vision.measure.bench.traced import mitsuba


def main() -> None:
    """Film a game, and say how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.realtable")
    parser.add_argument("game", choices=sorted(TABLES))
    parser.add_argument("--acts", type=int, default=20)
    parser.add_argument("--light", choices=sorted(LIGHTS), default="lamp")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args()
    mi = mitsuba()
    if mi is None:
        parser.exit(2, "mitsuba is missing: pip install --group traced\n")
    table = traced_table(wanted.game)
    began = time.monotonic()
    wish = disturbed(wanted.acts, wanted.light, wanted.seed)
    truth = film(mi, table, wish, wanted.out)
    pictures = sum(len(act["pictures"]) for act in truth["acts"])
    seconds = time.monotonic() - began
    click.echo(f"{len(truth['acts'])} acts, {pictures} pictures, {seconds:.0f} s")


if __name__ == "__main__":
    main()
