"""The pages on which the host teaches the table an owner's copy, face by face.

They show what is asked and hand on taps; what comes next is decided elsewhere.
"""

from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Annotated, Literal, TypeAlias
from urllib.parse import quote

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    redirect,
    render_template,
    request,
)
from msgspec import Meta, Struct
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.api.replies import No, error_reply, say, wants_json
from companion.dashboard.api.requests import read_body
from companion.dashboard.context import Context, language
from companion.dashboard.door.guard import MOST_UPLOAD
from companion.dashboard.showing import show
from companion.dashboard.view.status import camera_line
from companion.dashboard.view.view_cache import speaker
from companion.games import GAMES
from companion.games.copy import Item, Kind
from companion.kits.curriculum import CheckStep, RollStep
from companion.kits.next_step import missing, shots_taken, shots_wanted
from companion.table import LinePart, Text
from companion.teaching.page import CannotTeach, Lesson, Teacher

TAP_PX = 320
"""Width of a picture to be tapped on: without a script a phone tells where in pixels of
the page, and nobody tells how wide it shows the picture unless we say so."""

Reply: TypeAlias = BaseResponse | tuple[BaseResponse, int]
TypedName = Annotated[str, Meta(max_length=200)]


class Wish(Struct, frozen=True):
    """What the host taps in a lesson; which of the rest counts is said by *do*."""

    do: Literal[
        "tap",
        "retap",
        "remember",
        "begin", "open", "close", "look", "back", "next", "retake", "tell",
    ]  # fmt: skip
    game: TypedName = ""
    name: TypedName = ""
    piece: TypedName = ""
    face: TypedName = ""
    x: float = 0.0
    y: float = 0.0


class ShownItem(Struct, frozen=True):
    """One face in the list of all that is shown: its name and how often it was."""

    piece: str
    face: str
    name: Text
    taken: int
    wanted: int
    asked: bool


class LessonView(Struct, frozen=True):
    """All that the page of a lesson shows.

    *ask* is what to do now, *more* how; *test* has the faces that a test roll may show,
    once one was read.
    """

    kit: str
    title: str
    ask: LinePart
    more: LinePart | None
    hint: str
    message: LinePart | None
    bad: bool
    bare: bool
    taken: int
    total: int
    item: Item | None
    test: tuple[Item, ...]
    faces: tuple[ShownItem, ...]
    alike: tuple[tuple[Text, Text], ...]
    passed: tuple[str, ...]
    over: bool
    version: int
    tap: tuple[int, int] | None
    has_tray: bool
    blind: str | None


UNPLUGGED = "teach.no.picture"

NO_EYES = {
    "dashboard.status.camera.drawn": "teach.blind.drawn",
    "dashboard.status.camera.folder": "teach.blind.folder",
    "dashboard.status.no_camera": "teach.blind.none",
}
"""What a table has in the place of a camera before which a box can be laid, and what to
say of it: no plug will help there."""


def routes(context: Context) -> Blueprint:
    """Return the routes of teaching; without a teacher there is nothing on them."""
    pages = Blueprint("teaching", __name__)
    add = pages.add_url_rule
    add("/teach", "page", partial(page, context))
    add("/teach/now", "now", partial(now, context))
    add("/teach/picture", "picture", partial(picture, context))
    add("/teach/kit/<name>", "kit", partial(kit, context))
    add("/api/teach", "wish", partial(wish, context), methods=["POST"])
    add("/api/teach/kit", "bring", partial(bring, context), methods=["POST"])
    return pages


def page(context: Context, error: str | None = None) -> Response:
    """Show what is asked now, or the kits to choose from."""
    teacher = _teacher(context)
    lesson, blind = teacher.lesson, _why_blind(context, teacher)
    titles = {game.id: game.title for game in GAMES}
    return show(
        context,
        "teach.html",
        desk=lesson_view(lesson, blind) if lesson is not None else None,
        blind=blind if blind != UNPLUGGED else None,
        kits=[(name, titles[game]) for name, game in teacher.kits()],
        games=list(titles.items()),
        error=error,
        busy=_is_played(context),
    )


def now(context: Context) -> Response:
    """Give the part of the page that changes, for a page that follows the camera."""
    teacher = _teacher(context)
    lesson = teacher.lesson
    if lesson is None:
        abort(404)
    shown_now = lesson_view(lesson, _why_blind(context, teacher))
    words = context.views.words(context.table.snapshot, language())
    values = {"desk": shown_now, "say": speaker(words), "named": words.text}
    html = render_template("parts/lesson.html", **values)
    return jsonify({"version": f"{lesson.version}/{teacher.sees}", "html": html})


def picture(context: Context) -> Response:
    """Show what the camera sees, with what was found marked."""
    jpeg = _teacher(context).picture()
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


def kit(context: Context, name: str) -> Reply:
    """Give a kit as one file to keep."""
    try:
        content = _teacher(context).pack(name)
    except CannotTeach as error:
        return _refuse(context, error)
    answer = Response(content, mimetype="application/zip")
    file = f"attachment; filename*=UTF-8''{quote(name)}.kit.zip"
    answer.headers["Content-Disposition"] = file
    return answer


def wish(context: Context) -> Reply:
    """Do what the host taps."""
    teacher = _teacher(context)
    tapped = point() if "at.x" in request.form else read_body(request, Wish)
    try:
        if tapped.do == "remember":
            return remember(context, teacher)
        carry_out(teacher, tapped)
    except CannotTeach as error:
        return _refuse(context, error)
    return back_to_page()


def remember(context: Context, teacher: Teacher) -> Reply:
    """Make the answer to the last question a reference of the kit."""
    story = context.table.snapshot.story
    if story is None:
        raise CannotTeach("teach.no.memory")
    teacher.remember(story)
    return back_to_page("/")


def point() -> Wish:
    """Return where the picture of a form was tapped, as parts of its sides.

    Raises:
        BadRequest: The form tells no point.
    """
    form = request.form
    try:
        x, y, wide, high = (float(form[n]) for n in ("at.x", "at.y", "wide", "high"))
        at = x / wide, y / high
        if not all(map(isfinite, at)):
            raise ValueError
        return Wish("tap", x=at[0], y=at[1])
    except (KeyError, ValueError, ZeroDivisionError) as error:
        raise BadRequest("`at` is no point of a picture") from error


def carry_out(teacher: Teacher, tapped: Wish) -> None:
    """Hand a wish on.

    Raises:
        CannotTeach: It cannot be carried out.
    """
    if tapped.do == "tap":
        teacher.tap(tapped.x, tapped.y)
        return
    deeds: dict[str, Callable[[], None]] = {
        "begin": lambda: teacher.begin(tapped.game, tapped.name),
        "open": lambda: teacher.open(tapped.name),
        "close": teacher.close,
        "retap": teacher.retap,
        "look": teacher.take_bare_table,
        "back": lambda: teacher.go("back"),
        "next": lambda: teacher.go("next"),
        "retake": lambda: teacher.retake(tapped.piece, tapped.face),
        "tell": lambda: teacher.enter_roll(tapped.face),
    }
    deeds[tapped.do]()


def bring(context: Context) -> Reply:
    """Take a kit in from a file; only the page's form sends one."""
    request.max_content_length = MOST_UPLOAD
    file = request.files.get("file")
    try:
        _teacher(context).unpack(file.read() if file is not None else b"")
    except CannotTeach as error:
        return page(context, say(context, error.line, **error.values)), 422
    return redirect("/teach", 303)


def back_to_page(then: str = "/teach") -> Reply:
    """Lead back to the page."""
    if wants_json():
        return jsonify({"ok": True, "next": then})
    return redirect(then, 303)


def _why_blind(context: Context, teacher: Teacher) -> str | None:
    """Return why nothing can be shown here, a line of words; None where a camera sees.

    A folder that is shown as a live camera does.
    """
    if teacher.sees:
        return None
    kind = camera_line(context.table.snapshot.camera.name)
    return NO_EYES.get(kind, UNPLUGGED)


def lesson_view(lesson: Lesson, blind: str | None = None) -> LessonView:
    """Return what the page of a lesson shows; *blind* says why no camera sees."""
    course, progress, step = lesson.course, lesson.progress, lesson.step
    taken, total = shots_taken(course, lesson.counts)
    ask, more = task_text(lesson)
    rolled = isinstance(step, RollStep) and lesson.hint == "rolled"
    test = course.of(step.piece) if isinstance(step, RollStep) and rolled else ()
    names = {(item.piece, item.face): item.name for item in course.items}
    return LessonView(
        kit=lesson.kit,
        title=next(game.title for game in GAMES if game.id == course.game),
        ask=ask,
        more=more,
        hint=_hint(lesson),
        message=LinePart(lesson.message.line, lesson.message.params)
        if lesson.message
        else None,
        bad=lesson.message is not None and lesson.message.bad,
        bare=lesson.bare,
        taken=taken,
        total=total,
        item=step if isinstance(step, Item) else None,
        test=test,
        faces=tuple(_faces(lesson)),
        alike=tuple(
            (names[piece, one], names[piece, other])
            for piece, one, other in progress.alike
            if (piece, one) in names and (piece, other) in names
        ),
        passed=progress.passed,
        over=step is None,
        version=lesson.version,
        tap=(TAP_PX, round(TAP_PX * lesson.high)) if lesson.wants_tray else None,
        has_tray=lesson.tray,
        blind=blind,
    )


def _hint(lesson: Lesson) -> str:
    """Return what the camera makes of the table, as a line."""
    if not lesson.hint or not lesson.bare or lesson.wants_tray:
        return ""
    return f"teach.hint.{lesson.hint}"


def _faces(lesson: Lesson) -> list[ShownItem]:
    step = lesson.step
    return [
        ShownItem(
            item.piece,
            item.face,
            item.name,
            lesson.counts.get(item.key, 0),
            shots_wanted(item),
            item is step,
        )
        for item in lesson.course.items
    ]


def task_text(lesson: Lesson) -> tuple[LinePart, LinePart | None]:
    """Return what to do now, and how to do it."""
    step, game = lesson.step, lesson.course.game
    if not lesson.bare:
        return LinePart("teach.ask.bare"), LinePart("teach.ask.bare_how")
    if lesson.wants_tray:
        end = "second" if lesson.tapped else "first"
        return LinePart(f"teach.ask.tray_{end}"), LinePart("teach.ask.tray_how")
    if step is None:
        return LinePart("teach.ask.over"), LinePart("teach.ask.over_how")
    if isinstance(step, CheckStep):
        return LinePart("teach.ask.check"), LinePart("teach.hint.learning_deck")
    if isinstance(step, RollStep):
        lacks = missing(lesson.course, lesson.counts, step.piece)
        if lacks:
            return LinePart("teach.ask.lacks"), LinePart(
                "teach.ask.lacks_how", (("n", lacks),)
            )
        if lesson.hint == "rolled":
            return LinePart("teach.ask.tell"), LinePart("teach.ask.tell_how")
        return LinePart(f"teach.roll.{game}.{step.piece}"), LinePart(
            "teach.ask.roll_how"
        )
    return _lay(lesson, step)


def _lay(lesson: Lesson, item: Item) -> tuple[LinePart, LinePart]:
    """Return what to lay down, and how to lay it for the next of its shots."""
    taken = lesson.counts.get(item.key, 0)
    most = shots_wanted(item)
    end = f".{item.face.partition('/')[2]}" if "/" in item.face else ""
    ask = LinePart(
        f"teach.lay.{lesson.course.game}.{item.piece}{end}", (("face", item.name),)
    )
    if taken >= most:
        return ask, LinePart("teach.how.done")
    count = (("number", taken + 1), ("most", most))
    if item.sides > 1:
        side = taken * item.sides // most + 1
        return ask, LinePart("teach.how.side", (*count, ("side", side)))
    again = "teach.how.push" if item.kind is Kind.CARD else "teach.how.turn"
    return ask, LinePart(again if taken else "teach.how.lay", count)


def _teacher(context: Context) -> Teacher:
    if context.teacher is None:
        abort(404)
    return context.teacher


def _is_played(context: Context) -> bool:
    """Tell whether what lies on the table would count as a move."""
    story = context.table.snapshot.story
    if story is None or story.paused:
        return False
    return story.game.outcome(story.state) is None


def _refuse(context: Context, error: CannotTeach) -> Reply:
    blind = _why_blind(context, _teacher(context))
    line = blind if blind and error.line == UNPLUGGED else error.line
    text = say(context, line, **error.values)
    if wants_json():
        return error_reply(context, No("refused", text), 422)
    return page(context, text), 422
