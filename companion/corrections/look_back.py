"""Looks back at earlier moves with the buttons of the table, and picks another.

Whoever has no phone holds *undo*: next goes to the move before, confirm takes the one
that was told wrong; then next goes through what it may have been, the display says
what would change, and confirm makes it so. Undo goes back a step, and out.
"""

from msgspec import Struct
from msgspec.structs import replace

from companion.corrections.adopt import TableIsRight
from companion.corrections.amend import mendable, others
from companion.story.log import Step, Story


class Hindsight(Struct, frozen=True):
    """Where the buttons stand among earlier moves.

    Attributes:
        step: The entry of the move that is looked at.
        instead: What that move may have been; empty until it was taken by confirm.
        at: At which of *instead* the buttons stand.
    """

    step: int
    instead: tuple[str, ...] = ()
    at: int = 0

    @property
    def chosen(self) -> str | None:
        """Return the move that confirm would put in its place, None before."""
        return self.instead[self.at] if self.instead else None


def looked_at(story: Story, back: Hindsight) -> tuple[int, Step]:
    """Return which of the mendable moves is looked at, counted from 0, and that one."""
    steps = mendable(story)
    at = next(n for n, step in enumerate(steps) if step.seq == back.step)
    return at, steps[at]


def begin_back(story: Story) -> Hindsight | None:
    """Return the buttons at the newest move, None where there is none to look at."""
    steps = mendable(story)
    return Hindsight(steps[0].seq) if steps else None


def turned(story: Story, back: Hindsight, button: str) -> Hindsight:
    """Return where *button* leads among moves, or among what one may have been."""
    by = -1 if button == "previous" else 1
    if back.instead:
        far = button == "next.long"
        at = next_group(back.instead, back.at) if far else back.at + by
        return replace(back, at=at % len(back.instead))
    steps = mendable(story)
    at, _ = looked_at(story, back)
    return Hindsight(steps[(at + by) % len(steps)].seq)


def taken(story: Story, back: Hindsight) -> Hindsight:
    """Return the buttons at the first that the move looked at may have been."""
    _, step = looked_at(story, back)
    return Hindsight(back.step, others(story, step))


def next_group(offers: tuple[str | TableIsRight, ...], cursor: int) -> int:
    """Return where the offers next differ in more than their last word.

    Six throws with one colour are passed over at once: "throw red +1", "throw red +2".
    """
    groups = [
        offer.rpartition(" ")[0] if isinstance(offer, str) else offer
        for offer in offers
    ]
    here = groups[cursor] if cursor >= 0 else None
    later = range(cursor + 1, len(groups))
    return next((n for n in later if groups[n] != here), 0)


def pointed(offers: tuple[str | TableIsRight, ...], cursor: int, button: str) -> int:
    """Return the offer that a press, or a click of the knob, leads to."""
    if button == "next.long":
        return next_group(offers, cursor)
    # Backwards, with none pointed at yet, the last one comes first.
    by_one = cursor + 1 if button == "next" else max(cursor, 0) - 1
    return by_one % len(offers)
