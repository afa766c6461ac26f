"""The routes that change something: moves, undo, presses, and which game lies there.

Each hands a wish to the running table and puts its answer into HTTP.
"""

import logging
from functools import partial
from queue import Full

from flask import Blueprint, abort, request
from msgspec.structs import replace
from werkzeug.wrappers import Response as BaseResponse

from companion.corrections.adopt import adopt_bar
from companion.corrections.amend import undo_bar
from companion.dashboard.api.replies import (
    No,
    Reply,
    done_reply,
    error_reply,
    rejected_reply,
    say,
    stale_reply,
    wants_json,
)
from companion.dashboard.api.requests import (
    OFFERED,
    AdoptBody,
    AmendBody,
    BadName,
    CloseBody,
    DeleteBody,
    ForgetBody,
    FreeBody,
    MoveBody,
    NetworkBody,
    PressBody,
    ResumeBody,
    SitBody,
    UndoBody,
    read_body,
    read_setup,
)
from companion.dashboard.context import Context, asker, cookie_name
from companion.dashboard.door.auth import Who
from companion.dashboard.door.invites import remember
from companion.dashboard.pages import lobby
from companion.dashboard.pages.chairs import next_to_begin
from companion.dashboard.view.misread import may_mend
from companion.dashboard.view.moves import may_make
from companion.games.core import Legal, NotAMove
from companion.games.hidden import (
    redact,
)
from companion.running.snapshot import Answer, Done, Rejected, Setup, Stale
from companion.running.wifi import Wifi, is_sound
from companion.story.log import Story
from companion.table import Claim, Seat

logger = logging.getLogger(__name__)

FETCH_S = 20.0
"""So long a kit may take to come from another table: 17 MB by Wi-Fi take about five."""


def routes(context: Context) -> Blueprint:
    """Return the routes that change something at *context*."""
    acts = Blueprint("acts", __name__, url_prefix="/api")
    views = (
        act,
        undo,
        amend,
        adopt,
        press,
        game,
        resume,
        leave,
        pause,
        go_on,
        rematch,
        forget,
        delete,
        free,
        sit,
        step_down,
        wifi,
    )
    rules = {press: "/sim/press"}
    for view in views:
        rule = rules.get(view, f"/{view.__name__}")
        acts.add_url_rule(rule, view.__name__, partial(view, context), methods=["POST"])
    return acts


def act(context: Context) -> Reply:
    """Make a move."""
    wish, story = read_body(request, MoveBody), context.table.snapshot.story
    if story is None or wish.seq > story.seq:
        return stale_reply(context, Stale(story.seq if story else 0))
    who = asker()
    # An older number can only be a repetition or too late, which the table tells.
    fresh = wish.seq == story.seq
    seat = _speaks_for(story, wish.notation, who) if fresh else who.seat
    claim = Claim(wish.notation, seat, wish.seq, wish.key)
    answer, turn = context.table.act(claim), _turn_of(story, wish.notation)
    # A repeated tap has made what follows already.
    for number, notation in enumerate(wish.then.split(";") if fresh else (), start=1):
        after = context.table.snapshot.story
        if not isinstance(answer, Done) or after is None or after.seq != answer.seq:
            break
        if _still_wanted(after, notation, turn, who):
            follows = Claim(notation, seat, after.seq, f"{wish.key}/{number}")
            answer = context.table.act(follows)
    return _answer(context, answer)


def _turn_of(story: Story, notation: str) -> Seat | None:
    """Return whose move a notation is, None where it is nobody's or no move."""
    try:
        return story.game.actor(story.state, story.game.parse(story.state, notation))
    except NotAMove:
        return None


def _still_wanted(story: Story, notation: str, turn: Seat | None, who: Who) -> bool:
    """Tell whether the rules have room for a move of the same player's turn."""
    game, known = story.game, redact(story.state, who.viewer)
    try:
        move = game.parse(known, notation)
    except NotAMove:
        return False
    mine = game.actor(known, move) == turn and may_make(game, known, move, who)
    return mine and isinstance(game.judge(story.state, move), Legal)


def undo(context: Context) -> Reply:
    """Take the last move back."""
    wish, who, story = (
        read_body(request, UndoBody),
        asker(),
        context.table.snapshot.story,
    )
    seat = who.seat
    if who.host and story is not None and undo_bar(story, seat, host=False):
        seat = None  # what only the host may do, the host's phone does as such
    return _answer(context, context.table.undo(seat, wish.seq, wish.key))


def amend(context: Context) -> Reply:
    """Put another move in the place of an earlier one."""
    wish, who, story = (
        read_body(request, AmendBody),
        asker(),
        context.table.snapshot.story,
    )
    if story is not None and not may_mend(story, wish.step, who):
        abort(403)
    table, seat = context.table, who.seat
    return _answer(context, table.amend(wish.step, wish.move, seat, wish.seq, wish.key))


def adopt(context: Context) -> Reply:
    """Set the record to what lies on the table."""
    wish, who, story = (
        read_body(request, AdoptBody),
        asker(),
        context.table.snapshot.story,
    )
    seat = who.seat
    if who.host and story is not None and adopt_bar(story, seat):
        seat = None  # as with an undo, the host's phone does it as such
    house = wish.note == "house"
    return _answer(context, context.table.adopt(seat, wish.seq, wish.key, house))


def press(context: Context) -> Reply:
    """Press a simulated pin; where the pins are real there is no such route."""
    if not context.table.snapshot.buttons.simulated:
        abort(404)
    wish, who = read_body(request, PressBody), asker()
    if wish.seat is not None and wish.seat != who.seat and not who.host:
        abort(403)
    try:
        context.table.press(wish.button, wish.seat)
    except LookupError:
        abort(404)
    except Full:
        return error_reply(context, No("busy", say(context, "dashboard.sim.wait")), 503)
    story = context.table.snapshot.story
    return _all_well(context, story.seq if story else 0)


def game(context: Context) -> Reply:
    """Begin a new game."""
    try:
        setup = _with_its_kit(context, read_setup(request))
    except BadName as error:
        return lobby.refuse(context, error.line, error.values)
    if setup is None:
        return lobby.refuse(context, "club.kits.not_come", {})
    answer = context.table.open_game(setup)
    if isinstance(answer, Rejected) and not wants_json():
        return lobby.refuse(context, answer.why.line, dict(answer.why.params))
    # Codes are for whoever has no seat yet: those who played before keep theirs.
    story = context.table.snapshot.story
    seats = range(len(story.header.players)) if story is not None else ()
    return _answer(
        context, answer, "/" if context.auth.taken().issuperset(seats) else "/host"
    )


def _with_its_kit(context: Context, setup: Setup) -> Setup | None:
    """Return a set-up with its kit fetched, where that is still at another table.

    None where it does not come.
    """
    offered, kit = context.offered, setup.kit or ""
    is_ours = kit in context.table.kits(setup.game)
    if offered is None or is_ours or not kit.startswith(OFFERED):
        return setup
    name = offered.fetch(kit.removeprefix(OFFERED), FETCH_S)
    return None if name is None else replace(setup, kit=name)


def resume(context: Context) -> Reply:
    """Put a stored game back on the table."""
    return _answer(context, context.table.resume(read_body(request, ResumeBody).id))


def leave(context: Context) -> Reply:
    """Put the game away."""
    if _is_gone(context):
        return stale_reply(context, Stale(0))
    return _answer(context, context.table.leave())


def pause(context: Context) -> Reply:
    """Let nothing count that happens from now on."""
    return _rest(context, pause=True)


def go_on(context: Context) -> Reply:
    """Let what happens count again."""
    return _rest(context, pause=False)


def _rest(context: Context, *, pause: bool) -> Reply:
    if context.table.snapshot.story is None or _is_gone(context):
        return stale_reply(context, Stale(0))
    return _answer(context, context.table.rest(pause=pause))


def rematch(context: Context) -> Reply:
    """Begin again with the same players, options and kit; the next one begins."""
    story = context.table.snapshot.story
    if story is None or _is_gone(context):
        return stale_reply(context, Stale(0))
    return _answer(context, context.table.open_game(_same_again(story)))


def forget(context: Context) -> Reply:
    """Delete a player's name from everything."""
    return _answer(
        context, context.table.forget(read_body(request, ForgetBody).name), "/past"
    )


def delete(context: Context) -> Reply:
    """Delete a stored game with its pictures."""
    game_id = read_body(request, DeleteBody).id
    if game_id not in {game.id for game in context.table.games()}:
        abort(404)
    answer = context.table.delete(game_id)
    # Gone it is also where traces of it in the file are still to be wiped.
    gone = game_id not in {game.id for game in context.table.games()}
    if gone and context.evidence is not None:
        context.evidence.drop(game_id)
    return _answer(context, answer, "/past")


def free(context: Context) -> Reply:
    """Put the phone out that sits at a seat, for another to take it."""
    wish, shown = read_body(request, FreeBody), context.table.snapshot
    if wish.game_id != shown.game_id or shown.story is None:
        return stale_reply(context, Stale(0))
    context.auth.put_out(wish.game_id, wish.seat)
    return _all_well(context, shown.story.seq, "/host")


def sit(context: Context) -> Reply:
    """Let the phone sit at a seat that is free, if it brings the big screen's code."""
    wish, story = read_body(request, SitBody), context.table.snapshot.story
    if story is None or not context.auth.opens_table(wish.code):
        return error_reply(
            context, No("not_found", say(context, "dashboard.error.link")), 404
        )
    if wish.seat >= len(story.header.players):
        abort(404)
    token = context.auth.take(wish.seat)
    if token is None:
        return error_reply(
            context, No("taken", say(context, "dashboard.sit.taken")), 409
        )
    answer = _all_well(context, story.seq)
    remember(answer if isinstance(answer, BaseResponse) else answer[0], "seat", token)
    return answer


def step_down(context: Context) -> Reply:
    """Let this phone be the host's no more."""
    name = cookie_name("host", request)
    context.auth.give_up(request.cookies.get(name, ""))
    answer = _all_well(context, 0)
    response = answer if isinstance(answer, BaseResponse) else answer[0]
    response.delete_cookie(name, httponly=True, samesite="Lax")
    return response


def wifi(context: Context) -> Reply:
    """Keep the network that the big screen tells of, or forget it."""
    wish = read_body(request, NetworkBody)
    if context.networks is None:
        abort(404)
    network = Wifi(wish.name.strip(), wish.password) if wish.name.strip() else None
    if network is not None and not is_sound(network):
        return error_reply(
            context, No("refused", say(context, "dashboard.wifi.bad")), 422
        )
    try:
        context.networks.keep(network)
    except OSError:
        logger.exception("the network could not be kept")
        return error_reply(
            context, No("busy", say(context, "dashboard.error.busy")), 503
        )
    return done_reply(Done(0), "/host")


def _is_gone(context: Context) -> bool:
    """Tell whether the game that is meant lies on the table no more."""
    meant = read_body(request, CloseBody).game_id
    return meant is not None and meant != context.table.snapshot.game_id


def _speaks_for(story: Story, notation: str, who: Who) -> Seat | None:
    """Return the seat that *who* makes a move as, None for the host, or refuse."""
    game, known = story.game, redact(story.state, who.viewer)
    try:
        move = game.parse(known, notation)
    except NotAMove:
        return who.seat  # the table says what is wrong with it
    if not may_make(game, known, move, who):
        abort(403)
    actor = game.actor(known, move)
    return who.seat if actor in (None, who.seat) else None


def _same_again(story: Story) -> Setup:
    header = story.header
    first = next_to_begin(story.game, header.first, len(header.players))
    return Setup(header.game, header.players, header.options, header.kit or None, first)


def _answer(context: Context, answer: Answer, then: str = "/") -> Reply:
    match answer:
        case Done():
            return done_reply(answer, then)
        case Stale():
            return stale_reply(context, answer)
        case Rejected():
            return rejected_reply(context, answer)


def _all_well(context: Context, seq: int, then: str = "/") -> Reply:
    """Return the answer that it was done, on disk or not."""
    return done_reply(Done(seq, stored=context.table.snapshot.stored), then)
