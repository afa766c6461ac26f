"""The limits by which dice are taken, as vision/pips/thresholds.toml gives them."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from vision.pips.spots import SpotRules


class DiceRules(Struct, frozen=True):
    """Limits of acceptance; vision/pips/thresholds.toml says what chose each."""

    accept: float = 0.93
    ask: float = 0.5
    rival: float = 0.5
    flatness: float = 0.5
    witnesses: int = 3
    lone_misfit: float = 0.3
    worst_misfit: float = 0.5
    accept_beside: float = 0.5
    sure_flatness: float = 0.58
    widest: float = 0.5
    bodies: int = 24
    accept_round: float = 0.6
    rough: float = 0.05
    alike: float = 1.2
    spots: SpotRules = SpotRules()


@lru_cache(maxsize=1)
def usual_rules() -> DiceRules:
    """Return the limits in vision/pips/thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["dice"], DiceRules)
