"""What a game is: a record of pure functions, and the values that they speak in.

Rules never roll, shuffle, wait or look: chance enters as a move, and so does every
hidden card that shows itself. A log of moves therefore always folds to the same state.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from typing import (
    Any,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
)

from msgspec import Struct

from companion.games.copy import Copy
from companion.games.hidden import Viewer, redact
from companion.table import (
    Changes,
    Cue,
    Face,
    Layout,
    LinePart,
    Params,
    Piece,
    Seat,
    Sight,
)

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
T = TypeVar("T")


class Cite(Struct, frozen=True, gc=False):
    """First and last line of the rulebook that a ruling rests on."""

    rulebook: str
    first: int
    last: int


class Section(Struct, frozen=True, gc=False):
    """Where a section of a rulebook begins, and the id of its name."""

    first: int
    line: str


def sections(rulebook: str, listed: str) -> tuple[Section, ...]:
    """Return the sections of "40 idea 46 contents": first lines, and words for ids.

    A section may come twice, where the text of a page goes from column to column.
    """
    parts = listed.split()
    return tuple(
        Section(int(first), f"{rulebook}.section.{name}")
        for first, name in zip(parts[::2], parts[1::2], strict=True)
    )


class Grounds(Struct, frozen=True, gc=False):
    """What something that happened rests on: lines of the rulebook, and ruling ids."""

    cite: Cite
    rulings: tuple[str, ...] = ()


class Ruling(Struct, frozen=True, gc=False):
    """A numbered point where the rulebook leaves something open.

    *choices* are the ways that a table may set it, the default first; none for a fixed
    rule. *line* is the id of the words that put the question.
    """

    id: str
    cite: Cite
    line: str
    choices: tuple[str, ...] = ()

    @property
    def default(self) -> str | None:
        """Return the choice that holds where a table set nothing."""
        return self.choices[0] if self.choices else None


class Legal(Struct, frozen=True, gc=False):
    """The rules allow the move."""


class Refused(Struct, frozen=True, gc=False):
    """The rules forbid the move: by which ruling, and with the numbers of the case.

    *ruling* is an id such as ``"DH12"``, or the game's id where the rulebook is plain.
    *reason* is the id of the words that explain, filled with *params*.
    """

    ruling: str
    reason: str
    cite: Cite
    params: Params = ()

    @property
    def named(self) -> str | None:
        """Return the ruling's id for people, None where the rulebook is plain."""
        return None if self.ruling == self.cite.rulebook else self.ruling


class Unknown(Struct, frozen=True, gc=False):
    """The rules cannot tell, as it hangs on something that nobody has shown."""

    reason: str
    params: Params = ()


Verdict: TypeAlias = Legal | Refused | Unknown
LEGAL = Legal()


class Prompt(Struct, frozen=True, gc=False):
    """Who does what next; *reminder* marks what people forget rather than must do.

    *who* is None when anybody may do it; *only_for* keeps a prompt on one phone.
    """

    who: Seat | None
    line: str
    params: Params = ()
    reminder: bool = False
    only_for: Seat | None = None


class Score(Struct, frozen=True, gc=False):
    """Points of a seat: exact when *low* equals *high*, else still partly hidden.

    *parts* says where the points come from, as (line id with values, points).
    """

    seat: Seat
    low: int
    high: int
    parts: tuple[tuple[LinePart, int], ...] = ()


class Outcome(Struct, frozen=True, gc=False):
    """Who won and the rule that ended the game; no winner is a result too."""

    winners: tuple[Seat, ...]
    reason: str
    cite: Cite
    params: Params = ()


class Violation(Struct, frozen=True, gc=False):
    """Something that can never be true of a sound state or box."""

    code: str
    params: Params = ()


class PieceKind(Struct, frozen=True, gc=False):
    """A kind of thing in the box, what its faces are and how many there are."""

    piece: Piece
    faces: tuple[Face, ...]
    count: int


class Config(Struct, frozen=True, gc=False):
    """What is settled before the first move.

    *options* holds (ruling id, choice) pairs for what differs from the defaults; *box*
    is the game's own record of box facts; *first* is the seat that begins.
    """

    seats: int
    box: Any
    options: tuple[tuple[str, str], ...] = ()
    first: Seat = 0


class SetupStep(Struct, frozen=True, gc=False):
    """One thing to do before the first move, as the rulebook has it.

    *told* says what to lay where. *begins* is the seat that begins where this step
    settles that and the table has said it; None in all others.
    """

    told: LinePart
    cite: Cite
    begins: Seat | None = None


class WinsBy(Enum):
    """Who has won a game by its points."""

    MOST = "most"
    FEWEST = "fewest"
    FIRST = "first"
    """A race: it counts no points."""


class Chance(Protocol):
    """A source of chance, such as `random.Random`; rules have none of their own."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""

    def choices(self, population: Sequence[T], weights: Sequence[float]) -> list[T]:
        """Return one of some things, in a list, as likely as its weight."""


class BadSetup(ValueError):
    """A game cannot be set up like this; the message says what, and what to do."""


class Game(Struct, Generic[S, M, E], frozen=True, eq=False):
    """One game as a record of pure functions.

    ``legal`` is complete: it also yields what dice and hidden cards may show next, and
    is empty exactly when ``outcome`` is not None. ``judge`` is total. ``evidence`` is
    how a move looks on the table, empty when it can only be claimed. ``notate`` gives
    one line, unique among the legal moves of a state, and ``parse`` undoes it.
    ``describe_move`` and ``describe_event`` give the words of a move and an event.
    ``chance`` gives the odds of what shows once a hand has thrown or turned.
    ``grounds`` says by which rules an event came, from the state before its move, and
    tells no secret of either; None for what this table alone needs.
    """

    id: str
    title: str
    seats: range
    rulings: tuple[Ruling, ...]
    pieces: tuple[PieceKind, ...]

    box_type: type[Any]
    stand_in: Any
    check_box: Callable[[Any], tuple[Violation, ...]]

    state_type: Any
    move_type: Any
    event_type: Any

    setup: Callable[[Config], S]
    legal: Callable[[S], Iterable[M]]
    judge: Callable[[S, M], Verdict]
    apply: Callable[[S, M], tuple[S, tuple[E, ...]]]
    actor: Callable[[S, M], Seat | None]
    expects: Callable[[S], tuple[Prompt, ...]]

    layout: Callable[[S], Layout]
    evidence: Callable[[S, M], frozenset[Sight]]
    chance: Callable[[S], tuple[tuple[M, Fraction], ...]]
    resample: Callable[[S, Viewer, int], S]

    notate: Callable[[S, M], str]
    parse: Callable[[S, str], M]
    describe_move: Callable[[S, M], LinePart]
    describe_event: Callable[[E], LinePart]
    cue: Callable[[E], Cue]
    grounds: Callable[[S, E], Grounds | None]

    check: Callable[[S], tuple[Violation, ...]]
    scores: Callable[[S], tuple[Score, ...]]
    outcome: Callable[[S], Outcome | None]

    objection: Callable[[S, Changes], Refused | None]
    """Why the rules refuse what changed on the table, where it looks like a move."""

    adopt: Callable[[S, Layout], S | None]
    """The state if what lies there is right and the record is not: what lies open is
    taken over, whose turn it is and what is awaited stays. None where that is open, as
    with a card that came from nowhere; `check` tells whether such a state can be."""

    plain_die: tuple[tuple[Face, Piece, Face], ...] = ()
    """What an ordinary die's faces stand for: (its face, our piece, our face)."""

    rules_version: int = 1
    """Raised when a stored log would fold to another state under newer rules."""

    setting_up: Callable[[Config], tuple[SetupStep, ...]] = lambda _config: ()
    """What to lay where before the first move, in the order of the rulebook."""

    preparing: tuple[type[Any], ...] = ()
    """The moves that only set the table up, or note what was dealt."""

    only_told: tuple[type[Any], ...] = ()
    """The moves that are never taken for granted: people say them, or made none."""

    copy: Copy = Copy()
    """What a copy of it is to its owner: names, and what is shown, typed and tapped."""

    sections: tuple[Section, ...] = ()
    """The rulebook's sections, as they follow each other: what people look up."""

    wins_by: WinsBy = WinsBy.MOST
    """How points decide, for tables of who played how well."""

    begins_again: bool = False
    """Whether the rulebook names who begins and it stays the same person in each game,
    as the oldest does; otherwise the next one begins a rematch."""

    sensible: Callable[[S, Sequence[M], Chance], Sequence[M]] | None = None
    """The moves that people would make, at least one of those that are legal, where
    chance alone would lead nowhere; None where any move leads on."""


def first_refusal(
    judge: Callable[[S, M], Verdict], state: S, moves: Iterable[M]
) -> Refused | None:
    """Return why the first of *moves* that the rules forbid is forbidden."""
    verdicts = (judge(state, move) for move in moves)
    return next((v for v in verdicts if isinstance(v, Refused)), None)


class NotNow(ValueError):
    """A move makes no sense in a state, even for a table that bends the rules."""


class NotAMove(ValueError):
    """A text is no move of this game here; the message repeats it and says why."""


def judge_for(
    game: Game[S, M, E], state: S, move: M, claimant: Viewer = None
) -> Verdict:
    """Return what the rules say of a move, by what *claimant* may know of *state*.

    Whoever tells the table of a move hears whether it counts. So nothing that they may
    not see decides it: else the answer would tell it. Where the move shows that what
    the table remembered in secret was wrong, `Game.apply` corrects it.
    """
    return game.judge(redact(state, claimant), move)


def choices_of(rulings: tuple[Ruling, ...], config: Config) -> dict[str, str]:
    """Return the choice that holds for each ruling that is one, by its id.

    Raises:
        BadSetup: A ruling is not known or has no such choice.
    """
    choices = {rule.id: rule.choices[0] for rule in rulings if rule.choices}
    allowed = {rule.id: rule.choices for rule in rulings}
    for ruling, choice in config.options:
        if ruling not in choices:
            raise BadSetup(
                f"option {ruling!r} is not one of this game's choices; "
                f"known are {', '.join(sorted(choices))}"
            )
        if choice not in allowed[ruling]:
            raise BadSetup(
                f"option {ruling} cannot be {choice!r}; "
                f"choose one of {', '.join(allowed[ruling])}"
            )
        choices[ruling] = choice
    return choices


def with_value(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return *values* with another value at *index*."""
    changed = list(values)  # half the time of unpacking two slices
    changed[index] = value
    return tuple(changed)
