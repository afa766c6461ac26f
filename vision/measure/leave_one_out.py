"""Choose limits of acceptance on some sets of photographs, for another one.

A set that is read by limits that were chosen without it says how they do on dice that
nobody had seen.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from vision.measure.counts import Tally

Rules = TypeVar("Rules", bound=Struct)

Tried = Mapping[str, tuple[float, ...]]
"""Values of each limit, the strictest first."""

_WRONG = 20
"""Right dice that one wrong outweighs."""


def best_limits(
    rules: Rules, tried: Tried, sets: Sequence[Callable[[Rules], Iterable[Tally]]]
) -> Rules:
    """Return the limits that read some sets best, the stricter where equally.

    One limit after the other is chosen, begun at the strictest of each.

    Args:
        rules: Limits; those not named in *tried* stay.
        tried: Values of each limit.
        sets: Each counts how its photographs are read by some limits.
    """
    rules = replace(rules, **{name: some[0] for name, some in tried.items()})
    known: dict[Rules, float] = {}
    for name, values in tried.items():
        variants = [replace(rules, **{name: value}) for value in values]
        for one in variants:
            if one not in known:
                known[one] = sum(_worth(counted(one)) for counted in sets)
        rules = max(variants, key=known.__getitem__)
    return rules


def _worth(tallies: Iterable[Tally]) -> float:
    """Return how good counts are, each set alike: right less wrong, in shares."""
    every = list(tallies)
    dice = sum(one.right + one.asked + one.missed for one in every)
    right = sum(one.right for one in every)
    wrong = sum(one.wrong for one in every)
    return (right - _WRONG * wrong) / max(dice, 1)


def limits_told(rules: Struct, tried: Tried) -> str:
    """Return the chosen limits in words."""
    return ", ".join(f"{name} {getattr(rules, name):g}" for name in tried)
