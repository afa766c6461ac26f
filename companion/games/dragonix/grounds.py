"""What each event rests on: the lines of the rulebook, and the rulings about them."""

from companion.games.core import Cite, Grounds
from companion.games.dragonix.events import (
    Began,
    Boxed,
    CardNoted,
    Deserted,
    Event,
    Flown,
    GameWon,
    HeroPlaced,
    Inserted,
    Placed,
    Recoloured,
    Recruited,
    Reinforced,
    Revealed,
    Soared,
    SoloBegan,
    SoloEnded,
    Struck,
    Summoned,
    Swapped,
    SwappedBeside,
    TakenBack,
    Tied,
    TokenNoted,
    TokenPlayed,
    TowerClosed,
    TowerOpened,
    TurnBegan,
    TurnedUp,
    UndeadLeft,
)
from companion.games.dragonix.options import BOOK
from companion.games.dragonix.pieces import TOWER
from companion.games.dragonix.state import PLAY, State


def _on(first: int, last: int, *rulings: int | str) -> Grounds:
    names = tuple(n if isinstance(n, str) else f"DX{n}" for n in rulings)
    return Grounds(Cite(BOOK, first, last), names)


GROUNDS: dict[type[Event], Grounds | None] = {
    TurnedUp: _on(24, 25, 8),
    Revealed: _on(30, 30, 32),
    Tied: _on(30, 30, 2),
    Began: _on(30, 30, 2),
    SoloBegan: _on(100, 100, 35),
    Placed: _on(44, 57, 6),
    HeroPlaced: _on(62, 64, 3, 4, 5, 40),
    Inserted: _on(150, 150, 23, 38),
    Boxed: _on(61, 61, 7),
    Swapped: _on(64, 64, 14, 15, 16, 18),
    SwappedBeside: _on(64, 104, 14, 15, 18, 36),
    TakenBack: _on(66, 66, 9, 10, 13, 34),
    Deserted: _on(104, 104, 30),
    TokenPlayed: _on(76, 78, 19, 41),
    TowerClosed: _on(126, 126, 25, 44),
    TowerOpened: _on(126, 126, 25),
    Struck: _on(132, 132, 22),
    Reinforced: _on(136, 136, 24),
    Recoloured: _on(140, 140, 21, 39),
    Summoned: _on(144, 144, 26, 42),
    UndeadLeft: _on(144, 144, 25),
    Soared: _on(154, 154, 20),
    Flown: _on(84, 84, 26, 27),
    Recruited: _on(90, 90, 24, 28),
    TurnBegan: _on(92, 92),
    CardNoted: None,  # this table alone asks for it
    TokenNoted: None,
    GameWon: _on(17, 17, 1),
    SoloEnded: _on(104, 111, 29, 30, 31),
}

ON_THE_TOWER = _on(47, 57, 6, 44)
VOLUNTEER = _on(150, 150, 23, 38)
ALONE = _on(102, 102, 27, "SOLO")


def grounds(before: State, event: Event) -> Grounds | None:
    """Return what *event* rests on."""
    match event:
        case Placed() if event.row == TOWER:
            return ON_THE_TOWER
        case HeroPlaced() if before.phase is not PLAY:
            return VOLUNTEER
        case Flown() if before.setting.solo:
            return ALONE
        case _:
            return GROUNDS[type(event)]
