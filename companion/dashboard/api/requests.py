"""What phones may send, checked for shape before anybody acts on it."""

from typing import Annotated, Literal, TypeVar

import msgspec
from flask import Request
from msgspec import Meta, Struct
from werkzeug.exceptions import BadRequest

from companion.games.player_names import MOST_LETTERS, common_form, is_long, tidy
from companion.running.snapshot import Setup
from companion.table import Seat

MAX_SEATS = 12

OPTION = "option-"
"""How the fields of the lobby's form begin that set a ruling."""

OFFERED = "club:"
"""How a kit begins in the lobby's form that is still at another table of the club."""

ShortText = Annotated[str, Meta(min_length=1, max_length=200)]
Key = Annotated[str, Meta(min_length=1, max_length=100)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
T = TypeVar("T")


class MoveBody(Struct, frozen=True):
    """A move by its notation, the number of the state it was made for, and a key.

    A form that asks in steps sends the notation in pieces. *then* are moves that are
    made after it, parted by semicolons.
    """

    move: ShortText
    seq: Number
    key: Key
    at: ShortText | None = None
    what: ShortText | None = None
    tail: ShortText | None = None
    then: Annotated[str, Meta(max_length=200)] = ""

    @property
    def notation(self) -> str:
        """Return the whole move as one line."""
        return " ".join(filter(None, (self.move, self.at, self.what, self.tail)))


class UndoBody(Struct, frozen=True):
    """The wish to take the last move back."""

    seq: Number
    key: Key


class AmendBody(Struct, frozen=True):
    """The wish to put another move in the place of the one that entry *step* tells."""

    step: Number
    move: ShortText
    seq: Number
    key: Key


class AdoptBody(Struct, frozen=True):
    """The wish to set the record to what lies on the table: it is right, or may be."""

    seq: Number
    key: Key
    note: Literal["table", "house"] = "table"


class PressBody(Struct, frozen=True):
    """A finger on a simulated pin; *seat* is None for the buttons of all."""

    button: ShortText
    seat: Seat | None = None


class ResumeBody(Struct, frozen=True):
    """The stored game that is to come back on the table."""

    id: ShortText


class CloseBody(Struct, frozen=True):
    """The wish to pause, end or repeat a game; *game_id* is the one meant."""

    game_id: str | None = None


class FreeBody(Struct, frozen=True):
    """The wish that nobody's phone sits at a seat any more."""

    seat: Number
    game_id: ShortText


class SitBody(Struct, frozen=True):
    """The wish to sit at a free seat; *code* is the big screen's or a watcher's."""

    seat: Number
    code: ShortText


class PhotoBody(Struct, frozen=True):
    """The wish to take the photo of a game's final table, or to delete it."""

    id: ShortText
    do: Literal["take", "delete"] = "take"


class DeleteBody(Struct, frozen=True):
    """The stored game that is to be deleted."""

    id: ShortText


class ForgetBody(Struct, frozen=True):
    """The wish to delete a player's name from everything."""

    name: ShortText


class PinBody(Struct, frozen=True):
    """The host's six digits."""

    pin: ShortText


class NetworkBody(Struct, frozen=True):
    """The Wi-Fi that phones join; without a *name* none is told any more."""

    name: Annotated[str, Meta(max_length=200)] = ""
    password: Annotated[str, Meta(max_length=200)] = ""


class NewGameBody(Struct, frozen=True):
    """A new game as a script asks for it; *options* maps ruling ids to choices."""

    game: ShortText
    players: Annotated[tuple[ShortText, ...], Meta(max_length=MAX_SEATS)]
    options: dict[str, str] = {}
    kit: str | None = None
    first: Number = 0


class BadName(ValueError):
    """A player's name cannot stand; *line* says why, *values* fill it."""

    def __init__(self, line: str, **values: str | int) -> None:
        super().__init__(line)
        self.line = line
        self.values = values


def read_body(request: Request, kind: type[T]) -> T:
    """Return the body of *request* as *kind*, from JSON or from a form.

    Raises:
        BadRequest: It has not that shape; the description is one line that says why.
    """
    try:
        if request.mimetype == "application/json":
            return msgspec.json.decode(request.get_data(), type=kind)
        return msgspec.convert(request.form.to_dict(), kind, strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(" ".join(str(error).split())) from error


def read_setup(request: Request) -> Setup:
    """Return the game that the lobby's form, or a script, asks for.

    Raises:
        BadRequest: The body has not the right shape.
        BadName: A name is missing, too long, unseen, or there twice, or an empty chair
            of the form is to begin.
    """
    if request.mimetype == "application/json":
        wish = read_body(request, NewGameBody)
        names, first = list(wish.players), wish.first
        options = tuple(sorted(wish.options.items()))
        game, kit = wish.game, wish.kit
    else:
        form = request.form
        names = form.getlist("name")
        first = form.get("first", 0, type=int)
        options = _form_options(request)
        if 0 <= first < len(names) and any(names) and not names[first].strip():
            raise BadName("dashboard.lobby.first_empty")
        game, kit = form.get("game", ""), form.get("kit") or None
    if not 0 <= first < max(1, len(names)):
        raise BadRequest("`first` is no seat")
    cleaned = [clean_name(name) for name in names]
    # A line left empty in the form is no seat, so seats behind it move up.
    first = sum(bool(name) for name in cleaned[:first])
    players = tuple(name for name in cleaned if name)
    looks = [common_form(name) for name in players]
    for name in players:
        if looks.count(common_form(name)) > 1:
            raise BadName("dashboard.lobby.name_twice", name=name)
    return Setup(game, players, options, kit, min(first, max(0, len(players) - 1)))


def _form_options(request: Request) -> tuple[tuple[str, str], ...]:
    # The form keeps what was chosen for rulings of another game, till it is back.
    elsewhere = request.form.getlist("elsewhere")
    return tuple(
        (field.removeprefix(OPTION), choice)
        for field, choice in sorted(request.form.items())
        if field.startswith(OPTION) and field not in elsewhere
    )


def clean_name(text: str) -> str:
    """Return *text* as a name; a line of blanks, as one left empty, is none.

    Raises:
        BadName: More than 40 letters are left, or none that anybody would see.
    """
    name = tidy(text)
    if not name and text.strip():
        raise BadName("dashboard.lobby.name_unseen")
    if is_long(name):
        raise BadName("dashboard.lobby.name_long", n=MOST_LETTERS)
    return name
