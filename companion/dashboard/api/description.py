"""Describes the JSON routes as an OpenAPI document, from the routes that there are.

Which routes there are, and what each is for, is read from the application; who may use
them from `access`; only what goes in and comes out is listed here. So a route that is
new and not listed cannot be described, which a test notices.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from inspect import getdoc
from typing import Annotated, Any, TypeAlias

import msgspec
from flask import Blueprint, Flask, Response, current_app, request
from msgspec import Meta, Struct, field
from msgspec.structs import fields
from werkzeug.routing import Rule

from companion.dashboard.api.replies import KINDS, No, Yes
from companion.dashboard.api.requests import (
    AdoptBody,
    AmendBody,
    CloseBody,
    DeleteBody,
    ForgetBody,
    FreeBody,
    MoveBody,
    NetworkBody,
    NewGameBody,
    PhotoBody,
    PinBody,
    PressBody,
    ResumeBody,
    SitBody,
    UndoBody,
)
from companion.dashboard.boards.drawing import Drawing
from companion.dashboard.context import Context, cookie_name
from companion.dashboard.door.access import ACCESS, VIEWER
from companion.dashboard.door.auth import ROLES
from companion.dashboard.pages.teaching import Wish
from companion.dashboard.view.view import View
from companion.games.drachenhort.tally import Result, Sheet

JSON, PAGE, TEXT = "application/json", "text/html", "text/plain"
STREAM, ZIP, CSV = "text/event-stream", "application/zip", "text/csv"
SVG, JPEG = "image/svg+xml", "image/jpeg"
FORM = "multipart/form-data"

EVERYWHERE = (400, 403, 503)
"""What any route may answer: a strange name or body, not yours, the table is busy."""

TOO_LARGE = 413
"""What any route may answer to which something is posted."""

NO = {JSON: No, PAGE: None}
"""As what it is refused: to a script, and to people without one."""

LATE, REFUSED, NONE_SUCH = (409,), (422,), (404,)


class LessonPart(Struct, frozen=True):
    """The part of a lesson's page that changes, and what it was made for."""

    version: str
    html: str


class KitBody(Struct, frozen=True):
    """A kit as one file."""

    file: Annotated[str, Meta(extra_json_schema={"format": "binary"})] = ""


class Described(Struct, frozen=True):
    """What goes into a route and comes out of it.

    Args:
        body: The type of what is posted; None where nothing needs to be.
        gives: What is answered, by its media type; None for what no schema says.
        no: With which codes it may refuse, beside those of `EVERYWHERE`.
        code: With which it answers otherwise.
        waits: It may answer 202 too: done, and not on the disk yet.
        sent: As what the body is sent.
    """

    body: Any = None
    gives: dict[str, Any] = field(default_factory=lambda: {JSON: Yes})
    no: tuple[int, ...] = ()
    code: int = 200
    waits: bool = False
    sent: str = JSON


def _acts(body: Any, *no: tuple[int, ...]) -> Described:
    """Return the description of what changes the table, and so waits for the disk."""
    return Described(body, no=sum(no, ()), waits=True)


DESCRIBED = {
    ("GET", "/api/state"): Described(gives={JSON: View}),
    ("GET", "/api/events"): Described(gives={STREAM: None}),
    ("GET", "/api/openapi.json"): Described(gives={JSON: None}),
    ("POST", "/api/act"): _acts(MoveBody, LATE, REFUSED),
    ("POST", "/api/undo"): _acts(UndoBody, LATE, REFUSED),
    ("POST", "/api/amend"): _acts(AmendBody, LATE, REFUSED),
    ("POST", "/api/adopt"): _acts(AdoptBody, LATE, REFUSED),
    ("POST", "/api/sim/press"): _acts(PressBody, NONE_SUCH),
    ("POST", "/api/game"): _acts(NewGameBody, REFUSED),
    ("POST", "/api/resume"): _acts(ResumeBody, REFUSED),
    ("POST", "/api/leave"): _acts(CloseBody, LATE, REFUSED),
    ("POST", "/api/pause"): _acts(CloseBody, LATE, REFUSED),
    ("POST", "/api/go_on"): _acts(CloseBody, LATE, REFUSED),
    ("POST", "/api/rematch"): _acts(CloseBody, LATE, REFUSED),
    ("POST", "/api/forget"): _acts(ForgetBody, REFUSED),
    ("POST", "/api/delete"): _acts(DeleteBody, NONE_SUCH, REFUSED),
    ("POST", "/api/photo"): Described(PhotoBody, no=NONE_SUCH + LATE + REFUSED),
    ("POST", "/api/free"): _acts(FreeBody, LATE),
    ("POST", "/api/sit"): _acts(SitBody, NONE_SUCH, LATE),
    ("POST", "/api/step_down"): _acts(None),
    ("POST", "/api/wifi"): Described(NetworkBody, no=NONE_SUCH + REFUSED),
    ("POST", "/api/teach"): Described(Wish, no=NONE_SUCH + REFUSED),
    ("POST", "/api/teach/kit"): Described(
        KitBody, {PAGE: None}, NONE_SUCH + REFUSED, 303, sent=FORM
    ),
    ("GET", "/host"): Described(gives={PAGE: None}),
    ("POST", "/host"): Described(PinBody, {PAGE: None}, (429,), 303),
    ("GET", "/tally"): Described(gives={PAGE: None}),
    ("POST", "/tally"): Described(Sheet, {JSON: Result}, REFUSED),
    ("GET", "/teach/now"): Described(None, {JSON: LessonPart}, NONE_SUCH),
    ("GET", "/past/<game_id>/<form>"): Described(
        None, {JSON: None, CSV: None, ZIP: None, SVG: None, JPEG: None}, NONE_SUCH
    ),
}
"""Each route that takes or gives JSON, what else is at its address, and all below
``/api/``."""

QUERY = {
    "/api/events": {
        "as": "``viewer`` for the stream of somebody who only watches.",
        "seen": "The newest entry that is known already, so that no news is lost.",
    },
}
"""What may stand in the address: nothing of it is refused, whatever it says."""

FORMS = {
    "form": {
        "enum": ["game.json", "points.csv", "game.capsule", "result.svg", "table.jpg"]
    }
}
"""Parts of an address that are one of a few words."""

PARTS = re.compile(r"<(?:(\w+):)?(\w+)>")

Schema: TypeAlias = dict[str, Any]


def routes(context: Context) -> Blueprint:
    """Return the route of the description."""
    blueprint = Blueprint("description", __name__, url_prefix="/api")
    add = blueprint.add_url_rule
    add("/openapi.json", "openapi", partial(openapi, context))
    return blueprint


def openapi(_context: Context) -> Response:
    """Describe the routes that take or give JSON, as OpenAPI 3.1."""
    cookies = {role: cookie_name(role, request) for role in ROLES}
    document = describe(current_app, cookies)
    return Response(msgspec.json.encode(document), mimetype=JSON)


def describe(app: Flask, cookies: Mapping[str, str]) -> Schema:
    """Return the description of all routes of *app* that take or give JSON.

    Args:
        app: The application.
        cookies: The name of the cookie by which each role is known.

    Raises:
        KeyError: A route below ``/api/`` is not in `DESCRIBED`.
    """
    paths: dict[str, Schema] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            key = (method, rule.rule)
            if key not in DESCRIBED and not rule.rule.startswith("/api/"):
                continue
            path = PARTS.sub(r"{\2}", rule.rule)
            paths.setdefault(path, {})[method.lower()] = _operation(app, rule, method)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dragon Table", "version": "1"},
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                role: {"type": "apiKey", "in": "cookie", "name": name}
                for role, name in cookies.items()
            },
        },
    }


def _operation(app: Flask, rule: Rule, method: str) -> Schema:
    told, roles = DESCRIBED[method, rule.rule], ACCESS[method, rule.rule]
    view = app.view_functions[rule.endpoint]
    doc = getdoc(view.func if isinstance(view, partial) else view) or ""
    operation: Schema = {
        "operationId": rule.endpoint,
        "summary": doc.partition("\n")[0],
        "parameters": [*_parameters(rule)],
        "responses": {str(code): answer for code, answer in _answers(told, method)},
    }
    if told.body is not None:
        # A script that sends nothing sends an empty form, in which all is left out.
        needed = any(one.required for one in fields(told.body))
        content = {told.sent: {"schema": _reference(told.body)}}
        operation["requestBody"] = {"required": needed, "content": content}
    cookies: list[Schema] = [{role: []} for role in sorted(roles & {*ROLES})]
    # Whoever only watches is known by none.
    operation["security"] = [*cookies, *([{}] if VIEWER in roles else [])]
    return operation


def _parameters(rule: Rule) -> Iterator[Schema]:
    for kind, name in PARTS.findall(rule.rule):
        schema: Schema = {"type": "string", "minLength": 1} | FORMS.get(name, {})
        if kind == "int":
            schema = {"type": "integer", "minimum": 0}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name, text in QUERY.get(rule.rule, {}).items():
        schema = {"type": "string"}
        yield {"name": name, "in": "query", "description": text, "schema": schema}


def _answers(told: Described, method: str) -> Iterator[tuple[int, Schema]]:
    well: Schema = {"description": "It was done.", "content": _content(told.gives)}
    if told.gives.get(JSON) is View:
        well["links"] = {"move": MOVE}
    yield told.code, well
    if told.waits:
        waits = "It was done and waits in memory, as the disk refuses it."
        yield 202, {"description": waits, "content": _content(told.gives)}
    for code in (*EVERYWHERE, *told.no, *((TOO_LARGE,) if method == "POST" else ())):
        refused = {TEXT: None} if STREAM in told.gives and code == 503 else NO
        text = KINDS.get(code, "refused")
        yield code, {"description": text, "content": _content(refused)}


MOVE = {
    "operationId": "acts.act",
    "description": "The first move that is offered, made.",
    "requestBody": {
        "move": "$response.body#/moves/0/move",
        "seq": "$response.body#/seq",
        "key": "of state {$response.body#/version}",
    },
}
"""What a state is good for."""


def _content(gives: Mapping[str, Any]) -> Schema:
    return {
        kind: {} if answer is None else {"schema": _reference(answer)}
        for kind, answer in gives.items()
    }


def _reference(kind: Any) -> Schema:
    return {"$ref": f"{REFERENCE.format(name=kind.__name__)}"}


REFERENCE = "#/components/schemas/{name}"


def _schemas() -> Schema:
    """Return the schemas of all that goes in and out, by the names of their types."""
    drawings = [Drawing, *_kinds_of(Drawing)]
    kinds = [told.body for told in DESCRIBED.values()]
    kinds += [answer for told in DESCRIBED.values() for answer in told.gives.values()]
    named = {
        kind.__name__: kind for kind in (*kinds, *drawings, No) if kind is not None
    }
    _, schemas = msgspec.json.schema_components(named.values(), ref_template=REFERENCE)
    # A board is drawn as its game is: each is a kind of its own, with more fields.
    boards = [_reference(drawing) for drawing in drawings]
    schemas["View"]["properties"]["board"]["anyOf"] = [*boards, {"type": "null"}]
    return schemas


def _kinds_of(kind: type[Drawing]) -> Iterator[type[Drawing]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds_of(below)
