"""The table of Dragonix in sentences, for whoever cannot see the drawing."""

from collections.abc import Iterator

from companion.dashboard.boards.dragonix.figures import (
    DRAGONS,
    TOKENS,
    card_name,
    row_name,
)
from companion.dashboard.boards.drawing import Icon
from companion.games.dragonix.pieces import HERO, NO_COLOUR, PEOPLES, Dragon, Token
from companion.games.dragonix.scoring import deserters
from companion.games.dragonix.state import NOWHERE, Stack, State
from companion.table import Value, Word
from companion.words import Words

TWIN = "boards.dragonix.twin"


def summary(state: State, words: Words) -> str:
    """Return one sentence that names the drawing."""
    lying = sum(len(stack.cards) for stack in state.rows)
    return words.say("boards.dragonix.summary", {"n": lying})


def timers(state: State, words: Words) -> tuple[tuple[Icon, str], ...]:
    """Return which effects last, and at the start of whose turn they end."""
    found = []
    if state.undead_by is not None:
        found.append((DRAGONS[Dragon.UNDEAD], "undead_until", state.undead_by))
    if state.prison_by is not None:
        found.append((TOKENS[Token.PRISON], "tower_until", state.prison_by))
    return tuple(
        (icon, words.say(f"boards.dragonix.{line}", {"seat": seat}))
        for icon, line, seat in found
    )


def sentences(state: State, words: Words) -> Iterator[str]:
    """Yield the rows from first to last, the dragons, then what each player has."""
    for row, stack in enumerate(state.rows):
        yield _row(row_name(row, words), stack, words)
    for dragon, row, off in (
        (Dragon.RED, state.red, state.red_off),
        (Dragon.UNDEAD, state.undead, state.undead_off),
    ):
        if row != NOWHERE:
            values: dict[str, Value] = {
                "dragon": Word(f"dragonix.dragon.{dragon}"),
                "row": row_name(row, words),
            }
            yield words.say(f"{TWIN}.dragon{'_off' if off else ''}", values)
    yield from (text for _, text in timers(state, words))
    if state.deserters:
        listed = ", ".join(card_name(card, words) for card in state.deserters)
        values = {"n": deserters(state), "cards": listed}
        yield words.say(f"{TWIN}.deserters", values)
    yield from _seats(state, words)


def _row(name: str, stack: Stack, words: Words) -> str:
    if not stack.cards:
        return words.say(f"{TWIN}.empty", {"row": name})
    named = []
    for card, value in zip(stack.cards, stack.values, strict=True):
        counts = f" ({value})" if card == HERO else ""
        named.append(card_name(card, words) + counts)
    values: dict[str, Value] = {"row": name, "n": len(named), "cards": ", ".join(named)}
    if stack.colour == NO_COLOUR:
        return words.say(f"{TWIN}.row", values)
    people = {"people": Word(f"dragonix.{PEOPLES[stack.colour]}")}
    return words.say(f"{TWIN}.row_of", values | people)


def _seats(state: State, words: Words) -> Iterator[str]:
    for seat, side in enumerate(state.sides):
        values: dict[str, Value] = {
            "seat": seat,
            "hand": side.hand,
            "camp": side.camp,
            "tokens": side.tokens,
        }
        yield words.say(f"{TWIN}.seat", values)
        if side.shown:
            listed = ", ".join(card_name(card, words) for card in side.shown)
            yield words.say(f"{TWIN}.known", {"seat": seat, "cards": listed})
