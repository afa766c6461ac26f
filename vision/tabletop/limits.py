"""How near a print must come to a taught one to be taken for it."""

from msgspec import Struct


class PrintLimits(Struct, frozen=True):
    """Limits of a bank of prints.

    Attributes:
        near: A print is sure when its distance is below this part of the way to the
            nearest other print (the safe radius),
        ratio: and below this part of the next best distance.
        alike_near: The same for cards of one picture, compared where they differ.
        alike_ratio: Of 157 cards of a number deck it was 0.44 at most of 95 in 100; of
            numbers never shown at least 0.69.
        farthest_round: And however far all others are, below this: farther off is what
            was never shown. On twelve tables like those of
            `vision.measure.tabletop`, of other seeds, dice that had been shown came to
            0.32 at most and others to 0.37 and more;
        farthest_oblong: cards to 0.26 and 0.66.
    """

    near: float = 0.75
    ratio: float = 0.8
    alike_near: float = 0.6
    alike_ratio: float = 0.6
    farthest_round: float = 0.345
    farthest_oblong: float = 0.42
