"""The values that a page is printed from: what one viewer may see, already in words.

This is also what ``GET /api/state`` gives, so a field that is here stays.
"""

from msgspec import Struct

from companion.dashboard.boards.drawing import Drawing, Held, Icon
from companion.dashboard.boards.picking import Pick
from companion.dashboard.pages.reminder import Tip
from companion.dashboard.view.clock import TurnClock
from companion.dashboard.view.history import HistoryLine
from companion.dashboard.view.misread import Misread
from companion.dashboard.view.remedies import Remedy
from companion.games.core import Cite
from companion.table import Seat
from companion.words import Words
from companion.words.rulebook import named_sections


class Me(Struct, frozen=True):
    """Who looks: the role, the seat with its name, and whether it is the host too."""

    role: str
    seat: Seat | None
    name: str | None
    host: bool


class PointsPart(Struct, frozen=True):
    """Where some of the points come from."""

    text: str
    points: int


class PlayerView(Struct, frozen=True):
    """A player's points, exact when *low* equals *high*; *extra* is what they hold."""

    seat: Seat
    name: str
    low: int
    high: int
    parts: tuple[PointsPart, ...]
    to_act: bool
    me: bool
    won: bool
    extra: str | None = None


class OfferView(Struct, frozen=True):
    """A move as a button: its notation, its words, and the pictures on it.

    *chosen* marks the move that the table's own button would make now. *by* is the
    player whose move it is, where that is not the one who looks. *then* are moves that
    the same tap makes after it, parted by semicolons. *spots* are the places of the
    board that it concerns, parted by blanks.
    """

    move: str
    text: str
    icons: tuple[Icon, ...] = ()
    chosen: bool = False
    by: str | None = None
    then: str = ""
    spots: str = ""


class TurnView(Struct, frozen=True):
    """Whose turn it is and what to do now; *reminders* are what people forget."""

    seat: Seat | None
    name: str | None
    mine: bool
    todo: tuple[str, ...]
    reminders: tuple[str, ...]
    die: str | None = None
    dice: tuple[Held, ...] = ()


class Source(Struct, frozen=True):
    """The ruling and the lines of the rulebook that a decision rests on.

    *sections* are the names under which people find them, quoted: nobody who owns the
    game has a rulebook with numbered lines.
    """

    rulebook: str
    first: int
    last: int
    sections: str
    ruling: str | None = None


class Task(Struct, frozen=True):
    """One thing to do before the first move, and where the rulebook says so.

    *begins* is the player whom it makes begin, where the table has said who that is.
    """

    text: str
    source: Source
    begins: str | None = None


class Ruled(Struct, frozen=True):
    """A point of the rules in words, as this table plays it, and where it stands.

    *text* is what holds, or the question that the table has answered with *choice*.
    """

    id: str
    text: str
    source: Source
    choice: str | None = None
    changed: bool = False


class QuestionView(Struct, frozen=True):
    """A reading that proved nothing: why, the likely answers, and what the camera saw.

    *reason* tells why the rules refuse what was seen, and *ruled* by which rule, where
    it looks like a move at all. *remedy* is what the viewer may take over if the table
    is right, *no_remedy* why the record cannot be set to what lies there. *astray* are
    the pieces that do not lie as the record says, a sentence each.
    """

    text: str
    options: tuple[OfferView, ...]
    picture: str | None
    reason: str | None = None
    ruled: Ruled | None = None
    remedy: Remedy | None = None
    no_remedy: str | None = None
    astray: tuple[str, ...] = ()


class Ending(Struct, frozen=True):
    """Who won, and the rule that ended the game."""

    winners: tuple[str, ...]
    text: str
    cite: Source


class MissingView(Struct, frozen=True):
    """What the table goes on without, in words, and the cause in English."""

    text: str
    why: str
    in_play: bool


class Status(Struct, frozen=True):
    """How the table's camera, buttons and store are; *knob* tells that there is one.

    *camera* is the name by which a program asks for it, *camera_called* what people do.

    *power* warns of the Pi's supply or heat while it lasts; *power_past* are the bits
    of `companion.running.power` that were told since the program started.
    *camera_why* is the cause of its trouble in English, where it is known; *missing* is
    what else the table goes on without. *demo_board* tells that nobody's own box is
    played on.
    """

    camera: str
    camera_trouble: str | None
    pins: str
    simulated: bool
    pins_trouble: str | None
    stored: bool
    warnings: tuple[str, ...]
    knob: bool = False
    power: str | None = None
    power_past: int = 0
    camera_why: str | None = None
    missing: tuple[MissingView, ...] = ()
    camera_called: str = ""
    demo_board: bool = False


class View(Struct, frozen=True):
    """The table for one viewer. In the lobby there is no game and the rest is empty.

    *setup* is what to do before the first move, and empty after it.
    *points* are the rulings that the newest lines of *history* rest on.
    Moves of which there are many are not in *moves* but in *picks*; *doers* are the
    players that either belong to, None for the one who looks.
    *paused* says that nothing counts now; then nothing is offered, and of a *frozen*
    game nothing ever will be. *notice* is what was just refused, and *ruled* by which
    rule; *undoes* tells what an undo takes back, None where there is nothing,
    *undo_bar* why this viewer may not take it back, and *undoes_of* the other player
    who made it and is to be asked first.
    *at_one_go* is what people do without a choice, as one button.
    *misread* is the newest move where the camera read it, and what it may have been.
    *clock* is what a phone's clock of game and turn starts from.
    *tips* explain, on the demo board, what the game asks for now.
    *remember* asks the host whether the last answer becomes a picture of the kit.
    *failed* names the parts that a fault of ours left out.
    """

    version: int
    seq: int
    language: str
    me: Me
    status: Status
    game_id: str | None = None
    game: str | None = None
    title: str | None = None
    players: tuple[PlayerView, ...] = ()
    setup: tuple[Task, ...] = ()
    turn: TurnView | None = None
    question: QuestionView | None = None
    moves: tuple[OfferView, ...] = ()
    at_one_go: OfferView | None = None
    private: tuple[OfferView, ...] = ()
    picks: tuple[Pick, ...] = ()
    doers: tuple[str | None, ...] = ()
    board: Drawing | None = None
    history: tuple[HistoryLine, ...] = ()
    earlier: int = 0
    points: tuple[Ruled, ...] = ()
    house_rules: tuple[str, ...] = ()
    ending: Ending | None = None
    notice: str | None = None
    ruled: Ruled | None = None
    paused: str | None = None
    frozen: bool = False
    undoes: str | None = None
    undoes_of: str | None = None
    undo_bar: str | None = None
    misread: Misread | None = None
    remember: str | None = None
    clock: TurnClock | None = None
    tips: tuple[Tip, ...] = ()
    failed: tuple[str, ...] = ()


def source(cite: Cite, words: Words, ruling: str | None = None) -> Source:
    """Return where a decision can be looked up."""
    named = named_sections((cite,), words)
    return Source(cite.rulebook, cite.first, cite.last, named, ruling)
