"""What each event rests on: the lines of the rulebook, and the rulings about them."""

from companion.games.core import Cite, Grounds
from companion.games.dragon_run.events import (
    Annulled,
    AppliedByHand,
    Breathed,
    Burned,
    Calmed,
    CardNoted,
    CardShown,
    Consulted,
    CryBegun,
    CryingBarred,
    Dealt,
    Discarded,
    DragonAsleep,
    DragonWon,
    Drawn,
    Event,
    GameWon,
    Healed,
    Missed,
    NoEffect,
    NotesClashed,
    NotesForgotten,
    NothingToDraw,
    Overpaid,
    Paid,
    Passed,
    Peeked,
    PlacesShuffled,
    PlaceTurned,
    PotionLet,
    PotionPlayed,
    PowerUsed,
    Redirected,
    Rolled,
    Skipped,
    SneakBegun,
    StealthFailed,
    StealthPassed,
    Stolen,
    Straightened,
    Swapped,
    TalismanPlayed,
    TalismanSpent,
    TreasuresShuffled,
    Wounded,
)
from companion.games.dragon_run.options import BOOK
from companion.games.dragon_run.state import (
    AGAIN,
    CHOICE,
    CRIED,
    FORCED,
    ROLL,
    SNEAKED,
    Phase,
    State,
)


def _on(first: int, last: int, *rulings: int) -> Grounds:
    return Grounds(Cite(BOOK, first, last), tuple(f"RN{n}" for n in rulings))


GROUNDS: dict[type[Event], Grounds | None] = {
    Dealt: _on(46, 47),
    PlaceTurned: _on(68, 70),
    Drawn: _on(124, 124),
    NothingToDraw: _on(153, 153, 20),
    TreasuresShuffled: _on(153, 153, 26),
    SneakBegun: _on(76, 76, 3, 4),
    CryBegun: _on(97, 99, 3, 11, 28),
    Paid: _on(76, 99, 27),
    Overpaid: _on(103, 103, 22),
    Discarded: _on(136, 136),
    Rolled: _on(82, 93, 5, 6),
    StealthPassed: _on(82, 89, 7),
    StealthFailed: _on(91, 91, 8),
    Calmed: _on(115, 115, 16),
    PlacesShuffled: _on(117, 117, 15, 16),
    TalismanSpent: _on(152, 152, 15),
    Straightened: _on(163, 163, 13),
    Breathed: _on(109, 118, 16),
    Redirected: _on(152, 152, 15),
    Missed: _on(152, 152, 15),
    Wounded: _on(113, 113, 16),
    Burned: _on(113, 113, 16, 24),
    Passed: _on(89, 89),
    PowerUsed: _on(158, 162, 12),
    PotionPlayed: _on(148, 148, 29),
    TalismanPlayed: _on(148, 152, 15, 29),
    Annulled: _on(150, 150, 14, 30),
    PotionLet: _on(150, 150, 14),
    Peeked: _on(136, 136, 25),
    Consulted: _on(136, 136, 25),
    Healed: _on(136, 136),
    Skipped: _on(136, 136),
    CryingBarred: _on(136, 136, 11),
    AppliedByHand: _on(136, 144),
    NoEffect: _on(136, 144),
    Stolen: _on(136, 136),
    Swapped: _on(136, 136),
    CardNoted: _on(54, 54, 21),
    NotesForgotten: _on(54, 54, 21),
    DragonAsleep: _on(169, 169, 31),
    CardShown: _on(171, 171, 21),
    NotesClashed: _on(54, 54, 21),
    GameWon: _on(171, 173, 18, 19, 34),
    DragonWon: _on(175, 175, 17),
}

IN_PHASE: dict[tuple[type[Event], Phase], Grounds] = {
    (PlaceTurned, FORCED): _on(91, 91, 8, 32),
    (PlaceTurned, CHOICE): _on(124, 127, 9),
    (PlaceTurned, AGAIN): _on(136, 144, 10),
    (Calmed, ROLL): _on(82, 82, 7),
    (PlacesShuffled, ROLL): _on(86, 86, 7, 15),
    (Passed, CHOICE): _on(124, 127, 9),
    (Passed, SNEAKED): _on(89, 89, 7),
    (Passed, CRIED): _on(97, 99),
}
"""Where the same thing rests on other lines, by what the table waited for."""


def grounds(before: State, event: Event) -> Grounds | None:
    """Return what *event* rests on."""
    kind = type(event)
    return IN_PHASE.get((kind, before.phase), GROUNDS[kind])
