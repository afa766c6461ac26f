"""What a room, its wall and its staff see on the club's pages."""

import csv
import io
import re

import pytest
from flask.testing import FlaskClient

from companion.club.hub.league import Rule
from companion.club.hub.records import Records
from companion.club.messages import PlayerNow, TableNow, encode
from companion.club.pages import app as app_module
from companion.club.pages import cards as cards_module
from companion.club.pages.app import A_WALL, create_app
from companion.club.pages.cards import Cards
from companion.club.pages.context import League
from companion.running.wishes import Clock
from companion.table import LinePart
from companion.words import LANGUAGES, Words
from tests.club.played import EVENING, StubHub, a_room, clock, deliver, line

PIN = "246810"
PUBLIC = ("/", "/wall", "/wall?p=1", "/wall?p=2", "/table/table-1", "/table/table-2",
          "/evening", "/standings", "/pin", "/now")  # fmt: skip
STAFF = ("/player", "/player?name=Ana", "/forget", "/export.csv", "/export.json")


@pytest.fixture
def records(tmp_path):
    records = Records(f"sqlite:///{tmp_path}/club.db")
    deliver(records, line("g0", ("Ana", 30, True), ("Bo", 12, False)))
    yield records
    records.close()


@pytest.fixture
def hub(records) -> StubHub:
    return StubHub(records)


@pytest.fixture
def room():
    return a_room()


@pytest.fixture
def app(hub, room, records):
    return create_app(hub, room, records, PIN, Rule.WINS, clock(), strict_words=True)


@pytest.fixture
def screen(app) -> FlaskClient:
    """The screen on the wall, or anybody's phone."""
    return app.test_client()


@pytest.fixture
def staff(app) -> FlaskClient:
    phone = app.test_client()
    assert phone.post("/pin", data={"pin": PIN}).status_code == 303
    return phone


def shown(answer) -> str:
    """Return what people read of a page."""
    main = re.search(r"<main.*?</main>", answer.text, re.S)
    assert main is not None
    return " ".join(re.sub(r"<[^>]+>", " ", main[0]).split())


def english(phone: FlaskClient, path: str) -> str:
    return shown(phone.get(path, headers={"Accept-Language": "en"}))


class TestTheRoom:
    def test_whoever_needs_help_comes_first_then_tables_by_number(self, screen):
        text = english(screen, "/")

        places = [text.index(f"Table {n}") for n in (2, 1, 3, 10)]
        assert places == sorted(places)
        assert "4 tables" in text
        assert "1 table needs help" in text

    def test_a_table_tells_game_turn_points_and_time(self, screen):
        text = english(screen, "/")

        assert "Drachenhort Ana’s turn Ana 3 points Bo 2 to 5 points" in text
        # Begun 1,500 s ago by its own clock.
        assert "Round 1 · 12 moves · for 25 minutes" in text

    @pytest.mark.parametrize(
        ("language", "wanted"),
        [("fr", "depuis 1 h 07"), ("en", "for 1 h 07 min"), ("de", "seit 1 Std. 07")],
    )
    def test_a_long_game_has_lasted_hours(self, screen, room, language, wanted):
        now = TableNow("Table 1", 1, EVENING, "g", "drachenhort", moves=9,
                       begun_at=EVENING - 67 * 60)  # fmt: skip
        room.take("table-1", encode(now))

        page = screen.get("/table/table-1", headers={"Accept-Language": language})

        assert wanted in shown(page)

    def test_a_game_that_has_just_begun_says_neither_moves_nor_minutes(
        self, screen, room
    ):
        now = TableNow("Table 1", 1, EVENING, "g", "drachenhort", (PlayerNow("Ana"),),
                       begun_at=EVENING - 20, seats_free=3)  # fmt: skip
        room.take("table-1", encode(now))

        text = english(screen, "/table/table-1")

        assert "Drachenhort Ana 0 points 3 free seats Results" in text

    @pytest.mark.parametrize("path", ["/", "/wall", "/table/table-2"])
    def test_a_race_counts_no_points(self, screen, path):
        text = english(screen, path)

        assert "Dragorun Cy Dan 3 moves" in text.replace(" Game in progress", "")

    @pytest.mark.parametrize("path", ["/", "/table/table-2"])
    def test_staff_read_why_it_needs_help(self, staff, path):
        text = english(staff, path)

        assert "A question has been open for over two minutes" in text
        assert "The memory card is nearly full" in text

    @pytest.mark.parametrize("path", ["/", "/table/table-2", "/wall"])
    def test_whoever_else_reads_that_it_needs_help(self, screen, staff, path):
        # Staff have looked before: what was made for them is not for all.
        english(staff, path)

        text = english(screen, path)

        assert "Table 2 Needs help" in text
        assert "A question has been open" not in text

    def test_a_wall_where_staff_have_signed_in_is_a_wall(self, staff):
        assert "Table 2 Needs help" in english(staff, "/wall")

    def test_a_table_that_is_gone_says_nothing_of_its_game(self, screen, room):
        room.note_presence("table-1", here=False)

        text = english(screen, "/")

        assert "Ana" not in text
        assert text.count("Table off or out of reach") == 2

    def test_a_hub_without_broker_or_database_says_so(self, screen, hub):
        hub.link.is_up, hub.trouble = False, "gone"

        text = english(screen, "/")

        assert "The broker does not answer." in text
        assert "The database does not answer." in text

    def test_a_line_that_is_not_ours_is_no_sentence(self, screen, room):
        forged = LinePart("{seat.__class__.__mro__}", (("seat", 0),))
        wrong = LinePart("club.round", (("other", 1),))
        now = TableNow("Table 1", 1, EVENING, "g", "drachenhort", todo=(forged, wrong))
        room.take("table-1", encode(now))

        text = english(screen, "/table/table-1")

        assert "class" not in text
        assert "Game in progress" not in text  # it plays, and has nothing to say

    def test_a_card_is_made_anew_only_where_something_has_changed(self, app, room):
        cards = Cards(app.jinja_env, strict=True)

        def card(seconds: float = 0.0, language: str = "en", *, big: bool = False):
            seen = room.table("table-1")
            return cards.of(seen, language, EVENING + seconds, big=big)

        first = card()
        assert "for 25 minutes" in first.html
        assert card(29) is first  # 25 minutes and 29 seconds
        assert "for 26 minutes" in card(31).html
        assert "depuis 25" in card(language="fr").html
        assert "<a href" not in card(big=True).html
        room.note_presence("table-1", here=False)
        assert card().state == "gone"

    def test_who_looks_again_has_no_card_made_anew(self, app, room):
        for number in range(200):
            room.take(f"t-{number}", encode(TableNow(f"T{number}", 1, EVENING)))
        screen = app.test_client()
        said = []

        class Counting(Words):
            def say(self, line, params=()):
                said.append(line)
                return super().say(line, params)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cards_module, "Words", Counting)
            counts = []
            for _ in range(3):
                screen.get("/")
                counts.append(len(said))

        assert counts[0] > 200
        assert counts[2] == counts[0]


class TestTheWall:
    def test_it_goes_from_the_tables_to_the_evening_to_the_league(self, screen):
        seen = [english(screen, f"/wall?p={n}").split()[:2] for n in range(3)]

        assert seen == [["The", "room"], ["This", "evening"], ["Standings", "One"]]
        assert 'data-onward="/wall?p=1"' in screen.get("/wall").text
        assert 'data-onward="/wall?p=0"' in screen.get("/wall?p=2").text

    def test_all_that_the_pages_show_comes_by(self, screen, records):
        names = [f"Player {number}" for number in range(30)]
        for name in names:
            deliver(records, line(f"g-{name}", (name, 1, True)))

        text = " ".join(english(screen, f"/wall?p={n}") for n in range(8))

        # Four tables, 31 results by eight, 32 players by twelve: 1 + 4 + 3 sheets.
        assert "1 / 8" in re.sub(r"<[^>]+>", "", screen.get("/wall").text)
        assert all(text.count(name) >= 2 for name in names)

    def test_a_large_room_has_several_sheets(self, screen, room):
        for number in range(20, 40):
            room.take(f"t-{number}", encode(TableNow(f"T{number}", 1, EVENING)))

        # 24 tables, 8 a sheet, then the evening and the league.
        assert 'data-onward="/wall?p=4"' in screen.get("/wall?p=3").text
        assert "1 / 5" in re.sub(r"<[^>]+>", "", screen.get("/wall").text)
        assert english(screen, "/wall").count("T2") <= A_WALL


class TestResults:
    def test_a_game_that_nobody_won_says_so(self, screen, records):
        assert "Nobody wins" not in english(screen, "/evening")

        deliver(records, line("g6", ("Eva", 3, False), ("Flo", 3, False)))

        assert "Eva 3 points Flo 3 points Nobody wins" in english(screen, "/evening")

    @pytest.mark.parametrize("path", ["/player?name=Eva", "/table/table-1"])
    def test_games_of_several_evenings_tell_which(self, staff, records, path):
        earlier = EVENING - 7 * 24 * 3600  # 23 November
        deliver(records, line("g7", ("Eva", 3, True), ended_at=earlier))

        assert "Nov 23, 2026 Won: Eva" in english(staff, path)

    def test_a_screen_of_one_evening_tells_the_time_alone(self, screen):
        assert "2026" not in english(screen, "/table/table-1")

    def test_an_evening_ends_at_six_in_the_morning(self, staff, records):
        late = EVENING + 9 * 3600  # four in the morning
        deliver(records, line("g9", ("Eva", 1, True), ended_at=late))

        assert "Eva" in english(staff, "/evening?day=2026-11-30")
        assert "Eva" not in english(staff, "/evening?day=2026-12-01")

    @pytest.mark.parametrize("day", ["yesterday", "9999-12-31", "2026-13-01"])
    def test_a_day_that_is_none_is_no_page(self, screen, day):
        assert screen.get(f"/evening?day={day}").status_code == 404

    def test_a_spreadsheet_gets_every_seat_and_carries_nothing_out(
        self, staff, records
    ):
        deliver(records, line("g5", ("=1+1", 4, False), ("Bo", 5, True)))

        rows = [*csv.DictReader(io.StringIO(staff.get("/export.csv").text[1:]))]

        assert [(r["player"], r["place"], r["won"]) for r in rows] == [
            ("Ana", "1", "1"), ("Bo", "2", "0"), ("'=1+1", "2", "0"), ("Bo", "1", "1"),
        ]  # fmt: skip

    def test_a_program_gets_the_same(self, staff):
        (game,) = staff.get("/export.json").get_json()

        assert game["seats"][0] == {"player": "Ana", "points": 30, "won": True}


def test_a_league_of_a_year_is_not_reckoned_at_each_look(records):
    now = [1000.0]
    asked = []

    class Slow:
        """A database that takes a second to tell of all games."""

        def played(self):
            asked.append(now[0])
            now[0] += 1.0
            return records.played()

    league = League(Slow(), Rule.WINS, Clock(monotonic=lambda: now[0]))
    for _ in range(50):
        league.rows()
        now[0] += 1.0

    # It is ready a second later, and good for twenty times that.
    assert asked == [1000.0, 1021.0, 1042.0]
    league.forget()
    league.rows()
    assert len(asked) == 4


class TestWhoMayWhat:
    @pytest.mark.parametrize("path", STAFF)
    def test_staff_alone_see_a_persons_games(self, screen, staff, path):
        answer = screen.get(path)

        assert (answer.status_code, answer.headers["Location"]) == (303, "/pin")
        assert staff.get(path).status_code == 200

    def test_an_evening_that_no_wall_shows_any_more_is_for_staff(
        self, screen, staff, records
    ):
        old = line("g3", ("Gone", 1, True), ended_at=EVENING - 2 * 24 * 3600)
        deliver(records, old)
        day = "/evening?day=2026-11-28"

        assert screen.get(day).status_code == 303
        assert "Gone" not in english(screen, "/table/table-1")
        assert "Gone" in english(staff, day)
        assert "Gone" in english(staff, "/table/table-1")

    def test_nobody_else_deletes_a_name(self, screen, hub):
        assert screen.post("/forget", data={"name": "Ana"}).status_code == 403
        assert hub.forgotten == []

    def test_staff_delete_a_name(self, staff, hub):
        answer = staff.post("/forget", data={"name": " Ana "}, headers={
            "Accept-Language": "en"})  # fmt: skip

        assert "Ana: deleted in 1 game." in shown(answer)
        assert hub.forgotten == ["Ana"]
        assert "Ana" not in english(staff, "/standings")

    def test_a_wrong_pin_opens_nothing_and_the_sixth_waits(self, screen):
        codes = [screen.post("/pin", data={"pin": "1"}).status_code for _ in range(6)]

        assert codes == [403] * 5 + [429]
        assert screen.post("/pin", data={"pin": PIN}).status_code == 429

    def test_another_pin_ends_what_the_old_one_opened(self, staff, hub, room, records):
        other = create_app(hub, room, records, "135791", clock=clock()).test_client()
        cookie = staff.get_cookie("club")
        assert cookie is not None
        other.set_cookie("club", cookie.value)

        assert other.get("/forget").status_code == 303

    def test_another_site_posts_nothing(self, staff, hub):
        answer = staff.post(
            "/forget", data={"name": "Ana"}, headers={"Origin": "http://evil.example"}
        )

        assert answer.status_code == 403
        assert hub.forgotten == []

    def test_a_name_of_the_internet_is_not_answered(self, screen):
        assert screen.get("/", headers={"Host": "evil.example"}).status_code == 421

    def test_no_page_is_kept_or_runs_what_is_not_ours(self, screen):
        headers = screen.get("/").headers

        assert headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_all_its_words(staff, screen, language):
    for phone, paths in ((screen, PUBLIC), (staff, (*PUBLIC, *STAFF))):
        for path in paths:
            sign = "&" if "?" in path else "?"
            answer = phone.get(f"{path}{sign}lang={language}")

            assert answer.status_code == 200, path
            assert "club." not in re.sub(r'"[^"]*"', "", answer.text), path


def test_a_page_that_is_none_is_said_in_one_line(screen):
    answer = screen.get("/nowhere", headers={"Accept-Language": "de"})

    assert answer.status_code == 404
    assert "Diese Seite gibt es nicht." in answer.text


def test_a_page_of_results_asks_now_and_then_and_hears_of_no_move(screen):
    assert 'data-events="/events"' in screen.get("/").text
    assert 'data-events="/events?table=table-1"' in screen.get("/table/table-1").text
    for path in ("/evening", "/standings", "/wall?p=1"):
        assert 'data-events=""' in screen.get(path).text, path


def test_the_stream_of_a_tables_page_tells_of_that_table_alone(app, room, monkeypatch):
    monkeypatch.setattr(app_module, "BEAT_S", 0.0)
    with app.test_client().get("/events?table=table-1", buffered=False) as answer:
        words = iter(answer.response)
        assert next(words).startswith(b"data")

        room.take("table-2", encode(TableNow("Table 2", 99, EVENING)))
        assert next(words) == b": beat\n\n"
        room.take("table-1", encode(TableNow("Table 1", 99, EVENING)))
        assert next(words) == f"data: {room.version}\n\n".encode()


def test_a_stream_tells_of_each_change(app, room):
    with app.test_client().get("/events", buffered=False) as answer:
        words = iter(answer.response)
        assert next(words) == f"data: {room.version}\n\n".encode()
        room.take("table-1", encode(TableNow("Table 1", 99, EVENING)))

        assert next(words) == f"data: {room.version}\n\n".encode()
