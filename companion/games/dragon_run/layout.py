"""Where things lie on the table, and how a move looks there.

Places: ``tray`` for the die, ``anger/7`` for the dragon, ``path`` for the face-down
place cards and ``path/3`` for the third one turned, ``stock`` for the face-down
treasures and ``discard/5`` for the fifth one discarded, ``seat/0`` for a character,
``front/0/1`` for the first talisman before seat 0, ``open/0/1`` for the first treasure
that seat 0 lays open. Cards lie side by side, as two equal ones on top of each other
would look like one. What is in a hand has no place.

A character whose power is used up lies across, a quarter turn clockwise, until it is
straightened (rulebook l. 158-163); that is part of its face.
"""

from collections.abc import Iterator

from companion.games.dragon_run.pieces import (
    CHARACTER,
    DIE,
    DRAGON,
    FIT,
    OUT,
    PLACE,
    TREASURE,
    Health,
)
from companion.games.dragon_run.state import (
    NOBODY,
    ROLL,
    Annul,
    Deal,
    Discard,
    Move,
    Play,
    Roll,
    ShowCard,
    State,
    Turn,
    UsePower,
)
from companion.table import TRAY, Face, Layout, Piece, Place, Seat, Shown, Sight

PATH = "path"
STOCK = "stock"

ACROSS = "across"
"""Ends the face of a character that lies across."""

ROW = 9
"""How many treasures a seat lays open side by side; of 320 random games one had more.
What a tenth card is its owner says."""


def face_of(hero: str, health: Health, tilted: bool) -> Face:
    """Return how a character lies before its seat."""
    return f"{hero}/{health}/{ACROSS}" if tilted else f"{hero}/{health}"


def layout(state: State) -> Layout:
    """Return what lies on the table."""
    return frozenset((*_cards(state), *_before_seats(state)))


Lying = Iterator[tuple[Piece, Face | None, Place]]


def _cards(state: State) -> Lying:
    box = state.setting.box
    yield DIE, _die(state), TRAY
    yield DRAGON, None, f"anger/{state.anger}"
    if any(state.pile):
        yield PLACE, None, PATH
    for number, place in enumerate(state.turned, start=1):
        yield PLACE, box.places[place].id, f"{PATH}/{number}"
    if state.stock:
        yield TREASURE, None, STOCK
    for number, kind in enumerate(state.discard, start=1):
        face = None if kind is None else box.treasure_id(kind)
        yield TREASURE, face, f"discard/{number}"


def _die(state: State) -> Face | None:
    """Return what the die shows, unless it is about to be thrown.

    It stays in the tray after a test. Then it is no news; where a throw is awaited it
    is, even if it shows the same face again.
    """
    if state.phase is ROLL or state.rolled is None:
        return None
    return str(state.rolled)


def _before_seats(state: State) -> Lying:
    box = state.setting.box
    for seat, hero in enumerate(state.heroes):
        health = state.health[seat]
        if hero != NOBODY and health is not OUT:
            face = face_of(box.heroes[hero].id, health, state.tilted[seat])
            yield CHARACTER, face, f"seat/{seat}"
    for name, rows in (("front", state.fronts), ("open", state.shown)):
        for seat, row in enumerate(rows):
            for number, kind in enumerate(row[:ROW], start=1):
                yield TREASURE, box.treasure_id(kind), f"{name}/{seat}/{number}"


def evidence(state: State, move: Move) -> frozenset[Sight]:
    """Return how *move* looks on the table; nothing if it is only entered."""
    sight = _sight(state, move)
    return frozenset() if sight is None else frozenset({sight})


def _sight(state: State, move: Move) -> Sight | None:
    box = state.setting.box
    match move:
        case Turn() if 0 <= move.place < len(box.places):
            face = box.places[move.place].id
            return Shown(PLACE, face, f"{PATH}/{len(state.turned) + 1}")
        case Roll():
            return Shown(DIE, str(move.pips), TRAY)
        case Deal() if 0 <= move.hero < len(box.heroes) and NOBODY in state.heroes:
            seat = state.heroes.index(NOBODY)
            face = face_of(box.heroes[move.hero].id, FIT, tilted=False)
            return Shown(CHARACTER, face, f"seat/{seat}")
        case UsePower() if state.heroes[state.seat] != NOBODY:
            hero, health = state.heroes[state.seat], state.health[state.seat]
            face = face_of(box.heroes[hero].id, health, tilted=True)
            return Shown(CHARACTER, face, f"seat/{state.seat}")
        case _:
            return _treasure(state, move)


def _treasure(state: State, move: Move) -> Sight | None:
    match move:
        case Annul():
            kind = state.setting.annulment
        case ShowCard() if _row_is_full(state, move.seat):
            return None
        case Discard() | Play() | ShowCard():
            kind = move.treasure
        case _:
            return None
    box = state.setting.box
    if kind not in box.kinds:
        return None
    return Shown(TREASURE, box.treasure_id(kind), _laid(state, move, kind))


def _laid(state: State, move: Move, kind: int) -> Place:
    """Return where a treasure comes to lie; a counter is shown by who plays it."""
    match move:
        case Annul():
            return _next("front", state.fronts, move.seat)
        case ShowCard():
            return _next("open", state.shown, move.seat)
        case Play() if state.setting.box.is_talisman(kind):
            return _next("front", state.fronts, state.seat)
        case _:
            return f"discard/{len(state.discard) + 1}"


def _row_is_full(state: State, seat: Seat) -> bool:
    return seat in range(len(state.shown)) and len(state.shown[seat]) >= ROW


def _next(name: str, rows: tuple[tuple[int, ...], ...], seat: Seat) -> Place:
    number = len(rows[seat]) + 1 if 0 <= seat < len(rows) else 1
    return f"{name}/{seat}/{number}"
