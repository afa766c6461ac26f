"""What each viewer is shown: offers, prompts, questions, history, the end."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from companion.dashboard.door.auth import Who
from companion.dashboard.view.view import View
from companion.dashboard.view.views import view_of
from companion.running.snapshot import CameraStatus, Setup
from companion.story.log import Asked, Edited
from companion.table import Glimpse, LinePart, Reading, Shown, Word
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.setting import PLAYERS
from tests.dashboard.toy import TOY

ANA, BO, HOST, WATCHER = Who(0), Who(1), Who(host=True), Who()


def view(table: FakeTable, who: Who = WATCHER, language: str = "en") -> View:
    return view_of(table.snapshot, who, language, strict=True)


def moves(shown: View) -> list[str]:
    return [offer.move for offer in shown.moves]


def ask(table: FakeTable, *options: str) -> None:
    glimpse = Glimpse(Shown("die", "3", "tray"), 0.6, (0, 0, 9, 9), "p1")
    table.tell(Asked(Reading((glimpse,)), LinePart("core.ask.unsure"), options))


class TestOffers:
    def test_whose_turn_it_is_is_offered_every_throw(self, game: FakeTable):
        assert moves(view(game, ANA)) == [f"throw {n}" for n in (1, 2, 3, 4, 6)]

    def test_the_others_are_not(self, game: FakeTable):
        assert moves(view(game, BO)) == []
        assert moves(view(game, WATCHER)) == []

    def test_the_host_is_offered_it_in_the_players_name(self, game: FakeTable):
        offers = view(game, HOST).moves

        assert {offer.by for offer in offers} == {"Ana"}

    def test_a_seat_is_offered_its_own_secrets_alone(self, game: FakeTable):
        for who in (ANA, BO):
            offers = [offer.move for offer in view(game, who).private]
            assert offers == [f"note {who.seat} {group}" for group in range(7)]
        assert view(game, HOST).private == ()
        assert view(game, WATCHER).private == ()

    def test_an_offer_does_not_change_with_what_others_noted(self, game: FakeTable):
        before = view(game, ANA).private

        note(game, 1, 3)

        assert view(game, ANA).private == before

    def test_the_buttons_choice_is_marked(self, game: FakeTable):
        game.show(offers=("throw 1", "throw 2"), cursor=1)

        chosen = [offer.move for offer in view(game, ANA).moves if offer.chosen]
        assert chosen == ["throw 2"]

    def test_nothing_is_marked_before_somebody_presses_next(self, game: FakeTable):
        game.show(offers=("throw 1", "throw 2"), cursor=-1)

        assert not any(offer.chosen for offer in view(game, ANA).moves)


class TestQuestion:
    def test_answers_stand_likeliest_first_beside_the_picture(self, game: FakeTable):
        ask(game, "throw 3", "throw 2", "throw 6")

        question = view(game, ANA).question

        assert question is not None
        assert [offer.move for offer in question.options] == [
            "throw 3",
            "throw 2",
            "throw 6",
        ]
        assert question.picture == "/picture?seq=1"

    def test_who_may_not_answer_sees_it_without_buttons(self, game: FakeTable):
        ask(game, "throw 3")

        question = view(game, BO).question

        assert question is not None
        assert question.options == ()

    def test_a_slip_opens_to_its_rule(self, game: FakeTable):
        verdict = game.snapshot.story.game.judge(
            game.snapshot.story.state,
            game.snapshot.story.game.parse(game.snapshot.story.state, "dragon"),
        )
        why = LinePart("core.ask.table_unexpected")
        game.tell(Asked(Reading((), whole=True), why, (), verdict))

        question = view(game, ANA).question

        # Before the first throw everybody stands in the light (l. 145, DH4).
        assert question.ruled.id == "DH4"
        assert question.reason

    def test_it_goes_with_the_answer(self, game: FakeTable, play: Callable[..., None]):
        ask(game, "throw 3")

        play(moves=1)

        assert view(game, ANA).question is None


class TestTurn:
    def test_names_who_and_what(self, game: FakeTable):
        turn = view(game).turn

        assert turn is not None
        assert (turn.seat, turn.name, turn.mine) == (0, "Ana", False)
        assert turn.todo == ("Ana: roll the die.",)

    def test_is_mine_on_my_phone(self, game: FakeTable):
        turn = view(game, ANA).turn

        assert turn is not None
        assert turn.mine
        assert view(game, ANA).players[0].to_act

    def test_a_prompt_for_one_seat_stays_there(self, game: FakeTable):
        turns = [view(game, who).turn for who in (ANA, WATCHER)]

        assert turns[0] is not None
        assert turns[1] is not None
        assert any("note" in text for text in turns[0].reminders)
        assert turns[1].reminders == ()

    def test_where_all_have_to_do_something_each_reads_its_own_first(
        self, game: FakeTable, play: Callable[..., None]
    ):
        play(until="show")

        for who in (ANA, BO):
            turn = view(game, who).turn
            assert turn is not None
            assert turn.mine
            assert turn.todo[0].startswith(PLAYERS[who.seat or 0])


class TestHistory:
    def test_is_newest_first_with_its_source(
        self, game: FakeTable, play: Callable[..., None]
    ):
        play(moves=2)

        lines = view(game).history

        assert [line.seq for line in lines] == [2, 1]
        assert lines[1].texts[0].startswith("Ana rolls")
        assert lines[1].source == "camera"
        assert lines[1].confidence == pytest.approx(0.97)

    def test_a_move_taken_back_stays_and_is_marked(
        self, game: FakeTable, play: Callable[..., None]
    ):
        play(moves=2)
        game.undo(0, 2, "u")
        play(moves=1, seed=5)

        lines = view(game).history

        assert [line.undone for line in lines] == [False, True, False]
        assert view(game).undoes == lines[0].texts[0]
        assert lines[1].texts  # told from the state it was made in

    def test_an_edit_is_told_with_its_note(self, game: FakeTable):
        story = game.snapshot.story
        assert story is not None
        game.tell(Edited(replace(story.state, pips=0), "the cat", 1))

        line = view(game).history[0]

        assert line.source == "edit"
        assert line.texts == ("Set to what is on the table: the cat",)
        assert line.by == "Bo"

    def test_is_bounded_and_counts_the_rest(
        self, game: FakeTable, play: Callable[..., None]
    ):
        play(moves=60)

        shown = view(game)

        assert len(shown.history) == 40
        assert shown.earlier == 20


class TestTheEnd:
    def test_says_who_won_and_why(self, game: FakeTable, play: Callable[..., None]):
        play()

        shown = view(game)

        assert shown.ending is not None
        assert shown.ending.winners
        assert shown.ending.text
        assert shown.ending.cite.rulebook == "drachenhort"
        best = max(player.low for player in shown.players)
        assert [p.name for p in shown.players if p.won] == list(shown.ending.winners)
        assert {p.low for p in shown.players if p.won} == {best}

    def test_every_point_is_explained(self, game: FakeTable, play: Callable[..., None]):
        play()

        for player in view(game).players:
            assert sum(part.points for part in player.parts) == player.low
            assert len(player.parts) == 4  # three heroes and the jewels


class TestState:
    def test_trouble_is_told(self, game: FakeTable):
        trouble = LinePart("core.eye.lost")
        full = LinePart("core.store.refuses", (("why", Word("core.disk.full")),))
        game.show(camera=CameraStatus("pi", trouble), stored=False, warnings=(full,))

        status = view(game).status

        assert (status.camera, status.camera_called) == ("pi", "the Pi’s camera")
        assert status.camera_trouble
        assert not status.stored
        assert ["card" in text for text in status.warnings] == [True]

    def test_house_rules_are_told_where_they_differ(self, table: FakeTable):
        options = (("DH1", "optional"), ("DH12", "overshoot"))
        table.open_game(Setup("drachenhort", PLAYERS, options))

        rules = view(table).house_rules

        assert len(rules) == 1
        assert "Yes, a player may pass" in rules[0]

    def test_the_lobby_is_almost_empty(self, table: FakeTable):
        shown = view(table)

        assert shown.game_id is None
        assert shown.players == ()
        assert shown.board is None

    @pytest.mark.parametrize("who", [ANA, HOST, WATCHER])
    def test_json_comes_back_the_same(
        self, who: Who, game: FakeTable, play: Callable[..., None]
    ):
        play(moves=15)
        shown = view(game, who)

        told = msgspec.json.decode(msgspec.json.encode(shown))
        board = msgspec.convert(told.pop("board"), type(shown.board))
        assert replace(msgspec.convert(told, View), board=board) == shown


class TestAGameWithoutADrawing:
    def test_is_told_in_words(self):
        table = FakeTable(lambda game_id: TOY)
        table.open_game(Setup("toy", ("Ana", "Bo")))

        board = view_of(table.snapshot, ANA, "en").board

        assert board is not None
        assert board.kind == "list"
        assert board.twin == ("seat/0: coin (0)", "seat/1: coin (0)")


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("drawn", "table dessinée"),
        ("pi", "caméra du Pi"),
        ("0", "webcam"),
        ("/dev/video2", "webcam"),
        ("/home/pi/photos of the table", "dossier de photos"),
    ],
)
def test_a_camera_is_called_what_people_call_it(
    name: str, called: str, game: FakeTable, phones: Phones
):
    game.show(camera=CameraStatus(name))

    text = phones.viewer().get("/").text

    assert f">Caméra\u202f: {called}<" in text
    assert name == "pi" or f": {name}<" not in text
