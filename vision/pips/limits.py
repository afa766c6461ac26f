"""Limits of reading pip dice; thresholds.toml says what chose each."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from vision.pips.spots import SpotLimits


class PipLimits(Struct, frozen=True):
    """Limits of acceptance; vision/pips/thresholds.toml says what chose each."""

    accept: float
    ask: float
    rival: float
    flatness: float
    witnesses: int
    lone_misfit: float
    worst_misfit: float
    accept_beside: float
    whole: float
    whole_rough: float
    sure_flatness: float
    sure_slant: float
    widest: float
    bodies: int
    accept_round: float
    rough: float
    alike: float
    spots: SpotLimits


@lru_cache(maxsize=1)
def pip_limits() -> PipLimits:
    """Return the limits in vision/pips/thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["dice"], PipLimits)
