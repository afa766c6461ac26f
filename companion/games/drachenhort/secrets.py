"""Other tables that look the same to a viewer: who else could have which group."""

from msgspec.structs import replace

from companion.games.drachenhort.scoring import groups_left
from companion.games.drachenhort.state import Phase, State
from companion.games.hidden import (
    Hidden,
    Viewer,
)

MASK = (1 << 64) - 1


def resample(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with fresh groups for all whose group *viewer* cannot know.

    Every seat gets a card of its own, as when the cards were dealt. The same seed gives
    the same groups on every machine.

    Source: rulebook l. 97.
    """
    if state.phase in (Phase.SHOW, Phase.OVER):
        return state
    mine = None if viewer is None else state.noted[viewer].value
    cards = [group for group in groups_left(state) if group != mine]
    _shuffle(cards, seed)
    noted = tuple(
        old if seat == viewer else Hidden(cards.pop(), old.seen_by)
        for seat, old in enumerate(state.noted)
    )
    return replace(state, noted=noted)


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
