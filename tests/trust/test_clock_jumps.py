"""A Pi has no clock of its own: the time of day may jump by a second or 200 years."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard.door.auth import host_code, seat_code
from companion.running.service import Table
from companion.running.snapshot import Done
from companion.running.wishes import Clock
from companion.words import LANGUAGES
from tests.dashboard.browsing import make_app
from tests.dashboard.setting import PIN, SECRET
from tests.running.table_setup import SETUP, running

NOW = 1_800_000_000.0
YEAR_S = 365.25 * 24 * 3600
JUMPS = tuple(
    sign * jump_s
    for jump_s in (1.0, 3600.0, 400 * 86_400.0, 3 * YEAR_S, 200 * YEAR_S)
    for sign in (1, -1)
)
PAGES = (
    "/", "/table", "/past", "/past/game-1", "/past/game-1/game.json",
    "/past/game-1/points.csv", "/figures", "/api/state", "/help",
)  # fmt: skip


def jumping() -> Iterator[float]:
    """Yield times of day, each as far from now as a jump, and 1970 now and then."""
    return itertools.cycle((*(NOW + jump_s for jump_s in JUMPS), 0.0))


def looked(phone: FlaskClient) -> list[int]:
    """Return what each page answers."""
    answers = [phone.get(path) for path in PAGES]
    return [answer.status_code for answer in answers]


def who(phone: FlaskClient) -> tuple[object, object]:
    me = phone.get("/api/state").get_json()["me"]
    return me["name"], me["host"]


def with_jumps(table: Table) -> Table:
    times = jumping()
    table._clock = Clock(monotonic=lambda: 0.0, wall=lambda: next(times))
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_logged_out_and_every_page_is_there(tmp_path: Path, language: str):
    with running(tmp_path) as real:
        table = with_jumps(real)
        table.open_game(SETUP)
        app = make_app(table)
        ana, host = app.test_client(), app.test_client()
        ana.get(f"/j/{seat_code(SECRET, 'game-1', 0)}?lang={language}")
        host.get(f"/j/{host_code(SECRET)}?lang={language}")
        for number in range(4 * len(JUMPS)):
            shown = table.snapshot
            assert shown.story is not None
            if not shown.offers:
                break
            move, seq = (
                sorted(shown.offers)[number % len(shown.offers)],
                shown.story.seq,
            )
            wish = {"move": move, "seq": seq, "key": f"{number}"}
            # As Ana where she may, else as the host.
            said = [phone.post("/api/act", json=wish) for phone in (ana, host)]
            assert 200 in {answer.status_code for answer in said}

        assert who(ana) == ("Ana", False)
        assert who(host) == (None, True)
        assert looked(ana) == looked(host) == [200] * len(PAGES)
        story, tokens = table.snapshot.story, table.tokens()
    assert story is not None
    assert story.seq > 20
    assert len({entry.at for entry in story.entries}) == len(JUMPS) + 1

    # At a later start, in whatever year, all is as it was.
    with running(tmp_path) as real:
        table = with_jumps(real)
        assert table.snapshot.story == story
        assert set(table.tokens()) == set(tokens)
        assert table.resume("game-1") == Done(story.seq, "game-1")
        ana.application = host.application = make_app(table)
        assert who(ana) == ("Ana", False)
        assert who(host) == (None, True)
        assert looked(ana) == [200] * len(PAGES)


def test_games_are_listed_in_the_order_in_which_they_were_begun(tmp_path: Path):
    """Not by the time of day, by which the first may be of 2226."""
    with running(tmp_path) as real:
        table = with_jumps(real)
        for _ in range(2 * len(JUMPS)):
            table.open_game(SETUP)
        named = [f"game-{n}" for n in range(2 * len(JUMPS), 0, -1)]
        assert [game.id for game in table.games()] == named
        by_day = sorted(table.games(), key=lambda game: -game.begun_at)
        assert [game.id for game in by_day] != named  # the jumps would be noticed

    with running(tmp_path) as table:
        assert [game.id for game in table.games()] == named
        assert table.snapshot.game_id == named[0]


def test_wrong_pins_wait_for_a_minute_that_no_jump_makes_shorter(tmp_path: Path):
    with running(tmp_path) as real:
        table = with_jumps(real)
        table.open_game(SETUP)
        phone = make_app(table).test_client()
        for _ in range(5):
            phone.post("/host", data={"pin": "000000"})
            table.rest(pause=True)
            table.rest(pause=False)

        assert phone.post("/host", data={"pin": PIN}).status_code == 429
