"""The final count of Drachenhort for a table that played without the camera."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, TypeAlias

import msgspec
from flask import Blueprint, Response, jsonify, request
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from companion.dashboard.api.replies import No, error_reply, wants_json
from companion.dashboard.api.requests import BadName, clean_name
from companion.dashboard.boards.drachenhort import columns
from companion.dashboard.boards.drawing import Icon
from companion.dashboard.context import Context, language
from companion.dashboard.showing import show
from companion.games.drachenhort.box import CARDS_OF_EACH, STAND_IN, Box, Group
from companion.games.drachenhort.pieces import MEDALS, Adventurer
from companion.games.drachenhort.tally import (
    ALL_JEWELS,
    Result,
    TallyError,
    count_points,
    parse_sheet,
)
from companion.games.player_names import common_form, tidy
from companion.table import Value, Word
from companion.words import Words

CHAIRS = 7
TallyForm: TypeAlias = MultiDict[str, str]
Groups: TypeAlias = tuple[Group, ...]
METALS = ("silver", "gold")


class Fault(Struct, frozen=True):
    """What is wrong, as a line with its values, and at which fields it is told."""

    fields: tuple[str, ...]
    line: str
    values: dict[str, Value] = {}


class MedalRow(Struct, frozen=True):
    """One adventurer's line of medals, and what was tapped."""

    hero: str
    icon: Icon
    name: str
    silver: str
    gold: str


class PlayerSheet(Struct, frozen=True):
    """One player's name, heroes and jewels as they were typed."""

    number: int
    name: str
    group: tuple[str, ...]
    jewels: str

    @property
    def is_begun(self) -> bool:
        """Tell whether anything was typed or tapped here."""
        return bool(self.name.strip() or self.group or self.jewels.strip(" 0"))


class Counted(Struct, frozen=True):
    """A player's points and where they come from."""

    name: str
    points: int
    won: bool
    parts: tuple[tuple[str, int], ...]


def routes(context: Context, box: Box | None) -> Blueprint:
    """Return the routes of the count; *box* is the owner's copy, None for any."""
    pages = Blueprint("tally", __name__)
    pages.add_url_rule("/tally", "blank", partial(_page, context, box, MultiDict()))
    view = partial(count_sent, context, box)
    pages.add_url_rule("/tally", "counted", view, methods=["POST"])
    return pages


def count_sent(context: Context, box: Box | None) -> Response | tuple[Response, int]:
    """Count what was sent, as JSON or with the page's form."""
    groups = box.groups if box is not None else None
    if wants_json():
        text = request.get_data().decode(errors="replace")
        try:
            return jsonify(msgspec.to_builtins(count_points(parse_sheet(text, groups))))
        except TallyError as error:
            return error_reply(context, No("refused", _said(error)), 422)
    form, heroes = request.form, _heroes(box)
    faults = tuple(_faults(form, heroes, groups))
    if faults:
        return _page(context, box, form, faults=faults), 422
    try:
        result = count_points(parse_sheet(json.dumps(_document(form, heroes)), groups))
    except TallyError as error:
        # Only a form that is not ours comes this far: it names what no page offers.
        return _page(context, box, form, error=_said(error)), 422
    return _page(context, box, form, results=_ranked(result, Words(language())))


def _said(error: TallyError) -> str:
    """Return what is wrong with a sheet; only its shape is told in English alone."""
    return Words(language()).part(error.told) if error.told else str(error)


def _heroes(box: Box | None) -> tuple[Adventurer, ...]:
    return (box or STAND_IN).adventurers


def _page(
    context: Context,
    box: Box | None,
    form: TallyForm,
    error: str | None = None,
    results: tuple[Counted, ...] = (),
    faults: tuple[Fault, ...] = (),
) -> Response:
    """Show the sheet to fill in, and what came of it."""
    words = Words(language())
    rows = [
        MedalRow(
            column.hero,
            column.icon,
            column.name,
            form.get(f"silver-{column.hero}", ""),
            form.get(f"gold-{column.hero}", ""),
        )
        for column in columns(_heroes(box), words)
    ]
    return show(
        context,
        "tally.html",
        rows=rows,
        cards=_cards(form),
        values=MEDALS,
        error=error,
        faults=[words.say(fault.line, fault.values) for fault in faults],
        told=_told(faults, words),
        results=results,
    )


def _told(faults: tuple[Fault, ...], words: Words) -> dict[str, list[str]]:
    """Return the sentences of *faults* by the field at which they are told."""
    told: dict[str, list[str]] = {}
    for fault in faults:
        for field in fault.fields:
            told.setdefault(field, []).append(words.say(fault.line, fault.values))
    return told


def _cards(form: TallyForm) -> list[PlayerSheet]:
    return [
        PlayerSheet(
            n,
            form.get(f"name-{n}", ""),
            tuple(form.getlist(f"group-{n}")),
            form.get(f"jewels-{n}", ""),
        )
        for n in range(CHAIRS)
    ]


def _players(form: TallyForm) -> list[PlayerSheet]:
    """Return the cards that are begun."""
    return [card for card in _cards(form) if card.is_begun]


def _name(card: PlayerSheet) -> str:
    number = {"number": card.number + 1}
    return tidy(card.name) or Words(language()).say("dashboard.lobby.name", number)


def _faults(
    form: TallyForm, heroes: tuple[Adventurer, ...], groups: Groups | None
) -> Iterator[Fault]:
    """Yield all that people get wrong, so that it is told in their own language."""
    for metal in METALS:
        yield from _faults_of_medals(form, metal, heroes)
    players = _players(form)
    if not players:
        yield Fault(("player-0",), "dashboard.tally.nobody")
    for card in players:
        yield from _faults_of_name(card)
        yield from _faults_of_group(form, card, groups)
    yield from _faults_of_all(players)


def _faults_of_medals(
    form: TallyForm, metal: str, heroes: tuple[Adventurer, ...]
) -> Iterator[Fault]:
    given = {hero: form.get(f"{metal}-{hero}", "") for hero in heroes}
    for value, times in Counter(filter(None, given.values())).items():
        if times > 1:
            fields = tuple(f"{metal}-{h}" for h, got in given.items() if got == value)
            yield Fault(fields, f"dashboard.tally.twice.{metal}", {"value": value})


def _faults_of_name(card: PlayerSheet) -> Iterator[Fault]:
    field = (f"player-{card.number}",)
    try:
        if not clean_name(card.name):
            number: dict[str, Value] = {"number": card.number + 1}
            yield Fault(field, "dashboard.tally.unnamed", number)
    except BadName as fault:
        yield Fault(field, fault.line, dict(fault.values))


def _faults_of_group(
    form: TallyForm, card: PlayerSheet, groups: Groups | None
) -> Iterator[Fault]:
    field, name = (f"player-{card.number}",), _name(card)
    if len(set(card.group)) != CARDS_OF_EACH:
        yield Fault(field, "dashboard.tally.not_three", {"name": name})
    elif groups is not None and set(card.group) not in [set(one) for one in groups]:
        yield Fault(field, "dashboard.tally.no_card", {"name": name})
    if not isinstance(_number(card.jewels or "0"), int):
        values: dict[str, Value] = {"name": name, "most": ALL_JEWELS}
        yield Fault(field, "dashboard.tally.no_number", values)
    for hero in card.group:
        medals = (form.get(f"silver-{hero}"), form.get(f"gold-{hero}"))
        # A form that is not ours may name anybody; the rules tell of such a hero.
        if not all(medals) and hero in tuple(Adventurer):
            values = {"name": name, "adventurer": Word(f"drachenhort.{hero}")}
            yield Fault(field, "dashboard.tally.no_medal", values)


def _faults_of_all(players: list[PlayerSheet]) -> Iterator[Fault]:
    """Yield what is wrong between players: names, cards and jewels that collide."""
    names: dict[str, PlayerSheet] = {}
    held: dict[frozenset[str], PlayerSheet] = {}
    for card in players:
        name = common_form(card.name)
        other = names.setdefault(name, card) if name else card
        if other is not card:
            fields = (f"player-{other.number}", f"player-{card.number}")
            yield Fault(fields, "dashboard.lobby.name_twice", {"name": _name(card)})
        group = frozenset(card.group)
        # The seven cards of a box are all different (`box.check_box`).
        same = held.setdefault(group, card) if len(group) == CARDS_OF_EACH else card
        if same is not card:
            fields = (f"player-{same.number}", f"player-{card.number}")
            values: dict[str, Value] = {"name": _name(same), "other": _name(card)}
            yield Fault(fields, "dashboard.tally.same_card", values)
    for hero, times in Counter(hero for card in players for hero in card.group).items():
        if times > CARDS_OF_EACH and hero in tuple(Adventurer):
            values = {"adventurer": Word(f"drachenhort.{hero}")}
            values |= {"n": times, "most": CARDS_OF_EACH}
            yield Fault(("players",), "dashboard.tally.too_often", values)
    counts = [_number(card.jewels or "0") for card in players]
    jewels = sum(count for count in counts if isinstance(count, int))
    if jewels > ALL_JEWELS:
        values = {"n": jewels, "most": ALL_JEWELS}
        yield Fault(("players",), "dashboard.tally.jewels_all", values)


def _document(form: TallyForm, heroes: tuple[Adventurer, ...]) -> dict[str, Any]:
    """Return the form as the sheet that the rules read."""
    return {
        "medals": {
            metal: {
                str(hero): _number(form.get(f"{metal}-{hero}", ""))
                for hero in heroes
                if form.get(f"{metal}-{hero}")
            }
            for metal in METALS
        },
        "players": [
            {
                "name": _name(card),
                "group": card.group,
                "jewels": _number(card.jewels or "0"),
            }
            for card in _players(form)
        ],
    }


def _number(text: str) -> int | str:
    # What is no number is passed on, for the rules to name it.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else text


def _ranked(result: Result, words: Words) -> tuple[Counted, ...]:
    ranked = sorted(result.scores.items(), key=lambda score: -score[1])
    return tuple(
        Counted(
            name, points, name in result.winners, tuple(_parts(result, name, words))
        )
        for name, points in ranked
    )


def _parts(result: Result, name: str, words: Words) -> Iterator[tuple[str, int]]:
    share = result.breakdown[name]
    for hero, (silver, gold) in share.medals.items():
        values: dict[str, Value] = {"silver": silver, "gold": gold}
        values["adventurer"] = Word(f"drachenhort.{hero}")
        yield words.say("drachenhort.part.medals", values), silver + gold
    jewels = words.say("drachenhort.part.jewels", {"n": share.jewels})
    yield jewels, share.jewels
