"""Limits of reading cards; thresholds.toml says what chose each."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from vision.cards.noise import Noise


class QuadLimits(Struct, frozen=True):
    """Limits of finding cards."""

    support: float
    opposite: float
    slender: float
    sizes: float
    like_size: float


class AuditLimits(Struct, frozen=True):
    """Limits of looking a fresh deck over."""

    twins: float
    alike: float


class ReadLimits(Struct, frozen=True):
    """Limits of deciding which card it is."""

    accept: float
    rival: float
    rival_weight: float
    contrast_weight: float
    spot_weight: float
    unknown: float
    near: float
    middle: float
    spread: float
    candidates: int


class CardLimits(Struct, frozen=True):
    """All limits of this package; thresholds.toml says what chose each."""

    quads: QuadLimits
    audit: AuditLimits
    read: ReadLimits
    noise: Noise


@lru_cache(maxsize=1)
def card_limits() -> CardLimits:
    """Return the limits in thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), CardLimits)
