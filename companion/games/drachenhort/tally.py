"""The final count alone, for a table that played without the camera.

A sheet of medals, groups and jewels comes in as JSON; every fault in it is named in one
line. The points of a refereed game are counted in `scoring`.

Source: rulebook l. 53-54, 95-97, 203-213.
"""

import json
import unicodedata
from collections import Counter
from typing import Any

import msgspec
from msgspec import Struct

from companion.games.drachenhort.box import CARDS_OF_EACH, Group
from companion.games.drachenhort.pieces import (
    ADVENTURERS,
    JEWELS,
    MEDALS,
    Adventurer,
    Metal,
)
from companion.games.player_names import (
    MOST_LETTERS,
    common_form,
    is_long,
    letters,
    tidy,
)
from companion.table import LinePart, Value, Word

PLAYERS = range(1, 8)
ALL_JEWELS = 2 * JEWELS

UNSHOWN = ("Cc", "Cs", "Zl", "Zp")
"""Kinds of Unicode signs that would break a line; joiners, which scripts need, may."""

EXAMPLE = (
    '{"medals": {"silver": {"green": 1, ...}, "gold": {"green": 5, ...}}, '
    '"players": [{"name": "Ana", "group": ["green", "red", "white"], "jewels": 6}]}'
)


class TallyError(ValueError):
    """A sheet cannot be counted; the message says what is wrong, where, what to do.

    *told* is the line by which a family is told the same, None where the message names
    a word of the sheet, which only its writer knows.
    """

    def __init__(self, message: str, told: LinePart | None = None) -> None:
        super().__init__(message)
        self.told = told


def _tell(line: str, **values: Value) -> LinePart:
    return LinePart(f"dashboard.{line}", tuple(values.items()))


def _named(colour: str) -> Value:
    known = colour in tuple(Adventurer)
    return Word(f"drachenhort.{colour}") if known else colour


class Medals(Struct, frozen=True, forbid_unknown_fields=True):
    """The value that each colour got, by metal."""

    silver: dict[str, int]
    gold: dict[str, int]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's card and jewels."""

    name: str
    group: tuple[str, ...]
    jewels: int


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """All that the final count needs."""

    medals: Medals
    players: tuple[Player, ...]


class Share(Struct, frozen=True):
    """Where one player's points come from: (silver, gold) of each hero, and jewels."""

    medals: dict[str, tuple[int, int]]
    jewels: int


class Result(Struct, frozen=True):
    """The points by name, who won, and where the points come from."""

    scores: dict[str, int]
    winners: tuple[str, ...]
    breakdown: dict[str, Share]


def parse_sheet(text: str, groups: tuple[Group, ...] | None = None) -> Sheet:
    """Return the sheet that *text* holds.

    Args:
        text: JSON of the form of `EXAMPLE`.
        groups: The cards of the owner's copy. Without them any three colours are a
            card, none on more than three.

    Raises:
        TallyError: It is no such JSON, or no game can end like this.
    """
    try:
        loaded = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        sheet = msgspec.convert(loaded, Sheet)
    except TallyError:
        raise
    except msgspec.ValidationError as fault:
        what = " ".join(str(fault).split())
        raise TallyError(f"{what}; write {EXAMPLE}") from None
    except (ValueError, RecursionError) as fault:
        raise TallyError(f"this is not JSON: {fault}; write {EXAMPLE}") from None
    _check_medals(sheet.medals, groups)
    _check_players(sheet.players)
    for player in sheet.players:
        _check_group(player, sheet.medals, groups)
    _check_cards(sheet.players, groups)
    return sheet


def count_points(sheet: Sheet) -> Result:
    """Return the points: both medals of each of the three heroes, and the jewels.

    Source: rulebook l. 203-213.
    """
    breakdown = {
        player.name: Share(
            {
                hero: (sheet.medals.silver[hero], sheet.medals.gold[hero])
                for hero in player.group
            },
            player.jewels,
        )
        for player in sheet.players
    }
    scores = {
        name: sum(map(sum, share.medals.values())) + share.jewels
        for name, share in breakdown.items()
    }
    best = max(scores.values())
    winners = tuple(name for name, points in scores.items() if points == best)
    return Result(scores, winners, breakdown)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # JSON readers silently keep the last of two equal names, and lose a medal.
    for name, times in Counter(name for name, _ in pairs).items():
        if times > 1:
            raise TallyError(f"{name!r} is written {times} times; keep one of them")
    return dict(pairs)


def _no_number(text: str) -> Any:
    raise TallyError(f"{text} is no number; write a whole one")


def _check_medals(medals: Medals, groups: tuple[Group, ...] | None) -> None:
    _check_colours({*medals.silver, *medals.gold}, groups)
    for metal, values in zip(Metal, (medals.silver, medals.gold), strict=True):
        for colour, value in values.items():
            if value not in MEDALS:
                raise TallyError(
                    f"{colour} has a {metal} medal {value}, which is not in the box; "
                    f"choose one of {_list(MEDALS)}"
                )
        for value, times in Counter(values.values()).items():
            if times > 1:
                holders = _list(name for name, got in values.items() if got == value)
                raise TallyError(
                    f"{metal} medal {value} is given to {holders}; there is only one, "
                    "so look again"
                )


def _check_colours(colours: set[str], groups: tuple[Group, ...] | None) -> None:
    for colour in sorted(colours):
        _check_word("a colour among the medals", colour)
    if groups is not None:
        known = {str(hero) for group in groups for hero in group}
        for colour in sorted(colours - known):
            raise TallyError(
                f"medals name {colour!r}, no adventurer of this copy; "
                f"choose from {_list(sorted(known))}"
            )
    if len(colours) > ADVENTURERS:
        raise TallyError(
            f"medals name {len(colours)} colours ({_list(sorted(colours))}); "
            f"there are {ADVENTURERS} adventurers, so look for a misspelt one"
        )


def _check_players(players: tuple[Player, ...]) -> None:
    if len(players) not in PLAYERS:
        raise TallyError(f"{len(players)} players are listed; list 1 to 7")
    for number, player in enumerate(players, start=1):
        _check_word(f"the name of player {number}", player.name)
        if player.jewels < 0:
            raise TallyError(
                f"{player.name} has {player.jewels} jewels; write 0 to 24",
                _tell("tally.no_number", name=player.name, most=ALL_JEWELS),
            )
    alike = Counter(common_form(player.name) for player in players)
    for name in (player.name for player in players):
        if (times := alike[common_form(name)]) > 1:
            raise TallyError(
                f"{times} players are named {tidy(name)}; tell them apart",
                _tell("lobby.name_twice", name=tidy(name)),
            )
    jewels = sum(player.jewels for player in players)
    if jewels > ALL_JEWELS:
        raise TallyError(
            f"{jewels} jewels are listed in all, the box has {ALL_JEWELS}; count again",
            _tell("tally.jewels_all", n=jewels, most=ALL_JEWELS),
        )


def _check_word(what: str, word: str) -> None:
    if not word.strip():
        raise TallyError(f"{what} is blank; write a name")
    if is_long(word):
        raise TallyError(
            f"{what} has {letters(word)} letters; shorten it to {MOST_LETTERS}: "
            f"{word[:20]}…"
        )
    if any(unicodedata.category(letter) in UNSHOWN for letter in word):
        raise TallyError(
            f"{what} has a sign that cannot be shown; write it anew: {word!a}"
        )
    if not tidy(word):
        raise TallyError(f"{what} has no letter that can be seen; write one")


def _check_group(
    player: Player, medals: Medals, groups: tuple[Group, ...] | None
) -> None:
    group = player.group
    if len(set(group)) != CARDS_OF_EACH or len(group) != CARDS_OF_EACH:
        raise TallyError(
            f"the group of {player.name} is {_list(map(repr, group)) or 'empty'}; "
            "write three different colours"
        )
    if groups is not None and set(group) not in [set(card) for card in groups]:
        raise TallyError(
            f"the group of {player.name}, {_list(group)}, is on no card of this copy; "
            f"choose one of {' / '.join(_list(card) for card in groups)}",
            _tell("tally.no_card", name=player.name),
        )
    for colour in group:
        for metal, values in zip(Metal, (medals.silver, medals.gold), strict=True):
            if colour not in values:
                raise TallyError(
                    f"the group of {player.name} has {colour!r}, which has no {metal} "
                    "medal; add the medal or mend the colour",
                    _tell(
                        "tally.no_medal", name=player.name, adventurer=_named(colour)
                    ),
                )


def _check_cards(players: tuple[Player, ...], groups: tuple[Group, ...] | None) -> None:
    if groups is not None:
        holders: dict[frozenset[str], str] = {}
        for player in players:
            other = holders.setdefault(frozenset(player.group), player.name)
            if other != player.name:
                raise TallyError(
                    f"{other} and {player.name} have the same card, "
                    f"{_list(player.group)}; look at both again",
                    _tell("tally.same_card", name=other, other=player.name),
                )
    shares = Counter(colour for player in players for colour in player.group)
    for colour, times in shares.items():
        if times > CARDS_OF_EACH:
            raise TallyError(
                f"{colour} is in {times} groups; it is on {CARDS_OF_EACH} cards only, "
                "so look at the groups again",
                _tell(
                    "tally.too_often",
                    adventurer=_named(colour),
                    n=times,
                    most=CARDS_OF_EACH,
                ),
            )


def _list(things: Any) -> str:
    return ", ".join(str(thing) for thing in things)
