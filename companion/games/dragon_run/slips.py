"""What a hand seems to have done where no move explains the table, and why not."""

from collections.abc import Iterator

from companion.games.core import Refused, first_refusal
from companion.games.dragon_run.layout import ACROSS, PATH
from companion.games.dragon_run.pieces import CHARACTER, PLACE, TREASURE
from companion.games.dragon_run.refusals import judge
from companion.games.dragon_run.state import Discard, Move, Play, State, Turn, UsePower
from companion.table import Change, Changes, Placed


def objection(state: State, changes: Changes) -> Refused | None:
    """Return why the rules refuse what changed, None if it looks like no move."""
    moves = (m for sight in sorted(changes, key=repr) for m in _moves(state, sight))
    return first_refusal(judge, state, moves)


def _moves(state: State, sight: Change) -> Iterator[Move]:
    box = state.setting.box
    where = sight.place.partition("/")[0]
    match sight:
        case Placed(face=str() as face) if sight.piece == PLACE and where == PATH:
            ids = [card.id for card in box.places]
            if face in ids:
                yield Turn(ids.index(face))
        case Placed(face=str() as face) if sight.piece == TREASURE:
            for kind in box.kinds:
                if box.treasure_id(kind) == face:
                    yield Discard(kind) if where == "discard" else Play(kind)
        case Placed(face=str() as face) if sight.piece == CHARACTER:
            if face.endswith(f"/{ACROSS}"):
                yield UsePower()
        case _:
            return
