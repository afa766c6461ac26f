"""The shapes of arrays that all of the eye shares."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
"""A picture ``(H, W, 3)``, uint8, BGR."""

Floats: TypeAlias = NDArray[np.floating[Any]]
"""Numbers, float32 unless numpy widened them."""

Mask: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.int64]
