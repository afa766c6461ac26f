"""Choose limits of acceptance on some sets of photographs, for another one.

A set that is read by limits that were chosen without it says how they do on dice that
nobody had seen.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from vision.measure.counts import Tally

Limits = TypeVar("Limits", bound=Struct)

Tried = Mapping[str, tuple[float, ...]]
"""Values of each limit, the strictest first."""

_WRONG = 20
"""Right dice that one wrong outweighs."""


def best_limits(
    limits: Limits, tried: Tried, sets: Sequence[Callable[[Limits], Iterable[Tally]]]
) -> Limits:
    """Return the limits that read some sets best, the stricter where equally.

    One limit after the other is chosen, begun at the strictest of each.

    Args:
        limits: Limits; those not named in *tried* stay.
        tried: Values of each limit.
        sets: Each counts how its photographs are read by some limits.
    """
    limits = replace(limits, **{name: some[0] for name, some in tried.items()})
    known: dict[Limits, float] = {}
    for name, values in tried.items():
        variants = [replace(limits, **{name: value}) for value in values]
        for one in variants:
            if one not in known:
                known[one] = sum(_worth(counted(one)) for counted in sets)
        limits = max(variants, key=known.__getitem__)
    return limits


def _worth(tallies: Iterable[Tally]) -> float:
    """Return how good counts are, each set alike: right less wrong, in shares."""
    every = list(tallies)
    dice = sum(one.right + one.asked + one.missed for one in every)
    right = sum(one.right for one in every)
    wrong = sum(one.wrong for one in every)
    return (right - _WRONG * wrong) / max(dice, 1)


def limits_in_words(limits: Struct, tried: Tried) -> str:
    """Return the chosen limits in words."""
    return ", ".join(f"{name} {getattr(limits, name):g}" for name in tried)
