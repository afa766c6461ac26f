"""The table's wiring on simulated pins, and a clock that only a test moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.pins import Pins, open_pins
from firmware.wiring import Wiring, read_wiring, wiring_path
from tests.firmware.scratch_pi import Pi


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def pass_by(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


@pytest.fixture
def wiring() -> Wiring:
    return read_wiring(wiring_path())


@pytest.fixture
def no_pi(tmp_path: Path) -> Path:
    return tmp_path / "no-such-model"


@pytest.fixture
def pi_model(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    return path


@pytest.fixture
def pins(no_pi: Path) -> Iterator[Pins]:
    opened = open_pins(model_path=no_pi)
    yield opened
    opened.close()
