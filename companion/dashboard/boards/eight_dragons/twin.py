"""The table of 8 Dragons in sentences, for whoever cannot see the drawing."""

from collections.abc import Iterator

from companion.dashboard.boards.eight_dragons.figures import card_name
from companion.games.eight_dragons.census import count_free, dragon_colour
from companion.games.eight_dragons.pieces import SQUARES, Card
from companion.games.eight_dragons.scoring import worth
from companion.games.eight_dragons.state import State
from companion.games.hidden import (
    Hidden,
)
from companion.table import Value, Word
from companion.words import Words

TWIN = "boards.eight_dragons.twin"


def summary(state: State, words: Words) -> str:
    """Return one sentence that names the drawing."""
    return words.say("boards.eight_dragons.summary", {"n": count_free(state)})


def sentences(state: State, words: Words) -> Iterator[str]:
    """Yield what lies where, then what each player has."""
    yield from _rectangle(state, words)
    for seat, hand in enumerate(state.hands):
        yield words.say(f"{TWIN}.hand", {"seat": seat, "n": len(hand)})
        if state.tokens[seat]:
            yield words.say(f"{TWIN}.token", {"seat": seat})
        for four in state.laid[seat]:
            dragon = Word(f"eight_dragons.dragon.{dragon_colour(four)}")
            values: dict[str, Value] = {
                "seat": seat,
                "dragon": dragon,
                "points": worth(four),
            }
            yield words.say(f"{TWIN}.laid", values)


def _rectangle(state: State, words: Words) -> Iterator[str]:
    blocked = dict(state.blocked)
    down, gone = [], []
    for place, spot in enumerate(state.grid):
        name = SQUARES[place]
        if spot is None:
            gone.append(name)
        elif isinstance(spot, Hidden) and place not in blocked:
            down.append(name)
        elif isinstance(spot, Card):
            line = "open" if place in state.up else "spent"
            values: dict[str, Value] = {"square": name, "card": card_name(spot, words)}
            yield words.say(f"{TWIN}.{line}", values)
    for place, seat in state.blocked:
        values = {"square": SQUARES[place], "seat": seat}
        yield words.say(f"{TWIN}.blocked", values)
    for line, names in (("down", down), ("gone", gone)):
        if names:
            yield words.say(f"{TWIN}.{line}", {"squares": ", ".join(names)})
