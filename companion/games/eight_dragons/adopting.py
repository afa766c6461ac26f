"""Reads a position off the table, where that and not the record is right.

What a hand cannot have left there is not sorted out here but reported by `checks`.
"""

from msgspec.structs import replace

from companion.games.core import with_value
from companion.games.eight_dragons import census
from companion.games.eight_dragons.layout import BACK, CARD, PLACES, TOKEN
from companion.games.eight_dragons.pieces import CARDS, PART, Card
from companion.games.eight_dragons.recall import without_impossible
from companion.games.eight_dragons.state import (
    FACE_DOWN,
    LYING,
    PAIR,
    Spot,
    State,
)
from companion.table import Face, Layout, Place

FACES: dict[Face | None, Card] = {card.value: card for card in CARDS}


def adopt(state: State, lying: Layout) -> State | None:
    """Return *state* as it would be if this lies there; None if that is open.

    What a card shows is believed, whatever was remembered of it: to refuse it would
    tell that. What to do with a pair hangs on which cards they are.

    Source: rulebook l. 70 (the rectangle), 72-76 (the pair), 112-114 (the tokens).
    """
    there = {place: face for piece, face, place in lying if piece == CARD}
    moved = _moved(state, there)
    if moved is None:
        return None
    faces = [there.get(place) for place in PLACES[: len(moved)]]
    grid = tuple(map(_seen, moved, faces))
    up = [n for n, spot in enumerate(grid) if isinstance(spot, Card) and spot in PART]
    # The first one turned stays the first one.
    up.sort(key=lambda place: (*state.up, place).index(place))
    still = {n for n, spot in enumerate(grid) if spot and state.grid[n]}
    left = tuple(pair for pair in state.left if still.issuperset(pair[1:]))
    after = _with_tokens(replace(state, grid=grid, up=tuple(up), left=left), lying)
    after = without_impossible(after, (spot for spot in grid if isinstance(spot, Card)))
    same = sorted(map(str, _turned(state))) == sorted(map(str, _turned(after)))
    return after if same or state.phase is not PAIR else None


def _moved(state: State, there: dict[Place, Face | None]) -> list[Spot] | None:
    """Return what lies at each place, before anybody looks at what it shows.

    Cards come from hands and go into them, which no eye sees into: as many must lie
    there as before. One card on another place is the card that is gone from its own;
    of several nobody can tell any more which is which.
    """
    grid = list(state.grid)
    places = PLACES[: len(grid)]
    gone = [n for n, spot in enumerate(grid) if spot and places[n] not in there]
    came = [n for n, spot in enumerate(grid) if not spot and places[n] in there]
    if len(gone) != len(came):
        return None
    card = grid[gone[0]] if len(gone) == 1 else FACE_DOWN
    for place in gone:
        grid[place] = None
    for place in came:
        grid[place] = card
    return grid


def _seen(spot: Spot, face: Face | None) -> Spot:
    """Return what lies at a place by the face that it shows there.

    The twin card looks the same from both sides (ruling ED10).
    """
    if face == BACK:
        if isinstance(spot, Card) and spot is not Card.TWIN:
            return LYING[spot]
        return spot
    return FACES.get(face, spot)


def _turned(state: State) -> list[Spot]:
    return [state.grid[place] for place in state.up]


def _with_tokens(state: State, lying: Layout) -> State:
    """Return *state* with the tokens where they lie.

    One on another card is its owner's still. One that came is the seat's in turn, and
    one that is gone goes where the table chose (ruling ED18).

    Source: rulebook l. 112-114; rulings ED19, ED21.
    """
    now = [n for n, place in enumerate(PLACES) if (TOKEN, None, place) in lying]
    before = census.blocked_places(state)
    kept = tuple(entry for entry in state.blocked if entry[0] in now)
    owners = [owner for place, owner in state.blocked if place not in now]
    came = [place for place in now if place not in before]
    moved = tuple(zip(came, owners, strict=False))
    new = tuple((place, state.seat) for place in came[len(owners) :])
    tokens = with_value(state.tokens, state.seat, state.tokens[state.seat] - len(new))
    to = state.setting.options.token_to
    for owner in owners[len(came) :]:
        seat = owner if to == "owner" else state.seat
        if to != "retired":
            tokens = with_value(tokens, seat, tokens[seat] + 1)
    return replace(state, blocked=tuple(sorted((*kept, *moved, *new))), tokens=tokens)
