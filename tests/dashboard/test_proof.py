"""Every line opens to its picture, every score to the lines that made it."""

import itertools
import random
import re

import pytest
from flask import Flask

from companion.capsule.evidence_store import EvidenceStore
from companion.capsule.file import unpack
from companion.dashboard import create_app
from companion.dashboard.pages.evidence_pages import gains
from companion.games import GAMES
from companion.running.snapshot import Setup
from companion.story.log import Asked, Made, Undone
from companion.table import LinePart, Reading, UnsureSight
from companion.words import LANGUAGES, Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.dashboard.situations import random_move

JPEG = b"\xff\xd8 a throw \xff\xd9"


@pytest.fixture
def evidence(tmp_path) -> EvidenceStore:
    return EvidenceStore(tmp_path / "pictures")


@pytest.fixture
def app(table: FakeTable, evidence: EvidenceStore) -> Flask:
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        evidence=evidence,
        strict_words=True,
    )


def tell(game: FakeTable, move: str, *evidence: str) -> None:
    story = game.snapshot.story
    made = story.game.parse(story.state, move)
    game.tell(Made(made, "camera", confidence=0.97, evidence=evidence))


class TestALine:
    def test_says_who_saw_it_how_sure_and_shows_the_picture(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)
        tell(game, "throw 3", name)
        phone = phones.viewer()

        text = phone.get("/").text

        assert "vu par la caméra" in text
        assert "97" in text
        assert f'src="/evidence/game-1/{name}"' in text
        picture = phone.get(f"/evidence/game-1/{name}")
        assert (picture.data, picture.mimetype) == (JPEG, "image/jpeg")

    def test_shows_what_the_table_asked_about_too(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)
        unsure = UnsureSight("die", "tray", (("3", 0.5),), (0, 0, 9, 9), name)
        why = LinePart("core.ask.unsure")
        game.tell(Asked(Reading((), (unsure,)), why, ("throw 3",)))
        phones.seat(0).post("/api/act", json={"move": "throw 3", "seq": 1, "key": "k"})

        assert f"/evidence/game-1/{name}" in phones.viewer().get("/").text

    def test_keeps_its_picture_when_the_host_puts_it_right(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)
        tell(game, "throw 3", name)
        body = {"step": 1, "move": "throw 4", "seq": 1, "key": "k"}
        assert phones.host().post("/api/amend", json=body).status_code == 200

        assert f"/evidence/game-1/{name}" in phones.viewer().get("/").text

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_says_that_a_picture_is_kept_no_more(
        self, language: str, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        gone = EvidenceStore(evidence._folder).keep(JPEG)
        tell(game, "throw 3", gone)
        phone = phones.viewer()

        said = phone.get(f"/past/game-1?lang={language}").text

        assert Words(language).say("dashboard.history.lost") in said
        assert "<img" not in said.split("history")[1]
        assert phone.get(f"/evidence/game-1/{gone}").status_code == 404

    def test_promises_no_picture_where_none_are_kept(
        self, game: FakeTable, phones: Phones
    ):
        tell(game, "throw 3", "6.png")

        assert "/evidence/" not in phones.viewer().get("/").text


class TestWhoMaySee:
    """Pictures of what lies open are everybody's; others nobody's till the end."""

    def test_a_picture_that_no_entry_rests_on_is_not_given(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)

        assert phones.host().get(f"/evidence/game-1/{name}").status_code == 404
        assert phones.host().get(f"/evidence/game-9/{name}").status_code == 404

    def test_a_picture_beside_a_secret_note_is_given_to_nobody_before_the_end(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones, play
    ):
        """No eye sees a hand; were one to, its owner alone may know the group."""
        name = evidence.keep(JPEG)
        tell(game, "note 1 4", name)
        path = f"/evidence/game-1/{name}"

        for phone in (phones.viewer(), phones.seat(0), phones.seat(1), phones.host()):
            assert name not in phone.get("/").text
            assert name not in phone.get("/api/state").text
            assert name not in phone.get("/past/game-1").text
            assert phone.get(path).status_code == 404

        play()

        assert phones.viewer().get(path).data == JPEG

    def test_in_a_game_of_memory_no_picture_helps_before_the_end(
        self, table: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        story = table.snapshot.story
        move = next(iter(story.game.legal(story.state)))
        name = evidence.keep(JPEG)
        table.tell(Made(move, "camera", evidence=(name,)))
        phone = phones.host()

        text = phone.get("/").text

        assert f"/evidence/game-1/{name}" not in text
        assert Words("fr").say("dashboard.history.withheld") in text
        assert phone.get(f"/evidence/game-1/{name}").status_code == 404

    @pytest.mark.parametrize("name", ["..%2Ftable.sqlite3", "x" * 24, "6.png"])
    def test_no_name_leads_out_of_the_album(
        self, name: str, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        tell(game, "throw 3", name.replace("%2F", "/"))

        assert phones.host().get(f"/evidence/game-1/{name}").status_code == 404


class TestAScore:
    def test_opens_to_the_entries_that_made_it(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones, play
    ):
        play()
        game.leave()
        phone = phones.viewer()
        links = re.findall(
            r'href="(/past/game-1/points/\d)"', phone.get("/past/game-1").text
        )

        text = phone.get("/past/game-1/points/0").text

        assert len(set(links)) == 3
        assert "vu par la caméra" in text
        assert "Livret de Drachenhort" in text
        assert "Règle DH" in text
        score = game.story("game-1").game.scores(game.story("game-1").state)[0]
        assert f"→ {score.low}<" in text
        assert "<script" not in text.split("<main")[1]

    def test_shows_the_picture_of_what_made_it(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)
        while not (found := gains(game.snapshot.story, 0, None, Words("fr"))):
            story = game.snapshot.story
            move = next(iter(story.game.legal(story.state)))
            game.tell(Made(move, "camera", confidence=0.9, evidence=(name,)))

        text = phones.viewer().get("/past/game-1/points/0").text

        assert text.count(f"/evidence/game-1/{name}") == len(found) == 1

    def test_of_a_seat_that_is_not_there(self, game: FakeTable, phones: Phones):
        assert phones.viewer().get("/past/game-1/points/3").status_code == 404
        assert phones.viewer().get("/past/nothing/points/0").status_code == 404

    def test_tells_nobody_else_what_a_seat_has_noted(
        self, game: FakeTable, phones: Phones, play
    ):
        play(moves=60)
        before = phones.seat(0).get("/past/game-1/points/1").text
        story = game.snapshot.story
        twin = FakeTable()
        twin.open_game(Setup("drachenhort", story.header.players))
        note(twin, 1, 4)
        for step in story.steps:
            twin.tell(step.made)
        game.show(story=twin.snapshot.story)

        after = phones.seat(0).get("/past/game-1/points/1").text

        # Each entry has the number after its own now; nothing else may differ.
        assert re.sub(r"(entrée |\"(why )?)\d+", "", after) == re.sub(
            r"(entrée |\"(why )?)\d+", "", before
        )

    @pytest.mark.parametrize("number", range(len(GAMES)))
    def test_adds_up_in_every_game(self, number: int, table: FakeTable, phones: Phones):
        game_id, language = GAMES[number].id, LANGUAGES[number % len(LANGUAGES)]
        rng = random.Random(5)
        table.open_game(Setup(game_id, ("Ana", "Bo")))
        for _ in range(80):
            story = table.snapshot.story
            move = random_move(rng, story.game, story.state)
            if move is None:
                break
            table.tell(Made(move, "camera"))
            if rng.random() < 0.1:
                table.tell(Undone("phone"))
        story = table.snapshot.story

        for seat in (0, 1):
            found = gains(story, seat, None, Words(language, ("Ana", "Bo")))
            for one, after in itertools.pairwise(found):
                assert one.after == after.before
            page = phones.viewer().get(f"/past/game-1/points/{seat}?lang={language}")
            assert page.status_code == 200
            assert not re.search(r"(dashboard|core)\.[a-z]", page.text)
            assert page.text.count("<li data-key=") == len(found)


class TestACapsule:
    PATH = "/past/game-1/game.capsule"

    def test_of_a_running_game_is_for_the_host_alone_and_keeps_its_secrets(
        self, game: FakeTable, phones: Phones
    ):
        note(game, 1, 4)

        answer = phones.host().get(self.PATH)
        content = answer.data
        answer.close()

        assert answer.mimetype == "application/zip"
        assert "attachment" in answer.headers["Content-Disposition"]
        assert self.PATH in phones.host().get("/past/game-1").text
        capsule = unpack(content)
        assert capsule.about.secrets is False
        assert capsule.entries[-1].body.move.group.value is None
        for phone in (phones.viewer(), phones.seat(1)):
            assert phone.get(self.PATH).status_code == 403
            assert self.PATH not in phone.get("/past/game-1").text

    def test_of_a_game_that_is_over_is_for_everybody(
        self, game: FakeTable, phones: Phones, play
    ):
        play()

        assert self.PATH in phones.viewer().get("/past/game-1").text
        answer = phones.viewer().get(self.PATH)
        capsule = unpack(answer.data)
        answer.close()

        assert capsule.entries == game.snapshot.story.entries

    def test_is_not_promised_where_no_pictures_are_kept(
        self, game: FakeTable, phones: Phones
    ):
        app = create_app(game, secret=SECRET, pin=PIN, address=ADDRESS)
        host = Phones(app, game).host()

        assert "game.capsule" not in host.get("/past/game-1").text
        assert host.get(self.PATH).status_code == 404


class TestDeletingAGame:
    def test_is_asked_once_more_and_then_gone_with_its_pictures(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)
        tell(game, "throw 3", name)
        evidence.take_in(game.snapshot, ("game-1",))
        game.leave()
        host = phones.host()
        link = "/past/game-1/delete"
        assert link in host.get("/past/game-1").text
        assert link not in phones.viewer().get("/past/game-1").text

        asked = host.get(link).text
        answer = host.post("/api/delete", data={"id": "game-1"})

        assert "Ana, Bo, Cy" in asked
        assert (answer.status_code, answer.location) == (303, "/past")
        assert not evidence.has("game-1", name)
        assert host.get("/past/game-1").status_code == 404
        assert host.get(f"/evidence/game-1/{name}").status_code == 404
        assert "game-1" not in host.get("/past").text

    def test_one_on_the_table_is_put_away_first(
        self, game: FakeTable, evidence: EvidenceStore, phones: Phones
    ):
        name = evidence.keep(JPEG)
        tell(game, "throw 3", name)

        answer = phones.host().post("/api/delete", json={"id": "game-1"})

        assert answer.status_code == 422
        assert evidence.has("game-1", name)

    def test_one_that_is_not_there(self, game: FakeTable, phones: Phones):
        host = phones.host()

        assert host.get("/past/nothing/delete").status_code == 404
        assert host.post("/api/delete", json={"id": "nothing"}).status_code == 404


def test_a_name_that_is_deleted_leaves_picture_and_chain(
    game: FakeTable, evidence: EvidenceStore, phones: Phones
):
    name = evidence.keep(JPEG)
    tell(game, "throw 3", name)
    host = phones.host()

    host.post("/api/forget", data={"name": "Ana"})

    assert host.get(f"/evidence/game-1/{name}").data == JPEG
    assert "Ana" not in host.get("/past/game-1/points/0").text
