"""Tell what face a straightened patch shows, with a small network run in numpy.

Its weights come from vision/measure/training.py, which draws the pictures that it
learns from.

Not cv2.dnn: of the same network as ONNX it gives the same (to 6e-6), and of batches of
one size takes as long (8 patches 1.6 ms here for 1.4, 200 patches 39 ms for 41); but
each batch of another size than the last costs it 10 ms more, and every picture has
another number of patches. OpenCV 5.0, one core.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.pips.patches import normalise

_STRIDES = (2, 1, 2, 2)
_BATCH = 48
"""Patches at a time: what a batch unfolds into then stays in the processor's cache."""


@lru_cache(maxsize=1)
def _weights() -> tuple[Floats, ...]:
    """Return the weights; those of convolutions as ``(k * k * in, out)``."""
    with np.load(Path(__file__).with_name("facenet.npz")) as file:
        every = [file[name].astype(np.float32) for name in file.files]
    return tuple(
        w.transpose(2, 3, 1, 0).reshape(-1, len(w)) if w.ndim == 4 else w for w in every
    )


def _convolve(planes: Floats, weight: Floats, bias: Floats, stride: int) -> Floats:
    """Return ``relu(conv(planes))``, both ``(N, H, W, C)``; size shrinks by stride."""
    n, height, width, channels = planes.shape
    kernel = int(np.sqrt(len(weight) // channels))
    edge = kernel // 2
    padded = np.pad(planes, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    h, w = height // stride, width // stride
    flat = np.empty((n, h, w, kernel * kernel, channels), np.float32)
    for slot in range(kernel * kernel):
        y, x = divmod(slot, kernel)
        flat[:, :, :, slot] = padded[:, y : y + height : stride, x : x + width : stride]
    out = flat.reshape(n * h * w, -1) @ weight
    out += bias
    return np.maximum(out, 0, out=out).reshape(n, h, w, -1)


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
    power = np.exp(out[:, :7] - out[:, :7].max(1, keepdims=True))
    return power / power.sum(1, keepdims=True), out[:, 7]


def _batch(planes: Floats) -> Floats:
    weights = _weights()
    layer = planes.transpose(0, 2, 3, 1)
    for index, stride in enumerate(_STRIDES):
        layer = _convolve(layer, weights[2 * index], weights[2 * index + 1], stride)
    flat = layer.transpose(0, 3, 1, 2).reshape(len(layer), -1)
    hidden = np.maximum(flat @ weights[8].T + weights[9], 0)
    return np.asarray(hidden @ weights[10].T + weights[11], np.float32)
