"""Choose the limits of deciding on some sets of photographs, for another one.

A set that is judged by limits that were chosen without it says how they do on dice that
nobody had seen.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from vision.enrolled.rules import DieRules, usual_rules
from vision.tallies import Tally

_TRIED: dict[str, tuple[float, ...]] = {
    "ratio": (0.5, 0.65, 0.8),
    "worst": (0.25, 0.45),
    "worst_together": (0.2, 0.3, 0.4),
    "safe": (0.5, 0.75, 0.9),
    "whole_left": (1.0, 1.25),
}
"""Values of each limit, the strictest first."""

_WRONG = 20
"""Right dice that one wrong outweighs."""

Counted = Callable[[DieRules], Iterable[Tally]]


def best_limits(sets: list[Counted]) -> DieRules:
    """Return the limits that read some sets best, the stricter where equally.

    One limit after the other is chosen, begun at the strictest of each.
    """
    rules = replace(usual_rules(), **{name: some[0] for name, some in _TRIED.items()})
    known: dict[DieRules, float] = {}
    for name, values in _TRIED.items():
        tried = [replace(rules, **{name: value}) for value in values]
        for one in tried:
            if one not in known:
                known[one] = sum(_worth(counted(one)) for counted in sets)
        rules = max(tried, key=known.__getitem__)
    return rules


def _worth(tallies: Iterable[Tally]) -> float:
    """Return how good counts are, each set alike: right less wrong, in shares."""
    every = list(tallies)
    dice = sum(one.right + one.asked + one.missed for one in every)
    right = sum(one.right for one in every)
    wrong = sum(one.wrong for one in every)
    return (right - _WRONG * wrong) / max(dice, 1)


def limits_told(rules: DieRules) -> str:
    """Return the chosen limits in words."""
    return ", ".join(f"{name} {getattr(rules, name):g}" for name in _TRIED)
