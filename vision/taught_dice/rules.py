"""The limits of reading enrolled dice, kept in one data file with what chose each."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct


class DieRules(Struct, frozen=True):
    """Limits of finding and reading; thresholds.toml says what chose each."""

    spark: float = 0.45
    gate: float = 0.45
    rough: float = 0.62
    faint: float = 0.4
    hue: float = 45.0
    flatness: float = 0.5
    size_slack: float = 1.2
    most_hits: int = 1200
    likeness: float = 0.8
    worst: float = 0.45
    ratio: float = 0.65
    safe: float = 0.75
    agreed: float = 0.6
    firm: float = 8.0
    whole_left: float = 1.25
    whole_worst: float = 0.2
    worst_together: float = 0.3
    upright_together: float = 0.72
    upright: float = 0.6
    like_size: float = 1.3
    smaller: float = 1.18
    any_size: float = 1.7
    whole: float = 0.85
    like_hue: float = 45.0
    least_ink: float = 0.35
    most_ink: float = 2.0
    clear_ink: float = 0.5
    ask: float = 0.7


@lru_cache(maxsize=1)
def usual_rules() -> DieRules:
    """Return the limits in thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), DieRules)
