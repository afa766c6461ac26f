"""What each event rests on: the lines of the rulebook, and the rulings about them."""

from companion.games.core import Cite, Grounds
from companion.games.dragorun.events import (
    AllEggsReturned,
    Disqualified,
    DragonFinished,
    DragonMoved,
    DragonOnSnailCell,
    DragonPlaced,
    DragonStayed,
    EggDrawn,
    EggsReturned,
    Event,
    MarkerDealt,
    MarkersSwapped,
    MarkerTaken,
    MarkerTurnedUp,
    NobodyMoved,
    NobodyWon,
    RaceCalled,
    RaceTied,
    RaceWon,
    Thrown,
    ThrownAgain,
    Why,
)
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.pieces import (
    BACK,
    ONE,
    SNAIL,
    THREE,
    TROPHY,
    TWO,
    WHITE,
    Egg,
    Step,
)
from companion.games.dragorun.state import EGG, State


def _on(first: int, last: int, *rulings: int) -> Grounds:
    return Grounds(Cite(BOOK, first, last), tuple(f"DG{n}" for n in rulings))


GROUNDS: dict[type[Event], Grounds | None] = {
    DragonPlaced: _on(72, 72, 33),
    MarkerDealt: _on(73, 75, 22),
    Thrown: _on(85, 91, 24),
    ThrownAgain: _on(85, 85, 24),
    DragonMoved: _on(97, 113),
    DragonOnSnailCell: _on(97, 113),
    DragonStayed: _on(97, 113),
    NobodyMoved: _on(91, 109, 23),
    MarkersSwapped: _on(121, 121, 11, 26, 27),
    MarkerTaken: _on(121, 121, 27, 28),
    MarkerTurnedUp: _on(121, 121, 13),
    EggDrawn: _on(125, 131, 10, 31),
    EggsReturned: _on(144, 148, 4, 17, 18, 30),
    AllEggsReturned: _on(143, 143, 16, 29),
    DragonFinished: _on(152, 152, 6, 7, 8),
    Disqualified: _on(139, 152, 19),
    RaceTied: _on(139, 152, 5),
    RaceWon: _on(152, 152, 5, 8, 9),
    NobodyWon: _on(154, 154, 20),
    RaceCalled: _on(154, 154, 21),
}

STEPS: dict[Step | None, Grounds] = {
    ONE: _on(97, 97, 15),
    TWO: _on(97, 97),
    THREE: _on(97, 97),
    BACK: _on(97, 101, 1, 2),
    TROPHY: _on(105, 105, 6, 25),
    SNAIL: _on(109, 113, 3, 4),
}
"""What a dragon goes by: the face of the movement die that is used."""

JOKER = ("DG23", "DG32")

EGGS: dict[Egg, Grounds] = {
    Egg.SNAIL: _on(135, 135, 10, 14),
    Egg.MUSHROOM: _on(139, 139, 19),
}
"""All others move the dragon of their colour."""

STAYS: dict[Why, Grounds] = {
    Why.FIRST: _on(105, 105, 25),
    Why.LAST: _on(109, 113, 4, 14),
    Why.NO_WAY_BACK: _on(101, 101, 1, 2),
    Why.NOT_EXACT: _on(152, 152, 7),
    Why.BARRED: _on(105, 105, 6),
}


def grounds(before: State, event: Event) -> Grounds | None:
    """Return what *event* rests on; a dragon's way on the throw or the egg it used."""
    match event:
        case DragonMoved() | DragonOnSnailCell():
            return _way(before)
        case DragonStayed():
            return STAYS[event.why]
        case EggDrawn():
            return EGGS.get(event.egg, GROUNDS[EggDrawn])
        case _:
            return GROUNDS[type(event)]


def _way(before: State) -> Grounds:
    if before.phase is EGG:
        egg = before.eggs[before.seat][-1]
        return EGGS.get(egg, _on(131, 131, 15, 31))
    way = STEPS[before.step]
    if before.colour is WHITE:
        return Grounds(way.cite, (*way.rulings, *JOKER))
    return way
