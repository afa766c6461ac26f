"""What a hand seems to have done where no move explains the table, and why not."""

from collections.abc import Iterator

from companion.games.core import Refused, first_refusal
from companion.games.dragonix.layout import CARD, row_place
from companion.games.dragonix.layout import TOKEN as TOKEN_PIECE
from companion.games.dragonix.moves import (
    Fly,
    Move,
    Play,
    PlayToken,
    Summon,
    TakeBack,
)
from companion.games.dragonix.pieces import CARDS, RED, TOWER, UNDEAD, Row, Token
from companion.games.dragonix.refusals import judge
from companion.games.dragonix.state import NOWHERE, State
from companion.table import Change, Changes, Placed, Removed

ROWS: dict[str, Row] = {row_place(row): row for row in range(TOWER + 1)}


def objection(state: State, changes: Changes) -> Refused | None:
    """Return why the rules refuse what changed, None if it looks like no move."""
    moves = (m for sight in sorted(changes, key=repr) for m in _moves(state, sight))
    return first_refusal(judge, state, moves)


def _moves(state: State, sight: Change) -> Iterator[Move]:
    row = ROWS.get(sight.place)
    if isinstance(sight, Placed) and sight.piece == TOKEN_PIECE:
        if sight.face in set(Token):
            yield PlayToken(Token(sight.face))
    elif row is None:
        return
    elif isinstance(sight, Placed):
        yield from _on_a_row(state, sight, row)
    elif isinstance(sight, Removed) and sight.piece == CARD:
        yield TakeBack(row)


def _on_a_row(state: State, sight: Placed, row: Row) -> Iterator[Move]:
    if sight.piece == CARD and sight.face in CARDS:
        yield Play(CARDS.index(sight.face), row)
    elif sight.piece == RED.value:
        yield Fly(RED, row)
    elif sight.piece == UNDEAD.value:
        yield Summon(row) if state.undead == NOWHERE else Fly(UNDEAD, row)
