"""What some test rolls of a die say about the next hundred in the same light.

Pure reckoning: a person says what each die shows, the camera what it read.
"""

from collections.abc import Iterable, Sequence
from math import comb

from msgspec import Struct

from companion.kits.next_step import RollVerdict
from companion.table import Face, Reading, Shown

TRUST = 0.95
"""How sure an upper bound is: in one light of twenty the truth lies above it."""


class JudgedRoll(Struct, frozen=True):
    """One test roll.

    Attributes:
        verdict: What it came to; one of which nothing was found is asked about too, as
            the table waits for a tap.
        doubt: Share, 0 to 1, of wrong ones among readings as sure as this one.
    """

    verdict: RollVerdict
    doubt: float


class Rate(Struct, frozen=True):
    """How many of 100 rolls: the likeliest number, and one that is hardly exceeded."""

    about: float
    at_most: float


def compare(reading: Reading, face: Face) -> JudgedRoll:
    """Return what became of a roll of one die that truly shows *face*.

    Anything taken beside that face is wrong, also a die where there is none. What is
    left unsure beside it is asked.
    """
    taken = [
        (sight.face, glimpse.confidence)
        for glimpse in reading.glimpses
        if isinstance(sight := glimpse.sight, Shown)
    ]
    if any(seen != face for seen, _ in taken) or len(taken) > 1:
        return JudgedRoll(RollVerdict.WRONG, 1.0)
    if not taken or reading.choices or reading.trouble:
        return JudgedRoll(RollVerdict.ASKED, 0.0)
    return JudgedRoll(RollVerdict.RIGHT, 1 - taken[0][1])


def misreads(rolls: Sequence[JudgedRoll]) -> Rate:
    """Return how many of 100 rolls in this light would be taken for what they are not.

    Ten rolls hardly ever hold a misread, so that counting them tells little. How sure
    they were tells more, as it was counted how often such readings are wrong.
    The bound rests on nothing but the count of these rolls.

    Raises:
        ValueError: No rolls.
    """
    doubts = sum(roll.doubt for roll in rolls)
    return _rate(doubts, _count(rolls, RollVerdict.WRONG), len(rolls))


def percent_asked(rolls: Sequence[JudgedRoll]) -> Rate:
    """Return how many of 100 rolls in this light would be asked about.

    Raises:
        ValueError: No rolls.
    """
    count = _count(rolls, RollVerdict.ASKED)
    return _rate(count, count, len(rolls))


def _count(rolls: Iterable[JudgedRoll], verdict: RollVerdict) -> int:
    return sum(roll.verdict is verdict for roll in rolls)


def _rate(expected: float, count: int, rolls: int) -> Rate:
    if rolls == 0:
        raise ValueError("no rolls to reckon with; roll the die at least once")
    bound = highest_share(count, rolls)
    return Rate(100 * expected / rolls, 100 * max(bound, expected / rolls))


def highest_share(count: int, of: int, trust: float = TRUST) -> float:
    """Return the share that is hardly exceeded where *count* of *of* were counted.

    It is the share at which so few would be counted with a chance of 1 - *trust* only.

    Source: Clopper and Pearson, Biometrika 26 (1934), the one-sided limit.
    """
    if count >= of:
        return 1.0
    low, high = 0.0, 1.0
    # Halving forty times is finer than any count can tell.
    for _ in range(40):
        share = (low + high) / 2
        so_few = sum(
            comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(count + 1)
        )
        low, high = (share, high) if so_few > 1 - trust else (low, share)
    return high
