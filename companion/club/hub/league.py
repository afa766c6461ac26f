"""Who stands where: evenings, places and points of a league.

Pure: games in, rows out.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from msgspec import Struct

from companion.club.hub.received import Played
from companion.games import UnknownGame, find
from companion.games.core import WinsBy
from companion.games.player_names import common_form

TURN_OF_DAY = time(6)
"""A game that ends at two in the morning belongs to the evening before."""

PODIUM = (5, 3, 1)


class Rule(StrEnum):
    """How a club gives points; ``club.rule.<value>`` says it in words."""

    BEATEN = "beaten"
    WINS = "wins"
    PODIUM = "podium"


class Standing(Struct, frozen=True):
    """A player of a league; those with equal points and wins share a *place*."""

    place: int
    name: str
    points: int
    played: int
    won: int


def evening_of(at: float, zone: tzinfo | None = None) -> date:
    """Return the day to which the evening of that time belongs.

    Args:
        at: Seconds since the epoch.
        zone: Where the club is; None for where this machine is set to be.
    """
    local = datetime.fromtimestamp(at, UTC).astimezone(zone)
    return local.date() - timedelta(days=local.time() < TURN_OF_DAY)


def bounds(day: date, zone: tzinfo | None = None) -> tuple[float, float]:
    """Return when an evening begins and when it is over, in seconds."""
    return _turn(day, zone), _turn(day + timedelta(days=1), zone)


def _turn(day: date, zone: tzinfo | None) -> float:
    # Without a zone it is read as this machine's, summer time and all.
    return datetime.combine(day, TURN_OF_DAY, tzinfo=zone).timestamp()


def places(game: Played) -> tuple[int, ...]:
    """Return the place of each seat, the winners' first; equal ones share theirs.

    Who did not win a race came in behind the winners, nobody knows how far.
    """
    keys = [
        (not seat.won, _worth(game.game, seat.points) if not seat.won else 0)
        for seat in game.seats
    ]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def _worth(game: str, points: int | None) -> int:
    """Return points so that fewer are better."""
    if points is None or is_race(game):
        return 0
    return points if find(game).wins_by is WinsBy.FEWEST else -points


def is_race(game: str | None) -> bool:
    """Tell whether a game counts no points, as far as this hub knows it."""
    try:
        return game is None or find(game).wins_by is WinsBy.FIRST
    except UnknownGame:
        return True


def league_points(game: Played, rule: Rule) -> tuple[int, ...]:
    """Return what each seat gets for a game."""
    placed = places(game)
    match rule:
        case Rule.WINS:
            return tuple(int(seat.won) for seat in game.seats)
        case Rule.BEATEN:
            return tuple(sum(other > place for other in placed) for place in placed)
        case Rule.PODIUM:
            # Without a winner nobody is on the podium.
            won = any(seat.won for seat in game.seats)
            return tuple(
                PODIUM[place - 1] if won and place <= len(PODIUM) else 0
                for place in placed
            )


def standings(games: Iterable[Played], rule: Rule) -> tuple[Standing, ...]:
    """Return the table of a league, the first first.

    A seat whose name was deleted, or that never had one, is a number and nobody's.
    """
    points: defaultdict[str, int] = defaultdict(int)
    played: defaultdict[str, int] = defaultdict(int)
    won: defaultdict[str, int] = defaultdict(int)
    names: dict[str, str] = {}
    for game in games:
        for seat, gained in zip(game.seats, league_points(game, rule), strict=True):
            if seat.player.isdecimal():
                continue
            key = common_form(seat.player)
            # Games come newest first: a name is shown as it was last written.
            names.setdefault(key, seat.player)
            points[key] += gained
            played[key] += 1
            won[key] += seat.won
    ranks = {key: (-points[key], -won[key]) for key in names}
    return tuple(
        Standing(
            place=1 + sum(other < ranks[key] for other in ranks.values()),
            name=names[key],
            points=points[key],
            played=played[key],
            won=won[key],
        )
        for key in sorted(names, key=lambda key: (ranks[key], key))
    )
