"""Who won how often, and whether the dice look fair: figures from remembered games.

Pure: games in, figures out. Games by different house rules are never counted together.
"""

import math
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from companion.dashboard.pages.game_summaries import Played, Seated, Variant
from companion.games import find
from companion.games.core import WinsBy
from companion.games.player_names import common_form
from companion.table import Face, Piece

LEAST_EXPECTED = 5.0
"""A face must be due so often before anything is said of a die.

Source: Cochran 1954, rule for the chi-squared test."""

ODD, VERY_ODD = 0.01, 0.001
"""How rarely a fair die strays so far before the page says so."""


class Record(Struct, frozen=True, gc=False):
    """How one player fared. *mean* and *best* are None in a race."""

    name: str
    played: int
    won: int
    mean: float | None
    best: int | None

    @property
    def percent(self) -> int:
        """Return the share of games won, in whole percent."""
        return round(100 * self.won / self.played)


class Ranking(Struct, frozen=True):
    """One game by one set of house rules: how many were played, who fared how."""

    game: str
    variant: Variant
    games: int
    records: tuple[Record, ...]


class Fairness(Struct, frozen=True):
    """A die over all games: each face with how often it was seen and was due.

    *missing* throws are needed before *chance* can be told: how often a fair die
    strays at least so far.
    """

    game: str
    piece: Piece
    throws: int
    faces: tuple[tuple[Face, int, float], ...]
    missing: int
    chance: float | None

    @property
    def verdict(self) -> str:
        """Return ``"early"``, ``"fair"``, ``"odd"`` or ``"very_odd"``."""
        if self.chance is None:
            return "early"
        if self.chance < VERY_ODD:
            return "very_odd"
        return "odd" if self.chance < ODD else "fair"


def rankings(games: Iterable[Played]) -> tuple[Ranking, ...]:
    """Return a table for each game and set of house rules, as many wins first.

    A seat without a name, or whose name was deleted, is a number and counts for nobody.
    """
    shelves: defaultdict[tuple[str, Variant], list[Played]] = defaultdict(list)
    for game in games:
        if game.seats:
            shelves[game.game, game.variant].append(game)
    return tuple(
        Ranking(game, variant, len(shelf), _records(game, shelf))
        for (game, variant), shelf in shelves.items()
    )


def _records(game: str, shelf: list[Played]) -> tuple[Record, ...]:
    # A name counts as one however it was written, and is shown as it was last.
    by_name: defaultdict[str, list[Seated]] = defaultdict(list)
    for played in shelf:
        for seat in played.seats:
            if not seat.name.isdecimal():
                by_name[common_form(seat.name)].append(seat)
    records = (_record(game, seats[-1].name, seats) for seats in by_name.values())
    return tuple(sorted(records, key=lambda r: (-r.won, -r.percent, r.name)))


def _record(game: str, name: str, seats: list[Seated]) -> Record:
    won = sum(seat.won for seat in seats)
    wins_by = find(game).wins_by
    if wins_by is WinsBy.FIRST:
        return Record(name, len(seats), won, None, None)
    points = [seat.points for seat in seats]
    best = min(points) if wins_by is WinsBy.FEWEST else max(points)
    return Record(name, len(seats), won, sum(points) / len(points), best)


def fairness(games: Iterable[Played]) -> tuple[Fairness, ...]:
    """Return how each die of each game fell, over all games in which it was thrown."""
    seen: defaultdict[tuple[str, Piece], dict[Face, int]] = defaultdict(dict)
    due: defaultdict[tuple[str, Piece], dict[Face, float]] = defaultdict(dict)
    for game in games:
        for throws in game.throws:
            die = game.game, throws.piece
            for face, count, share in throws.faces:
                seen[die][face] = seen[die].get(face, 0) + count
                due[die][face] = due[die].get(face, 0.0) + share
    return tuple(_fairness(*die, seen[die], due[die]) for die in seen)


def _fairness(
    game: str, piece: Piece, seen: dict[Face, int], due: dict[Face, float]
) -> Fairness:
    throws = sum(seen.values())
    rarest = min(due.values()) / throws
    missing = max(0, math.ceil(LEAST_EXPECTED / rarest) - throws)
    faces = tuple((face, seen[face], due[face]) for face in sorted(seen))
    strayed = sum((count - share) ** 2 / share for _, count, share in faces)
    chance = None if missing else chi_squared_tail(strayed, len(faces) - 1)
    return Fairness(game, piece, throws, faces, missing, chance)


def chi_squared_tail(strayed: float, freedom: int) -> float:
    """Return how often chance alone strays at least so far, 0 to 1.

    Args:
        strayed: Sum of squared differences, each over what was due; 0 or more.
        freedom: Degrees of freedom, 1 or more.

    Source: Abramowitz and Stegun 26.4.4 and 26.4.5.
    """
    half = strayed / 2
    if freedom % 2 == 0:
        term = total = math.exp(-half)
        for i in range(1, freedom // 2):
            term *= half / i
            total += term
        return total
    total = math.erfc(math.sqrt(half))
    term = math.sqrt(half / math.pi) * 2 * math.exp(-half)
    for i in range(1, (freedom + 1) // 2):
        total += term
        term *= half / (i + 0.5)
    return total
