"""Which acts of whole games a real camera follows, once a copy was taught and tapped.

Counted is what a reader of real tables follows at all, not how often it is right: that
depends on lamp and camera, and is measured on traced tables and photographs.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from companion.demo.simulated_players import choose_move
from companion.games.copy import Kind
from companion.games.core import Game
from companion.games.hidden import is_private
from companion.kits.curriculum import course
from companion.kits.spaces import card_rows, card_zones, standing_places
from companion.referee.changes import plain_changes
from companion.story.log import Header, Made, begin, extend
from companion.table import TRAY, Place, Sight
from companion.watching.beside_moves import can_be_told
from companion.watching.layouts import rooms

PLAYERS = ("Ana", "Bo", "Cy")

MOST_ACTS = 3000
"""No game takes so many."""


class KindOfAct(Struct, frozen=True):
    """How many acts of one kind a game has, and whether a camera follows them."""

    kind: str
    a_game: float
    is_followed: bool


class ActsBySight(Struct, frozen=True):
    """The public acts of a game, on the mean of some whole games.

    *traces* are those that leave a trace on the table, *followed* those of them that a
    camera follows.
    """

    game: str
    acts: float
    traces: float
    followed: float
    kinds: tuple[KindOfAct, ...]


class FollowedPlaces:
    """The places of a copy at which a camera follows what comes and goes."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        box = game.stand_in
        spaces = {*standing_places(game.id, box)}
        self._zones = card_zones(game.id, box)
        self._places = {place for row in card_rows(game.id, box) for place in row}
        self._on_board = game.copy.stands_on_spaces
        if self._on_board:
            self._places |= {*spaces, *rooms(spaces)}
        self._rounds = {
            item.piece for item in course(game.id, box).items if item.kind is Kind.TOKEN
        }

    def follows(self, evidence: Iterable[Sight]) -> bool:
        """Tell whether all that an act changes is followed."""
        beside = [
            change for change in plain_changes(evidence) if not self._has(change.place)
        ]
        if not beside:
            return True
        return self._on_board and can_be_told(beside, self._rounds)

    def _has(self, place: Place) -> bool:
        is_in_zone = any(zone.has(place) for zone in self._zones)
        return place == TRAY or place in self._places or is_in_zone


def count_acts(game: Game[Any, Any, Any], games: int) -> ActsBySight:
    """Return the acts of some whole games."""
    followed = FollowedPlaces(game)
    acts, kinds = 0, Counter[tuple[str, bool]]()
    players = PLAYERS[: game.seats[-1]]
    for seed in range(games):
        header = Header(game.id, players, game.stand_in)
        story = begin(game, header, at=0.0)
        while game.outcome(story.state) is None and len(story.steps) < MOST_ACTS:
            move = choose_move(story, seed)
            evidence = game.evidence(story.state, move)
            if not is_private(move):
                acts += 1
                if evidence:
                    kinds[type(move).__name__, followed.follows(evidence)] += 1
            story = extend(story, Made(move, "bench"), at=0.0)
    rows = tuple(
        KindOfAct(kind, many / games, is_followed)
        for (kind, is_followed), many in kinds.most_common()
    )
    return ActsBySight(
        game.id,
        acts / games,
        sum(row.a_game for row in rows),
        sum(row.a_game for row in rows if row.is_followed),
        rows,
    )


def sight_table(rows: Iterable[ActsBySight]) -> str:
    """Return the acts as a table, each game followed by its kinds of act."""
    lines = [
        "| game, act | a game | leave a trace | a camera follows |",
        "|---|--:|--:|--:|",
    ]
    for row in rows:
        trace, seen = row.traces / row.acts, row.followed / row.acts
        lines.append(f"| **{row.game}** | {row.acts:.0f} | {trace:.0%} | {seen:.0%} |")
        lines += [
            f"| {kind.kind} | {kind.a_game:.1f} | yes | "
            f"{'yes' if kind.is_followed else 'no'} |"
            for kind in row.kinds
        ]
    return "\n".join(lines)
