"""Where the bars of a chart stand; a template prints them as SVG."""

from collections.abc import Sequence

from msgspec import Struct

WIDTH, PITCH, LEFT, RIGHT = 320.0, 26.0, 108.0, 48.0
"""In units of the drawing: its width, a row, room for names and for figures."""

LONGEST = 12
"""Letters of a name that fit beside its bar."""


class Bar(Struct, frozen=True, gc=False):
    """A row: its name, its bar, what stands behind it, and where the bar was due."""

    label: str
    y: float
    length: float
    text: str
    due: float | None = None


class Chart(Struct, frozen=True):
    """Rows of bars from *left* on; *label* says in words what is compared."""

    label: str
    bars: tuple[Bar, ...]
    width: float = WIDTH
    left: float = LEFT

    @property
    def height(self) -> float:
        """Return how high the drawing is."""
        return len(self.bars) * PITCH


def chart(
    label: str, rows: Sequence[tuple[str, float, str, float | None]], most: float
) -> Chart:
    """Return bars for (name, value, figure, due value) rows; *most* is full length."""
    scale = (WIDTH - LEFT - RIGHT) / max(most, 1e-9)
    return Chart(
        label,
        tuple(
            Bar(
                _short(name),
                number * PITCH,
                value * scale,
                text,
                None if due is None else LEFT + due * scale,
            )
            for number, (name, value, text, due) in enumerate(rows)
        ),
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
