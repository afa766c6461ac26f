"""Hunt mutants from the command line: ``python -m tests.mutants drachenhort 150``."""

import json
import sys

from tests.mutants.hunt import all_mutants, hunt, sample, told

SEED = 20261128


def main() -> None:
    """Print what became of some mutants of a game, or of all of them, as JSON."""
    game, wanted = sys.argv[1], sys.argv[2]
    chosen = all_mutants(game) if wanted == "all" else sample(game, int(wanted), SEED)
    found = hunt(game, chosen)
    print(json.dumps({  # noqa: T201  # this is what the program is for
        "game": game,
        "mutants": len(chosen),
        "killed": found.killed,
        "survivors": sorted(told(found.survivors)),
    }))  # fmt: skip


main()
