"""What a kit's pictures show is learned without having all of them open."""

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games import find
from companion.kits import learn
from companion.kits.kit import KeptShot, NewShot, keep_shots, stand_in_kit
from companion.kits.kit_files import begin_kit
from vision.camera.files import encode_png

FACES, EACH = 4, 3
BOX = (30, 30, 70, 70)


class Opened:
    """Opens pictures, and counts how many of them there are at once."""

    def __init__(self, opens: Callable[[bytes], Any]) -> None:
        self._opens = opens
        self._alive: weakref.WeakSet[Any] = weakref.WeakSet()
        self.most = self.all = 0

    def __call__(self, content: bytes) -> Any:
        picture = self._opens(content).view(_Picture)
        self._alive.add(picture)
        self.all += 1
        self.most = max(self.most, len(self._alive))
        return picture


class _Picture(np.ndarray[Any, Any]):
    """An array that can be told from others, and not by what it holds."""

    __hash__ = object.__hash__


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    opened = Opened(learn.decode_png)
    monkeypatch.setattr(learn, "decode_png", opened)
    return opened


def a_kit(folder: Path) -> list[KeptShot]:
    """Make a kit of a die with four faces, each shown three times."""
    begin_kit(folder, stand_in_kit(find("dragorun")))
    rng = np.random.default_rng(1)
    shots = []
    for face in range(FACES):
        for _ in range(EACH):
            picture = np.full((100, 100, 3), 90, np.uint8)
            picture[BOX[1] : BOX[3], BOX[0] : BOX[2]] = (60 * face, 200 - 40 * face, 99)
            picture[40 : 44 + 6 * face, 40:60] = 250
            picture += rng.integers(0, 5, picture.shape).astype(np.uint8)
            shots.append(
                NewShot("die", "move", str(face), encode_png(picture), BOX, 1280.0)
            )
    return list(keep_shots(folder, shots))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learned", "most"),
    [
        (learn.learn_hues, 2),
        (learn.learn_rounds, 2 * EACH),
        (learn.learn_die, EACH),
        (learn.learn_deck, 2),
    ],
    ids=["colours", "tokens", "die", "deck"],
)
def test_pictures_are_opened_one_by_one(
    learned: Callable[..., object], most: int, opened: Opened, tmp_path: Path
):
    shots = a_kit(tmp_path / "mine")

    learned(tmp_path / "mine", shots)

    assert opened.all >= FACES * EACH
    # The one that is looked at and the one before; of tokens, those of two faces, as
    # they are laid on each other.
    assert opened.most <= most
