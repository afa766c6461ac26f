"""Draw dice with signs on them, and pictures of tables that they lie on."""

import cv2
import numpy as np

SIDE = 80


def face(sign):
    """Return a face ``(80, 80, 3)``: a blue die with white ink."""
    drawn = np.full((SIDE, SIDE, 3), (150, 70, 30), np.uint8)
    white, middle = (240, 240, 240), (SIDE // 2, SIDE // 2)
    match sign:
        case "moon":
            cv2.circle(drawn, middle, 22, white, -1)
            cv2.circle(drawn, (50, 34), 18, (150, 70, 30), -1)
        case "bar":
            cv2.rectangle(drawn, (18, 32), (62, 48), white, -1)
        case "arrow":
            cv2.arrowedLine(drawn, (20, 60), (60, 20), white, 8, tipLength=0.5)
        case _:
            cv2.putText(drawn, sign, (18, 62), 0, 2.0, white, 8, cv2.LINE_AA)
    return drawn


def table(*placed, size=(480, 640), seed=0, light=1.0):
    """Return a picture of dice; each of *placed* is (sign, x, y, degrees)."""
    noise = np.random.default_rng(seed).normal(0, 3, (*size, 3))
    picture = np.clip(np.array((60, 90, 50)) + noise, 0, 255).astype(np.uint8)
    for sign, x, y, degrees in placed:
        turn = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), degrees, 1.0)
        turn[:, 2] += (x - SIDE / 2, y - SIDE / 2)
        lain = cv2.warpAffine(face(sign), turn, size[::-1])
        solid = np.full((SIDE, SIDE), 255, np.uint8)
        mask = cv2.warpAffine(solid, turn, size[::-1])
        picture[mask > 127] = lain[mask > 127]
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    return np.clip(soft * light, 0, 255).astype(np.uint8)


def around(x, y, half=46):
    """Return a box about a die."""
    return x - half, y - half, x + half, y + half
