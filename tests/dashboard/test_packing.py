"""Pages are small on the air, and a phone asks for a file only once."""

import gzip

import pytest
from flask.testing import FlaskClient

from companion.dashboard.compression import without_comments
from companion.running.snapshot import Setup
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.situations import SITUATIONS, Situation, reach

GZIP = {"Accept-Encoding": "gzip, br"}
MOST_BYTES = 100_000
FILES = (
    "style.css",
    "boards.css",
    "app.js",
    "signals.js",
    "icon.svg",
    "table.webmanifest",
)
ALL = ("/", *(f"/static/{name}" for name in FILES))


def test_a_page_is_packed_for_who_can_unpack_it(game: FakeTable, phones: Phones):
    phone = phones.seat(0)

    plain, packed = phone.get("/"), phone.get("/", headers=GZIP)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 4
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"


def test_a_file_is_packed_and_not_sent_twice(phones: Phones):
    phone = phones.viewer()

    first = phone.get("/static/style.css", headers=GZIP)
    known = {"If-None-Match": first.headers["ETag"]}
    with phone.get("/static/style.css", headers=GZIP | known) as again:
        assert (again.status_code, again.data) == (304, b"")
    with phone.get("/static/style.css") as plain:
        sent = without_comments(plain.data, "text/css")
        assert gzip.decompress(first.data) == sent
    assert "max-age=31536000" in first.headers["Cache-Control"]


def test_pictures_refusals_and_streams_are_left_alone(game: FakeTable, phones: Phones):
    phone = phones.viewer()

    with phone.get("/api/events", headers=GZIP, buffered=False) as stream:
        assert "Content-Encoding" not in stream.headers
        assert next(iter(stream.response)).startswith(b"id: 0")
    assert "Content-Encoding" not in phone.get("/nothing", headers=GZIP).headers


def test_comments_stay_at_home_and_addresses_do_not():
    script = b"// Why.\nconst a = 'http://b';\n  // More.\nrun(a);\n"
    style = b"""/* Two
lines. */
a :is(b, i) { color: red; } /* short */
q { content: ", {;} "; margin: 0 1px }
"""

    assert without_comments(script, "text/javascript") == (
        b"const a = 'http://b';\nrun(a);\n"
    )
    # Spaces that mean something stay: before a part, between values, in a text.
    assert without_comments(style, "text/css") == (
        b'a :is(b,i){color:red;}q{content:", {;} ";margin:0 1px}'
    )
    assert without_comments(script, "text/html") == script


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.game)
class TestSize:
    @pytest.fixture
    def table(self, situation: Situation) -> FakeTable:
        return reach(situation)

    def test_a_whole_game_page_is_under_100_kb(
        self, situation: Situation, table: FakeTable, phones: Phones
    ):
        phone = phones.seat(table.snapshot.story.state.seat)

        assert sum(size(phone, path) for path in ALL) < MOST_BYTES / 4


def test_the_first_page_of_drachenhort_too(table: FakeTable, phones: Phones):
    table.open_game(Setup("drachenhort", ("Ana", "Bo", "Cy")))
    phone = phones.seat(0)

    assert sum(size(phone, path) for path in ALL) < MOST_BYTES / 4


def size(phone: FlaskClient, path: str) -> int:
    with phone.get(path, headers=GZIP) as answer:
        assert answer.status_code == 200
        return len(answer.data)
