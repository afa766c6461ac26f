"""A winding track: straight lanes joined by half circles, measured along its middle."""

from math import cos, pi, sin

from msgspec import Struct

PointXY = tuple[float, float]


class Trail(Struct, frozen=True, gc=False):
    """Lanes from the bottom up, the first one from left to right.

    All lengths are units of the drawing. *gap* lies between the middles of two lanes.
    """

    lanes: int
    left: float
    right: float
    bottom: float
    gap: float

    @property
    def length(self) -> float:
        """Return the length from the first end to the last."""
        turns = (self.lanes - 1) * pi * self.gap / 2
        return self.lanes * (self.right - self.left) + turns

    @property
    def top(self) -> float:
        """Return where the middle of the last lane lies."""
        return self.bottom - (self.lanes - 1) * self.gap

    def at(self, way: float) -> PointXY:
        """Return the point that lies *way* from the first end."""
        straight, radius = self.right - self.left, self.gap / 2
        lane, rest = divmod(way, straight + pi * radius)
        lane = min(int(lane), self.lanes - 1)
        rest = way - lane * (straight + pi * radius)
        to_right = lane % 2 == 0
        y = self.bottom - lane * self.gap
        if rest <= straight:
            return (self.left + rest if to_right else self.right - rest), y
        angle = (rest - straight) / radius
        out = sin(angle) * radius
        x = self.right + out if to_right else self.left - out
        return x, y - radius * (1 - cos(angle))

    def path(self) -> str:
        """Return the whole trail as path data."""
        radius = self.gap / 2
        parts = [f"M{self.left:g} {self.bottom:g}"]
        for lane in range(self.lanes):
            to_right = lane % 2 == 0
            parts.append(f"H{self.right if to_right else self.left:g}")
            if lane + 1 < self.lanes:
                sweep = 0 if to_right else 1
                parts.append(f"a{radius:g} {radius:g} 0 0 {sweep} 0 {-self.gap:g}")
        return "".join(parts)
