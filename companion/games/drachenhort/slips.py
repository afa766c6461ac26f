"""What a hand seems to have done where no move explains the table, and why not."""

from companion.games.core import Cite, Legal, Refused
from companion.games.drachenhort import track
from companion.games.drachenhort.layout import DRAGON, TRAY
from companion.games.drachenhort.options import BOOK
from companion.games.drachenhort.pieces import DRAGON_FIRST, DRAGON_LATER, Adventurer
from companion.games.drachenhort.refusals import NO, judge
from companion.games.drachenhort.state import HALL, Advance, MoveDragon, State
from companion.table import Changes, Placed, Word


def objection(state: State, changes: Changes) -> Refused | None:
    """Return why the rules refuse what changed, None if it looks like no move."""
    heroes = {hero.value: hero for hero in state.setting.box.adventurers}
    came = sorted(
        (s for s in changes if isinstance(s, Placed) and s.place != TRAY), key=repr
    )
    for sight in came:
        if sight.piece in heroes:
            return _of_a_hero(state, heroes[sight.piece])
    if any(sight.piece == DRAGON for sight in came):
        return _of_the_dragon(state)
    return None


def _of_a_hero(state: State, hero: Adventurer) -> Refused | None:
    verdict = judge(state, Advance(hero))
    if isinstance(verdict, Refused):
        return verdict
    # That adventurer may go, but not there. Source: rulebook l. 107.
    cell = track.destination(state, state.index(hero))
    who = (
        ("adventurer", Word(f"drachenhort.{hero}")),
        ("n", state.pips),
        ("cell", cell),
    )
    return Refused(BOOK, f"{NO}.wrong_cell", Cite(BOOK, 107, 107), who)


def _of_the_dragon(state: State) -> Refused:
    verdict = judge(state, MoveDragon())
    if not isinstance(verdict, Legal):
        assert isinstance(verdict, Refused), "the dragon has no secrets"
        return verdict
    # One step at first, later five, and it stops at whom it meets. Source: l. 148-151.
    steps = DRAGON_FIRST if state.dragon == HALL else DRAGON_LATER
    n = (("n", steps),)
    return Refused(BOOK, f"{NO}.wrong_dragon_cell", Cite(BOOK, 148, 151), n)
