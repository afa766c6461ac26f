"""A game as a file: written for people and programs, and read back.

Two forms are read: our JSON document of entries, and plain text with one notation a
line, as in the golden playthroughs.
"""

import csv
import io
import re
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.games import find
from companion.games.core import (
    BadSetup,
    Game,
    Legal,
    NotAMove,
    Refused,
    Unknown,
    Verdict,
    WinsBy,
    judge_for,
)
from companion.games.hidden import (
    is_of_memory,
    is_private,
    redact,
)
from companion.story.codec import as_entry, codec
from companion.story.duration import minutes_played
from companion.story.log import (
    Asked,
    BadLog,
    Edited,
    Entry,
    Header,
    Made,
    Story,
    begin,
    extend,
    redact_entry,
)
from companion.table import LinePart

SCHEMA = "dragon-table/game/1"

BOM = "\ufeff"
"""Excel takes a CSV file for UTF-8 only with this mark at its start."""


STRANGE_BOX = (ValueError, LookupError, ArithmeticError, TypeError)
"""What the sums over a box may raise that anybody may have edited in a record: a piece
that it lacks, a place beyond its board, no number to divide by, nothing to count. Its
types are right by then; what else is raised is a mistake of ours."""

FORMULA = re.compile(r"""(^|[,;|])([ "']*[=+\-@＝＋－＠])""")
"""What a spreadsheet takes for a cell that begins a formula, which may open an address.

Also behind what parts cells elsewhere: a French or German Excel reads our commas as
text, and takes ``Bo;=...`` for two cells, quoted or not.

Source: OWASP, CSV Injection.
"""


class BadRecord(ValueError):
    """A file is no game that can be read; the message says where and why."""


class BreakingPoint(Struct, frozen=True):
    """Where a record stops to make sense: its line or entry, and why."""

    at: int
    text: str
    why: LinePart | None = None
    verdict: Refused | Unknown | None = None


class Replayed(Struct, frozen=True):
    """The valid start of a record, and where it stopped, if it did."""

    story: Story
    stop: BreakingPoint | None = None


def as_json(game_id: str, story: Story, *, secrets: bool = False) -> bytes:
    """Return a game as one JSON document.

    While the game runs, what some players hide is left out of it, unless *secrets* are
    asked for; so is what was seen in a game of memory, where a card that was open once
    must not be looked up.
    """
    entries = story.entries
    if story.game.outcome(story.state) is None and not secrets:
        entries = tuple(redact_entry(entry, None) for entry in entries)
        if is_of_memory(story.state):
            entries = tuple(_forgotten(entry) for entry in entries)
    return msgspec.json.encode({"schema": SCHEMA, "id": game_id, "entries": entries})


def _forgotten(entry: Entry) -> Entry:
    """Return an entry without what a question was about, and what it may have meant."""
    if not isinstance(entry.body, Asked):
        return entry
    reading = replace(entry.body.reading, glimpses=(), choices=())
    asked = replace(entry.body, reading=reading, options=(), verdict=None)
    return replace(entry, body=asked)


COLUMNS = (
    "game", "day", "minutes", "seat", "player", "points", "points_at_most", "won",
)  # fmt: skip
"""What a row of a game's scores has."""


def as_csv(
    story: Story, parted_by: str = ",", headings: tuple[str, ...] = COLUMNS
) -> str:
    """Return the scores of a game as CSV: one row a player.

    Args:
        story: The game; of one that runs only what everybody may know is written.
        parted_by: What a spreadsheet takes for the end of a cell: ``;`` where the comma
            is in numbers, as in French and German.
        headings: What the columns are called, in the order of `COLUMNS`.
    """
    file = io.StringIO()
    rows = csv.writer(file, delimiter=parted_by)
    outcome = story.game.outcome(story.state)
    winners = outcome.winners if outcome else ()
    day = datetime.fromtimestamp(story.entries[0].at).astimezone().date().isoformat()
    rows.writerow(headings)
    for score in story.game.scores(_shown(story)):
        name = _as_text(story.header.players[score.seat])
        won = int(score.seat in winners)
        rows.writerow((
            story.game.id, day, minutes_played(story), score.seat + 1, name,
            score.low, score.high, won,
        ))  # fmt: skip
    return BOM + file.getvalue()


def _as_text(name: str) -> str:
    """Return a name as a spreadsheet shows it and does not carry it out."""
    # Only a forged record brings a name with tabs or ends of lines.
    in_one_line = re.sub(r"\s", " ", name)
    return FORMULA.sub(r"\1'\2", in_one_line)


def as_bg_stats(game_id: str, story: Story) -> bytes:
    """Return a finished game as the BG Stats app takes it over.

    Raises:
        BadRecord: The game is not over.

    Source: BG Stats, "Push plays to BG Stats from other apps or websites".
    """
    outcome = story.game.outcome(story.state)
    if outcome is None:
        raise BadRecord("only a game that is over can be handed on; play it to its end")
    players = [
        {
            "name": story.header.players[score.seat],
            "sourcePlayerId": story.header.players[score.seat],
            "startPlayer": score.seat == story.header.first,
            "score": str(score.low),
            "winner": score.seat in outcome.winners,
        }
        for score in story.game.scores(story.state)
    ]
    ended = datetime.fromtimestamp(story.entries[-1].at, UTC)
    wins_by = story.game.wins_by
    return msgspec.json.encode(
        {
            "sourceName": "Dragon Table",
            "sourcePlayId": game_id,
            "playDate": ended.strftime("%Y-%m-%d %H:%M:%S"),
            "durationMin": minutes_played(story),
            "game": {
                "name": story.game.title,
                "sourceGameId": story.game.id,
                "highestWins": wins_by is WinsBy.MOST,
                "noPoints": wins_by is WinsBy.FIRST,
            },
            "players": players,
        }
    )


def _shown(story: Story) -> Any:
    """Return the state with secrets while the game runs cut out."""
    over = story.game.outcome(story.state) is not None
    return story.state if over else redact(story.state, None)


def replay(text: str, until: int | None = None) -> Replayed:
    """Return the valid start of a record, and the first thing that is refused.

    Args:
        text: A JSON document of ours, or lines: ``game drachenhort``, ``seats 3`` or
            ``players Ana, Bo``, ``first 0``, ``options DH1=optional``, then one move a
            line, with or without ``>`` before it. Indented lines are remarks.
        until: Stop after this entry.

    Raises:
        BadRecord: It is neither.
    """
    if text.lstrip().startswith("{"):
        return _replay_json(text, until)
    return _replay_text(text.splitlines(), until)


CALENDAR_S = (-60e9, 200e9)
"""From the year 69 to 8307: so far any clock of a Pi may be wrong, and each time in
between is a day that can be written."""


class _Document(Struct):
    schema: str
    entries: tuple[msgspec.Raw, ...]


def entries_of(text: str) -> tuple[tuple[Entry, ...], Story]:
    """Return the entries of our JSON document, and the story that the first begins.

    Raises:
        BadRecord: It is none.
    """
    try:
        document = msgspec.json.decode(text, type=_Document)
        first = msgspec.json.decode(document.entries[0], type=dict[str, Any])
        game = find(str(first["body"]["game"]))
        typed = [codec(game).decode(raw) for raw in document.entries]
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        raise BadRecord(f"not a game of Dragon Table: {_line(error)}") from error
    entries = tuple(as_entry(game, one) for one in typed)
    if not all(CALENDAR_S[0] < entry.at < CALENDAR_S[1] for entry in entries):
        raise BadRecord("a time in it is in no calendar")
    header = entries[0].body
    if document.schema != SCHEMA or not isinstance(header, Header):
        raise BadRecord(
            f"not a game of Dragon Table ({SCHEMA}), or its start is missing"
        )
    return entries, _begun(game, header, entries[0].at)


def _replay_json(text: str, until: int | None) -> Replayed:
    entries, story = entries_of(text)
    for entry in entries[1:]:
        if until is not None and entry.seq > until:
            break
        stop = _refusal(story, entry)
        if stop is not None:
            return Replayed(story, stop)
        story = extend(story, entry.body, entry.at)
    return Replayed(story)


def _refusal(story: Story, entry: Entry) -> BreakingPoint | None:
    """Return why *entry* cannot follow, None if it can."""
    if not isinstance(entry.body, Made):
        try:
            extend(story, entry.body, entry.at)
        except BadLog as error:
            return BreakingPoint(entry.seq, str(error))
        if isinstance(entry.body, Edited):
            if not _is_of_the_same_box(entry.body.state, story.state):
                return BreakingPoint(entry.seq, "no such state can be: another box")
            for fault in story.game.check(entry.body.state):
                return BreakingPoint(entry.seq, f"no such state can be: {fault.code}")
        return None
    move = entry.body.move
    return _stop(story, entry.seq, move, verdict_on(story, move))


def _is_of_the_same_box(state: Any, before: Any) -> bool:
    """Tell whether a state that was set has the box, seats and options of its game.

    Each of our games keeps them in its `setting`; its `check` takes them as given.
    """
    return bool(getattr(state, "setting", None) == getattr(before, "setting", None))


def verdict_on(story: Story, move: Any) -> Verdict:
    """Return the verdict on a move by what its claimant may have known.

    A private note is its owner's; all else anybody may have entered, or the
    player whose move it is.
    """
    game, state = story.game, story.state
    actor = game.actor(state, move)
    verdict = judge_for(game, state, move, actor)
    if isinstance(verdict, Legal) or is_private(move):
        return verdict
    return judge_for(game, state, move)


def _stop(story: Story, at: int, move: Any, verdict: Any) -> BreakingPoint | None:
    if isinstance(verdict, Legal):
        return None
    text = story.game.notate(story.state, move)
    return BreakingPoint(at, text, LinePart(verdict.reason, verdict.params), verdict)


def _replay_text(lines: list[str], until: int | None) -> Replayed:
    heading: dict[str, str] = {}
    story: Story | None = None
    for number, line in enumerate(lines, 1):
        word, _, rest = line.partition(" ")
        if not line.strip() or line[0].isspace() or line.startswith(("#", "won by")):
            continue
        if story is None and word in ("game", "seats", "players", "first", "options"):
            heading[word] = rest.strip()
            continue
        story = _from_heading(heading) if story is None else story
        stop = _step(story, number, line.removeprefix(">").strip())
        if isinstance(stop, BreakingPoint):
            return Replayed(story, stop)
        if until is not None and stop.seq > until:
            return Replayed(story)
        story = stop
    return Replayed(_from_heading(heading) if story is None else story)


def _step(story: Story, number: int, text: str) -> Story | BreakingPoint:
    """Return the story after one move of a text, or why it is none."""
    try:
        move = story.game.parse(story.state, text)
    except NotAMove as error:
        return BreakingPoint(
            number, text, LinePart("core.not_a_move", (("why", str(error)),))
        )
    stop = _stop(story, number, move, verdict_on(story, move))
    return extend(story, Made(move, "record"), 0.0) if stop is None else stop


def _from_heading(heading: dict[str, str]) -> Story:
    if "game" not in heading:
        raise BadRecord('not a game: its first line should be like "game drachenhort"')
    try:
        game = find(heading["game"])
        options = tuple(
            (ruling, choice)
            for ruling, _, choice in (
                pair.partition("=") for pair in heading.get("options", "").split()
            )
        )
        first = int(heading.get("first", "0"))
        players = _players(heading, game)
    except (LookupError, ValueError) as error:
        raise BadRecord(f"the heading cannot be read: {_line(error)}") from error
    header = Header(
        game.id, players, game.stand_in, options, first, rules=game.rules_version
    )
    return _begun(game, header, 0.0)


def _players(heading: dict[str, str], game: Game[Any, Any, Any]) -> tuple[str, ...]:
    if "players" in heading:
        return tuple(name.strip() for name in heading["players"].split(","))
    seats = int(heading.get("seats", game.seats.start))
    # Before a name is made for each: whoever wrote it may mean to fill the memory.
    if seats > game.seats.stop:
        most = game.seats.stop - 1
        raise ValueError(f"{seats} seats; {game.title} has {most} at most")
    return tuple(str(seat + 1) for seat in range(seats))


def _begun(game: Game[Any, Any, Any], header: Header[Any], at: float) -> Story:
    try:
        faults = game.check_box(header.box)
        if not faults:
            return begin(game, header, at)
    except BadSetup as error:
        raise BadRecord(f"the game cannot begin like this: {_line(error)}") from error
    except STRANGE_BOX as error:
        raise BadRecord(f"its box is none of {game.title}: {_line(error)}") from error
    raise BadRecord(f"its box is none of {game.title}: {faults[0].code}")


def _line(error: BaseException) -> str:
    return " ".join(str(error.args[0] if error.args else error).split())
