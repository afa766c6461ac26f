"""What each event rests on: the lines of the rulebook, and the rulings about them.

Nothing here depends on which card lies anywhere.
"""

from companion.games.core import Cite, Grounds
from companion.games.eight_dragons.events import (
    CardDrawn,
    CardReturned,
    CardShifted,
    CardTaken,
    CardTurned,
    CardTurnedBack,
    DragonLaid,
    EndOffered,
    Event,
    GainDeclined,
    GameEnded,
    GameWon,
    HandGrabbed,
    HandsExchanged,
    LookAsked,
    Looked,
    NoPairTurned,
    NothingToDraw,
    NothingToGive,
    PairSwapped,
    PairTurned,
    PlayedOn,
    SpecialTurned,
    TokenFreed,
    TokenPlaced,
    TokenReturned,
    TurnBegan,
    TwinTurned,
)
from companion.games.eight_dragons.options import BOOK
from companion.games.eight_dragons.scoring import CITES
from companion.games.eight_dragons.state import (
    BACK,
    GIVE,
    SECOND,
    SHAPE,
    End,
    Phase,
    State,
    Stop,
)


def _on(first: int, last: int, *rulings: int) -> Grounds:
    return Grounds(Cite(BOOK, first, last), tuple(f"ED{n}" for n in rulings))


GROUNDS: dict[type[Event], Grounds | None] = {
    CardTurned: _on(72, 72),
    SpecialTurned: _on(98, 98, 7, 8, 9),
    TwinTurned: _on(108, 108, 8, 10),
    PairTurned: _on(74, 74, 1),
    NoPairTurned: _on(74, 74),
    CardTaken: _on(72, 78, 35),
    CardTurnedBack: _on(78, 78, 3, 35),
    CardShifted: _on(78, 78, 3),
    PairSwapped: _on(78, 78, 3),
    CardReturned: _on(82, 84, 4, 6, 13),
    CardDrawn: _on(102, 102, 13, 37),
    HandGrabbed: _on(102, 102, 14, 17),
    HandsExchanged: _on(102, 102, 14, 17),
    NothingToDraw: _on(102, 102, 11),
    NothingToGive: _on(106, 106, 12),
    GainDeclined: _on(102, 102, 33),
    TokenPlaced: _on(112, 112, 19, 34),
    TokenFreed: _on(114, 114, 18, 21, 31),
    TokenReturned: _on(114, 114, 18),
    DragonLaid: _on(86, 88, 28, 32),
    TurnBegan: None,  # the book leaves open which way round one plays
    LookAsked: _on(124, 124, 22, 24),
    Looked: _on(124, 124, 24),
    EndOffered: None,
    PlayedOn: _on(122, 126, 23, 29, 30),
    GameEnded: None,
    GameWon: _on(51, 51, 25, 26),
}

ENDS: dict[End, Grounds] = {
    End.NO_PAIR: _on(*CITES[End.NO_PAIR], 22, 36),
    End.DEAD_END: _on(*CITES[End.DEAD_END], 29),
    End.PAIR_LEFT: _on(*CITES[End.PAIR_LEFT], 23),
    End.BARREN: _on(*CITES[End.BARREN], 30),
}
"""Why the game is over, or the table is asked whether it is."""

IN_PHASE: dict[tuple[type[Event], Phase], Grounds] = {
    (CardTurnedBack, SECOND): _on(72, 72, 37),
    (CardTurnedBack, BACK): _on(74, 74),
    (CardDrawn, GIVE): _on(106, 106, 12, 13, 37),
}
"""Where the same thing rests on other lines, by what the table waited for."""

FIRST_BACK: dict[Stop | None, Grounds] = {
    Stop.SECOND: _on(98, 98, 8),
    Stop.TWIN_SECOND: _on(108, 108, 8),
}
"""Why a first card goes back after a special one, which is told by what stopped it."""

SHAPES = _on(72, 72, 1, 2)
SILVER = _on(88, 88, 15, 28, 32)


def grounds(before: State, event: Event) -> Grounds | None:
    """Return what *event* rests on."""
    match event:
        case EndOffered() | GameEnded():
            return ENDS[event.reason]
        case PairTurned() if event.match is SHAPE:
            return SHAPES
        case DragonLaid() if event.silver:
            return SILVER
        case CardTurnedBack() if before.phase is BACK and before.stop in FIRST_BACK:
            return FIRST_BACK[before.stop]
        case _:
            kind = type(event)
            return IN_PHASE.get((kind, before.phase), GROUNDS[kind])
