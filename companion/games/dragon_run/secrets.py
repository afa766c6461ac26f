"""Other tables that look the same to a viewer: who else could hold which treasures."""

from msgspec.structs import replace

from companion.games.dragon_run import hands
from companion.games.dragon_run.state import PAY, SHOW, State
from companion.games.hidden import (
    Hidden,
    Viewer,
)

MASK = (1 << 64) - 1


def resample(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with fresh cards in all hands that *viewer* cannot see into.

    A hand that is just paying stays unknown, as a fresh one might have nothing to pay
    with. The same seed gives the same cards on every machine.

    Source: rulebook l. 54; ruling RN21.
    """
    if state.phase is SHOW:
        return state
    pool = list(state.unseen)
    for kind in () if viewer is None else hands.noted_kinds(state, viewer):
        pool[kind] -= 1
    cards = [kind for kind, count in enumerate(pool) for _ in range(count)]
    _shuffle(cards, seed)
    notes = []
    for seat, old in enumerate(state.noted):
        if seat == viewer:
            notes.append(old)
        elif state.phase is PAY and seat == state.seat:
            notes.append(Hidden((), old.seen_by))
        else:
            hand = sorted(cards.pop() for _ in range(state.hands[seat]))
            notes.append(Hidden(tuple(hand), old.seen_by))
    return replace(state, noted=tuple(notes))


def _shuffle(cards: list[int], seed: int) -> None:
    for top in range(len(cards) - 1, 0, -1):
        seed = _mix(seed)
        other = seed % (top + 1)
        cards[top], cards[other] = cards[other], cards[top]


def _mix(number: int) -> int:
    """Return 64 bits that look random; equal for equal numbers.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014, the finishing step of SplitMix64.
    """
    z = number + 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31
