"""Find round spots of one colour on a ground of another: what a pip is.

Any colours will do, and any size from three pixels across. Nothing here knows a die.
"""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Floats, Indices, Mask, Picture
from vision.pips.spot_edges import ANGLES, Spots, measure_spots

_FAINTEST = 4
"""Sum of three colour differences that a spot must reach. First guess: about a third of
what a spot of the least contrast makes."""

_MOST_PEAKS = 3000
"""Peaks looked at on each scale: cloth has tens of thousands, the strongest count."""


class SpotLimits(Struct, frozen=True):
    """Limits for a spot; vision/pips/thresholds.toml says what chose them.

    *contrast* is the length of an ink in grey values; *roundness* is in
    radii; *most* and *most_raw* bound the work in a picture full of texture.
    """

    contrast: float
    roundness: float
    flatness: float
    most: int
    most_raw: int


def find_spots(picture: Picture, limits: SpotLimits) -> Spots:
    """Return the round spots of a picture ``(H, W, 3)``, uint8, BGR."""
    seeds, radii = _seeds(picture, limits)
    smooth = [picture]
    spots: list[Spots] = []
    for level in range(5):
        # A spot is measured where its radius is 2.5 to 7 pixels: cheap and soft enough.
        low, high = (0.0, 7.0) if level == 0 else (3.5 * 2**level, 7.0 * 2**level)
        chosen = (radii > low) & (radii <= high)
        if chosen.any():
            found = measure_spots(
                smooth[-1], seeds[chosen] / 2**level, radii[chosen] / 2**level
            )
            spots.append(found.scaled(2**level))
        smooth.append(np.asarray(cv2.pyrDown(smooth[-1]), np.uint8))
    if not spots:
        return _none()
    return _unique(_join(spots), limits)


def _none() -> Spots:
    flat, three = np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    calm = np.zeros((0, ANGLES), bool)
    return Spots(np.zeros((0, 2), np.float32), flat, three, three, flat, flat, calm)


def _join(parts: list[Spots]) -> Spots:
    return Spots(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in Spots.__struct_fields__
        )
    )


def _seeds(picture: Picture, limits: SpotLimits) -> tuple[Floats, Floats]:
    """Return middles ``(N, 2)`` and rough radii ``(N,)`` of blobs of any colour.

    A blob is a peak of the length of the difference of two Gaussians over the three
    colours, so that red on black counts as much as black on white.
    """
    level = picture
    found: list[Floats] = []
    for octave in range(5):
        if min(level.shape[:2]) < 16:
            break
        fine = cv2.GaussianBlur(level, (0, 0), 1.1)
        for sigma in (1.6, 2.26):
            coarse = cv2.GaussianBlur(level, (0, 0), sigma * 1.45)
            strength = _strength(np.asarray(fine), np.asarray(coarse))
            found.append(_peaks(strength, sigma * 1.42, 2.0**octave))
            fine = cv2.GaussianBlur(level, (0, 0), 1.6)
        level = np.asarray(cv2.pyrDown(level), np.uint8)
    if not found:
        return np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    most = limits.most_raw // len(found)
    every = np.concatenate([_strongest(peaks, most) for peaks in found])
    return every[:, :2], every[:, 2]


def _strongest(peaks: Floats, most: int) -> Floats:
    return peaks[np.argsort(-peaks[:, 3])[:most]]


def _strength(fine: Picture, coarse: Picture) -> NDArray[np.uint16]:
    """Return the difference of two blurs ``(H, W)``, summed over colours, times 16.

    Whole numbers are twice as fast as floats here; the last blur breaks the ties that
    they bring.
    """
    blue, green, red = cv2.split(cv2.absdiff(fine, coarse))
    both = cv2.add(blue, green, dtype=cv2.CV_16U)
    total = cv2.add(both, red, dtype=cv2.CV_16U)
    return np.asarray(cv2.blur(total * np.uint16(16), (3, 3)), np.uint16)


def _peaks(strength: NDArray[np.uint16], radius: float, scale: float) -> Floats:
    """Return peaks ``(N, 4)``: x, y, radius in picture pixels, and strength."""
    top = np.asarray(cv2.dilate(strength, np.ones((3, 3), np.uint8)))
    y, x = np.nonzero((strength >= top) & (strength > _FAINTEST * 16))
    best = np.argsort(-strength[y, x].astype(np.int64))[:_MOST_PEAKS]
    y, x = y[best], x[best]
    alone = _alone(strength, x, y, radius)
    y, x = y[alone], x[alone]
    points = np.stack([x, y], -1).astype(np.float32)
    # Pixel i of a halved picture lies on pixel 2 i of the whole one.
    centres = points * scale
    size = np.full((len(x), 1), radius * scale, np.float32)
    return np.hstack([centres, size, strength[y, x][:, None]]).astype(np.float32)


def _alone(strength: NDArray[np.uint16], x: Indices, y: Indices, radius: float) -> Mask:
    """Return which peaks fall off on all sides; those on a line or an edge do not."""
    keep = np.ones(len(x), bool)
    height, width = strength.shape
    for angle in np.arange(8) * np.pi / 4:
        column = np.clip(np.rint(x + radius * np.cos(angle)).astype(int), 0, width - 1)
        row = np.clip(np.rint(y + radius * np.sin(angle)).astype(int), 0, height - 1)
        keep &= strength[row, column] < 0.88 * strength[y, x]
    return keep


def _unique(spots: Spots, limits: SpotLimits) -> Spots:
    """Return good spots only, each once, the roundest of each place."""
    strength = np.sqrt((spots.inks**2).sum(-1))
    good = (
        (strength > limits.contrast)
        & (spots.roundness < limits.roundness)
        & (spots.flatness > limits.flatness)
        & (spots.radii > 1.9)
    )
    spots = spots.only(good)
    order = np.argsort(spots.roundness - 0.0004 * np.sqrt((spots.inks**2).sum(-1)))
    spots = spots.only(order)
    kept: list[int] = []
    cells: dict[tuple[int, int], list[int]] = {}
    for index, (x, y) in enumerate(spots.centres.tolist()):
        cell = (int(x // 24), int(y // 24))
        near = [
            other
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for other in cells.get((cell[0] + dx, cell[1] + dy), ())
        ]
        if near and _is_taken(spots, index, near):
            continue
        cells.setdefault(cell, []).append(index)
        kept.append(index)
        if len(kept) >= limits.most:
            break
    return spots.only(np.array(kept, np.int64))


def _is_taken(spots: Spots, index: int, near: list[int]) -> bool:
    apart = spots.centres[near] - spots.centres[index]
    distance = np.sqrt((apart**2).sum(-1))
    alike = spots.radii[near] / spots.radii[index]
    # An ace lies in the middle of its die: of unlike size, both are kept.
    inside = distance < 0.7 * np.minimum(spots.radii[near], spots.radii[index])
    same = (inside & (alike > 0.4) & (alike < 2.5)) | (
        (distance < 0.8 * spots.radii[index]) & (alike > 0.7) & (alike < 1.4)
    )
    return bool(same.any())
