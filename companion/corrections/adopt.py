"""Takes over what lies on the table where the record is wrong: the table is right.

Nothing is taken over unseen: what would change, and for whom, is there to be shown
first. Nothing is guessed either: what the camera could not tell is not adopted.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from msgspec import Struct

from companion.games.core import (
    Game,
    Score,
)
from companion.games.hidden import (
    is_private,
    redact,
)
from companion.referee.changes import changes_between, not_yet_moved, plain_changes
from companion.story.log import Edited, Story
from companion.table import (
    BACK,
    TRAY,
    Changes,
    Flipped,
    LaidPiece,
    Layout,
    LinePart,
    Moved,
    Piece,
    Place,
    Placed,
    Pressed,
    Removed,
    Seat,
    Shown,
    Sight,
    Turned,
)

"""What lies somewhere, as a layout tells it."""

OPEN: LaidPiece = ("", None, "")
"""Stands for one of several things, nobody knows which."""


class TableIsRight(Enum):
    """The ways on from a question that no move answers, beside putting it back."""

    THIS_TIME = "table"
    HOUSE_RULE = "house"
    """What lies there may stay so, though a rule forbids it."""


HOUSE = "house"
"""The note of a house rule; the ruling that was broken follows after a colon."""

RIGHT = "table"
"""The note that the table is right."""


class Adoption(Struct, frozen=True):
    """The record as it would be if the table is right; not made yet.

    Attributes:
        state: The position that lies there.
        lying: What lies there beside what hands have yet to carry out.
        changes: What would change in the record.
        scores: For each seat the score as it is and as it would be, as far as anybody
            may know it.
        ruling: The ruling that what was done breaks, None if it is like no move.
    """

    state: Any
    lying: Layout
    changes: Changes
    scores: tuple[tuple[Score, Score], ...]
    ruling: str | None = None

    def as_entry_body(self, seat: Seat | None, key: str, *, house: bool) -> Edited[Any]:
        """Return the entry that makes it, for good or as a *house* rule."""
        broken = f"{HOUSE}:{self.ruling}" if self.ruling else HOUSE
        return Edited(self.state, broken if house else RIGHT, seat, key)


def adoption(story: Story, lying: Layout | None) -> Adoption | None:
    """Return what follows if the table is right about the question that stands.

    None where no question about the whole table stands, or where the record cannot be
    set so. *lying* is what was last known to lie there: what hands have yet to carry
    out of a move that was entered before it was made is no part of the question.
    """
    asked, game, state = story.asked, story.game, story.state
    if asked is None or not asked.reading.whole or asked.reading.choices:
        return None
    record = game.layout(state)
    late = not_yet_moved(record, lying)
    sights = [
        g.sight for g in asked.reading.glimpses if plain_changes((g.sight,)) - late
    ]
    # What all may know decides, so that no offer betrays a hidden card; what lies open
    # is right even where the record remembers another card there.
    known = redact(state, None)
    there = layout_after(record, sights)
    if there is None or as_it_lies(game, known, sights) is None:
        return None
    after = game.adopt(state, there)
    if after is None:
        return None
    now = game.scores(known)
    then = game.scores(redact(after, None))
    table = layout_after(record if lying is None else lying, sights)
    return Adoption(
        state=after,
        lying=game.layout(after) if table is None else table,
        changes=changes_between(_bare(record), _bare(game.layout(after))),
        scores=tuple(zip(now, then, strict=True)),
        ruling=None if asked.verdict is None else asked.verdict.ruling,
    )


def note_meaning(note: str) -> tuple[LinePart | None, str]:
    """Return what a note of an edit tells, and the ruling that was broken, "" for none.

    None where it is in somebody's own words.
    """
    why, _, ruling = note.partition(":")
    if why not in (RIGHT, HOUSE):
        return None, ""
    return LinePart(f"core.adopt.told.{why}"), ruling


def adopt_bar(story: Story, seat: Seat | None) -> LinePart | None:
    """Return why *seat* may not say that the table is right, None where it may.

    The host and the table's own buttons may (no *seat*), and whoever is in turn.
    """
    if story.asked is None or not story.asked.reading.whole:
        return LinePart("core.adopt.no_question")
    prompts = story.game.expects(redact(story.state, None))
    acting = [p.who for p in prompts if not p.reminder and p.only_for is None]
    others = [who for who in acting if who is not None]
    if seat is None or seat in acting or len(others) < max(1, len(acting)):
        return None
    return LinePart("core.adopt.not_yours", (("seat", others[0]),))


def as_it_lies(
    game: Game[Any, Any, Any], state: Any, sights: Iterable[Sight]
) -> Any | None:
    """Return *state* with what was seen taken over; None where that cannot be.

    A sound position that looks just like the table, and goes on: who wants a game to
    end makes its last move.
    """
    record = game.layout(state)
    there = layout_after(record, sights)
    if there is None or _bare(there) == _bare(record):
        return None
    after = game.adopt(state, there)
    if after is None or _bare(game.layout(after)) != _bare(there) or game.check(after):
        return None
    return after if _goes_on(game, state, after) else None


def _goes_on(game: Game[Any, Any, Any], state: Any, after: Any) -> bool:
    """Tell whether *after* leads on, for all to see where *state* did.

    A private note leads nowhere; but who draws from a hand tells the card in private.
    """
    private = {is_private(move) for move in game.legal(after)}
    if private == {True}:
        return all(is_private(move) for move in game.legal(state))
    return bool(private)


def layout_after(layout: Layout, sights: Iterable[Sight]) -> Layout | None:
    """Return *layout* after *sights*, None where they leave open what lies there.

    Dice are left out: a throw is a move or nothing.
    """
    seen = [sight for sight in sights if getattr(sight, "place", None) != TRAY]
    if any(isinstance(sight, Turned | Pressed) for sight in seen):
        return None  # a turn on the spot is not in a layout
    # A reader that knows which card is gone tells it beside the one that shows instead.
    removed = {(s.piece, s.place) for s in seen if isinstance(s, Removed)}
    gone = [
        None
        if isinstance(sight, Flipped) and (sight.piece, sight.place) in removed
        else _gone(layout, sight)
        for sight in seen
    ]
    came = [_came(sight, old) for sight, old in zip(seen, gone, strict=True)]
    if OPEN in gone:
        return None
    lying = layout - set(gone)
    for thing in came:
        if thing is not None:
            piece, face, place = thing
            # A card that lay face down, or that nobody knew, was turned over.
            lying -= {
                (piece, old, place) for old in (None, BACK) if {old, face} != {BACK}
            }
            lying |= {thing}
    return lying


def _gone(layout: Layout, sight: Sight) -> LaidPiece | None:
    """Return what lies there no more, `OPEN` where a sight may tell of several."""
    match sight:
        case Removed(piece, place, face):
            there = _there(layout, piece, place)
            there = [
                thing for thing in there if None in (face, thing[1]) or thing[1] == face
            ]
        case Moved(piece, here):
            there = _there(layout, piece, here)
        case Flipped(piece, _, place):
            there = _there(layout, piece, place)
        case _:
            return None
    return there[0] if len(there) == 1 else OPEN


def _there(layout: Layout, piece: Piece, place: Place) -> list[LaidPiece]:
    return [thing for thing in layout if (thing[0], thing[2]) == (piece, place)]


def _came(sight: Sight, gone: LaidPiece | None) -> LaidPiece | None:
    """Return what has come; what has moved shows what it showed."""
    match sight:
        case Moved(piece, _, there):
            return piece, gone[1] if gone else None, there
        case Placed(piece, face, place) | Shown(piece, face, place):
            return piece, face, place
        case Flipped(piece, face, place):
            return piece, face, place
        case _:
            return None


def _bare(layout: Layout) -> Layout:
    return frozenset(thing for thing in layout if thing[2] != TRAY)
