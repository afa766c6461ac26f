"""What each event rests on: the lines of the rulebook, and the rulings about them."""

from companion.games.core import Grounds
from companion.games.dragorun import track
from companion.games.dragorun.box import SNAIL_CELL, Cell
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
)
from companion.games.dragorun.pieces import WHITE, Egg
from companion.games.dragorun.reasons import grounds_on, why_it_stays, why_there
from companion.games.dragorun.state import EGG, State

GROUNDS: dict[type[Event], Grounds | None] = {
    DragonPlaced: grounds_on(72, 72, 33),
    MarkerDealt: grounds_on(73, 75, 22),
    Thrown: grounds_on(85, 91, 24),
    ThrownAgain: grounds_on(85, 85, 24),
    DragonMoved: grounds_on(97, 113),
    DragonOnSnailCell: grounds_on(97, 113),
    DragonStayed: grounds_on(97, 113),
    NobodyMoved: grounds_on(91, 109, 23),
    MarkersSwapped: grounds_on(121, 121, 11, 26, 27),
    MarkerTaken: grounds_on(121, 121, 27, 28),
    MarkerTurnedUp: grounds_on(121, 121, 13),
    EggDrawn: grounds_on(125, 131, 10, 31),
    EggsReturned: grounds_on(144, 148, 4, 17, 18, 30),
    AllEggsReturned: grounds_on(143, 143, 16, 29),
    DragonFinished: grounds_on(152, 152, 6, 7, 8),
    Disqualified: grounds_on(139, 152, 19),
    RaceTied: grounds_on(139, 152, 5),
    RaceWon: grounds_on(152, 152, 5, 8, 9),
    NobodyWon: grounds_on(154, 154, 20),
    RaceCalled: grounds_on(154, 154, 21),
}

JOKER = ("DG23", "DG32")

EGGS: dict[Egg, Grounds] = {
    Egg.SNAIL: grounds_on(135, 135, 10, 14),
    Egg.MUSHROOM: grounds_on(139, 139, 19),
}
"""All others move the dragon of their colour."""


def grounds(before: State, event: Event) -> Grounds | None:
    """Return what *event* rests on; a dragon's way on the throw or the egg it used."""
    match event:
        case DragonMoved():
            return _way(before, event.cell)
        case DragonOnSnailCell():
            return _way(before, SNAIL_CELL)
        case DragonStayed():
            index = before.setting.dragons.index(event.dragon)
            return why_it_stays(before, index, event.why)
        case EggDrawn():
            return EGGS.get(event.egg, GROUNDS[EggDrawn])
        case _:
            return GROUNDS[type(event)]


def _way(before: State, cell: Cell) -> Grounds:
    """Return what a dragon's way rests on, and by what its dragon was named."""
    egg = before.phase is EGG
    way = why_there(
        before, (track.egg_orders if egg else track.dice_shown)(before)[1], cell
    )
    if egg:
        named: tuple[str, ...] = ("DG10",) if way.cite.first == 135 else ("DG31",)
    else:
        named = JOKER if before.colour is WHITE else ()
    return Grounds(way.cite, (*way.rulings, *named))
