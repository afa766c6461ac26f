"""Where the host describes a box: a drawn board is tapped, cards are chosen, sums grow.

It begins empty, and each tap is kept: whoever is called away goes on another day. No
camera is needed. What was described becomes a kit, which the lobby then takes. In the
middle of a game it begins with the box that is played on, and the game goes on with it.
"""

from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from flask import Blueprint, abort, redirect, request
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as BaseResponse

from companion.corrections.another_box import on_another_box
from companion.dashboard.api.replies import say
from companion.dashboard.context import Context
from companion.dashboard.pages.facts import answer, grouped
from companion.dashboard.showing import show
from companion.games import GAMES, find
from companion.games.copy import BadFact, DrawnCell, DrawnSide, Field, Sum
from companion.kits.box_form import (
    empty_form,
    faults,
    fields,
    read_facts,
    sides,
    sums_so_far,
    tapped,
    with_answers,
)
from companion.running.snapshot import Rejected
from companion.story.log import Story
from companion.table import LinePart
from companion.teaching.page import CannotTeach, Teacher

Reply: TypeAlias = BaseResponse | tuple[BaseResponse, int]

HERE = "here"
"""The field that says that the game on the table goes on with what is told."""

PER_ROW = 6
"""Cells side by side, as on the drawing of a game: each is 48 px wide on a phone."""


class SideShown(Struct, frozen=True):
    """A side of the board: the tool that is in the hand, the rows of its cells."""

    name: str
    tools: tuple[str, ...]
    tool: str
    rows: tuple[tuple[DrawnCell, ...], ...]
    sums: tuple[Sum, ...]


def routes(context: Context) -> Blueprint:
    """Return the routes on which a box is described."""
    pages = Blueprint("describing", __name__)
    pages.add_url_rule("/box/<game>", "box", partial(page, context))
    view = partial(change, context)
    pages.add_url_rule("/box/<game>", "change", view, methods=["POST"])
    return pages


def page(context: Context, game: str) -> Reply:
    """Show what was told of the box so far."""
    return _show(context, game, _form(_teacher(context, game), game))


def change(context: Context, game: str) -> Reply:
    """Keep what was typed, chosen and tapped; make a kit of it where that is wished."""
    teacher, typed = _teacher(context, game), request.form.to_dict()
    if typed.get("of") == "game":
        return _begin_with_the_game(context, teacher, game)
    form = with_answers(game, _form(teacher, game), typed)
    side, _, number = typed.get("tap", "").partition("/")
    if number.isdecimal() and len(number) < 4:
        form = tapped(game, form, side, typed.get(f"tool-{side}", ""), int(number))
    try:
        teacher.keep_draft(game, form)
        if "done" in typed:
            return _finish(context, teacher, game, form)
    except CannotTeach as error:
        told = say(context, error.line, **error.values)
        return answer(_show(context, game, form, error=told), 422)
    if "later" in typed:
        return redirect(f"/?game={game}", 303)
    # The tool stays in the hand.
    tools = {
        name: value
        for name, value in typed.items()
        if name.startswith("tool-") or name == HERE
    }
    return redirect(f"/box/{game}?{urlencode(tools)}#{quote(side)}", 303)


def _finish(
    context: Context, teacher: Teacher, game: str, form: dict[str, str]
) -> Reply:
    """Make a kit of what was told, or show what is wrong or missing."""
    story = _story(context, game) if HERE in request.form else None
    known = find(game).stand_in if story is None else story.header.box
    try:
        box = read_facts(game, known, form)
    except BadFact as error:
        return answer(_show(context, game, form, bad=error), 422)
    wrong = faults(game, box)
    if wrong:
        return answer(_show(context, game, form, wrong=wrong), 422)
    if story is None:
        teacher.finish_draft(game, box)
        return redirect(f"/?game={game}", 303)
    return _go_on(context, teacher, story, form, box)


def _begin_with_the_game(context: Context, teacher: Teacher, game: str) -> Reply:
    """Begin with the box of the game on the table; what was begun is gone on with."""
    story = _story(context, game)
    if story is None:
        abort(404)
    if not teacher.draft(game):
        filled = {one.name: one.value for one in fields(game, story.header.box)}
        teacher.keep_draft(game, filled)
    return redirect(f"/box/{game}?{HERE}=yes", 303)


def _go_on(
    context: Context, teacher: Teacher, story: Story, form: dict[str, str], box: Any
) -> Reply:
    """Let the game go on with a box, if all that was made may be made on it."""
    game, name = story.game.id, story.header.kit
    found = on_another_box(story, replace(story.header, box=box))
    if isinstance(found, LinePart):
        why = say(context, found.line, **dict(found.params))
        return answer(_show(context, game, form, error=why), 422)
    if name in context.table.kits(game):
        teacher.correct_box(name, box)
    else:
        name = teacher.finish_draft(game, box)
    told = context.table.change_box(name)
    if isinstance(told, Rejected):
        why = say(context, told.why.line, **dict(told.why.params))
        return answer(_show(context, game, form, error=why), 422)
    return redirect("/", 303)


def _story(context: Context, game: str) -> Story | None:
    """Return what is played of a game on the table now, None where nothing is."""
    story = context.table.snapshot.story
    return story if story is not None and story.game.id == game else None


def _show(
    context: Context,
    game: str,
    form: dict[str, str],
    bad: BadFact | None = None,
    wrong: tuple[LinePart, ...] = (),
    error: str | None = None,
) -> BaseResponse:
    lines = [
        replace(field, value=form[field.name])
        for field in fields(game, find(game).stand_in)
        if not field.drawn
    ]
    sums = sums_so_far(game, form)
    drawn = [_side(one, sums) for one in sides(game, form)]
    with_sides = {one.label.line for side in drawn for one in side.sums}
    return show(
        context,
        "box.html",
        game=game,
        title=find(game).title,
        here=HERE in request.values and _story(context, game) is not None,
        sides=drawn,
        groups=grouped(tuple(map(_with_blank, lines))),
        sums=[one for one in sums if one.label.line not in with_sides],
        bad=bad,
        faults=wrong,
        error=error,
    )


def _side(side: DrawnSide, sums: tuple[Sum, ...]) -> SideShown:
    name, tools, cells = side.name, side.tools, side.cells
    return SideShown(
        name,
        tools,
        request.values.get(f"tool-{name}", tools[0]),
        tuple(cells[at : at + PER_ROW] for at in range(0, len(cells), PER_ROW)),
        tuple(one for one in sums if one.label.line.startswith(f"teach.fact.{name}_")),
    )


def _with_blank(field: Field) -> Field:
    """Return a line of choices with one that says that nothing was chosen yet."""
    if not field.choices:
        return field
    return replace(field, choices=(("", "–"), *field.choices))


def _form(teacher: Teacher, game: str) -> dict[str, str]:
    """Return what was told so far: all lines of the form, of what was kept or blank."""
    return with_answers(game, {**empty_form(game), **teacher.draft(game)}, {})


def _teacher(context: Context, game: str) -> Teacher:
    known = game in {one.id for one in GAMES}
    if not known or context.teacher is None or not empty_form(game):
        abort(404)
    return context.teacher
