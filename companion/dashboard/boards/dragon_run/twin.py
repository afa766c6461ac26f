"""The table of Dragon Run in sentences, for whoever cannot see the drawing."""

from collections.abc import Iterator

from companion.dashboard.boards.dragon_run.figures import treasure_name
from companion.games.dragon_run.pieces import FACES
from companion.games.dragon_run.state import NOBODY, State, places_left
from companion.games.dragon_run.turns import hopeful, succeeds
from companion.table import Seat, Value
from companion.words import Words

TWIN = "boards.dragon_run.twin"


def summary(state: State, words: Words) -> str:
    """Return one sentence that names the drawing."""
    values: dict[str, Value] = {"anger": state.anger, "n": places_left(state)}
    return words.say("boards.dragon_run.summary", values)


def odds(state: State, words: Words) -> str:
    """Return how likely a stealth test is to succeed now."""
    good = hopeful(state)
    if not good:
        return words.say("boards.dragon_run.odds.none")
    lowest = next(pips for pips in FACES if succeeds(state, pips))
    values: dict[str, Value] = {"pips": lowest, "percent": 10 * good}
    return words.say("boards.dragon_run.odds", values)


def sentences(state: State, words: Words) -> Iterator[str]:
    """Yield the dragon, the place cards, the treasures, then each player."""
    yield words.say(f"{TWIN}.anger", {"anger": state.anger})
    yield words.say("boards.dragon_run.places", {"n": places_left(state)})
    if state.turned:
        names = [words.text(state.setting.box.places[k].name) for k in state.turned]
        yield words.say(f"{TWIN}.turned", {"cards": ", ".join(names)})
    yield odds(state, words)
    if state.rolled is not None:
        yield words.say(f"{TWIN}.rolled", {"pips": state.rolled})
    yield words.say("boards.dragon_run.stock", {"n": state.stock})
    if state.discard:
        listed = ", ".join(treasure_name(state, k, words) for k in state.discard)
        yield words.say(f"{TWIN}.discard", {"cards": listed})
    for seat in range(state.setting.seats):
        yield from _thief(state, seat, words)


def _thief(state: State, seat: Seat, words: Words) -> Iterator[str]:
    number = state.heroes[seat]
    if number == NOBODY:
        yield words.say(f"{TWIN}.nobody", {"seat": seat, "n": state.hands[seat]})
    else:
        power = "used" if state.tilted[seat] else "ready"
        values: dict[str, Value] = {
            "seat": seat,
            "hero": words.text(state.setting.box.heroes[number].name),
            "health": words.say(f"boards.dragon_run.{state.health[seat]}"),
            "power": words.say(f"boards.dragon_run.power.{power}"),
            "n": state.hands[seat],
        }
        yield words.say(f"{TWIN}.thief", values)
    for line, kinds in (("front", state.fronts[seat]), ("shown", state.shown[seat])):
        if kinds:
            listed = ", ".join(treasure_name(state, kind, words) for kind in kinds)
            yield words.say(f"{TWIN}.{line}", {"seat": seat, "cards": listed})
