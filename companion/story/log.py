"""What happened, entry by entry, and the state that it folds to.

The log is append-only and holds what was seen or claimed, never a total. An undo, an
edit or a question is an entry too, so that the same log always folds to the same story.
"""

from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.games.core import (
    Config,
    Game,
    Refused,
    SetupStep,
)
from companion.games.hidden import (
    Viewer,
    redact,
)
from companion.games.player_names import common_form
from companion.table import LinePart, Meaning, Reading, Seat

M = TypeVar("M")
S = TypeVar("S")
B = TypeVar("B")


class Header(Struct, Generic[B], frozen=True, tag="header", omit_defaults=True):
    """Who plays what, with which box and which house rules; always the first entry.

    *kit* is the kit's name, empty for the stand-in, *kit_hash* its fingerprint;
    *meanings* are what its dice show. *rules* is the `Game.rules_version` that it is
    played by; a header that does not tell is of the first.
    """

    game: str
    players: tuple[str, ...]
    box: B
    options: tuple[tuple[str, str], ...] = ()
    first: Seat = 0
    kit: str = ""
    kit_hash: str = ""
    meanings: tuple[Meaning, ...] = ()
    rules: int = 1

    def config(self) -> Config:
        """Return what the rules need to know of it."""
        return Config(len(self.players), self.box, self.options, self.first)

    def without(self, name: str) -> "Header[B]":
        """Return it with a seat's number, from 1, for that name, however written."""
        players = tuple(
            str(seat + 1) if common_form(player) == common_form(name) else player
            for seat, player in enumerate(self.players)
        )
        return replace(self, players=players)


class Made(Struct, Generic[M], frozen=True, tag="move", omit_defaults=True):
    """A move that was seen or claimed, and why it was believed.

    *actor* is the seat that made or said it, None for the host or the table itself.
    *position* is the picture of a recorded camera that showed it; *key* the once-only
    key of the tap that claimed it.
    """

    move: M
    source: str
    actor: Seat | None = None
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()
    position: int | None = None
    key: str | None = None


class Asked(Struct, frozen=True, tag="asked", omit_defaults=True):
    """A reading that proved no move, why, and the moves it may have been.

    *options* are notations, the most likely first. *verdict* is why the rules refuse
    what was seen, if it looks like a move. The question stands until a move, an undo or
    a table that lies as it should again answers it.
    """

    reading: Reading
    why: LinePart
    options: tuple[str, ...]
    verdict: Refused | None = None


class Undone(Struct, frozen=True, tag="undo", omit_defaults=True):
    """The last standing move was taken back."""

    source: str
    actor: Seat | None = None
    key: str | None = None


class Edited(Struct, Generic[S], frozen=True, tag="edit", omit_defaults=True):
    """The table is right: the state was set to what lies there, with a note why."""

    state: S
    note: str
    actor: Seat | None = None
    key: str | None = None


class Amended(Struct, Generic[M], frozen=True, tag="amend", omit_defaults=True):
    """An earlier move was another one: it takes its place, what followed still stands.

    *step* is the number of the entry with the wrong move.
    """

    step: int
    move: M
    source: str
    actor: Seat | None = None
    key: str | None = None


PUT_BACK = "put_back"
"""The remark that the table lies as the record says again: an open question is over."""

PAUSE, GO_ON = "pause", "resume"
"""The remarks between which the game rests and nothing that happens counts."""


class Noted(Struct, frozen=True, tag="note", omit_defaults=True):
    """A remark that moves nothing: a pause, a resume, the end, a picture passed."""

    kind: str
    position: int | None = None
    text: str = ""


Body: TypeAlias = (
    Header[Any] | Made[Any] | Asked | Undone | Edited[Any] | Amended[Any] | Noted
)


class Entry(Struct, frozen=True):
    """One line of the log. *at* is a time of day in seconds for people to read.

    Nothing is ordered or measured by *at*: a Pi has no clock of its own until the
    network tells it the time.
    """

    seq: int
    at: float
    body: Body


class BadLog(ValueError):
    """A log cannot be read; the message says which entry and why."""


class Step(Struct, frozen=True):
    """A move: what it was, what came of it, and the states before and after it.

    *doubt* is the question that stood when it was made.
    """

    seq: int
    made: Made[Any]
    events: tuple[Any, ...]
    before: Any
    state: Any
    doubt: Asked | None = None


class Story(Struct, frozen=True):
    """What a log says happened so far: the only memory of a running game.

    *steps* are the moves that stand. *taken_back* are those that do not, each as it was
    when it was taken back: an amendment before that is part of it, one after is not.
    *frozen* says why a game can be looked at and not be played on, None where it can;
    it is paused then as well.
    """

    game: Game[Any, Any, Any]
    header: Header[Any]
    start: Any
    entries: tuple[Entry, ...]
    steps: tuple[Step, ...] = ()
    asked: Asked | None = None
    paused: bool = False
    taken_back: tuple[Step, ...] = ()
    frozen: LinePart | None = None

    @property
    def state(self) -> Any:
        """Return the present state."""
        return self.steps[-1].state if self.steps else self.start

    @property
    def seq(self) -> int:
        """Return the number of the newest entry; a page is made for it."""
        return self.entries[-1].seq

    @property
    def to_set_up(self) -> tuple[SetupStep, ...]:
        """Return what to lay where; nothing once a move was made that plays on it."""
        game = self.game
        if all(isinstance(step.made.move, game.preparing) for step in self.steps):
            return game.setting_up(self.header.config())
        return ()

    @property
    def position(self) -> int:
        """Return how many pictures of a recorded camera were used up."""
        used = [place for entry in self.entries if (place := _position(entry.body))]
        return max(used, default=0)

    def knows_key(self, key: str) -> bool:
        """Tell whether the tap with this key was already carried out."""
        return any(getattr(entry.body, "key", None) == key for entry in self.entries)


def _position(body: Body) -> int | None:
    """Return the number of pictures that were used up with *body*, counted from 1."""
    match body:
        case Made(position=place) | Noted(position=place):
            return None if place is None else place + 1
        case Asked(reading=reading):
            return None if reading.position is None else reading.position + 1
        case _:
            return None


def begin(game: Game[Any, Any, Any], header: Header[Any], at: float) -> Story:
    """Return the story of a game that starts now.

    Raises:
        BadSetup: The header does not fit the game.
    """
    start = game.setup(header.config())
    return Story(game, header, start, (Entry(0, at, header),))


def extend(story: Story, body: Body, at: float) -> Story:
    """Return *story* with one more entry.

    A move is applied as it stands: whoever appends has judged it.

    Raises:
        BadLog: The entry cannot follow, such as an undo with nothing to undo.
    """
    seq = story.seq + 1
    entries = (*story.entries, Entry(seq, at, body))
    match body:
        case Asked():
            return replace(story, entries=entries, asked=body)
        case Noted():
            asked = None if body.kind == PUT_BACK else story.asked
            paused = {PAUSE: True, GO_ON: False}.get(body.kind, story.paused)
            return replace(story, entries=entries, asked=asked, paused=paused)
        case Header():
            raise BadLog(f"entry {seq} is a second header; start a new game instead")
        case Undone():
            if not story.steps:
                raise BadLog(f"entry {seq} undoes a move, but none stands before it")
            return replace(
                story,
                entries=entries,
                steps=story.steps[:-1],
                taken_back=(*story.taken_back, story.steps[-1]),
                asked=None,
            )
        case _:
            steps = _steps(story, seq, body)
            return replace(story, entries=entries, steps=steps, asked=None)


def _steps(
    story: Story, seq: int, body: Made[Any] | Edited[Any] | Amended[Any]
) -> tuple[Step, ...]:
    """Return the moves that stand after *body*."""
    before, doubt = story.state, story.asked
    match body:
        case Made():
            state, events = story.game.apply(before, body.move)
            return (*story.steps, Step(seq, body, events, before, state, doubt))
        case Edited():
            made = Made(None, "edit", body.actor)
            return (*story.steps, Step(seq, made, (), before, body.state, doubt))
        case Amended():
            return _amended(story, body)


def _amended(story: Story, body: Amended[Any]) -> tuple[Step, ...]:
    """Return the steps with another move in the place of one of them.

    Raises:
        BadLog: There is no such move, or one that followed makes no sense any more.
    """
    numbers = [step.seq for step in story.steps]
    if body.step not in numbers:
        raise BadLog(f"entry {body.step} is no move that stands; nothing to amend")
    index = numbers.index(body.step)
    kept, later = story.steps[:index], story.steps[index + 1 :]
    state = kept[-1].state if kept else story.start
    steps = [*kept]
    mended = Made(body.move, body.source, body.actor, key=body.key)
    for step in (replace(story.steps[index], made=mended), *later):
        before = state
        if step.made.move is None:
            # The table was right: what lay there lay there.
            state, events = step.state, ()
        else:
            try:
                state, events = reapply(story.game, state, step.made.move)
            except ValueError as error:
                raise BadLog(
                    f"entry {step.seq} cannot follow any more: {error}"
                ) from error
        steps.append(replace(step, events=events, before=before, state=state))
    return tuple(steps)


def reapply(
    game: Game[Any, Any, Any], state: Any, move: Any
) -> tuple[Any, tuple[Any, ...]]:
    """Return what a move comes to after another one before it was amended.

    A note of a card that cannot be any more stays as others read it, and tells nobody
    so: that it does not fit would tell which card it was.

    Raises:
        ValueError: The move makes no sense any more, as all can see.
    """
    try:
        return game.apply(state, move)
    except ValueError:
        bare = redact(move, None)
        if bare is move:
            raise
        return game.apply(state, bare)


def fold(game: Game[Any, Any, Any], entries: tuple[Entry, ...]) -> Story:
    """Return the story that *entries* tell.

    Raises:
        BadLog: The first entry is no header, numbers are missing, or a stored move is
            no longer legal, which means that the file was tampered with.
    """
    story = _opened(game, entries)
    for entry in entries[1:]:
        story = _next(story, entry)
    return story


def fold_as_far(
    game: Game[Any, Any, Any], entries: tuple[Entry, ...]
) -> tuple[Story, BadLog | None]:
    """Return the story that *entries* tell up to the first that cannot follow, and why.

    Raises:
        BadLog: Not even the header can be begun with.
    """
    try:
        story = _opened(game, entries)
    except BadLog:
        raise
    except Exception as error:
        # A stored box or option that today's rules stumble over, in whatever way.
        raise BadLog(f"the game cannot be set up any more: {error}") from error
    for entry in entries[1:]:
        try:
            story = _next(story, entry)
        except BadLog as error:
            return story, error
        except Exception as error:  # noqa: BLE001 -- rules that would never have
            # allowed a move may stumble over it in any way; it is reported and shown.
            return story, BadLog(f"entry {entry.seq} cannot follow any more: {error}")
    return story, None


def as_frozen(story: Story, why: LinePart) -> Story:
    """Return *story* as one that can be looked at and not be played on."""
    return replace(story, frozen=why, paused=True)


def _opened(game: Game[Any, Any, Any], entries: tuple[Entry, ...]) -> Story:
    if not entries or not isinstance(entries[0].body, Header):
        raise BadLog("a log starts with a header; this one does not")
    return begin(game, entries[0].body, entries[0].at)


def _next(story: Story, entry: Entry) -> Story:
    if entry.seq != story.seq + 1:
        raise BadLog(f"entry {story.seq + 1} is missing before entry {entry.seq}")
    return extend(story, entry.body, entry.at)


def redact_entry(entry: Entry, viewer: Viewer) -> Entry:
    """Return *entry* as *viewer* may read it."""
    return redact(entry, viewer)
