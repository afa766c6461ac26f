"""Follows round pieces beside a board whose spaces were tapped: eggs, markers.

Nobody shows where they lie. Held against the table as it was last believed, so many
spots have changed; which moves change as many, the rules tell, and which of those it
was, the print of a piece that was shown or the colour that it is called by.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from companion.games.hidden import is_private
from companion.referee.changes import apply_changes, changes_between, plain_changes
from companion.story.log import Story
from companion.table import (
    TRAY,
    BoxPx,
    Changes,
    Face,
    Layout,
    Piece,
    Place,
    Placed,
    UnsurePiece,
)
from companion.watching.at_rest import overlap
from companion.watching.beside_moves import (
    SURE,
    can_be_told,
    chance_of,
    colour_word,
    count_spots,
    is_same,
    is_torn_apart,
    which_came,
)
from vision.arrays import Floats, Picture
from vision.board.colours import name_colour
from vision.ground.clear_table import shrink_to_compare
from vision.lesson import TableContent, find_shown_thing
from vision.taught_dice.bodies import look_at_bare_ground
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.round_bodies import find_rounds_about
from vision.taught_dice.rounds import TokenModel, read_round

ALIKE = 12.0
"""Distance in CIELAB up to which a spot shows what it showed. First guess."""

NAMED, HALF_NAMED, UNNAMED, OTHER = 1.0, 0.3, 0.1, 0.005
"""Weight of a move whose colours are all seen and no other, of one of which some are,
or all beside others, of one of which none is named, and of one of which some are beside
others. A marker that is turned over may show another hue. First guess."""


class BesideLayout(Struct, frozen=True):
    """What lies beside a board, and what nobody can tell there."""

    layout: Layout
    unsure: tuple[UnsurePiece, ...] = ()


class _Spots(NamedTuple):
    """Where round pieces came, went or changed, and whether anything else did."""

    spots: list[BoxPx]
    is_strange: bool

    @property
    def has_changed(self) -> bool:
        """Tell whether anything has changed at all."""
        return bool(self.spots) or self.is_strange

    @property
    def is_a_move(self) -> bool:
        """Tell whether round pieces have changed, and nothing else."""
        return bool(self.spots) and not self.is_strange


class BesideBoard:
    """Remembers how the table beside a board looked when it was last believed.

    Args:
        rounds: The round pieces that were shown, by their names.
        on_board: The places that are seen on the board.
    """

    def __init__(
        self, rounds: Mapping[Piece, TokenModel], on_board: frozenset[Place]
    ) -> None:
        self._rounds = rounds
        self._on_board = on_board
        self._before: Picture | None = None
        self._believed: Layout = frozenset()
        self._since = 0
        self._is_explained = True
        self._seen: tuple[Layout, Picture] | None = None

    def forget(self) -> None:
        """Take the next look as it is: another game, or the camera was moved."""
        self._before = self._seen = None

    def lose_sight(self) -> None:
        """Take note that something is in the way: hands may do anything meanwhile."""
        self._is_explained = False

    def look(
        self,
        picture: Picture,
        story: Story,
        is_beside: Callable[[BoxPx], bool],
        *,
        untouched: bool = False,
    ) -> BesideLayout:
        """Return what lies beside the board.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR.
            story: The game.
            is_beside: Tells whether a box lies neither on the board nor in the tray.
            untouched: Whether no hand can have been there since the last look: it looks
                otherwise because another lamp is lit.
        """
        record = self._beside(story.game.layout(story.state))
        before, steps = self._before, len(story.steps)
        if not self._rounds or before is None or before.shape != picture.shape:
            self._believe(picture, record, steps)
            return BesideLayout(record)
        if untouched and self._is_explained:
            relit = self._relight(picture, record, steps)
            if relit is not None:
                return relit
        before = self._before_move(before, record, steps)
        content = _what_came(picture, before)
        self._is_explained = False
        if content is TableContent.HAND:
            # What it does, the next picture shows.
            return BesideLayout(record)
        is_moved = content is TableContent.MOVED
        seen = None if is_moved else self._spots(picture, before, is_beside)
        self._is_explained = seen is not None and not seen.has_changed
        if seen is not None and seen.is_a_move and record == self._believed:
            found = self._weigh(picture, before, story, seen.spots)
            self._seen = None if found.unsure else (found.layout, picture)
            self._is_explained = not found.unsure
            return found
        if steps > self._since + 1 or self._is_as_recorded(seen, record):
            self._believe(picture, record, steps)
        return BesideLayout(record)

    def _before_move(self, before: Picture, record: Layout, steps: int) -> Picture:
        """Return the picture that the next move is held against."""
        if self._seen is not None and is_same(self._seen[0], record):
            # The move that was seen is recorded: so it looked then.
            before = self._seen[1]
            self._believe(before, record, steps)
        elif is_same(self._believed, record):
            # A marker that is turned over changes little: nobody waits to see it.
            self._believe(before, record, self._since)
        return before

    def _relight(
        self, picture: Picture, record: Layout, steps: int
    ) -> BesideLayout | None:
        """Take another lamp's picture for that of before, where all was known there.

        Lit unevenly, the table would look as if a hand lay on it for as long as it is:
        in a traced game eight acts went by without a look beside the board.
        """
        if self._seen is not None and is_same(self._seen[0], record):
            self._believe(picture, record, steps)
        elif not is_same(self._believed, record):
            return None
        elif self._seen is not None:
            # What was seen is not recorded yet.
            self._seen = self._seen[0], picture
            return BesideLayout(self._seen[0])
        else:
            self._believe(picture, record, self._since)
        return BesideLayout(record)

    def _is_as_recorded(self, seen: "_Spots | None", record: Layout) -> bool:
        """Tell whether hands have done what was recorded since, and nothing else."""
        if seen is None or seen.is_strange:
            return False
        owed = count_spots(changes_between(self._believed, record))
        return len(seen.spots) >= owed if owed else not seen.spots

    def _believe(self, picture: Picture, record: Layout, steps: int) -> None:
        self._before, self._believed, self._since = picture, record, steps
        self._seen, self._is_explained = None, True

    def _beside(self, layout: Iterable[tuple[Piece, str | None, Place]]) -> Layout:
        """Return what of a layout lies neither on the board nor in the tray."""
        return frozenset(thing for thing in layout if self._is_beside(thing[2]))

    def _is_beside(self, place: Place) -> bool:
        return place != TRAY and place not in self._on_board

    def _spots(
        self, picture: Picture, before: Picture, is_beside: Callable[[BoxPx], bool]
    ) -> "_Spots | None":
        """Return what has changed beside the board; None where nobody can tell."""
        size = float(np.median([model.size for model in self._rounds.values()]))
        side_px = size * max(picture.shape[:2])
        seen = look_at_bare_ground(picture, side_px, before)
        beside = [body.box for body in seen.bodies if is_beside(body.box)]
        if not seen.is_compared:
            return None
        spots = [find_rounds_about(picture, before, box, side_px) for box in beside]
        every = [spot for some in spots for spot in some]
        is_strange = not all(spots) or any(
            overlap(one, other) > 0 for one, other in combinations(every, 2)
        )
        return _Spots(every, is_strange)

    def _weigh(
        self,
        picture: Picture,
        before: Picture,
        story: Story,
        spots: list[BoxPx],
    ) -> BesideLayout:
        """Return what lies there after the move that changes so many spots."""
        record = self._believed
        fitting = (
            next((one for one in some if len(spots) in self._spots_of(one)), None)
            for some in self._changes_ahead(story)
        )
        fits = [one for one in dict.fromkeys(fitting) if one is not None]
        names = {colour_word(thing[0]) for thing in record}
        names |= {colour_word(one.piece) for fit in fits for one in fit}
        now, then = (
            [_colour(one, spot) for spot in spots] for one in (picture, before)
        )
        if min(np.linalg.norm(np.subtract(now, then), axis=1)) < ALIKE:
            # A piece was pushed a little.
            return BesideLayout(record)
        colours = [*now, *then] if len(spots) > 1 else now
        seen = {name_colour(colour, names) for colour in colours} - {None}
        at = {name_colour(colour, names): n for n, colour in enumerate(now)}
        reads = self._read_rounds(picture, spots, fits)
        weights = [self._weight(fit, reads, seen) for fit in fits]
        if max(weights, default=0.0) == NAMED:
            apart = [is_torn_apart(fit, at, spots) for fit in fits]
            weights = [
                OTHER if torn else weight
                for torn, weight in zip(apart, weights, strict=True)
            ]
        if max(weights, default=0.0) <= OTHER:
            return BesideLayout(record)
        odds = [weight / sum(weights) for weight in weights]
        best = int(np.argmax(odds))
        if odds[best] > SURE and weights[best] >= SURE:
            return BesideLayout(self._beside(apply_changes(record, fits[best])))
        order = np.argsort([-one for one in odds], kind="stable").tolist()
        return BesideLayout(
            record, (which_came([(fits[k], odds[k]) for k in order], spots[0]),)
        )

    def _changes_ahead(self, story: Story) -> Iterator[tuple[Changes, Changes]]:
        """Yield what each legal move changes beside the board, if anything.

        With all that follows, and without: with the last marker that is dealt the
        others are laid aside.
        """
        game, state = story.game, story.state
        for move in game.legal(state):
            if is_private(move):
                continue
            shown = plain_changes(game.evidence(state, move))
            proof = frozenset(one for one in shown if self._is_beside(one.place))
            if not can_be_told(proof, self._rounds):
                continue
            after, _ = game.apply(state, move)
            lying = self._beside(game.layout(after))
            yield changes_between(self._believed, lying), proof

    def _spots_of(self, changes: Changes) -> tuple[int, ...]:
        """Return at how many spots changes may be seen.

        An egg that is drawn leaves one more where it lay face down: the supply has no
        place in the record, but it lies beside the board.
        """
        count = count_spots(changes)
        came = (one for one in changes if isinstance(one, Placed))
        is_drawn = any(change.piece in self._rounds for change in came)
        return (count, count + 1) if is_drawn else (count,)

    def _read_rounds(
        self, picture: Picture, spots: list[BoxPx], fits: list[Changes]
    ) -> dict[Piece, DetectedTaughtDie]:
        """Return what each spot that shows a print shows, of those that may come."""
        faces: dict[Piece, set[Face]] = {}
        for change in (one for fit in fits for one in fit):
            if isinstance(change, Placed) and change.piece in self._rounds:
                faces.setdefault(change.piece, set()).add(change.face or "")
        return {
            piece: max(
                (read_round(picture, at, self._rounds[piece], some) for at in spots),
                key=lambda one: (one.sure, one.faces[0][1]),
            )
            for piece, some in faces.items()
        }

    def _weight(
        self,
        changes: Changes,
        reads: Mapping[Piece, DetectedTaughtDie],
        seen: set[str | None],
    ) -> float:
        """Return how well changes go with what is seen at some spots, 0 to 1.

        *seen* are the colours there, now and, where things changed places, before.
        """
        came = [change for change in changes if isinstance(change, Placed)]
        printed = [change for change in came if change.piece in reads]
        if printed:
            return min(chance_of(reads[change.piece], change) for change in printed)
        wanted = {colour_word(change.piece) for change in came}
        if seen == wanted:
            return NAMED
        if seen - wanted and not wanted < seen:
            return OTHER
        return HALF_NAMED if seen else UNNAMED


def _what_came(picture: Picture, before: Picture) -> TableContent:
    """Return what came onto the table: a hand perhaps, or the camera was moved."""
    small = [shrink_to_compare(one) for one in (before, picture)]
    return find_shown_thing(small[0], small[1]).content


def _colour(picture: Picture, box: BoxPx) -> Floats:
    """Return the colour of a round piece, ``(3,)`` in CIELAB: that of its ink."""
    left, top, right, bottom = box
    cut = np.asarray(picture[top:bottom, left:right], np.float32) / 255
    lab = cv2.cvtColor(cut, cv2.COLOR_BGR2LAB)
    y, x = np.mgrid[-1 : 1 : lab.shape[0] * 1j, -1 : 1 : lab.shape[1] * 1j]
    inner = lab[np.hypot(x, y) < 0.85]
    chroma = np.hypot(inner[:, 1], inner[:, 2])
    return np.asarray(np.median(inner[chroma >= np.median(chroma)], axis=0), np.float32)
