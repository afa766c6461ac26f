"""What a hand seems to have done where no move explains the table, and why not."""

from collections.abc import Iterator

from companion.games.core import Refused, first_refusal
from companion.games.dragorun.layout import EGG, marker
from companion.games.dragorun.pieces import Egg
from companion.games.dragorun.refusals import judge
from companion.games.dragorun.state import DrawEgg, Move, MoveDragon, State, Swap
from companion.table import TRAY, Changes, Placed


def objection(state: State, changes: Changes) -> Refused | None:
    """Return why the rules refuse what changed, None if it looks like no move."""
    return first_refusal(judge, state, _moves(state, changes))


def _moves(state: State, changes: Changes) -> Iterator[Move]:
    dragons = {dragon.value: dragon for dragon in state.setting.dragons}
    markers = {marker(dragon): dragon for dragon in state.setting.dragons}
    eggs = {egg.value for egg in Egg}
    for sight in sorted(changes, key=repr):
        if not isinstance(sight, Placed) or sight.place == TRAY:
            continue
        if sight.piece in dragons and sight.place.startswith("track/"):
            cell = int(sight.place.removeprefix("track/"))
            yield MoveDragon(dragons[sight.piece], cell)
        elif sight.piece in markers and sight.place == f"seat/{state.seat}":
            yield Swap(markers[sight.piece])
        elif sight.piece == EGG and sight.face in eggs:
            yield DrawEgg(Egg(sight.face))
