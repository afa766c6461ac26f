"""Teaches the table a filmed copy and plays its game before it; counts what was told.

All goes the product's own way: lesson and taps through the pages, pictures through a
folder that is a live camera, the watcher that `dragon-table play` uses. Time passes by
pictures. What the table does not know after an act is entered as people would, so that
each act is judged by itself.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
from msgspec import Struct

from companion.cli.watchers import live_watcher
from companion.games import find
from companion.games.copy import Item
from companion.kits.between import Point, next_place, propose_places
from companion.kits.curriculum import CheckStep, RollStep
from companion.kits.kit import load
from companion.kits.own_dice import LearnedKits
from companion.kits.spaces import (
    half_pairs,
    printed_spaces,
    tap_rows,
    tapped_points,
)
from companion.running.service import Table
from companion.running.snapshot import Setup
from companion.story.log import Asked, Story
from companion.table import Claim
from tests.running.table_setup import running
from tests.teaching.hands import Phone, new_teacher
from tests.vision.camera.faulty import Clock
from tests.watching.dice.film import Told
from vision.arrays import Picture
from vision.board.corners import to_picture
from vision.camera.files import open_picture
from vision.camera.folder import LEAST_FPS, LiveFolder
from vision.camera.port import Frame

KIT = "copy"

SHOWN_S = 0.7
"""A picture stays so long: ten frames, of which the eye needs four or five."""

STILL_S = 1.4
"""So long nobody touches the table after an act, at least."""

REST_S = 6.0
"""A hand that rests over the table stays so long; it is warned of after five."""

STIR_S = 0.4
"""So long it takes a hand at least to come, or to be gone with what it does: the camera
sees both pictures by turns meanwhile. A lamp is lit from one picture to the next."""

ACTING = ("hand", "still")
"""Pictures of an act; all others are of what happens meanwhile."""

MOST_ROLLS = 6
"""Test rolls that a host makes before a die is given up."""

SITS_MM = 8.0
"""People take a ring that is no farther from where they would tap: taps themselves are
3 mm off, and cells 20 mm wide at least."""

RESULTS = ("right", "asked", "missed", "wrong")


class Judged(Struct, frozen=True):
    """What became of one act that leaves a trace: one of RESULTS."""

    act: int
    kind: str
    move: str
    result: str
    believed: tuple[str, ...] = ()


class Evening(Struct, frozen=True):
    """What became of a game.

    *told* are acts that leave no trace, *false* moves that were believed without an
    act and *questions* what was asked without one, *taught* the dice that passed their
    test, *taps* those for places.
    """

    game: str
    light: str
    judged: tuple[Judged, ...]
    told: int
    false: tuple[str, ...]
    questions: int
    taught: tuple[str, ...]
    shots: int
    taps: int

    def counts(self, kind: str | None = None) -> Counter[str]:
        """Return how many acts became what, of one kind or all."""
        return Counter(one.result for one in self.judged if kind in (None, one.kind))


class Eye:
    """Shows pictures of a folder to somebody, fifteen times a second."""

    def __init__(self, folder: Path, see: Any) -> None:
        self.clock = Clock()
        self._number = 0
        self._folder, self._see = folder, see

    def show(self, name: str, times: int) -> None:
        picture = open_picture(self._folder / name).picture
        for _ in range(times):
            self.clock.pass_by(1 / 15)
            self._number += 1
            self._see(Frame(picture, self.clock(), None, name))


class Host:
    """Teaches a filmed copy through the pages, as its owner would.

    Taps miss their points by *off_mm*, each in a direction of its own.
    """

    def __init__(
        self, film: Path, truth: dict[str, Any], data: Path, off_mm: float
    ) -> None:
        self.teacher = new_teacher(data)
        self._phone = Phone(self.teacher)
        self._phone.tap("begin", game=truth["game"], name=KIT)
        self._eye = Eye(film / "lesson", self.teacher.see)
        self._truth, self._off_mm = truth, off_mm
        self._chance = np.random.default_rng(truth["seed"])
        self._shots: dict[tuple[str, str], list[str]] = {}
        for note in truth["lesson"]:
            if note["what"] == "shown":
                key = note["piece"], note["face"]
                self._shots.setdefault(key, []).append(note["name"])
        self._used: Counter[tuple[str, str]] = Counter()
        self._rolls: Counter[str] = Counter()
        self.taps = 0

    def _off(self, at: list[float]) -> dict[str, str]:
        """Return a tap near a point, as parts of the picture."""
        angle = self._chance.uniform(0, 2 * np.pi)
        wide, high = self._truth["taps"]["mm"]
        self.taps += 1
        x = at[0] + self._off_mm * float(np.cos(angle)) * wide
        y = at[1] + self._off_mm * float(np.sin(angle)) * high
        return {"x": str(x), "y": str(y)}

    def teach(self) -> None:
        """Show the bare table and the tray, go through the lesson, tap the spaces."""
        self._bare(5)
        self._phone.tap("look")
        for corner in self._truth["taps"]["tray"] or ():
            self._phone.tap("tap", **self._off(corner))
        while (step := self.teacher.lesson.step) is not None:
            if isinstance(step, Item):
                done = self._lay(step.piece, step.face)
            else:
                done = self._test(step)
            if not done:
                self._phone.tap("next")
        self._tap_spaces()

    def _bare(self, times: int) -> None:
        self._eye.show(self._truth["lesson"][0]["name"], times)

    def _lay(self, piece: str, face: str) -> bool:
        """Lay one thing down that was not shown yet; tell whether there was one."""
        shots, used = self._shots.get((piece, face), []), self._used[piece, face]
        self._bare(4)
        if used >= len(shots):
            return False
        self._used[piece, face] += 1
        self._eye.show(shots[used], 6)
        return True

    def _test(self, step: RollStep | CheckStep) -> bool:
        """Roll a die, or let a deck be looked over; tell whether that may go on."""
        if isinstance(step, CheckStep):
            self._bare(3)
            return self.teacher.lesson.step != step
        shots = [(*key, one) for key, some in self._shots.items() for one in some]
        shots = [one for one in shots if one[0] == step.piece]
        if not shots or self._rolls[step.piece] == MOST_ROLLS:
            return False
        self._rolls[step.piece] += 1
        _, face, name = shots[int(self._chance.integers(len(shots)))]
        self._bare(4)
        self._eye.show(name, 6)
        self._phone.tap("tell", face=face)
        return True

    def _tap_spaces(self) -> None:
        """Tap as the page asks and where a ring is off; take all that sit well."""
        taps = self._truth["taps"]
        for corner in taps["corners"]:
            self._tap(corner)
        places = self._true_spaces()
        while (place := self._next_tap(places)) is not None:
            self._tap(places[place], place)
        self._phone.client.post("/teach/spaces", data={"do": "fill"})
        for half in self._wrong_halves():
            self._tap(taps["spaces"][half], half)

    def _tap(self, at: list[float], place: str = "") -> None:
        off = self._off(at)
        form = {"at.x": off["x"], "at.y": off["y"], "wide": "1", "high": "1"}
        answer = self._phone.client.post("/teach/spaces", data=form | {"place": place})
        assert answer.status_code < 400, answer.text

    def _true_spaces(self) -> dict[str, list[float]]:
        """Return where the printed spaces are: a room between its halves."""
        spots, game, box = self._truth["taps"]["spaces"], *self._box()
        parts = {
            place: find(game).copy.parts(place)
            for place, _ in printed_spaces(game, box)
        }
        return {
            place: np.mean([spots[part] for part in some], axis=0).tolist()
            for place, some in parts.items()
        }

    def _box(self) -> tuple[str, Any]:
        return self._truth["game"], self.teacher.box()

    def _next_tap(self, places: dict[str, list[float]]) -> str | None:
        """Return the space that is asked, or the one whose ring is farthest off."""
        spaces = self.teacher.spaces()
        tapped, rows = tapped_points(spaces), tap_rows(*self._box())
        rings = propose_places(rows, tapped)
        if len(tapped) + len(rings) < len(places) or not rings:
            return next_place(rows, tapped)
        off = self._off_mm_of(rings, places)
        worst = max(off, key=lambda place: off[place], default=None)
        return worst if worst is not None and off[worst] > SITS_MM else None

    def _wrong_halves(self) -> list[str]:
        """Return of each room whose halves lie elsewhere the brighter one."""
        known = tapped_points(self.teacher.spaces())
        first = {both[0]: known[both[0]] for both in half_pairs(*self._box())}
        off = self._off_mm_of(first, self._truth["taps"]["spaces"])
        return [half for half, off_mm in off.items() if off_mm > SITS_MM]

    def _off_mm_of(
        self, points: dict[str, Point], true: dict[str, list[float]]
    ) -> dict[str, float]:
        """Return how far points of the board lie from where they are in truth."""
        seen = to_picture(self.teacher.spaces().corners, list(points.values()))
        wide_mm = self._truth["taps"]["mm"]
        return {
            place: float(np.hypot(*((np.array(at) - true[place]) / wide_mm)))
            for place, at in zip(points, seen, strict=True)
        }


def spend(film: Path, data: Path, off_mm: float = 3.0) -> Evening:
    """Teach a filmed copy and play its game; return what the table told by sight."""
    truth = json.loads((film / "truth.json").read_text(encoding="utf-8"))
    host = Host(film, truth, data, off_mm)
    host.teach()
    lesson = host.teacher.lesson
    live = data / "live"
    live.mkdir()
    with running(data) as table:
        table.take_kit(KIT, load(data / "kits" / KIT))
        table.open_game(Setup(truth["game"], tuple(truth["players"]), kit=KIT))
        people = People(table, film, live, LearnedKits(data / "kits"))
        for note in truth["acts"]:
            people.act(note)
    return Evening(
        truth["game"],
        truth["light"],
        tuple(people.judged),
        people.told,
        tuple(people.false),
        people.questions,
        lesson.progress.passed,
        sum(lesson.counts.values()),
        host.taps,
    )


class NoCamera:
    """Pictures are handed over."""

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        """Nothing to let go of."""


class People:
    """Play a filmed game before a table, and put right what it did not see."""

    def __init__(self, table: Table, film: Path, live: Path, own: LearnedKits) -> None:
        self._table, self._film, self._live = table, film, live
        self._clock = Clock()
        self._folder = LiveFolder(live, 1 / SHOWN_S, self._clock, self._clock.pass_by)
        self._device: Any = None
        self._eye = live_watcher(Told(table), str(live), own, None, NoCamera())
        self._true: Any = None
        self._seen: Picture | None = None
        self.judged: list[Judged] = []
        self.false: list[str] = []
        self.told = self.questions = 0

    @property
    def _story(self) -> Story:
        story = self._table.sync().story
        assert story is not None
        return story

    def act(self, note: dict[str, Any]) -> None:
        """Do one act of the film, and see what the table makes of it."""
        before = self._story
        if self._true is None:
            self._true = before.state
        events = [p for p in note["pictures"] if p[1] not in ACTING]
        for name, what in events:
            is_hand = what == "rest"
            self._show(name, REST_S if is_hand else SHOWN_S, stir=is_hand)
        self._believe_nothing(before, f"{events} before {note['act']}")
        before = self._story
        for name, what in note["pictures"]:
            if what in ACTING:
                self._show(name, STILL_S if what == "still" else SHOWN_S, stir=True)
        if not note["move"]:
            return
        game = before.game
        move = game.parse(self._true, note["move"])
        self._true, _ = game.apply(self._true, move)
        if note["seen"]:
            self.judged.append(self._judge(before, note))
        else:
            self.told += 1
        self._put_right(before, note)
        before = self._story
        if note["pictures"]:
            self._show(None)
        self._believe_nothing(before, f"after {note['act']} {note['move']}")

    def _judge(self, before: Story, note: dict[str, Any]) -> Judged:
        now = self._story
        news = now.entries[len(before.entries) :]
        asked = any(isinstance(entry.body, Asked) for entry in news)
        made = now.steps[len(before.steps) :]
        believed = tuple(now.game.notate(step.before, step.made.move) for step in made)
        if now.state == self._true:
            result = "asked" if asked else "right"
        elif now.state == before.state:
            result = "asked" if asked else "missed"
        else:
            result = "wrong"
        return Judged(note["act"], note["kind"], note["move"], result, believed)

    def _put_right(self, before: Story, note: dict[str, Any]) -> None:
        """Enter what the table does not know, after what it believes is taken back."""
        if self._story.state == self._true:
            return
        while len(self._story.steps) > len(before.steps):
            seq = self._story.seq
            self._table.undo(None, seq, f"undo/{seq}")
        seq = self._story.seq
        claim = Claim(note["move"], note["seat"], seq, f"people/{seq}")
        self._table.act(claim)
        assert self._story.state == self._true, (note, self._table.snapshot.notice)

    def _believe_nothing(self, before: Story, why: str) -> None:
        """Take back what was believed while nobody did anything, and note it."""
        now = self._story
        news = now.entries[len(before.entries) :]
        self.questions += sum(isinstance(entry.body, Asked) for entry in news)
        if now.state == before.state:
            return
        for step in now.steps[len(before.steps) :]:
            self.false.append(f"{now.game.notate(step.before, step.made.move)} {why}")
        while len(self._story.steps) > len(before.steps):
            seq = self._story.seq
            self._table.undo(None, seq, f"undo/{seq}")

    def _show(
        self, name: str | None, seconds: float = SHOWN_S, *, stir: bool = False
    ) -> None:
        """Let the camera look at a new picture, or once more at the last one."""
        if name is not None:
            (self._live / name).hardlink_to(self._film / "game" / name)
        if self._device is None:
            self._device = self._folder.open()
        until_s, before = self._clock() + seconds, self._seen
        while self._clock() + 1e-6 < until_s:
            self._seen = self._device.shoot().picture
            if stir and before is not None and self._seen is not before:
                stir = False
                self._stir(before, self._seen)
                until_s += STIR_S
            self._look(self._seen)

    def _stir(self, before: Picture, after: Picture) -> None:
        """Let the camera see a hand come, or go."""
        for number in range(round(STIR_S * LEAST_FPS)):
            self._look(after if number % 2 else before)
            self._clock.pass_by(1 / LEAST_FPS)

    def _look(self, picture: Picture) -> None:
        self._eye.see(Frame(picture, self._clock(), None, str(self._live)))


def act_table(evenings: list[Evening]) -> str:
    """Return what became of the acts, by game, light and kind, as a table."""
    lines = [
        "| game, light | act | " + " | ".join(RESULTS) + " |",
        "|---|---|" + "--:|" * len(RESULTS),
    ]
    for evening in evenings:
        kinds = sorted({one.kind for one in evening.judged})
        for kind in [*kinds, None]:
            counts = evening.counts(kind)
            cells = " | ".join(str(counts[result]) for result in RESULTS)
            name = kind or "all"
            lines.append(f"| {evening.game}, {evening.light} | {name} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    """Play films, and print what became of their acts."""
    parser = argparse.ArgumentParser(prog="python -m tests.realtable.evening")
    parser.add_argument("films", type=Path, nargs="+")
    parser.add_argument("--off-mm", type=float, default=3.0)
    wanted = parser.parse_args()
    say, evenings = click.echo, []
    for one in wanted.films:
        with TemporaryDirectory(dir=one.resolve().parent) as folder:
            evenings.append(spend(one.resolve(), Path(folder), wanted.off_mm))
        evening = evenings[-1]
        for act in evening.judged:
            if act.result != "right":
                say(f"{act.act:4} {act.move}: {act.result} {' '.join(act.believed)}")
        say(
            f"{evening.game}, {evening.light}: dice taught "
            f"{' '.join(evening.taught) or 'none'} by {evening.shots} shots, "
            f"{evening.taps} taps; {evening.told} acts told; "
            f"believed without an act: {'; '.join(evening.false) or 'nothing'}, "
            f"asked without one: {evening.questions} times"
        )
    say(act_table(evenings))


if __name__ == "__main__":
    main()
