"""The same through the pages: every answer and status of two worlds, byte for byte.

`test_two_worlds` asks the desk itself; here phones hold real links and ask the pages.
The chances are reckoned in a thread of their own: that they start alike is held there.
"""

import random
import re

import pytest
from flask.testing import FlaskClient

from companion.corrections.amend import mendable
from companion.dashboard import create_app
from companion.dashboard.api.streams import Streams
from companion.games import GAMES
from companion.games.hidden import (
    redact,
)
from companion.running.commands import Adopt, Amend, Heard, TakeBack
from companion.table import Claim, Pressed
from tests.dashboard.conftest import Clock, Phones
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.secrets.tables import DeskTable
from tests.secrets.worlds import an_order, is_over, pair

PAGES = ("/", "/table", "/host", "/api/state", "/past", "/past/game",
         "/past/game/game.json", "/past/game/points.csv", "/past/game/points/0",
         "/past/game/points/1")  # fmt: skip
ACTS = 5
PAIRS = 6

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


class World:
    """A table with its pages, and the phones that may not tell it from the other."""

    def __init__(self, shown, viewer):
        self.table = DeskTable(shown)
        streams = Streams(most=50, most_each=50, beat_s=0.01, life_s=600.0)
        app = create_app(self.table, secret=SECRET, pin=PIN, address=ADDRESS,
                         streams=streams, clock=Clock())  # fmt: skip
        self._phones = Phones(app, self.table)
        self.host, self.guest = self._phones.host(), self._phones.viewer()
        self.mine = None if viewer is None else self._phones.seat(viewer)

    def phones(self):
        return [phone for phone in (self.host, self.guest, self.mine) if phone]

    def seat(self, seat):
        return self._phones.seat(seat)

    def received(self):
        """Return all that the phones get, and what is heard in the room."""
        steps = mendable(self.table.snapshot.story)[:2]
        pages = (*PAGES, *(f"/amend/{step.seq}" for step in steps), "/amend/1")
        return [
            *(answer(phone.get(path)) for phone in self.phones() for path in pages),
            *(first_event(phone) for phone in self.phones()),
            self.table.cues,
        ]


def answer(response):
    text = re.sub(r'"version":\d+', "", response.text)
    return response.status_code, response.headers.get("Location"), text


def first_event(phone: FlaskClient):
    with phone.get("/api/events", buffered=False) as stream:
        return next(iter(stream.response))


def post(phone, order):
    """Ask the pages for what an order asks the desk; a reading comes by no phone."""
    match order:
        case Claim():
            body = {"move": order.move, "seq": order.seq, "key": order.key}
            return answer(phone.post("/api/act", json=body))
        case TakeBack():
            body = {"seq": order.seq, "key": order.key}
            return answer(phone.post("/api/undo", json=body))
        case Amend():
            body = {"step": order.step, "move": order.move, "seq": order.seq,
                    "key": order.key}  # fmt: skip
            return answer(phone.post("/api/amend", json=body))
        case Adopt():
            note = "house" if order.house else "table"
            body = {"seq": order.seq, "key": order.key, "note": note}
            return answer(phone.post("/api/adopt", json=body))
        case Heard() if isinstance(sight := order.reading.glimpses[0].sight, Pressed):
            return answer(phone.post("/api/sim/press", json={"button": sight.button}))
    return None


def tell_both(game, seed):
    both = pair(game, f"phones/{game.id}/{seed}")
    dice = random.Random(f"phones/{seed}")
    worlds = [World(shown, both.viewer) for shown in (both.ours, both.theirs)]
    for number in range(ACTS):
        both = both._replace(
            ours=worlds[0].table.snapshot, theirs=worlds[1].table.snapshot
        )
        if is_over(both):
            break
        claimant, order = an_order(both, dice, f"key/{number}")
        if claimant not in (None, both.viewer):
            continue  # their own view may differ, and they know what they do
        told = [post(w.host if claimant is None else w.mine, order) for w in worlds]
        if told[0] is None:
            told = [world.table.tell_desk(order) for world in worlds]
        assert told[0] == told[1], order
    ours, theirs = (world.table.snapshot.story for world in worlds)
    if redact(ours.state, both.viewer) == redact(theirs.state, both.viewer):
        for one, other in zip(*(w.received() for w in worlds), strict=True):
            assert one == other
    return both.differ


@pytest.mark.slow
def test_phones_cannot_tell_two_worlds_apart():
    game = next(game for game in GAMES if game.id == "eight_dragons")

    assert any(tell_both(game, seed) for seed in (2, 3))


@pytest.mark.slow
@each_game
def test_phones_cannot_tell_a_few_worlds_apart(game):
    differed = sum(tell_both(game, seed) for seed in range(PAIRS))

    assert (differed == 0) == (game.id == "dragorun")
