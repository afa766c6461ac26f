"""What each event rests on: the lines of the rulebook, and the rulings about them."""

from companion.games.core import Cite, Grounds
from companion.games.drachenhort.events import (
    Advanced,
    BoardFlipped,
    Captured,
    DragonLeftHall,
    DragonMoved,
    DragonWoken,
    Escaped,
    Event,
    GameWon,
    GroupNoted,
    GroupsClashed,
    GroupShown,
    JewelWon,
    MedalGiven,
    Passed,
    PutAhead,
    RoundEnded,
    Stuck,
    StuckAgain,
    Thrown,
    Trapped,
)
from companion.games.drachenhort.options import BOOK
from companion.games.drachenhort.state import State


def _on(first: int, last: int, *rulings: int) -> Grounds:
    return Grounds(Cite(BOOK, first, last), tuple(f"DH{n}" for n in rulings))


GROUNDS: dict[type[Event], Grounds | None] = {
    Thrown: _on(89, 93, 24),
    Advanced: _on(107, 109, 1),
    Trapped: _on(119, 119, 6, 11, 13, 29),
    PutAhead: _on(119, 119, 7, 8, 9),
    Escaped: _on(159, 159, 12, 26, 27, 28),
    JewelWon: _on(113, 113, 10),
    Passed: _on(91, 91, 1),
    Stuck: _on(91, 93, 2),
    StuckAgain: _on(91, 93, 2),
    DragonWoken: _on(145, 145, 3, 4, 5),
    DragonLeftHall: _on(147, 148, 16, 21),
    DragonMoved: _on(153, 154, 14, 15, 21, 30),
    Captured: _on(154, 157, 14, 31),
    MedalGiven: _on(155, 161, 17, 18, 19),
    RoundEnded: _on(159, 173, 18, 19, 26),
    BoardFlipped: _on(175, 193, 16, 20),
    GroupNoted: _on(97, 97),
    GroupShown: _on(199, 203),
    GroupsClashed: _on(97, 97),
    GameWon: _on(199, 203, 22),
}


def grounds(_before: State, event: Event) -> Grounds | None:
    """Return what *event* rests on."""
    return GROUNDS[type(event)]
