"""Reads a position off the table, where that and not the record is right.

What a hand cannot have left there is not sorted out here but reported by `checks`.
"""

from collections.abc import Iterator
from itertools import count, takewhile

from msgspec.structs import replace

from companion.games.dragon_run import hands
from companion.games.dragon_run.layout import PATH, ROW, face_of
from companion.games.dragon_run.pieces import (
    ANGER,
    CHARACTER,
    DRAGON,
    PLACE,
    TREASURE,
    Health,
)
from companion.games.dragon_run.state import NOBODY, State
from companion.table import Face, Layout, Piece, Place, Seat


def adopt(state: State, lying: Layout) -> State | None:
    """Return *state* as it would be if this lies there; None if the dragon is nowhere.

    Treasures come from hands, which no eye sees into: as many must lie open as before.
    What now lies open is no more among those that a seat has noted.

    Source: rulebook l. 28-32, 41-45, 113, 158-163; ruling RN21.
    """
    setting, box = state.setting, state.setting.box
    anger = [
        n
        for n in range(ANGER[setting.seats] + 1)
        if (DRAGON, None, f"anger/{n}") in lying
    ]
    if len(anger) != 1:
        return None
    places = {card.id: number for number, card in enumerate(box.places)}
    kinds: dict[Face | None, int] = {box.treasure_id(kind): kind for kind in box.kinds}
    turned = tuple(places[f] for f in _row(lying, PLACE, PATH) if f in places)
    discard = tuple(kinds.get(f) for f in _row(lying, TREASURE, "discard"))
    fronts = _before_seats(state.fronts, lying, "front", kinds)
    shown = _before_seats(state.shown, lying, "open", kinds)
    open_ = [*discard, *(kind for row in (*fronts, *shown) for kind in row)]
    unseen = tuple(n - open_.count(k) for k, n in enumerate(setting.copies))
    characters = [_character(state, lying, seat) for seat in range(setting.seats)]
    noted = state.noted
    for kind, left in enumerate(unseen):
        noted = hands.still_possible(noted, kind, left)
    return replace(
        state,
        anger=anger[0],
        health=tuple(health for health, _ in characters),
        tilted=tuple(tilted for _, tilted in characters),
        pile=tuple(n - turned.count(k) for k, n in enumerate(setting.whole_pile)),
        turned=turned,
        since=min(state.since, len(turned)),
        unseen=unseen,
        loose=tuple(kind for kind, left in enumerate(unseen) if left),
        noted=noted,
        fronts=fronts,
        discard=discard,
        shown=shown,
    )


def _row(lying: Layout, piece: Piece, name: Place) -> Iterator[Face | None]:
    """Return what the cards of a row show, from its first to the first empty place."""
    faces = {place: face for what, face, place in lying if what == piece}
    places = (f"{name}/{number}" for number in count(1))
    return (faces[place] for place in takewhile(faces.__contains__, places))


def _before_seats(
    rows: tuple[tuple[int, ...], ...],
    lying: Layout,
    name: str,
    kinds: dict[Face | None, int],
) -> tuple[tuple[int, ...], ...]:
    """Return the open treasures of each seat; more than a row holds stay as told."""
    lay = (_row(lying, TREASURE, f"{name}/{seat}") for seat in range(len(rows)))
    return tuple(
        (*(kinds[face] for face in row if face in kinds), *told[ROW:])
        for row, told in zip(lay, rows, strict=True)
    )


def _character(state: State, lying: Layout, seat: Seat) -> tuple[Health, bool]:
    """Return how a character is and whether its power is used up.

    One that has burned, or is not dealt yet, lies nowhere.
    """
    hero = state.heroes[seat]
    now = (state.health[seat], state.tilted[seat])
    if hero == NOBODY:
        return now
    name = state.setting.box.heroes[hero].id
    faces = {face for piece, face, place in lying
             if (piece, place) == (CHARACTER, f"seat/{seat}")}  # fmt: skip
    ways = ((health, tilted) for health in Health for tilted in (False, True))
    return next((way for way in ways if face_of(name, *way) in faces), now)
