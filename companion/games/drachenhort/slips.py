"""What a hand seems to have done where no move explains the table, and why not."""

from companion.games.core import Cite, Legal, Refused
from companion.games.drachenhort import track
from companion.games.drachenhort.layout import DRAGON, adventurer_place, dragon_place
from companion.games.drachenhort.options import BOOK
from companion.games.drachenhort.pieces import DRAGON_FIRST, DRAGON_LATER, Adventurer
from companion.games.drachenhort.refusals import NO, judge
from companion.games.drachenhort.rules import apply
from companion.games.drachenhort.state import HALL, Advance, MoveDragon, State
from companion.table import TRAY, Changes, Params, Place, Placed, Word


def objection(state: State, changes: Changes) -> Refused | None:
    """Return why the rules refuse what changed, None if it looks like no move.

    A figure that stands where it may go is nothing to object to.
    """
    heroes = {hero.value: hero for hero in state.setting.box.adventurers}
    came = sorted(
        (s for s in changes if isinstance(s, Placed) and s.place != TRAY), key=repr
    )
    refusals = [
        _of_a_hero(state, heroes[sight.piece], sight.place)
        for sight in came
        if sight.piece in heroes
    ]
    refusals += [
        _of_the_dragon(state, sight.place) for sight in came if sight.piece == DRAGON
    ]
    return next((refused for refused in refusals if refused is not None), None)


def _refuse(
    name: str, lines: tuple[int, int], params: Params, ruling: str = BOOK
) -> Refused:
    return Refused(ruling, f"{NO}.{name}", Cite(BOOK, *lines), params)


def _of_a_hero(state: State, hero: Adventurer, there: Place) -> Refused | None:
    """Return why an adventurer may not go at all, or where it goes instead.

    Source: rulebook l. 107, 109, 119, 159; ruling DH9.
    """
    verdict = judge(state, Advance(hero))
    if isinstance(verdict, Refused):
        return verdict
    index = state.index(hero)
    after, _ = apply(state, Advance(hero))
    wanted = adventurer_place(after, index)
    if there == wanted:
        return None
    who: Params = (("adventurer", Word(f"drachenhort.{hero}")), ("n", state.pips))
    if there.rpartition("/")[0] == wanted.rpartition("/")[0] and "cell/" in there:
        return _refuse("wrong_half", (109, 109), who[:1])
    cell = track.destination(state, index)
    if track.is_trap(state.board, cell):
        return _out_of_a_trap(state, index, cell, who[:1])
    if cell > state.board.last:
        return _refuse("goes_out", (159, 159), who)
    return _refuse("wrong_cell", (107, 107), (*who, ("cell", cell)))


def _out_of_a_trap(state: State, index: int, trap: int, who: Params) -> Refused:
    """Return where a trap puts an adventurer. Source: rulebook l. 119; ruling DH27."""
    params: Params = (*who, ("trap", trap))
    cell = track.spring(state, track.others(state, index), trap)
    if cell > state.board.last:
        return _refuse("trap_leads_out", (119, 119), params, "DH27")
    if cell == trap:  # only where a trap never carries forward
        return _refuse("trap_keeps", (119, 119), params, "DH8")
    return _refuse("trap_leads_to", (119, 119), (*params, ("cell", cell)))


def _of_the_dragon(state: State, there: Place) -> Refused | None:
    """Return why the dragon may not go at all, or where it goes instead.

    One step at first, later five; it stops at whom it meets.

    Source: rulebook l. 148, 154.
    """
    verdict = judge(state, MoveDragon())
    if not isinstance(verdict, Legal):
        assert isinstance(verdict, Refused), "the dragon has no secrets"
        return verdict
    if there == dragon_place(track.dragon_stop(state)):
        return None
    if state.dragon == HALL:
        return _refuse("wrong_dragon_cell", (148, 148), (("n", DRAGON_FIRST),))
    return _refuse("wrong_dragon_cell", (154, 154), (("n", DRAGON_LATER),))
