"""Reads cards that people lay in areas of a real table, each shown by two corners once.

An area is compared with how it looked when it was last believed; only where it has
changed cards are sought. One that looks as before is the same card, wherever it was
pushed; what is new is read among the faces that the record or a legal move has there.
"""

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from companion.games.copy import Zone
from companion.kits.between import Point
from companion.kits.own_dice import PieceLooks
from companion.kits.spaces import Spaces, tapped_points
from companion.story.log import Story
from companion.table import (
    TRAY,
    LaidPiece,
    Layout,
    Reading,
    SurePiece,
    UnsurePiece,
)
from companion.watching.layouts import is_by_people
from companion.watching.tray_dice import SeenDice, Tray
from companion.watching.zone_area import Area
from companion.watching.zone_cards import (
    SURE,
    Others,
    areas_between,
    came_in,
    fitting_others,
    others_after,
    others_in,
    others_put_right,
    places_of,
    rules_of,
    sure_ones,
    zone_of,
)
from companion.watching.zone_lying import (
    AreaReading,
    below_by_record,
    place_of_doubt,
)
from vision.arrays import Floats, Picture
from vision.board.flat import DARK
from vision.board.obstacle import Obstacle
from vision.ground.clear_table import HAND_PART, ClearTable
from vision.ground.knock import Landmarks, find_knock, find_landmarks, move_points
from vision.tabletop.seen import TableReading

CONFIDENCE = 0.95
"""Of what is known to lie there without being read: it looks as when it was."""

MOST_STRANGE = 5
"""Where more cells of an area than these change and no card explains them, something
large lies there: a cell is as wide as a card, and a figure with its shadow covers four.
"""

HAND = 10
"""More than these are a hand, whether or not it is seen to reach in over the rim: two
tokens that are changed for one another have 6 on a traced table, hands 6 to 11."""

_POINTS = 9
"""Points along a side of an area at which a hand is looked for."""

MOST_CHANGED = 2
"""Where more areas than these change, it may be the camera that has moved: a move
changes two."""


class ZonesReader:
    """The reader of cards that lie in areas.

    What lies there when a game begins is taken to be what the record says, as far as it
    cannot be read. What lies beside the areas is taken to be so always.

    Args:
        spaces: Where the corners of the areas are, as parts of the picture.
        zones: The areas.
        looks: What reads cards and tokens.
        read_dice: Reads the dice of a picture.
        story: Gives the game that runs.
    """

    def __init__(
        self,
        spaces: Spaces,
        zones: tuple[Zone, ...],
        looks: PieceLooks,
        read_dice: Callable[[Picture], Reading],
        story: Callable[[], Story | None],
    ) -> None:
        points = tapped_points(spaces)
        self._zones = [
            (zone, np.array([points[corner] for corner in zone.corners], np.float32))
            for zone in zones
            if all(corner in points for corner in zone.corners)
        ]
        self._tray = Tray(spaces.tray)
        self._looks = looks
        self._read_dice = read_dice
        self._story = story
        self._game: object = None
        self._areas: list[Area] = []
        self._landmarks: Landmarks | None = None
        self._moved: Floats = np.eye(3, dtype=np.float32)
        self._others: Others = frozenset()
        self._comers: dict[LaidPiece, float] = {}
        self._stuck: set[Zone] = set()
        self._strange: set[Zone] = set()
        self._stuck_at = 0
        self._clear = ClearTable()
        self._lost_at: int | None = None

    def read(self, picture: Picture, *, untouched: bool = False) -> TableReading:
        """Return what lies in the areas, in any light, and in the tray of a picture.

        *untouched* tells that no hand can have been there since the last one.
        """
        reading = self._read_dice(picture)
        if reading.trouble is not None:
            return TableReading(trouble=reading.trouble)
        story = self._story()
        if story is None:
            return TableReading(*self._dice(reading, picture.shape))
        record = story.game.layout(story.state)
        obstacle = None
        if self._game == story.header:
            obstacle = self._look(story, record, picture, untouched=untouched)
        if self._game != story.header or (obstacle and self._was_entered_since(story)):
            self._game = story.header
            self._begin(picture, record)
            obstacle = self._look(story, record, picture, is_first=True)
        self._lost_at = self._lost_at or story.seq if obstacle else None
        found, unclear = self._report(story, record)
        # Only now is it known where a knock has put the tray.
        dice, doubts = self._dice(reading, picture.shape)
        return TableReading((*found, *dice), (*unclear, *doubts), obstacle=obstacle)

    def _was_entered_since(self, story: Story) -> bool:
        """Tell whether people have said what lies there since nobody could tell.

        As long as nothing was done, hands may still be laying things out.
        """
        lost_at = self._lost_at
        return not story.steps or any(
            lost_at is not None and entry.seq > lost_at and is_by_people(entry.body)
            for entry in story.entries
        )

    def _dice(self, reading: Reading, shape: tuple[int, ...]) -> SeenDice:
        back, size = np.linalg.inv(self._moved), np.array(shape[1::-1], np.float32)

        def as_tapped(at: Point) -> Point:
            x, y = (move_points(size * at, back)[0] / size).tolist()
            return x, y

        return self._tray.dice(reading, shape, as_tapped)

    def _begin(self, picture: Picture, record: Layout) -> None:
        """Lay out the areas anew: nothing is known of any."""
        zones = [zone for zone, _ in self._zones]
        self._others = others_in(record, zones)
        self._clear.forget()
        self._strange = self._stuck = set()
        if self._landmarks is None or not self._follow(picture):
            self._landmarks = find_landmarks(picture, fine=True)
        high, wide = picture.shape[:2]
        scale = np.array((wide, high), np.float32)
        self._areas = [
            Area(
                zone,
                move_points(_corners(ends * scale), self._moved),
                self._looks.decks,
            )
            for zone, ends in self._zones
        ]

    def _look(
        self,
        story: Story,
        record: Layout,
        picture: Picture,
        *,
        is_first: bool = False,
        untouched: bool = False,
    ) -> Obstacle | None:
        """Take in what has changed; say what stands in the way of telling, if any."""
        if np.percentile(picture[::8, ::8].max(-1), 99) < DARK:
            return Obstacle.DARK
        self._confirm(record)
        changed = [area for area in self._areas if area.has_changed(picture)]
        if not is_first and len(changed) > MOST_CHANGED and self._follow(picture):
            changed = [area for area in self._areas if area.has_changed(picture)]
        rules = {area.zone: rules_of(story, area.zone, record) for area in changed}
        figures = Counter(zone_of(one, rules) for one in self._others)
        seen = {
            area.zone: area.read(picture, rules[area.zone], figures[area.zone])
            for area in changed
        }
        if not is_first and self._is_hand(picture, changed, seen):
            return Obstacle.HAND
        # A hand over a whole pile may look like another lamp there.
        over = [at for area in self._areas for at in _points_over(area, picture.shape)]
        if not self._clear.has_hand(picture, over, HAND_PART):
            self._clear.keep(picture)
        explained = self._explain(story, record, picture, seen, untouched=untouched)
        for area in changed:
            reading = seen[area.zone]
            area.take(reading, rules[area.zone])
            if is_first or area.zone in explained:
                area.trust(rules[area.zone], all_of_it=is_first)
            area.settle(rules[area.zone])
            is_strange = reading.strange and area.zone not in explained
            if not (area.doubts or reading.is_open or is_strange):
                area.believe(picture)
            else:
                area.leave(picture)
        self._strange -= explained
        return None

    def _confirm(self, record: Layout) -> None:
        """Take note of where figures and tokens stand as the record has them."""
        zones = [zone for zone, _ in self._zones]
        open_still = areas_between(self._others, others_in(record, zones), zones)
        for area in self._areas:
            if area.zone not in open_still:
                area.confirm()

    def _is_hand(
        self, picture: Picture, changed: list[Area], seen: Mapping[Zone, AreaReading]
    ) -> bool:
        """Tell whether a hand lies over what has changed."""
        strange = max((one.strange for one in seen.values()), default=0)
        if strange > HAND or not self._clear.is_known:
            return strange > MOST_STRANGE
        at = [point for area in changed for point in area.changed_at(picture)]
        return self._clear.has_hand(picture, at, HAND_PART)

    def _explain(
        self,
        story: Story,
        record: Layout,
        picture: Picture,
        seen: Mapping[Zone, AreaReading],
        *,
        untouched: bool,
    ) -> set[Zone]:
        """Find which figure or token has come or gone; return where that was.

        One may look like a card, and a frame that it stood on too.
        """
        zones = [area.zone for area in self._areas]
        strange = {zone for zone, one in seen.items() if one.strange or one.doubts}
        lately = self._stuck if story.seq == self._stuck_at else self._strange
        stuck = {zone for zone in lately & strange if seen[zone].is_as_left}
        # Another lamp may leave a frame on a mat strange for good.
        self._stuck = strange if untouched else stuck
        self._strange, self._stuck_at = strange, story.seq
        self._comers = {}
        by_record = others_in(record, zones)
        before = others_put_right(self._others, by_record, strange, zones)
        # What people entered and what they did since may come into sight at once.
        explained = areas_between(self._others, before, zones)
        self._others = before
        after = list(others_after(story, before, zones))
        for changed in (strange - explained, strange - explained - self._stuck):
            fits = fitting_others(before, after, changed, zones) if changed else []
            if len(fits) == 1:
                self._others = fits[0]
                return explained | changed
            if fits:
                self._comers = self._weigh(picture, came_in(before, fits))
                fits = sure_ones(before, fits, self._comers)
            if len(fits) == 1:
                self._others, self._comers = fits[0], {}
                return explained | changed
        if explained:
            # Where one was taken away another may lie now: only its print says so.
            fits = fitting_others(before, after, explained, zones)
            read = self._weigh(picture, came_in(before, fits), unread=0.0)
            fits = sure_ones(before, fits, read)
            self._others = fits[0] if len(fits) == 1 else before
        return explained

    def _weigh(
        self, picture: Picture, came: list[LaidPiece], unread: float | None = None
    ) -> dict[LaidPiece, float]:
        """Return how sure each thing is that may have come, by the print of a token.

        *unread* is the chance of each whose print is not read: else all are as likely.
        """
        odds = {thing: 1 / len(came) if unread is None else unread for thing in came}
        for piece, model in self._looks.rounds.items():
            mine = [thing for thing in came if thing[0] == piece]
            areas = [
                area for area in self._areas if any(area.zone.has(t[2]) for t in mine)
            ]
            expected = {thing[1] for thing in mine if thing[1] is not None}
            seen = [
                one
                for area in areas
                for one in area.new_rounds(picture, model, expected)
            ]
            # What lay there before is none that a move may bring.
            new = [one for one in seen if one.faces[0][0] in expected]
            read = [one for one in new if one.sure] or new or seen
            if len(read) != 1:
                continue
            faces = dict(read[0].faces)
            odds |= {thing: max(faces.get(thing[1] or "", 0.0), 0.01) for thing in mine}
            if not read[0].sure:
                odds |= {thing: min(odds[thing], SURE) for thing in mine}
        return odds

    def _follow(self, picture: Picture) -> bool:
        """Follow a camera that was knocked; tell whether it was."""
        assert self._landmarks is not None
        now = find_landmarks(picture, fine=True)
        knock = find_knock(self._landmarks, now)
        if knock is None:
            return False
        self._landmarks = now
        self._clear.follow(knock, picture.shape[1])
        self._moved = np.asarray(knock @ self._moved, np.float32)
        for area in self._areas:
            area.move(knock)
        return True

    def _report(
        self, story: Story, record: Layout
    ) -> tuple[list[SurePiece], list[UnsurePiece]]:
        """Return what lies on the table and what is open, beside the dice."""
        found: list[SurePiece] = []
        unclear: list[UnsurePiece] = []
        watched: set[LaidPiece] = set()
        for area in self._areas:
            rules = rules_of(story, area.zone, record)
            watched.update(rules.record)
            here = below_by_record(rules, area.lying)
            lying = [one.thing for one in here if one.thing]
            box = area.box()
            found += [
                SurePiece(piece, face, place, CONFIDENCE, box)
                for piece, face, place in places_of(rules, lying)
            ]
            for doubt in area.doubts:
                place = place_of_doubt(rules, lying, doubt)
                unclear.append(UnsurePiece(place, doubt.choices, doubt.card.quad.box))
        zones = [area.zone for area in self._areas]
        watched |= others_in(record, zones)
        beside = [
            thing for thing in record if thing[2] != TRAY and thing not in watched
        ]
        found += [
            SurePiece(piece, face, place, CONFIDENCE, (0, 0, 1, 1))
            for piece, face, place in sorted([*beside, *self._others], key=repr)
        ]
        return found, [*unclear, *self._unsure_comers()]

    def _unsure_comers(self) -> list[UnsurePiece]:
        """Return what may have come where several things may, such as tokens."""
        unsure = []
        for area in self._areas:
            here = [thing for thing in self._comers if area.zone.has(thing[2])]
            if here:
                here.sort(key=lambda thing: -self._comers[thing])
                choices = tuple((*thing[:2], self._comers[thing]) for thing in here)
                unsure.append(UnsurePiece(here[0][2], choices, area.box()))
        return unsure


def _points_over(area: Area, shape: tuple[int, ...]) -> list[Point]:
    """Return points all over an area, as parts of a picture of a *shape*."""
    left, top, right, bottom = area.box()
    across, down = (np.linspace(0, 1, _POINTS) for _ in range(2))
    x, y = left + across * (right - left), top + down * (bottom - top)
    high, wide = shape[:2]
    return [(float(at) / wide, float(below) / high) for at in x for below in y]


def _corners(ends: Floats) -> Floats:
    """Return the corners of an area from two of them, around with the clock."""
    (left, top), (right, bottom) = ends.min(0), ends.max(0)
    around = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array(around, np.float32)
