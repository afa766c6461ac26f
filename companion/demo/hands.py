"""What hands make of a table: the layouts of a move and of a slip, and a press."""

import random
from collections import Counter
from typing import Any

from companion.games.core import (
    Game,
)
from companion.games.hidden import (
    redact,
)
from companion.referee.changes import (
    apply_changes,
    changes_between,
    explanations,
    plain_changes,
    take_out,
    under_way,
)
from companion.running.snapshot import RunningTable, Snapshot
from companion.story.log import Story
from companion.table import TRAY, Layout, Piece, Place, Removed


def layout_after_move(game: Game[Any, Any, Any], state: Any, move: Any) -> Layout:
    """Return what lies on the table once hands have made a move.

    What proves a move may not stay: a dragon card is shuffled in at once, and who
    counters a potion lays the card down before it joins the discard. Then that is what
    lies there first, and all else follows when everybody has seen it.
    """
    before, after = game.layout(state), game.layout(game.apply(state, move)[0])
    proof = plain_changes(game.evidence(state, move))
    proof -= {sight for sight in proof if sight.place == TRAY}
    follows = changes_between(before, after)
    if take_out(follows, proof) is not None:
        return after
    # A tile that is tilted and turned over at once lies there once, not twice; but the
    # sixth card of a row lies beside five others until all go.
    lies = Counter((piece, place) for piece, _, place in before)
    turned = {
        gone
        for gone in follows
        for sight in proof
        if isinstance(gone, Removed)
        and (gone.piece, gone.place) == (sight.piece, sight.place)
        and lies[gone.piece, gone.place] == 1
    }
    return apply_changes(before, proof | turned)


def slip(
    story: Story,
    layout: Layout,
    movable: dict[Piece, tuple[Place, ...]],
    seeded: random.Random,
) -> Layout | None:
    """Return a layout with one piece where no move puts it; None if there is none.

    A card may also be gone. It is no part of a legal move either, so that nobody could
    be about to finish one. Legal is what everybody may think so: that a secret hand
    forbids a move nobody is told.
    """
    game, state = story.game, redact(story.state, None)
    taken = Counter((piece, place) for piece, _, place in layout)
    tries: list[Layout] = []
    for thing in sorted(layout, key=repr):
        piece, face, here = thing
        rest = layout - {thing}
        if face is not None and piece in movable:
            tries.append(rest)
        tries += [
            rest | {(piece, face, there)}
            for there in movable.get(piece, ())
            if there != here and taken[piece, there] < movable[piece].count(there)
        ]
    seeded.shuffle(tries)
    for wrong in tries:
        seen = changes_between(layout, wrong)
        if not under_way(game, state, seen) and not explanations(game, state, seen):
            return wrong
    return None


def press(
    table: RunningTable, button: str, before: Snapshot, most_s: float
) -> Snapshot:
    """Press a button, and return the table once it has answered, or in *most_s*.

    A press takes its way through the pins, and the eye may be heard before it.
    """
    table.press(button, None)
    shown = before
    while _answer(shown) == _answer(before):
        later = table.wait(shown.version, most_s)
        if later.version == shown.version:
            break
        shown = later
    return shown


def _answer(shown: Snapshot) -> tuple[object, ...]:
    """Return what a press of next or confirm changes."""
    seq = None if shown.story is None else shown.story.seq
    return seq, shown.offers, shown.cursor, shown.notice, shown.refused
