"""The pages that people look at: the game, the big screen, the host's, and joining."""

from functools import partial

from flask import Blueprint, Response, abort, redirect, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.api.replies import No, error_reply, say, wants_json
from companion.dashboard.api.requests import PinBody, read_body
from companion.dashboard.api.stream import page_key
from companion.dashboard.context import Context, asker, language
from companion.dashboard.door.auth import VIEWER, Who
from companion.dashboard.door.invites import joining, places, qr, remember
from companion.dashboard.pages import lobby
from companion.dashboard.pages.reminder import reminder
from companion.dashboard.pages.rulings import rulings
from companion.dashboard.pages.setting_up import tasks, to_look_up
from companion.dashboard.showing import show
from companion.dashboard.view.moves import has_facts
from companion.dashboard.view.view_cache import PARTS
from companion.games import GAMES
from companion.table import Seat
from companion.words import Words

CHAPTERS = (
    ("setup", 4), ("teach", 3), ("play", 5), ("correct", 4), ("whatif", 6),
    ("privacy", 8),
)  # fmt: skip
"""What the help says: chapters, each with so many points."""

HELP_PICTURES = {"setup": 505, "play": 640, "correct": 600}
"""Chapters with a picture, and how high it is at 390 pixels width."""


def routes(context: Context) -> Blueprint:
    """Return the routes of *context* that show a page."""
    pages = Blueprint("pages", __name__)
    pages.add_url_rule("/", "home", partial(home, context))
    pages.add_url_rule("/table", "table", partial(table, context))
    pages.add_url_rule("/j/<code>", "join", partial(join, context))
    pages.add_url_rule("/host", "host", partial(host, context))
    pages.add_url_rule("/host", "enter", partial(enter, context), methods=["POST"])
    pages.add_url_rule("/help", "help", partial(help_page, context))
    pages.add_url_rule("/rules", "rules", partial(rules, context))
    pages.add_url_rule("/picture", "picture", partial(picture, context))
    pages.add_url_rule("/favicon.ico", "icon", partial(icon, context))
    return pages


def home(context: Context) -> Response:
    """Show the game to whoever asks, or the lobby."""
    if context.table.snapshot.story is None:
        return lobby.page(context)
    return _game(context, asker())


def table(context: Context) -> Response:
    """Show the game on a big screen, where everybody sees it."""
    if context.table.snapshot.story is None:
        return lobby.page(context, joining=joining(context))
    return _game(context, VIEWER, big=True)


def join(context: Context, code: str) -> BaseResponse | tuple[Response, int]:
    """Let the phone in that brings a code; one that is in already keeps its token.

    The code of the big screen asks who it is that comes.
    """
    wish, known = context.auth.read(code), asker()
    if context.auth.opens_table(code):
        return redirect("/", 303) if known.seat is not None else _seats(context, code)
    if wish is None:
        no = No("not_found", say(context, "dashboard.error.link"))
        return error_reply(context, no, 404)
    answer = redirect("/", 303)
    if (wish.host and not known.host) or wish.seat not in (None, known.seat):
        remember(answer, wish.role, context.auth.let_in(wish))
    return answer


def host(context: Context) -> Response:
    """Show the host the seats to hand out, and anybody else where to enter the PIN."""
    if not asker().host:
        return show(context, "pin.html", wrong=False)
    story = context.table.snapshot.story
    over = story is not None and story.game.outcome(story.state) is not None
    return show(
        context,
        "host.html",
        paused=story is not None and story.paused,
        over=over or (story is not None and story.frozen is not None),
        places=places(context),
        game_id=context.table.snapshot.game_id,
        watch=context.link(),
        watch_code=qr(context.link()),
        over_code=qr(context.auth.host_link(context.link())),
        wifi=context.wifi,
        tells_wifi=context.networks is not None,
        teaches=context.teacher is not None,
        box_of=_box_of(context),
    )


def _box_of(context: Context) -> str | None:
    """Return the game on the table whose box can be told otherwise, None for none."""
    story = context.table.snapshot.story
    if story is None or context.teacher is None or not has_facts(story.game):
        return None
    return str(story.game.id)


def enter(context: Context) -> BaseResponse | tuple[Response, int]:
    """Make the phone the host's that knows the PIN."""
    address, who = request.remote_addr or "", asker()
    wait_s = context.auth.wait_s(who, address)
    if wait_s > 0:
        raise TooManyRequests(retry_after=int(wait_s) + 1)
    pin = read_body(request, PinBody).pin.strip()
    token = context.auth.open_with_pin(pin, who, address)
    if token is None:
        return _wrong_pin(context)
    answer = redirect("/", 303)
    remember(answer, "host", token)
    return answer


def picture(context: Context) -> Response:
    """Show what the camera sees now."""
    jpeg = context.frames() if context.frames is not None else None
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


def rules(context: Context) -> Response:
    """Show how a game is set up and every ruling, as the table plays it if it does.

    With ids in ``of`` only those rulings, as a line of what happened leads to. The
    set-up is that of the table, or for the number of players in ``seats``.
    """
    story = context.table.snapshot.story
    played = story.game if story is not None else GAMES[0]
    known = {one.id: one for one in GAMES}
    game = known.get(request.args.get("game", ""), played)
    here = story.header if story is not None and game is played else None
    options = here.options if here is not None else ()
    wanted = request.args.getlist("of")
    found = rulings(game, options, Words(language()))
    picked = tuple(one for one in found if one.id in wanted)
    lying = here.config() if here is not None else None
    config = to_look_up(game, lying, request.args.get("seats", 0, type=int))
    names = here.players if here is not None and config is lying else ()
    return show(
        context,
        "rules.html",
        title=game.title,
        game=game.id,
        games=[(one.id, one.title) for one in GAMES],
        rulings=picked or found,
        picked=bool(picked),
        seats=game.seats,
        shown=config.seats,
        reminder=reminder(game.id),
        setup=tasks(game.setting_up(config), Words(language(), names)),
    )


def help_page(context: Context) -> Response:
    """Show how to set up, teach, play and correct, and what to do if."""
    return show(context, "help.html", chapters=CHAPTERS, pictures=HELP_PICTURES)


def icon(_context: Context) -> BaseResponse:
    """Lead browsers that look for the icon in the old place to ours."""
    return redirect(url_for("static", filename="icon.svg"))


def _game(context: Context, who: Who, *, big: bool = False) -> Response:
    snapshot = context.table.snapshot
    picture = context.views.rendered(snapshot, who, language())
    return show(
        context,
        "game.html",
        view=picture.view,
        who=who,
        # Our own templates rendered them, with everything escaped.
        parts={name: Markup(picture.parts[name]) for name in PARTS},
        page=page_key(context, snapshot, who),
        big=big,
        joining=joining(context) if big else None,
        code=context.auth.table_code(),
        seats=_free(context) if who == VIEWER and not big else [],
    )


def _seats(context: Context, code: str) -> Response:
    story, taken = context.table.snapshot.story, context.auth.taken()
    names = story.header.players if story is not None else ()
    seats = [(seat, name, seat in taken) for seat, name in enumerate(names)]
    return show(context, "seats.html", code=code, seats=seats)


def _free(context: Context) -> list[tuple[Seat, str]]:
    """Return the seats of the game at which no phone sits, with their names."""
    story, taken = context.table.snapshot.story, context.auth.taken()
    names = story.header.players if story is not None else ()
    return [(seat, name) for seat, name in enumerate(names) if seat not in taken]


def _wrong_pin(context: Context) -> tuple[Response, int]:
    if wants_json():
        return error_reply(
            context, No("forbidden", say(context, "dashboard.pin.wrong")), 403
        )
    return show(context, "pin.html", wrong=True), 403
