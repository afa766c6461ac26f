"""Looks at the whole table each time it has come to rest, and hands over what is new.

Runs in a thread of its own. What lies there is compared with what the record says, so
that a change stays news until a move explains it.
"""

import math
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec.structs import replace

from companion.referee.difference import find_differences
from companion.running.snapshot import Snapshot
from companion.story.log import Story
from companion.table import (
    TRAY,
    LinePart,
    Reading,
    Removed,
    Sight,
    UnsureSight,
)
from companion.watching.at_rest import WAS_IT_THROWN, overlap
from companion.watching.last_throw import DiceInSight, TrayMemory, throws_awaited
from companion.watching.table_news import (
    as_thrown,
    in_game_words,
    is_answered,
    is_paid,
    may_be_put_back,
    still_waived,
    tells_of_dice,
    thrown_meanwhile,
)
from companion.watching.watcher import NO_HOOKS, Hooks, WatchedTable, Watcher
from vision.arrays import Picture
from vision.camera.best_look import MOST_LOOKS
from vision.camera.evidence import Framing, attach_pictures, grey_out_beyond
from vision.camera.port import Camera, Frame
from vision.camera.stillness import (
    Stillness,
    StillnessLimits,
    shrink_to_grey,
    start_watch,
    watch_picture,
)
from vision.tabletop.seen import TableReading, is_sure, surest

SAME_THING = 0.6
"""Overlap of two boxes above which an unclear thing is the one that somebody was asked
about: a box about the same blob keeps its middle within a few pixels."""


class ReadsTables(Protocol):
    """What reads a picture of a whole table."""

    def read(self, picture: Picture, *, untouched: bool = False) -> TableReading:
        """Return what lies there.

        *untouched* where nobody can have moved anything since the picture before: it
        looks different, but only a moment lies between.
        """


NEVER = -math.inf
"""When nothing was seen yet."""

HAND_S = 5.0
"""So long a hand may stay over the table, as hands do while people think. Then they are
warned that nothing is read: a thing left at the rim is taken for a hand too, and nobody
would know why the table has gone quiet. First guess."""

BLINK_S = 0.25
"""What stirs the whole picture for no longer is no hand but a lamp or a knock: to reach
for a piece and to draw back takes a hand as long each way. First guess."""

_RESTING = ("core.eye.hand", "core.eye.thing")
"""What may be in the way for HAND_S; a lamp or a knock is said at once."""


class TableWatcher(Watcher):
    """A thread that reads whole tables.

    Args:
        table: The running table, which takes the readings.
        name: What the camera is called on the page.
        camera: Where pictures come from; None where somebody else hands them over.
        reader: Reads them.
        rules: When the table lies still.
        now: Seconds that only ever grow, to measure the reading itself.
        framing: What of its pictures is table, and where its places are.
        hooks: What it serves beside the table.
        unsure_s: Seconds for which the table must lie still before anybody is asked
            what lies there: mostly it is a hand.

    `delays_s` has, for each reading that was handed over, the seconds from the first
    still picture to that moment, on the camera's clock, and those of reading on *now*.
    """

    def __init__(
        self,
        table: WatchedTable,
        name: str,
        camera: Camera | None,
        reader: ReadsTables,
        rules: StillnessLimits,
        now: Callable[[], float] = time.perf_counter,
        framing: Framing | None = None,
        hooks: Hooks = NO_HOOKS,
        unsure_s: float = 0.0,
    ) -> None:
        super().__init__(table, name, hooks)
        self._unsure_s = unsure_s
        self._framing = framing or Framing()
        self._camera = camera
        self._reader = reader
        self._rules = rules
        self._now = now
        self._watch = start_watch()
        self._looks: list[tuple[TableReading, Picture]] = []
        self._seen: TableReading | None = None
        self._picture: Picture | None = None
        self._handed = (-1, 0)
        self._still_since = 0.0
        self._spent_s = 0.0
        self._hand = False
        self._obstacle: str | None = None
        self._warning: str | None = None
        self._read_at = 0
        self._rested_at = NEVER
        self._touched_at: float | None = NEVER
        self._tray = TrayMemory()
        self._game: str | None = None
        self._told: tuple[int, object] | None = None
        self._waived: frozenset[Sight] = frozenset()
        self._waived_choices: tuple[UnsureSight, ...] = ()
        self.delays_s: list[float] = []

    def _run(self) -> None:
        while self._camera is not None and not self._stop.is_set():
            frame = self._camera.read()
            if frame is None:
                return
            if frame.picture is not None:
                self.see(frame)
            else:
                self.miss()

    def miss(self) -> None:
        """Take note that the camera shows nothing that can be read."""
        self._watch = start_watch()
        self._looks, self._seen, self._hand = [], None, False
        self._touched_at = self._rested_at = NEVER
        self._tray.lose_sight()

    def stop(self) -> None:
        """Stop looking; returns when the thread has ended."""
        if self._camera is not None:
            self._camera.close()
        super().stop()

    def see(self, frame: Frame) -> bool:
        """Take one frame into account; tell whether a reading was handed over."""
        assert frame.picture is not None
        self.latest = frame
        self._hooks.shown_to(frame)
        self._watch = watch_picture(
            self._watch, shrink_to_grey(frame.picture), frame.taken_at, self._rules
        )
        stir_s = self._note_stir(frame.taken_at)
        if self._watch.state is Stillness.MOVING:
            self._looks, self._seen, self._hand = [], None, False
            return False
        if self._watch.state is Stillness.SETTLED:
            self._still_since = self._watch.quiet_since or frame.taken_at
            self._spent_s = 0.0
            self.look(frame.picture, first=True, untouched=stir_s <= BLINK_S)
        elif self._looks and self._seen is None and len(self._looks) < MOST_LOOKS:
            self.look(frame.picture, first=False)
        elif (
            self._seen is not None and self._is_open() and self._read_at != self._seq()
        ):
            # What people have said meanwhile may tell what lies there.
            self.look(frame.picture, first=True)
        self._warn(frame.taken_at - self._still_since)
        return self.hand_over(self._table.snapshot, frame.taken_at)

    def _note_stir(self, taken_at: float) -> float:
        """Return for how long hands may have moved something since the last look.

        It begins with the last picture before anything stirred.
        """
        since = self._watch.quiet_since
        if since is None:
            if self._touched_at is None:
                self._touched_at = self._rested_at
            return math.inf
        self._rested_at = taken_at
        touched_at = self._touched_at
        if taken_at - since + 1e-9 >= self._rules.hold_s:
            # It is read now, or looks as it did when it was.
            self._touched_at = None
        return math.inf if touched_at is None else since - touched_at

    def _is_open(self) -> bool:
        """Tell whether the last look left open what people may have said since."""
        story = self._table.snapshot.story
        is_answered = story is None or story.asked is None
        doubts = () if self._seen is None else self._seen.doubts
        return bool(self._obstacle or (is_answered and doubts))

    def _seq(self) -> int:
        story = self._table.snapshot.story
        return 0 if story is None else story.seq

    def _warn(self, rests_s: float) -> None:
        """Say what is in the way: a hand only once it has rested there."""
        if self._seen is not None:
            self._obstacle = self._seen.obstacle
            self._warning = self._seen.warning
        line = "core.eye.hand" if self._hand else self._obstacle or self._warning
        waits = line in _RESTING and rests_s <= HAND_S
        self._say(None if line is None or waits else LinePart(line))

    def look(self, picture: Picture, *, first: bool, untouched: bool = False) -> None:
        """Read a picture, *first* of a stillness; the surest of those is what lies."""
        rim = self._framing.outline
        witness = self._hooks.witness
        if witness is not None and rim is not None:
            # What is kept is what was read, to the bit: the table alone.
            picture = grey_out_beyond(picture, rim)
            witness.note_picture(picture, first=first)
        if first:
            self._looks, self._seen, self._handed = [], None, (-1, 0)
        self._read_at = self._seq()
        began = self._now()
        with self._hooks.steady():
            seen = self._reader.read(picture, untouched=untouched)
        self._spent_s += self._now() - began
        self._looks = [*self._looks, (seen, picture)]
        self._hand = seen.hand
        if seen.hand:
            # Whoever rests a hand on the table has not finished.
            self._looks = []
        elif is_sure(seen) or len(self._looks) == MOST_LOOKS:
            self._seen = surest([one for one, _ in self._looks])
            # What is kept as evidence is the picture that is believed.
            self._picture = next(p for s, p in self._looks if s is self._seen)

    def hand_over(self, shown: Snapshot, taken_at: float) -> bool:
        """Report what is new to *shown*, once for each state and news.

        Returns whether there was anything to report.
        """
        story, seen = shown.story, self._seen
        if story is None or seen is None:
            return False
        waits = taken_at - self._still_since < self._unsure_s
        if waits and (seen.doubts or self._asks_of_a_throw(shown, story, seen)):
            # Whose hand rests there may go on.
            return False
        self._note_handing(shown, taken_at)
        reading = self._reading(shown, story, seen, taken_at)
        if self._told is not None and self._told[0] < story.seq and is_answered(story):
            # Somebody was asked and has said what is right: what the camera still sees
            # otherwise is its own mistake, as long as it sees just the same.
            self._waived = frozenset(glimpse.sight for glimpse in reading.glimpses)
            self._waived_choices = reading.choices
            self._told = (story.seq, None)
        seen_now = frozenset(glimpse.sight for glimpse in reading.glimpses)
        self._waived = still_waived(self._waived, seen_now)
        if seen.obstacle is None:
            self._insist_again(reading.choices)
        reading = self._without_waived(reading)
        sights = tuple(glimpse.sight for glimpse in reading.glimpses)
        key = (story.seq, (sights, reading.choices, reading.trouble))
        is_news = bool(reading.glimpses or reading.choices or reading.trouble)
        # That the table lies as it should is news to whoever was asked about it, where
        # hands have carried out what they owed, and at the first look.
        is_news = is_news or may_be_put_back(story) or is_paid(shown, story)
        is_news = is_news or shown.unseen
        if seen.obstacle is not None:
            # Of the board nothing is known that was not known before.
            is_news = tells_of_dice(reading)
        if self._told == key or not is_news:
            return False
        self._told = key
        self.delays_s.append(taken_at - self._still_since + self._spent_s)
        keep = self._hooks.keep
        if keep is not None and self._picture is not None:
            reading = attach_pictures(reading, self._picture, keep, self._framing)
        self._table.hear(reading, story.seq)
        return True

    def _insist_again(self, choices: tuple[UnsureSight, ...]) -> None:
        """Waive no more what was seen clearly meanwhile: unclear again, it is news.

        A card that is unclear is missed as well: once it is not, it is gone indeed.
        """
        left = tuple(one for one in self._waived_choices if _is_among(one, choices))
        clear = {one.place for one in self._waived_choices if one not in left}
        self._waived_choices = left
        self._waived = frozenset(
            sight
            for sight in self._waived
            if not (isinstance(sight, Removed) and sight.place in clear)
        )

    def _without_waived(self, reading: Reading) -> Reading:
        """Return a reading without what people have said to be right."""
        choices = tuple(
            choice
            for choice in reading.choices
            if not _is_among(choice, self._waived_choices)
        )
        glimpses = tuple(g for g in reading.glimpses if g.sight not in self._waived)
        return replace(reading, glimpses=glimpses, choices=choices)

    def _note_handing(self, shown: Snapshot, taken_at: float) -> None:
        """Note the first two times that one look is held against one snapshot.

        The second may find what the first has taken to be known; after it all is as
        before.
        """
        witness = self._hooks.witness
        if witness is None:
            return
        version, times = self._handed
        times = times + 1 if version == shown.version else 1
        self._handed = (shown.version, times)
        if times <= 2:
            witness.note_handed_over(shown.version, taken_at)

    def _asks_of_a_throw(
        self, shown: Snapshot, story: Story, seen: TableReading
    ) -> bool:
        """Tell whether people would be asked whether a die was thrown."""
        known = self._tray.has_looked and self._game == shown.game_id
        if seen.trouble is not None or shown.unseen or not known:
            return False
        dice = DiceInSight(*in_game_words(seen, story.header.meanings))
        return bool(self._tray.compare(dice, self._picture, story).open)

    def _reading(
        self, shown: Snapshot, story: Story, seen: TableReading, taken_at: float
    ) -> Reading:
        known = story.game.layout(story.state)
        if seen.trouble is not None:
            trouble = seen.trouble
            return Reading((), taken_at=taken_at, trouble=trouble, whole=True)
        lying, unclear = in_game_words(seen, story.header.meanings)
        dice = DiceInSight(lying, unclear)
        if not self._tray.has_looked or self._game != shown.game_id:
            # Nobody knows how long a die has lain there: it is no throw.
            self._tray, self._game = TrayMemory(), shown.game_id
            self._tray.remember(dice, self._picture, story)
        if shown.unseen:
            # As after a game was put away and begun again: who laid the dice elsewhere
            # meanwhile, nobody saw.
            self._tray.lose_sight()
        dice = self._tray.as_it_lay(dice)
        lying, unclear = dice.lying, dice.unclear
        found = self._tray.compare(dice, self._picture, story)
        self._tray.remember(dice, self._picture, story)
        thrown = found.thrown
        if shown.unseen:
            thrown |= thrown_meanwhile(story, lying, unclear)
        rethrown = throws_awaited(story, found.elsewhere)
        glimpses, choices = find_differences(known, lying, unclear, thrown, rethrown)
        # Dice are taken up to be thrown: an empty tray is no news.
        glimpses = tuple(
            glimpse
            for glimpse in glimpses
            if not (isinstance(glimpse.sight, Removed) and glimpse.sight.place == TRAY)
        )
        if found.open:
            # Asked at once: what else is new is reported as soon as that was asked.
            glimpses += tuple(as_thrown(lying, found.open))
            return Reading(
                glimpses, choices, taken_at=taken_at, trouble=WAS_IT_THROWN, whole=True
            )
        return Reading(
            glimpses, choices, taken_at=taken_at, source="camera", whole=True
        )


def _is_among(one: UnsureSight, others: Iterable[UnsureSight]) -> bool:
    """Tell whether an unclear thing is the same one as one of some others."""
    return one.box_px is not None and any(
        other.box_px is not None and overlap(one.box_px, other.box_px) > SAME_THING
        for other in others
    )
