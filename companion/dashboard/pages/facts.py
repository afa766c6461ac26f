"""Where the host tells of a box what is printed: facts with sums, spaces by taps."""

from functools import partial
from typing import Any, TypeAlias

from flask import Blueprint, Response, abort, redirect, request
from msgspec.structs import replace
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.api.replies import say
from companion.dashboard.context import Context
from companion.dashboard.pages.teaching import TAP_PX, point
from companion.dashboard.showing import show
from companion.games.copy import BadFact, Field
from companion.kits.box_form import faults, fields, read_facts, sums
from companion.kits.spaces import (
    CORNERS,
    can_be_filled,
    card_rows,
    card_zones,
    count_known,
    half_pairs,
    most_players,
    next_space,
    printed_spaces,
    space_names,
)
from companion.table import LinePart
from companion.teaching.page import CannotTeach, Teacher

Reply: TypeAlias = BaseResponse | tuple[BaseResponse, int]


def routes(context: Context) -> Blueprint:
    """Return the routes of the facts of the kit whose lesson is open."""
    pages = Blueprint("facts", __name__)
    pages.add_url_rule("/teach/facts", "page", partial(page, context))
    pages.add_url_rule(
        "/teach/facts", "tell", partial(keep_facts, context), methods=["POST"]
    )
    pages.add_url_rule("/teach/spaces", "spaces", partial(spaces, context))
    view = partial(tap, context)
    pages.add_url_rule("/teach/spaces", "tap", view, methods=["POST"])
    pages.add_url_rule("/teach/map", "chart", partial(chart, context))
    return pages


def page(context: Context) -> Reply:
    """Show what is known of the box."""
    teacher = _teacher(context)
    return _show(context, teacher, fields(_game(teacher), teacher.box()), teacher.box())


def keep_facts(context: Context) -> Reply:
    """Keep what was typed if it can be; else show which line is wrong."""
    teacher, form = _teacher(context), request.form.to_dict()
    game, before = _game(teacher), teacher.box()
    typed = tuple(
        replace(field, value=form.get(field.name, "")) for field in fields(game, before)
    )
    try:
        box = read_facts(game, before, form)
    except BadFact as error:
        return _show(context, teacher, typed, None, error), 422
    if faults(game, box):
        return _show(context, teacher, typed, box), 422
    try:
        teacher.enter_box(box)
    except CannotTeach as error:
        return _show(context, teacher, typed, box, error=error), 422
    return redirect("/teach", 303)


def spaces(context: Context, error: CannotTeach | None = None) -> Reply:
    """Show the picture to tap the board's corners and spaces on."""
    teacher = _teacher(context)
    game, box, known = _game(teacher), teacher.box(), teacher.spaces()
    lesson = teacher.lesson
    high = lesson.high if lesson is not None else 1.0
    lines = space_names(game, box) if len(known.corners) == CORNERS else {}
    chosen = request.args.get("place", "")
    return show(
        context,
        "spaces.html",
        ask=lines.get(chosen) or next_space(known, game, box),
        place=chosen if chosen in lines else "",
        lines=lines,
        fills=can_be_filled(known, game, box),
        taken=count_known(known, game, box),
        total=len(printed_spaces(game, box)),
        halves=bool(half_pairs(game, box)),
        kind=_kind(game, box),
        follows=most_players(known, game, box),
        tap=(TAP_PX, round(TAP_PX * high)),
        begun=bool(known.places or (known.corners and not card_zones(game, box))),
        mark=f"{len(known.corners)}-{len(known.places)}",
        error=say(context, error.line, **error.values) if error is not None else None,
    )


def _kind(game: str, box: Any) -> str:
    """Return what is tapped: areas of cards, cards in rows, or spaces of a board."""
    if card_zones(game, box):
        return "areas"
    return "rows" if card_rows(game, box) else "spaces"


def tap(context: Context) -> Reply:
    """Take a tap on the picture, take one back, or all spaces as they are proposed."""
    teacher, do = _teacher(context), request.form.get("do", "")
    try:
        if do == "back":
            teacher.change_spaces("back")
        elif do == "corners":
            teacher.change_spaces("corners")
        elif do == "fill":
            teacher.change_spaces("fill")
        else:
            wish = point()
            teacher.tap_space(wish.x, wish.y, request.form.get("place"))
    except CannotTeach as error:
        return answer(spaces(context, error), 422)
    return redirect("/teach/spaces", 303)


def answer(page: Reply, code: int) -> Reply:
    """Return a page with another code."""
    assert isinstance(page, BaseResponse), "a page that was just made"
    return page, code


def chart(context: Context) -> Response:
    """Show what the camera sees, with a dot on each space."""
    jpeg = _teacher(context).map()
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


def _show(
    context: Context,
    teacher: Teacher,
    lines: tuple[Field, ...],
    box: object,
    bad: BadFact | None = None,
    error: CannotTeach | None = None,
) -> Response:
    game = _game(teacher)
    wrong: tuple[LinePart, ...] = faults(game, box) if box is not None else ()
    return show(
        context,
        "facts.html",
        groups=grouped(lines),
        sums=sums(game, box) if box is not None else (),
        faults=wrong,
        bad=bad,
        error=say(context, error.line, **error.values) if error is not None else None,
    )


def grouped(lines: tuple[Field, ...]) -> list[tuple[str, list[Field]]]:
    """Return the lines under their headings, in order."""
    found: dict[str, list[Field]] = {}
    for line in lines:
        found.setdefault(line.group, []).append(line)
    return list(found.items())


def _teacher(context: Context) -> Teacher:
    """Return who teaches; without an open lesson there are no facts to tell."""
    if context.teacher is None or context.teacher.lesson is None:
        abort(404)
    return context.teacher


def _game(teacher: Teacher) -> str:
    lesson = teacher.lesson
    if lesson is None:
        abort(404)
    return lesson.course.game
