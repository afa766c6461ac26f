import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location(
    "drawn_cards", Path(__file__).with_name("cards.py")
)
assert _spec is not None
assert _spec.loader is not None
drawn = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(drawn)


@pytest.fixture(scope="session")
def drawing():
    """Return the module that draws cards and tables."""
    return drawn


@pytest.fixture(scope="session")
def deck(drawing):
    from vision.cards.references import CardShot, CardShots, build_deck

    faces = [
        (f"{number} {ink} {shape}", drawing.card(shape, ink, number))
        for shape in drawing.SHAPES[:3]
        for ink in ("red", "green")
        for number in (1, 2)
    ]
    return build_deck(
        [CardShots(face, (CardShot(card, (0, 0, 160, 240)),)) for face, card in faces]
    )


@pytest.fixture
def disc(drawing):
    return drawing.card("disc", "red", 1)


@pytest.fixture
def square(drawing):
    return drawing.card("square", "green", 2)
