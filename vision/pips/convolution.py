"""Convolve in numpy: what the small networks of this folder are made of.

Not cv2.dnn: of the same network as ONNX it gives the same (to 6e-6), and of batches of
one size takes as long (8 patches 1.6 ms here for 1.4, 200 patches 39 ms for 41); but
each batch of another size than the last costs it 10 ms more, and every picture has
another number of patches. OpenCV 5.0, one core.
"""

from pathlib import Path

import numpy as np

from vision.arrays import Floats


def load_weights(path: Path) -> tuple[Floats, ...]:
    """Return the weights in a file; those of convolutions as ``(k * k * in, out)``."""
    with np.load(path) as file:
        every = [file[name].astype(np.float32) for name in file.files]
    return tuple(
        w.transpose(2, 3, 1, 0).reshape(-1, len(w)) if w.ndim == 4 else w for w in every
    )


def convolve(
    planes: Floats, weight: Floats, bias: Floats, stride: int = 1, apart: int = 1
) -> Floats:
    """Return ``conv(planes)``, both ``(N, H, W, C)``; size shrinks by stride.

    Args:
        planes: What is convolved; zeros are added around it.
        weight: ``(k * k * in, out)``.
        bias: ``(out,)``.
        stride: Of the result, in pixels.
        apart: Distance of the points that a kernel takes, in pixels.
    """
    n, height, width, channels = planes.shape
    kernel = round(np.sqrt(len(weight) // channels))
    edge = kernel // 2 * apart
    padded = np.pad(planes, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    h, w = -(-height // stride), -(-width // stride)
    flat = np.empty((n, h, w, kernel * kernel, channels), np.float32)
    for slot in range(kernel * kernel):
        y, x = (step * apart for step in divmod(slot, kernel))
        flat[:, :, :, slot] = padded[:, y : y + height : stride, x : x + width : stride]
    out = flat.reshape(n * h * w, -1) @ weight
    out += bias
    return np.asarray(out, np.float32).reshape(n, h, w, -1)


def rectify(planes: Floats) -> Floats:
    """Return *planes* with nothing below zero, in place."""
    return np.maximum(planes, 0, out=planes)


def softmax(scores: Floats) -> Floats:
    """Return chances of scores; each row of the last axis sums to 1."""
    power = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(power / power.sum(-1, keepdims=True), np.float32)
