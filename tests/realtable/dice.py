"""How a die lies on a table: one of its faces up."""

from typing import Any

import numpy as np

from tests.realtable.solids import Mesh
from vision.measure.bench.traced import AXES


def lying_on(cube: Any, face: int, side: float) -> Mesh:
    """Return a die of unit size with its face of a number, from 0, on top."""
    points, normals, prints, triangles = cube
    out, right, up = AXES[face]
    turn = np.stack([right, up, out])
    lifted = points @ turn.T * side + (0.0, 0.0, side / 2)
    return Mesh(lifted, normals @ turn.T, prints, np.asarray(triangles, np.int64))
