"""Tell what whole dice show, however they are turned, with a network run in numpy.

It sees a die of a known width with what surrounds it, and needs no pip to be found
first: glare that breaks pips, or pips hardly another colour than their die, leave
frames of pips nothing to stand on.

Its weights come from vision/measure/training_dice.py.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.pips.convolution import convolve, load_weights, rectify, softmax

DIE_PX = 20.0
"""Width of a die's top in the pictures that the network was taught on."""

CELL_PX = 4
"""Distance of the points for which it tells what die they are the middle of."""

_LAYERS = ((1, 1), (2, 1), (1, 1), (2, 1), (1, 1), (1, 2), (1, 1))
"""Stride and distance of points of each convolution but the last."""

_BATCH = 4
"""Patches at a time: what a batch unfolds into then stays in the processor's cache."""


@lru_cache(maxsize=1)
def _weights() -> tuple[Floats, ...]:
    return load_weights(Path(__file__).with_name("dicenet.npz"))


def dice_chances(patches: NDArray[np.uint8]) -> Floats:
    """Return chances ``(N, h, w, 7)`` of no die's middle and of faces 1 to 6.

    Each sums to 1. Cells lie `CELL_PX` apart, the first at the first pixel.

    Args:
        patches: ``(N, H, W, 3)``, uint8, BGR, of dice that are `DIE_PX` wide.
    """
    batches = np.array_split(patches, len(patches) // _BATCH + 1)
    return np.concatenate([_batch(batch) for batch in batches])


def _batch(patches: NDArray[np.uint8]) -> Floats:
    weights = _weights()
    layer = patches.astype(np.float32) / np.float32(127.5) - 1
    for index, (stride, apart) in enumerate(_LAYERS):
        weight, bias = weights[2 * index : 2 * index + 2]
        layer = rectify(convolve(layer, weight, bias, stride, apart))
    return softmax(convolve(layer, weights[-2], weights[-1]))
