"""Who has won: Dragorun counts no points, one race won is the game.

Source: rulebook l. 139, 152-154.
"""

from companion.games.core import Cite, Outcome, Score
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.state import OVER, State, seat_of
from companion.table import LinePart, Word

WON = LinePart(f"{BOOK}.part.race_won")


def scores(state: State) -> tuple[Score, ...]:
    """Return 1 for who has won the race and 0 for all others."""
    won = state.winners if state.phase is OVER else ()
    return tuple(
        Score(seat, 1, 1, ((WON, 1),)) if seat in won else Score(seat, 0, 0)
        for seat in range(state.setting.seats)
    )


def outcome(state: State) -> Outcome | None:
    """Return who won and with which dragon; several only on a tie for second place.

    Source: rulebook l. 139, 152; rulings DG5, DG8, DG19, DG20.
    """
    if state.phase is not OVER:
        return None
    first = state.cells.index(state.setting.box.finish)
    dragon = (("dragon", Word(f"{BOOK}.dragon.{state.setting.dragons[first]}")),)
    if seat_of(state, first) in state.winners:
        return Outcome(state.winners, f"{BOOK}.end.first", Cite(BOOK, 152, 152), dragon)
    reason = "second" if len(state.winners) == 1 else "shared"
    return Outcome(state.winners, f"{BOOK}.end.{reason}", Cite(BOOK, 139, 152), dragon)
