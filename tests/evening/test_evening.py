"""A whole Drachenhort evening: from photographs of a real die to the final score."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.running.storage.store import Store
from companion.story.log import Asked, Story
from tests.evening.photographs import Shot, lay_out, need_photographs
from tests.evening.real_process import Phone, Program
from tests.ports import free_port

PLAIN = {"5": "2"}
"""An ordinary die stands in: its five is the second two."""

NAMES = ("Ana", "Bo", "Cy")

pytestmark = [pytest.mark.slow, pytest.mark.photos]


class Family:
    """Three people who play by the page and one button, and see the die themselves."""

    def __init__(self, program: Program, data: Path, shots: tuple[Shot, ...]) -> None:
        self.phones = [program.phone(name) for name in NAMES]
        self.data = data
        self.shots = shots
        self.asked_about: list[int | None] = []
        self.presses = 0

    def play(self) -> dict:
        """Play to the final score, and return the last page of a player."""
        for seat, phone in enumerate(self.phones):
            self.note(seat, phone)
        done = -1
        for seq in self.phones[0].views():
            view = self.phones[0].state()
            if view["ending"] is not None:
                return view
            if seq > done and view["seq"] > done and self.do(view):
                done = view["seq"]
        raise AssertionError("the stream of events ended before the game")

    def note(self, seat: int, phone: Phone) -> None:
        """Note the group; where the camera was quicker, look and tap once more."""
        code = 409
        while code == 409:
            view = phone.state()
            code, _ = phone.act(view["private"][seat]["move"], view["seq"])
        assert code == 200

    def do(self, view: dict) -> bool:
        """Do what the page says is next; tell whether there was something to do."""
        seat = view["turn"]["seat"]
        phone = self.phones[seat if seat is not None else 0]
        page = phone.state()
        if page["question"] is not None:
            self.answer(phone, page)
            return True
        moves = [offer["move"] for offer in page["moves"]]
        if not moves or moves[0].startswith("throw"):
            return False  # the camera looks
        if len(moves) == 1:
            self.presses += 1
            phone.press("confirm")
        else:
            assert phone.act(foremost(page), page["seq"])[0] == 200
        return True

    def answer(self, phone: Phone, page: dict) -> None:
        """Settle a question with one tap, by what truly lies in the tray."""
        number = self.asked_position()
        self.asked_about.append(number)
        truth = self.shots[number].faces if number is not None else ()
        face = PLAIN.get(truth[0], truth[0]) if truth else "3"
        assert f"throw {face}" in [
            offer["move"] for offer in page["question"]["options"]
        ]
        assert phone.act(f"throw {face}", page["seq"])[0] == 200

    def asked_position(self) -> int | None:
        """Return which photograph the standing question is about."""
        path = self.data / "table.sqlite3"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            (number,) = db.execute(
                "SELECT json_extract(CAST(body AS TEXT), '$.body.reading.position') "
                "FROM entries WHERE json_extract(CAST(body AS TEXT), '$.body.type') = "
                "'asked' ORDER BY seq DESC LIMIT 1"
            ).fetchone()
        return number


def foremost(page: dict) -> str:
    """Return the move that takes an adventurer farthest, for a short round."""

    def cell(offer: dict) -> int:
        numbers = re.findall(r"\d+", offer["text"])
        return int(numbers[-1]) if numbers else 99  # out of the labyrinth

    return max(page["moves"], key=cell)["move"]


def test_two_rounds_are_refereed_from_photographs_to_the_final_score(tmp_path):
    need_photographs()
    shots = lay_out(tmp_path / "photos", wanted=110)
    data = tmp_path / "data"

    with Program(
        "play", "drachenhort", "--players", ",".join(NAMES),
        "--camera", str(tmp_path / "photos"), data=data, port=free_port(),
    ) as program:  # fmt: skip
        family = Family(program, data, shots)
        final = family.play()

    story = stored(data)
    throws = {
        step.made.position: str(step.made.move.pips)
        for step in story.steps
        if step.made.position is not None
    }
    # Nothing was taken that the photograph does not show, and nothing but single dice.
    assert throws
    for number, pips in throws.items():
        assert len(shots[number].faces) == 1, shots[number]
        face = shots[number].faces[0]
        assert pips == PLAIN.get(face, face), shots[number]
    asked = [
        e.body.reading.position for e in story.entries if isinstance(e.body, Asked)
    ]
    odd = {n for n, shot in enumerate(shots[: story.position]) if len(shot.faces) != 1}
    assert odd  # there were photographs with three dice, or with none
    assert odd <= set(asked)
    assert asked == family.asked_about
    assert family.presses > 0
    # The page's final score is the log's, and each medal and jewel is counted once.
    scores = story.game.scores(story.state)
    assert [p["low"] for p in final["players"]] == [score.low for score in scores]
    assert [p["high"] for p in final["players"]] == [score.high for score in scores]
    best = max(score.low for score in scores)
    assert final["ending"]["winners"] == [
        name for name, score in zip(NAMES, scores, strict=True) if score.low == best
    ]


def stored(data: Path) -> Story:
    store = Store(data / "table.sqlite3")
    with closing(store):
        return store.find_game(store.games()[0].id).story
