"""Limits of reading by the mat; thresholds.toml says what chose each."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct


class CheckLimits(Struct, frozen=True):
    """When a picture is refused."""

    blur_mm: float
    blur_px: float
    dark: float
    burnt: float
    clipped: float
    glare_mm2: float
    glare_above: float


class KnockLimits(Struct, frozen=True):
    """When the camera or a marker has moved."""

    shift_px: float
    stray_px: float


class MatLimits(Struct, frozen=True):
    """All limits of this package; thresholds.toml says what chose each."""

    check: CheckLimits
    bump: KnockLimits


@lru_cache(maxsize=1)
def mat_limits() -> MatLimits:
    """Return the limits in vision/mat/thresholds.toml."""
    text = Path(__file__).with_name("thresholds.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), MatLimits)
