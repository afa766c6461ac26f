"""Tell what face a straightened patch shows, with a small network run in numpy.

Its weights come from vision/measure/training.py, which draws the pictures that it
learns from.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.pips.convolution import convolve, load_weights, rectify, softmax
from vision.pips.patches import normalise

_STRIDES = (2, 1, 2, 2)
_BATCH = 48
"""Patches at a time: what a batch unfolds into then stays in the processor's cache."""


@lru_cache(maxsize=1)
def _weights() -> tuple[Floats, ...]:
    return load_weights(Path(__file__).with_name("facenet.npz"))


def face_chances(patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Return chances ``(N, 7)`` of no face and faces 1 to 6, each sum 1, and growths.

    A growth ``(N,)`` is the logarithm of the die's true width over the patch's.

    Args:
        patches: ``(N, 32, 32, 3)``, uint8, BGR, of `vision.pips.patches.cut_patches`.
    """
    if not len(patches):
        return np.zeros((0, 7), np.float32), np.zeros(0, np.float32)
    batches = np.array_split(patches, len(patches) // _BATCH + 1)
    out = np.concatenate([_batch(normalise(batch)) for batch in batches])
    return softmax(out[:, :7]), out[:, 7]


def _batch(planes: Floats) -> Floats:
    weights = _weights()
    layer = planes.transpose(0, 2, 3, 1)
    for index, stride in enumerate(_STRIDES):
        weight, bias = weights[2 * index : 2 * index + 2]
        layer = rectify(convolve(layer, weight, bias, stride))
    flat = layer.transpose(0, 3, 1, 2).reshape(len(layer), -1)
    hidden = np.maximum(flat @ weights[8].T + weights[9], 0)
    return np.asarray(hidden @ weights[10].T + weights[11], np.float32)
