"""The seven adventurers as small pictures, and the score board below them."""

from typing import Any

from companion.dashboard.boards.drawing import Held, Icon
from companion.games.drachenhort.pieces import Adventurer
from companion.games.drachenhort.state import (
    Advance,
    NoteGroup,
    Rank,
    ShowGroup,
    State,
    Throw,
)
from companion.words import Words


class MedalColumn(Held, frozen=True, gc=False):
    """What one figure has on the score board, None for no medal yet."""

    hero: str
    silver: int | None
    gold: int | None


def icons(state: State, move: Any, words: Words) -> tuple[Icon, ...]:
    """Return the pictures on the button of *move*."""
    match move:
        case Throw(pips=pips):
            return (Icon("die", text=str(pips)),)
        case Advance(adventurer=hero) | Rank(adventurer=hero):
            return (icon(hero, words),)
        case NoteGroup(group=hidden):
            return _group_icons(state, hidden.value, words)
        case ShowGroup(group=group):
            return _group_icons(state, group, words)
        case _:
            return ()


def _group_icons(state: State, group: int | None, words: Words) -> tuple[Icon, ...]:
    if group is None:
        return ()
    return tuple(icon(hero, words) for hero in state.setting.box.groups[group])


def icon(hero: Adventurer, words: Words) -> Icon:
    """Return the picture of *hero*, with two letters of its name."""
    badge = words.say(f"dashboard.drachenhort.badge.{hero}")
    return Icon("pawn", str(hero), badge)


def name(hero: Adventurer, words: Words) -> str:
    """Return the name of *hero*."""
    return words.say(f"drachenhort.{hero}")


def columns(
    heroes: tuple[Adventurer, ...],
    words: Words,
    medals: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
) -> tuple[MedalColumn, ...]:
    """Return a column for each of *heroes*; *medals* holds silver and gold, 0 for none.

    The medals stand in the order of *heroes*.
    """
    silver, gold = medals or ((0,) * len(heroes), (0,) * len(heroes))
    return tuple(
        MedalColumn(
            icon(hero, words), name(hero, words), str(hero), s or None, g or None
        )
        for hero, s, g in zip(heroes, silver, gold, strict=True)
    )
