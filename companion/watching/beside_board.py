"""Follows round pieces beside a board whose spaces were tapped: eggs, markers.

Nobody shows where they lie. Held against the table as it was last believed, so many
spots have changed; which moves change as many, the rules tell, and which of those it
was, the print of a piece that was shown or the colour that it is called by.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
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
    Change,
    Changes,
    Layout,
    Piece,
    Place,
    Placed,
    UnsurePiece,
)
from companion.watching.at_rest import overlap
from vision.arrays import Floats, Picture
from vision.board.colours import NAMES, name_colour
from vision.ground.clear_table import shrink_to_compare
from vision.lesson import TableContent, find_shown_thing
from vision.taught_dice.bodies import look_at_bare_ground
from vision.taught_dice.rounds import RoundModel, find_rounds_about, read_round

SURE = 0.9
"""A move is taken that is more certain than this."""

ALIKE = 12.0
"""Distance in CIELAB up to which a spot shows what it showed. First guess."""

NAMED, HALF_NAMED, UNNAMED, OTHER = 1.0, 0.3, 0.1, 0.005
"""Weight of a move whose colours are all seen, of one of which some are, of one of
which none is named, and of one beside whose colours another is seen. First guess."""


class BesideLayout(Struct, frozen=True):
    """What lies beside a board, and what nobody can tell there."""

    layout: Layout
    unsure: tuple[UnsurePiece, ...] = ()


class _Spots(NamedTuple):
    """Where round pieces came, went or changed, and whether anything else did."""

    spots: list[BoxPx]
    is_strange: bool

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
        self, rounds: Mapping[Piece, RoundModel], on_board: frozenset[Place]
    ) -> None:
        self._rounds = rounds
        self._on_board = on_board
        self._before: Picture | None = None
        self._believed: Layout = frozenset()
        self._since = 0
        self._seen: tuple[Layout, Picture] | None = None

    def forget(self) -> None:
        """Take the next look as it is: another game, or the camera was moved."""
        self._before = self._seen = None

    def look(
        self, picture: Picture, story: Story, is_beside: Callable[[BoxPx], bool]
    ) -> BesideLayout:
        """Return what lies beside the board.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR.
            story: The game.
            is_beside: Tells whether a box lies neither on the board nor in the tray.
        """
        record = self._beside(story.game.table(story.state))
        before, steps = self._before, len(story.steps)
        if not self._rounds or before is None or before.shape != picture.shape:
            self._believe(picture, record, steps)
            return BesideLayout(record)
        if self._seen is not None and _is_same(self._seen[0], record):
            # The move that was seen is recorded: so it looked then.
            before = self._seen[1]
            self._believe(before, record, steps)
        elif _is_same(self._believed, record):
            # A marker that is turned over changes little: nobody waits to see it.
            self._believe(before, record, self._since)
        content = _what_came(picture, before)
        if content is TableContent.HAND:
            # What it does, the next picture shows.
            return BesideLayout(record)
        is_moved = content is TableContent.MOVED
        seen = None if is_moved else self._spots(picture, before, is_beside)
        if seen is not None and seen.is_a_move and record == self._believed:
            found = self._weigh(picture, before, story, seen.spots)
            self._seen = None if found.unsure else (found.layout, picture)
            return found
        if steps > self._since + 1 or self._is_as_recorded(seen, record):
            self._believe(picture, record, steps)
        return BesideLayout(record)

    def _is_as_recorded(self, seen: "_Spots | None", record: Layout) -> bool:
        """Tell whether hands have done what was recorded since, and nothing else."""
        if seen is None or seen.is_strange:
            return False
        owed = _count_spots(changes_between(self._believed, record))
        return len(seen.spots) >= owed if owed else not seen.spots

    def _believe(self, picture: Picture, record: Layout, steps: int) -> None:
        self._before, self._believed, self._since = picture, record, steps
        self._seen = None

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
        names = {_colour_word(thing[0]) for thing in record}
        names |= {_colour_word(one.piece) for fit in fits for one in fit}
        now, then = (
            [_colour(one, spot) for spot in spots] for one in (picture, before)
        )
        if min(np.linalg.norm(np.subtract(now, then), axis=1)) < ALIKE:
            # A piece was pushed a little.
            return BesideLayout(record)
        colours = [*now, *then] if len(spots) > 1 else now
        seen = {name_colour(colour, names) for colour in colours} - {None}
        weights = [self._weight(fit, picture, spots, seen) for fit in fits]
        if max(weights, default=0.0) <= OTHER:
            return BesideLayout(record)
        odds = [weight / sum(weights) for weight in weights]
        best = int(np.argmax(odds))
        if odds[best] > SURE and weights[best] >= SURE:
            return BesideLayout(self._beside(apply_changes(record, fits[best])))
        order = np.argsort([-one for one in odds], kind="stable").tolist()
        return BesideLayout(
            record, (_question([(fits[k], odds[k]) for k in order], spots[0]),)
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
            lying = self._beside(game.table(after))
            yield changes_between(self._believed, lying), proof

    def _spots_of(self, changes: Changes) -> tuple[int, ...]:
        """Return at how many spots changes may be seen.

        An egg that is drawn leaves one more where it lay face down: the supply has no
        place in the record, but it lies beside the board.
        """
        count = _count_spots(changes)
        came = (one for one in changes if isinstance(one, Placed))
        is_drawn = any(change.piece in self._rounds for change in came)
        return (count, count + 1) if is_drawn else (count,)

    def _weight(
        self,
        changes: Changes,
        picture: Picture,
        spots: list[BoxPx],
        seen: set[str | None],
    ) -> float:
        """Return how well changes go with what is seen at some spots, 0 to 1.

        *seen* are the colours there, now and, where things changed places, before.
        """
        came = [change for change in changes if isinstance(change, Placed)]
        if any(change.piece in self._rounds for change in came):
            return min(
                self._chance(picture, spots, change)
                for change in came
                if change.piece in self._rounds
            )
        wanted = {_colour_word(change.piece) for change in came}
        if seen == wanted:
            return NAMED
        if seen - wanted:
            return OTHER
        return HALF_NAMED if seen else UNNAMED

    def _chance(self, picture: Picture, spots: list[BoxPx], change: Placed) -> float:
        """Return how surely the spot that shows a print shows that of what came."""
        model = self._rounds[change.piece]
        reads = [read_round(picture, spot, model) for spot in spots]
        read = max(reads, key=lambda one: (one.sure, one.faces[0][1]))
        chance = dict(read.faces).get(change.face or "", 0.0)
        return chance if read.sure else min(chance, SURE / 2)


def can_be_told(changes: Iterable[Change], rounds: Collection[Piece]) -> bool:
    """Tell whether what comes can be told: by its print, or the colour of its name.

    *rounds* are the pieces whose prints were shown. What only goes cannot.
    """
    came = [one.piece for one in changes if isinstance(one, Placed)]
    known = (piece in rounds or _colour_word(piece) in NAMES for piece in came)
    return bool(came) and all(known)


def _colour_word(piece: Piece) -> str:
    """Return the colour that a piece is called by: ``marker/blue``."""
    return piece.rpartition("/")[2]


def _is_same(seen: Layout, record: Layout) -> bool:
    """Tell whether things lie in the same places, whichever side of them is up."""
    places = [{(piece, place) for piece, _, place in one} for one in (seen, record)]
    return places[0] == places[1]


def _what_came(picture: Picture, before: Picture) -> TableContent:
    """Return what came onto the table: a hand perhaps, or the camera was moved."""
    small = [shrink_to_compare(one) for one in (before, picture)]
    return find_shown_thing(small[0], small[1]).content


def _count_spots(changes: Changes) -> int:
    """Return at how many spots something changes: what goes leaves room for another."""
    came = Counter(one.place for one in changes if isinstance(one, Placed))
    went = Counter(one.place for one in changes if not isinstance(one, Placed))
    return (came | went).total()


def _question(fits: list[tuple[Changes, float]], spot: BoxPx) -> UnsurePiece:
    """Return the question which piece came, where the moves that fit differ most.

    The markers that are laid aside with the last one that is dealt lie in one pool.
    """
    came = [
        sorted((one for one in changes if isinstance(one, Placed)), key=repr)
        for changes, _ in fits
    ]
    places = [one.place for one in came[0]]
    place = max(places, key=lambda place: _told_apart(place, came))
    heres = [
        next((one for one in some if one.place == place), some[0]) for some in came
    ]
    choices = tuple(
        (here.piece, here.face, odds)
        for here, (_, odds) in zip(heres, fits, strict=True)
    )
    return UnsurePiece(place, choices, spot)


def _told_apart(place: Place, came: list[list[Placed]]) -> int:
    """Return by how many pieces that may come to a place moves are told apart.

    Where several come at once, none is: nobody asks for one of them.
    """
    here = [[one.piece for one in some if one.place == place] for some in came]
    return len({some[0] for some in here if len(some) == 1})


def _colour(picture: Picture, box: BoxPx) -> Floats:
    """Return the colour of a round piece, ``(3,)`` in CIELAB: that of its ink."""
    left, top, right, bottom = box
    cut = np.asarray(picture[top:bottom, left:right], np.float32) / 255
    lab = cv2.cvtColor(cut, cv2.COLOR_BGR2LAB)
    y, x = np.mgrid[-1 : 1 : lab.shape[0] * 1j, -1 : 1 : lab.shape[1] * 1j]
    inner = lab[np.hypot(x, y) < 0.85]
    chroma = np.hypot(inner[:, 1], inner[:, 2])
    return np.asarray(np.median(inner[chroma >= np.median(chroma)], axis=0), np.float32)
