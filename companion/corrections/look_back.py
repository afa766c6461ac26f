"""Looks back at earlier moves with the buttons of the table, and picks another.

Without a phone, people hold *undo*: next goes to the move before, confirm opens the one
that was entered wrong; then next goes through what it may have been, the display says
what would change, and confirm amends it. Undo goes back a step, and out.
"""

from msgspec import Struct
from msgspec.structs import replace

from companion.corrections.adopt import TableIsRight
from companion.corrections.amend import alternatives_to, mendable
from companion.story.log import Step, Story


class LookBack(Struct, frozen=True):
    """Where the buttons stand among earlier moves.

    Attributes:
        step: The entry of the move that is looked at.
        alternatives: What that move may have been; empty until confirm opened it.
        at: At which of *alternatives* the buttons stand.
    """

    step: int
    alternatives: tuple[str, ...] = ()
    at: int = 0

    @property
    def chosen(self) -> str | None:
        """Return the move that confirm would put in its place, None before."""
        return self.alternatives[self.at] if self.alternatives else None


def step_in_view(story: Story, back: LookBack) -> tuple[int, Step]:
    """Return which of the mendable moves is in view, counted from 0, and that one."""
    steps = mendable(story)
    at = next(n for n, step in enumerate(steps) if step.seq == back.step)
    return at, steps[at]


def begin_look_back(story: Story) -> LookBack | None:
    """Return the buttons at the newest move, None where there is none to look at."""
    steps = mendable(story)
    return LookBack(steps[0].seq) if steps else None


def step_by_button(story: Story, back: LookBack, button: str) -> LookBack:
    """Return where *button* leads among moves, or among what one may have been."""
    by = -1 if button == "previous" else 1
    if back.alternatives:
        far = button == "next.long"
        at = next_group(back.alternatives, back.at) if far else back.at + by
        return replace(back, at=at % len(back.alternatives))
    steps = mendable(story)
    at, _ = step_in_view(story, back)
    return LookBack(steps[(at + by) % len(steps)].seq)


def open_step(story: Story, back: LookBack) -> LookBack:
    """Return the buttons at the first move that the one in view may have been."""
    _, step = step_in_view(story, back)
    return LookBack(back.step, alternatives_to(story, step))


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


def move_cursor(
    offers: tuple[str | TableIsRight, ...], cursor: int, button: str
) -> int:
    """Return the offer that a press, or a click of the knob, leads to."""
    if button == "next.long":
        return next_group(offers, cursor)
    # Backwards, with none pointed at yet, the last one comes first.
    by_one = cursor + 1 if button == "next" else max(cursor, 0) - 1
    return by_one % len(offers)
