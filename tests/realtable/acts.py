"""A game that people play by the rules: what each act shows, and what lies then."""

from collections.abc import Iterator
from typing import Any, cast

from msgspec import Struct

from companion.demo.drawn_table import DrawnTable
from companion.demo.hands import layout_after_move
from companion.demo.simulated_players import SimulatedPlayers
from companion.games import find
from companion.games.hidden import is_private
from companion.running.snapshot import RunningTable
from companion.story.log import Header, Made, Story, begin, extend
from companion.table import TRAY, Face, Layout, Piece
from tests.realtable.tables import RealTable
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop


class Stage(Struct, frozen=True):
    """What lies there after hands did something, and where they were."""

    ground: str
    lying: tuple[DrawnPiece, ...]
    hands: tuple[Hand, ...]


class Act(Struct, frozen=True):
    """A move that was made.

    *seen* tells whether it leaves a trace on the table; *kind* is the word it begins
    with. *stages* are what the camera sees of it: a move whose consequences are carried
    out later has two, one that leaves no trace mostly none.
    """

    notation: str
    kind: str
    seat: int | None
    seen: bool
    stages: tuple[Stage, ...]


class LaidTable(DrawnTable):
    """People's hands on a traced table: nothing is drawn."""

    def __init__(self, table: RealTable, seed: int) -> None:
        super().__init__(table.plan, cast(Tabletop, None), seed)
        self._layout: Layout = frozenset()

    def become(
        self, layout: Layout, ground: str, dice: dict[Piece, Face] | None = None
    ) -> Stage | None:
        """Make the table lie as *layout* says; None where nothing is to be done."""
        bare = frozenset(thing for thing in layout if thing[2] != TRAY)
        if not dice and bare == self._layout and ground == self.ground:
            return None
        self._layout, self.ground = bare, ground
        spots = self._change(layout, dice or {})
        return Stage(
            ground,
            tuple(one for _, one in self._lying),
            tuple(Hand(x, y) for x, y in spots[:2]),
        )


def play(
    table: RealTable, names: tuple[str, ...], seed: int, acts: int
) -> Iterator[tuple[Act, Story]]:
    """Yield the set-up as an act of its own, then some acts, each with the story then.

    Chance and players are those of the demo.
    """
    game = find(table.game)
    story = begin(game, Header(game.id, names, game.stand_in), 0.0)
    laid = LaidTable(table, seed)
    people = SimulatedPlayers(cast(RunningTable, None), laid, table.ground_of, (), seed)
    first = laid.become(game.layout(story.state), table.ground_of(story.state))
    yield Act("", "", None, seen=False, stages=(first,) if first else ()), story
    for _ in range(acts):
        if game.outcome(story.state) is not None:
            return
        act, story = _act(table, laid, people, story)
        yield act, story


def _act(
    table: RealTable, laid: LaidTable, people: SimulatedPlayers, story: Story
) -> tuple[Act, Story]:
    game, state = story.game, story.state
    move = people.chooses(story)
    shown = game.evidence(state, move)
    seen = bool(shown) and not is_private(move)
    after, _ = game.apply(state, move)
    stages = []
    if seen:
        layout = layout_after_move(game, state, move)
        there = after if layout == game.layout(after) else state
        thrown = people._thrown(story, move)
        stages.append(laid.become(layout, table.ground_of(there), thrown))
    stages.append(laid.become(game.layout(after), table.ground_of(after)))
    notation = game.notate(state, move)
    act = Act(
        notation, notation.split()[0], game.actor(state, move), seen,
        tuple(stage for stage in stages if stage is not None),
    )  # fmt: skip
    return act, extend(story, Made(move, "people"), 0.0)


def lying_there(story: Story) -> list[list[Any]]:
    """Return what lies on the table by the record, as a list that JSON keeps."""
    return sorted(map(list, story.game.layout(story.state)), key=str)
