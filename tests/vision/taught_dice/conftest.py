import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location(
    "drawn_signs", Path(__file__).with_name("signs.py")
)
assert _spec is not None
assert _spec.loader is not None
drawn = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(drawn)

FACES = ("moon", "bar", "arrow", "4")


def shots_of(face, sign=None, turns=(0, 70, 200)):
    """Return three shots of a face, lying askew and in changing light."""
    from vision.taught_dice.looks import FaceShot

    return [
        FaceShot(
            face,
            drawn.table(
                (sign or face, 320, 240, turn), seed=turn, light=1 - turn / 900
            ),
            drawn.around(320, 240),
            640.0,
        )
        for turn in turns
    ]


@pytest.fixture(scope="session")
def drawing():
    """Return the module that draws dice with signs."""
    return drawn


@pytest.fixture(scope="session")
def shots():
    """Return what makes three shots of a face."""
    return shots_of


@pytest.fixture(scope="session")
def die():
    """Return a die of four faces, three shots each."""
    from vision.taught_dice.reader import teach_die

    return teach_die([shot for face in FACES for shot in shots_of(face)])
