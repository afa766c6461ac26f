"""What a club's pages print of the room and its games: values in words.

Templates print them and decide nothing.
"""

from msgspec import Struct

from companion.club.hub.league import is_race
from companion.club.hub.received import Played
from companion.club.hub.room import TableSeen
from companion.club.messages import PlayerNow, TableNow
from companion.club.table.home_assistant import game_title, state_of
from companion.table import LinePart
from companion.words import Words


class PlayerView(Struct, frozen=True):
    """A player, and points where there are any."""

    name: str
    points: str
    acts: bool
    won: bool


class TableView(Struct, frozen=True):
    """A table of the room, in words.

    *state* is ``gone``, ``free``, ``playing``, ``paused`` or ``over``. *needs* say why
    it calls for help.
    """

    id: str
    name: str
    state: str
    state_text: str
    title: str
    facts: tuple[str, ...]
    turn: str
    todo: tuple[str, ...]
    players: tuple[PlayerView, ...]
    needs: tuple[str, ...]


class SummaryLine(Struct, frozen=True):
    """A game that was played, as a line of results."""

    title: str
    table: str
    ended_at: float
    seats: tuple[PlayerView, ...]


def table_view(seen: TableSeen, words: Words, clock_s: float) -> TableView:
    """Return what a page prints of a table.

    Args:
        seen: The table.
        words: Those of the reader; the players' names come with the table.
        clock_s: The hub's time of day.
    """
    now = seen.now
    state = state_of(now) if seen.here else "gone"
    mine = Words(words.language, tuple(p.name for p in now.players), words.strict)
    acting = [p.name for p in now.players if p.to_act]
    plays = state == "playing"
    return TableView(
        id=seen.id,
        name=now.name,
        state=state,
        state_text=words.say(f"club.state.{state}"),
        title=game_title(now.game),
        facts=_facts(seen, words, clock_s),
        turn=words.say("club.turn", {"name": acting[0]}) if acting and plays else "",
        todo=_todo(now, mine) if plays else (),
        players=tuple(_player(p, words, now.game) for p in now.players),
        needs=tuple(words.say(f"club.need.{need}") for need in now.needs)
        if seen.here
        else (),
    )


def _facts(seen: TableSeen, words: Words, clock_s: float) -> tuple[str, ...]:
    now, facts = seen.now, []
    if now.game is None:
        return ()
    if now.round is not None:
        facts.append(words.say("club.round", {"round": now.round}))
    if now.moves:
        facts.append(words.say("club.moves", {"n": now.moves}))
    minutes = minutes_played(seen, clock_s)
    if minutes:
        facts.append(_how_long(minutes, words))
    if now.seats_free and not now.moves:
        facts.append(words.say("club.seats_free", {"n": now.seats_free}))
    return tuple(facts)


def _how_long(minutes: int, words: Words) -> str:
    hours, left = divmod(minutes, 60)
    if not hours:
        return words.say("club.minutes", {"n": minutes})
    return words.say("club.hours", {"hours": hours, "minutes": f"{left:02}"})


def minutes_played(seen: TableSeen, clock_s: float) -> int | None:
    """Return how long a game that goes on has lasted, min; None where none does."""
    played_s = seen.played_s(clock_s)
    if played_s is None or seen.now.ended is not None or not seen.here:
        return None
    return round(played_s / 60)


def _todo(now: TableNow, words: Words) -> tuple[str, ...]:
    return tuple(said for line in now.todo if (said := _said(line, words)))


def _said(line: LinePart, words: Words) -> str:
    """Return a table's line in words; one that only a newer table knows is left out.

    What comes from a table is no sentence to be filled: only lines of ours are.
    """
    if not words.knows(line.line):
        return ""
    try:
        return words.part(line)
    except (LookupError, ValueError, AttributeError):
        return ""  # values that this line does not take


def _player(player: PlayerNow, words: Words, game: str | None) -> PlayerView:
    if is_race(game):
        points = ""
    elif player.low == player.high:
        points = words.say("club.points", {"n": player.low})
    else:
        values = {"low": player.low, "high": player.high}
        points = words.say("club.points_between", values)
    return PlayerView(player.name, points, player.to_act, player.won)


def summary_line(game: Played, tables: dict[str, str], words: Words) -> SummaryLine:
    """Return a game as a line of results; *tables* are their names."""
    return SummaryLine(
        title=game_title(game.game),
        table=tables.get(game.table, game.table),
        ended_at=game.ended_at or game.begun_at,
        seats=tuple(
            PlayerView(
                name=seat.player,
                points=""
                if seat.points is None
                else words.say("club.points", {"n": seat.points}),
                acts=False,
                won=seat.won,
            )
            for seat in game.seats
        ),
    )
