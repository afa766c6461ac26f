"""The pages that people look at: the game, the big screen, the host's, and joining."""

from functools import partial

from flask import Blueprint, Response, abort, redirect, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response as BaseResponse

from companion.dashboard.api.replies import No, answer_no, say, wants_json
from companion.dashboard.api.requests import Pin, read
from companion.dashboard.api.stream import page_key
from companion.dashboard.door.auth import VIEWER, Who
from companion.dashboard.door.invites import joining, places, qr, remember
from companion.dashboard.pages import lobby
from companion.dashboard.pages.rulings import rulings
from companion.dashboard.pages.setting_up import tasks, to_look_up
from companion.dashboard.showing import show
from companion.dashboard.site import Site, asker, language
from companion.dashboard.view.gallery import PARTS
from companion.games import GAMES
from companion.words import Words

CHAPTERS = (("setup", 4), ("teach", 3), ("play", 5), ("correct", 4), ("whatif", 6))
"""What the help says: chapters, each with so many points."""

HELP_PICTURES = {"setup": 505, "play": 640, "correct": 600}
"""Chapters with a picture, and how high it is at 390 pixels width."""


def routes(site: Site) -> Blueprint:
    """Return the routes of *site* that show a page."""
    pages = Blueprint("pages", __name__)
    pages.add_url_rule("/", "home", partial(home, site))
    pages.add_url_rule("/table", "table", partial(table, site))
    pages.add_url_rule("/j/<code>", "join", partial(join, site))
    pages.add_url_rule("/host", "host", partial(host, site))
    pages.add_url_rule("/host", "enter", partial(enter, site), methods=["POST"])
    pages.add_url_rule("/help", "help", partial(help_page, site))
    pages.add_url_rule("/rules", "rules", partial(rules, site))
    pages.add_url_rule("/picture", "picture", partial(picture, site))
    pages.add_url_rule("/favicon.ico", "icon", partial(icon, site))
    return pages


def home(site: Site) -> Response:
    """Show the game to whoever asks, or the lobby."""
    if site.table.snapshot.story is None:
        return lobby.page(site)
    return _game(site, asker())


def table(site: Site) -> Response:
    """Show the game on a big screen, where everybody sees it."""
    if site.table.snapshot.story is None:
        return lobby.page(site, joining=joining(site))
    return _game(site, VIEWER, big=True)


def join(site: Site, code: str) -> BaseResponse | tuple[Response, int]:
    """Let the phone in that brings a code; one that is in already keeps its token.

    The code of the big screen asks who it is that comes.
    """
    wish, known = site.door.read(code), asker()
    if site.door.opens_table(code):
        return redirect("/", 303) if known.seat is not None else _seats(site, code)
    if wish is None:
        no = No("not_found", say(site, "dashboard.error.link"))
        return answer_no(site, no, 404)
    answer = redirect("/", 303)
    if (wish.host and not known.host) or wish.seat not in (None, known.seat):
        remember(answer, wish.role, site.door.let_in(wish))
    return answer


def host(site: Site) -> Response:
    """Show the host the seats to hand out, and anybody else where to enter the PIN."""
    if not asker().host:
        return show(site, "pin.html", wrong=False)
    story = site.table.snapshot.story
    over = story is not None and story.game.outcome(story.state) is not None
    return show(
        site,
        "host.html",
        paused=story is not None and story.paused,
        over=over or (story is not None and story.frozen is not None),
        places=places(site),
        game_id=site.table.snapshot.game_id,
        watch=site.link(),
        watch_code=qr(site.link()),
        over_code=qr(site.door.host_link(site.link())),
        wifi=site.wifi,
        tells_wifi=site.networks is not None,
        teaches=site.teacher is not None,
    )


def enter(site: Site) -> BaseResponse | tuple[Response, int]:
    """Make the phone the host's that knows the PIN."""
    address = request.remote_addr or ""
    wait_s = site.door.throttle.wait_s(address)
    if wait_s > 0:
        raise TooManyRequests(retry_after=int(wait_s) + 1)
    token = site.door.open_with_pin(read(request, Pin).pin.strip(), address)
    if token is None:
        return _wrong_pin(site)
    answer = redirect("/", 303)
    remember(answer, "host", token)
    return answer


def picture(site: Site) -> Response:
    """Show what the camera sees now."""
    jpeg = site.frames() if site.frames is not None else None
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


def rules(site: Site) -> Response:
    """Show how a game is set up and every ruling, as the table plays it if it does.

    With ids in ``of`` only those rulings, as a line of what happened leads to. The
    set-up is that of the table, or for the number of players in ``seats``.
    """
    story = site.table.snapshot.story
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
        site,
        "rules.html",
        title=game.title,
        game=game.id,
        games=[(one.id, one.title) for one in GAMES],
        rulings=picked or found,
        picked=bool(picked),
        seats=game.seats,
        shown=config.seats,
        setup=tasks(game.setting_up(config), Words(language(), names)),
    )


def help_page(site: Site) -> Response:
    """Show how to set up, teach, play and correct, and what to do if."""
    return show(site, "help.html", chapters=CHAPTERS, pictures=HELP_PICTURES)


def icon(_site: Site) -> BaseResponse:
    """Lead browsers that look for the icon in the old place to ours."""
    return redirect(url_for("static", filename="icon.svg"))


def _game(site: Site, who: Who, *, big: bool = False) -> Response:
    snapshot = site.table.snapshot
    picture = site.gallery.picture(snapshot, who, language())
    return show(
        site,
        "game.html",
        view=picture.view,
        who=who,
        # Our own templates rendered them, with everything escaped.
        parts={name: Markup(picture.parts[name]) for name in PARTS},
        page=page_key(site.asset, snapshot, who),
        big=big,
        joining=joining(site) if big else None,
    )


def _seats(site: Site, code: str) -> Response:
    story, taken = site.table.snapshot.story, site.door.taken()
    names = story.header.players if story is not None else ()
    seats = [(seat, name, seat in taken) for seat, name in enumerate(names)]
    return show(site, "seats.html", code=code, seats=seats)


def _wrong_pin(site: Site) -> tuple[Response, int]:
    if wants_json():
        return answer_no(site, No("forbidden", say(site, "dashboard.pin.wrong")), 403)
    return show(site, "pin.html", wrong=True), 403
