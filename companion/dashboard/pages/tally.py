"""The final count of Drachenhort for a table that played without the camera."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, TypeAlias

import msgspec
from flask import Blueprint, Response, jsonify, request
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from companion.dashboard.api.replies import No, error_reply, say, wants_json
from companion.dashboard.api.requests import BadName, clean_name
from companion.dashboard.boards.drachenhort import columns
from companion.dashboard.boards.drawing import Icon
from companion.dashboard.context import Context, language
from companion.dashboard.showing import show
from companion.games.drachenhort.box import STAND_IN, Box
from companion.games.drachenhort.pieces import MEDALS, Adventurer
from companion.games.drachenhort.tally import (
    Result,
    TallyError,
    count_points,
    parse_sheet,
)
from companion.games.player_names import tidy
from companion.table import Value, Word
from companion.words import Words

CHAIRS = 7
TallyForm: TypeAlias = MultiDict[str, str]
Fault: TypeAlias = tuple[str, dict[str, Value]]


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
            return error_reply(context, No("refused", str(error)), 422)
    form, heroes = request.form, _heroes(box)
    fault = next(_faults(form, heroes), None)
    if fault is not None:
        return _page(context, box, form, say(context, fault[0], **fault[1])), 422
    try:
        result = count_points(parse_sheet(json.dumps(_document(form, heroes)), groups))
    except TallyError as error:
        return _page(context, box, form, str(error)), 422
    return _page(context, box, form, results=_ranked(result, Words(language())))


def _heroes(box: Box | None) -> tuple[Adventurer, ...]:
    return (box or STAND_IN).adventurers


def _page(
    context: Context,
    box: Box | None,
    form: TallyForm,
    error: str | None = None,
    results: tuple[Counted, ...] = (),
) -> Response:
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
    cards = [
        PlayerSheet(
            n,
            form.get(f"name-{n}", ""),
            tuple(form.getlist(f"group-{n}")),
            form.get(f"jewels-{n}", ""),
        )
        for n in range(CHAIRS)
    ]
    return show(
        context,
        "tally.html",
        rows=rows,
        cards=cards,
        values=MEDALS,
        error=error,
        results=results,
    )


def _players(form: TallyForm) -> list[int]:
    """Return the numbers of the cards that are filled in."""
    return [
        n
        for n in range(CHAIRS)
        if form.get(f"name-{n}", "").strip() or form.getlist(f"group-{n}")
    ]


def _name(form: TallyForm, number: int) -> str:
    return tidy(form.get(f"name-{number}", "")) or str(number + 1)


def _faults(form: TallyForm, heroes: tuple[Adventurer, ...]) -> Iterator[Fault]:
    """Yield what people get wrong most, so that it is told in their own language."""
    for metal in ("silver", "gold"):
        given = [form.get(f"{metal}-{hero}", "") for hero in heroes]
        for value in given:
            if value and given.count(value) > 1:
                yield f"dashboard.tally.twice.{metal}", {"value": value}
    if not _players(form):
        yield "dashboard.tally.nobody", {}
    for number in _players(form):
        yield from _faults_of_group(form, number)


def _faults_of_group(form: TallyForm, number: int) -> Iterator[Fault]:
    try:
        clean_name(form.get(f"name-{number}", ""))
    except BadName as fault:
        yield fault.line, dict(fault.values)
    name, group = _name(form, number), form.getlist(f"group-{number}")
    if len(group) != 3:
        yield "dashboard.tally.not_three", {"name": name}
    for hero in group:
        medals = (form.get(f"silver-{hero}"), form.get(f"gold-{hero}"))
        # A form that is not ours may name anybody; the rules tell of such a hero.
        if not all(medals) and hero in tuple(Adventurer):
            values: dict[str, Value] = {"name": name}
            values["adventurer"] = Word(f"drachenhort.{hero}")
            yield "dashboard.tally.no_medal", values


def _document(form: TallyForm, heroes: tuple[Adventurer, ...]) -> dict[str, Any]:
    """Return the form as the sheet that the rules read."""
    return {
        "medals": {
            metal: {
                str(hero): _number(form.get(f"{metal}-{hero}", ""))
                for hero in heroes
                if form.get(f"{metal}-{hero}")
            }
            for metal in ("silver", "gold")
        },
        "players": [
            {
                "name": _name(form, n),
                "group": form.getlist(f"group-{n}"),
                "jewels": _number(form.get(f"jewels-{n}") or "0"),
            }
            for n in _players(form)
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
