"""Limits of reading taught dice; thresholds.toml says what chose each."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct


class TaughtDieLimits(Struct, frozen=True):
    """Limits of finding and deciding; thresholds.toml says what chose each."""

    spark: float
    gate: float
    rough: float
    faint: float
    hue: float
    flatness: float
    size_slack: float
    most_hits: int
    likeness: float
    worst: float
    close: float
    won: float
    unexplained: float
    unlike: float
    unexplained_unlike: float
    own_hue: float
    level: float
    ratio: float
    safe: float
    agreed: float
    firm: float
    whole_left: float
    whole_worst: float
    worst_together: float
    upright_together: float
    upright: float
    like_size: float
    smaller: float
    any_size: float
    whole: float
    like_hue: float
    least_ink: float
    most_ink: float
    clear_ink: float
    ask: float


@lru_cache(maxsize=1)
def taught_die_limits() -> TaughtDieLimits:
    """Return the limits in thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), TaughtDieLimits)
