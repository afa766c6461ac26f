"""What of a table everybody at it may see: all that ever leaves it for the club.

One way out: each message about a game is made here, from what is redacted for a mere
spectator. Names are in the line of a game alone, so that one place forgets them.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from companion.club.messages import (
    GameLine,
    Need,
    PlayerNow,
    SeatLine,
    TableNow,
    other_seats,
    seat_name,
)
from companion.corrections.adopt import RIGHT
from companion.games.core import WinsBy
from companion.games.hidden import redact
from companion.running.snapshot import Snapshot
from companion.story.log import (
    Asked,
    Edited,
    Entry,
    Header,
    Made,
    Noted,
    Story,
    redact_entry,
)
from companion.table import LinePart


def table_now(
    shown: Snapshot,
    name: str,
    sent_at: float,
    needs: tuple[Need, ...] = (),
    temperature_c: float | None = None,
) -> TableNow:
    """Return the public snapshot of a table.

    Args:
        shown: The running table.
        name: What people call it.
        sent_at: The table's time of day.
        needs: What it calls for help for.
        temperature_c: Of its processor, None where nobody knows.
    """
    bare = TableNow(
        name, shown.version, sent_at, needs=needs, temperature_c=temperature_c
    )
    story = shown.story
    if story is None:
        return bare
    game, state = story.game, redact(story.state, None)
    musts = [
        prompt
        for prompt in game.expects(state)
        if not prompt.reminder and prompt.only_for is None
    ]
    outcome, count = game.outcome(state), getattr(state, "round", None)
    return replace(
        bare,
        game_id=shown.game_id,
        game=game.id,
        players=_players(story, state, {prompt.who for prompt in musts}),
        todo=tuple(LinePart(prompt.line, prompt.params) for prompt in musts),
        moves=len(story.steps),
        round=count if isinstance(count, int) else None,
        begun_at=story.entries[0].at,
        ended=LinePart(outcome.reason, outcome.params) if outcome else None,
        paused=story.paused,
        seats_free=other_seats(len(story.header.players), game.seats[-1]),
    )


def _players(
    story: Story, state: Any, acting: set[int | None]
) -> tuple[PlayerNow, ...]:
    outcome = story.game.outcome(state)
    winners = outcome.winners if outcome else ()
    names = story.header.players
    return tuple(
        PlayerNow(
            name=names[score.seat],
            low=score.low,
            high=score.high,
            to_act=score.seat in acting and outcome is None,
            won=score.seat in winners,
        )
        for score in story.game.scores(state)
    )


def game_line(game_id: str, story: Story) -> GameLine:
    """Return a game in one line, with its result once it is over."""
    game, state = story.game, redact(story.state, None)
    outcome = game.outcome(state)
    names = story.header.players
    over = outcome is not None
    race = game.wins_by is WinsBy.FIRST
    winners = outcome.winners if outcome else ()
    points = {} if race or not over else {s.seat: s.low for s in game.scores(state)}
    return GameLine(
        game_id=game_id,
        game=game.id,
        seats=tuple(
            SeatLine(name, points.get(seat), seat in winners)
            for seat, name in enumerate(names)
        ),
        begun_at=story.entries[0].at,
        ended_at=_ended_at(story) if over else None,
    )


def _ended_at(story: Story) -> float:
    """Return when the last move was made: remarks may come later, as in a pause."""
    last = story.steps[-1].seq if story.steps else 0
    return story.entries[last].at


def public_entry(entry: Entry) -> bytes:
    """Return an entry as JSON, with what everybody at the table may read of it.

    Not with it go players' names, the once-only keys of taps, and what a question was
    about: in a game of memory that would be a card to be looked up.
    """
    bare = redact_entry(entry, None)
    return msgspec.json.encode(replace(bare, body=_bare_body(bare.body)))


def _bare_body(body: Any) -> Any:
    match body:
        case Header():
            seats = tuple(map(seat_name, range(len(body.players))))
            return replace(body, players=seats, kit="")
        case Asked():
            reading = replace(body.reading, glimpses=(), choices=())
            return replace(body, reading=reading, options=(), verdict=None)
        case Made():
            return replace(body, key=None, evidence=(), position=None)
        case Noted():
            return replace(body, text="", position=None)
        case Edited():
            note = body.note if body.note == RIGHT else "house"
            return replace(body, key=None, note=note)
        case _:
            return replace(body, key=None)
