"""The HTTP contract of moves: 200, 403, 409, 422, and one act for one key."""

import threading
from collections.abc import Callable

from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.dashboard.door.auth import host_code, seat_code
from companion.running.power import LOW, Power
from companion.running.snapshot import Setup
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.setting import SECRET


def act(phone: FlaskClient, move: str, seq: int, key: str = "k"):
    return phone.post("/api/act", json={"move": move, "seq": seq, "key": key})


class TestMoving:
    def test_whose_turn_it_is_may_move(self, game: FakeTable, phones: Phones):
        answer = act(phones.seat(0), "throw 3", 0)

        assert answer.status_code == 200
        assert answer.get_json()["seq"] == 1
        assert game.snapshot.story.state.pips == 3

    def test_another_seat_may_not(self, game: FakeTable, phones: Phones):
        answer = act(phones.seat(1), "throw 3", 0)

        assert answer.status_code == 403
        assert game.snapshot.story.seq == 0

    def test_the_host_may_for_anybody_and_is_no_seat_in_the_log(
        self, game: FakeTable, phones: Phones
    ):
        assert act(phones.host(), "throw 3", 0).status_code == 200
        assert game.snapshot.story.steps[-1].made.actor is None

    def test_a_seat_stands_in_the_log(self, game: FakeTable, phones: Phones):
        act(phones.seat(0), "throw 3", 0)

        assert game.snapshot.story.steps[-1].made.actor == 0

    def test_what_nobody_owns_is_anybodys(
        self, game: FakeTable, phones: Phones, play: Callable[..., None]
    ):
        play(until="dragon")

        assert act(phones.seat(2), "dragon", game.snapshot.story.seq).status_code == 200


class TestSecretMoves:
    def test_a_seat_notes_its_own_group(self, game: FakeTable, phones: Phones):
        assert act(phones.seat(1), "note 1 4", 0).status_code == 200

    def test_nobody_else_may_not_even_the_host(self, game: FakeTable, phones: Phones):
        assert act(phones.seat(0), "note 1 4", 0).status_code == 403
        assert act(phones.host(), "note 1 4", 0).status_code == 403
        assert game.snapshot.story.seq == 0

    def test_two_seats_may_note_the_same_group_so_that_no_answer_betrays_one(
        self, game: FakeTable, phones: Phones
    ):
        note(game, 1, 4)

        assert act(phones.seat(0), "note 0 4", 1).status_code == 200


class TestLateAndTwice:
    def test_an_old_page_is_told_kindly(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        act(ana, "throw 3", 0, "one")

        answer = act(ana, "throw 4", 0, "two")

        assert answer.status_code == 409
        assert answer.get_json()["error"] == "stale"
        assert answer.get_json()["seq"] == 1
        assert "vient de jouer" in answer.get_json()["text"]

    def test_a_number_that_is_not_reached_yet_is_no_way_in(
        self, game: FakeTable, phones: Phones
    ):
        assert act(phones.seat(1), "throw 3", 1).status_code == 409

    def test_the_same_key_is_one_act(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)

        first, second = act(ana, "throw 3", 0), act(ana, "throw 3", 0)

        assert (first.status_code, second.status_code) == (200, 200)
        assert game.snapshot.story.seq == 1

    def test_eight_fingers_on_one_button_are_one_act(
        self, game: FakeTable, phones: Phones
    ):
        fingers = [phones.seat(0) for _ in range(8)]
        codes: list[int] = []
        threads = [
            threading.Thread(
                target=lambda p=phone: codes.append(
                    act(p, "throw 3", 0, "one").status_code
                )
            )
            for phone in fingers
        ]

        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert codes == [200] * 8
        assert game.snapshot.story.seq == 1

    def test_eight_people_with_keys_of_their_own_are_one_act_too(
        self, game: FakeTable, phones: Phones
    ):
        fingers = [phones.seat(0) for _ in range(8)]
        codes: list[int] = []
        threads = [
            threading.Thread(
                target=lambda p=phone, n=n: codes.append(
                    act(p, "throw 3", 0, f"key-{n}").status_code
                )
            )
            for n, phone in enumerate(fingers)
        ]

        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(codes) == [200] + [409] * 7
        assert game.snapshot.story.seq == 1


class TestRefused:
    def test_the_rules_say_why_and_where(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        act(ana, "throw 3", 0, "one")

        answer = act(ana, "throw 3", 1, "two")

        body = answer.get_json()
        assert answer.status_code == 422
        assert body["error"] == "refused"
        assert "ruling" not in body  # the book itself is plain
        assert "Ana" in body["text"]
        assert body["cite"]["rulebook"] == "drachenhort"
        assert body["cite"]["first"] <= body["cite"]["last"]
        assert body["source"] == "(livret, «\u202fPremière manche\u202f»)"

    def test_a_ruling_is_named_where_there_is_one_and_never_the_games_id(
        self, game: FakeTable, phones: Phones
    ):
        ana = phones.seat(0)
        act(ana, "throw 3", 0, "one")

        answer = act(ana, "pass", 1, "two")

        assert answer.get_json()["ruling"] == "DH1"
        assert answer.get_json()["source"] == (
            "Règle DH1\u202f: livret, «\u202fPremière manche\u202f»."
        )

    def test_everybody_sees_what_was_refused(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        act(ana, "throw 3", 0, "one")
        act(ana, "throw 3", 1, "two")

        assert phones.viewer().get("/api/state").get_json()["notice"]

    def test_what_is_no_move_is_refused(self, game: FakeTable, phones: Phones):
        answer = act(phones.seat(0), "fly away", 0)

        assert answer.status_code == 422
        assert "fly away" in answer.get_json()["text"]

    def test_without_a_game_a_move_is_too_late(self, phones: Phones):
        assert act(phones.host(), "throw 3", 0).status_code == 409


class TestUndo:
    def test_takes_the_last_move_back(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        act(ana, "throw 3", 0)

        answer = ana.post("/api/undo", json={"seq": 1, "key": "u"})

        assert answer.status_code == 200
        assert game.snapshot.story.state.pips == 0
        line = ana.get("/api/state").get_json()["history"][0]
        assert line["undone"] is True
        assert "Ana" in line["texts"][0]

    def test_nothing_to_take_back(self, game: FakeTable, phones: Phones):
        answer = phones.seat(0).post("/api/undo", json={"seq": 0, "key": "u"})

        assert answer.status_code == 422

    def test_too_late(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        act(ana, "throw 3", 0)

        answer = ana.post("/api/undo", json={"seq": 0, "key": "u"})

        assert answer.status_code == 409


class TestUndoOfANote:
    """Bo noted a group; nobody but Bo and the host may make the table forget it."""

    def test_another_seat_is_told_whose_it_is(self, game: FakeTable, phones: Phones):
        note(game, 1, 4)
        ana = phones.seat(0)

        answer = ana.post("/api/undo", json={"seq": 1, "key": "u"})

        assert answer.status_code == 422
        assert "Bo" in answer.get_json()["text"]
        assert "Bo" in ana.get("/api/state").get_json()["undo_bar"]
        assert "/api/undo" not in ana.get("/").text

    def test_its_owner_and_the_host_may(self, game: FakeTable, phones: Phones):
        for phone in (phones.seat(1), phones.host()):
            note(game, 1, 4)
            seq = game.snapshot.story.seq
            assert "/api/undo" in phone.get("/").text

            answer = phone.post("/api/undo", json={"seq": seq, "key": f"u{seq}"})

            assert answer.status_code == 200
            assert game.snapshot.story.steps == ()

    def test_the_hosts_own_seat_does_not_stand_in_the_way(
        self, game: FakeTable, phones: Phones
    ):
        note(game, 1, 4)
        both = phones.host()
        both.get(f"/j/{seat_code(SECRET, 'game-1', 0)}")

        answer = both.post("/api/undo", json={"seq": 1, "key": "u"})

        assert answer.status_code == 200


class TestSeatsAndHosts:
    def test_a_freed_seat_is_nobodys_until_its_new_code_is_read(
        self, game: FakeTable, phones: Phones
    ):
        host, bo, cy = phones.host(), phones.seat(1), phones.seat(2)

        answer = host.post("/api/free", data={"seat": "1", "game_id": "game-1"})

        assert (answer.status_code, answer.location) == (303, "/host")
        assert bo.get("/api/state").get_json()["me"]["role"] == "viewer"
        assert cy.get("/api/state").get_json()["me"]["seat"] == 2
        assert phones.seat(1).get("/api/state").get_json()["me"]["seat"] == 1

    def test_the_old_code_of_a_freed_seat_opens_a_friendly_page_alone(
        self, game: FakeTable, phones: Phones
    ):
        host, bo = phones.host(), phones.seat(1)
        old = seat_code(SECRET, "game-1", 1)
        cookie = bo.get_cookie("dragon_seat_80").value

        host.post("/api/free", json={"seat": 1, "game_id": "game-1"})
        bo.set_cookie("dragon_seat_80", cookie)  # kept from before: opens nothing
        answer = bo.get(f"/j/{old}")

        assert answer.status_code == 404
        assert "Demandez à l’hôte" in answer.text
        assert bo.get("/api/state").get_json()["me"]["role"] == "viewer"

    def test_each_time_a_seat_is_freed_it_has_another_code(
        self, game: FakeTable, phones: Phones
    ):
        host, codes = phones.host(), set()
        for _ in range(3):
            codes.add(seat_code(SECRET, "game-1", 1, game.tokens()))
            host.post("/api/free", json={"seat": 1, "game_id": "game-1"})

        assert len(codes) == 3
        assert [token.role for token in game.tokens()] == ["host", "freed"]
        new = seat_code(SECRET, "game-1", 1, game.tokens())
        assert f"/j/{new}" in host.get("/host").text
        assert host.get("/host").text.count("place libre<") == 3

    def test_the_codes_of_the_others_stay(self, game: FakeTable, phones: Phones):
        phones.host().post("/api/free", json={"seat": 1, "game_id": "game-1"})

        for seat in (0, 2):
            code = seat_code(SECRET, "game-1", seat)
            assert phones.viewer().get(f"/j/{code}").status_code == 303

    def test_a_freed_seat_is_free_in_a_rematch_too(
        self, game: FakeTable, phones: Phones
    ):
        host, bo = phones.host(), phones.seat(1)
        host.post("/api/free", json={"seat": 1, "game_id": "game-1"})

        host.post("/api/rematch", json={})

        assert bo.get("/api/state").get_json()["me"]["role"] == "viewer"
        assert phones.seat(1).get("/api/state").get_json()["me"]["seat"] == 1

    def test_freeing_a_seat_of_a_game_that_is_gone_is_too_late(
        self, game: FakeTable, phones: Phones
    ):
        order = {"seat": 1, "game_id": "game-0"}

        assert phones.host().post("/api/free", json=order).status_code == 409

    def test_stepping_down_takes_the_hosts_rights_from_this_phone_alone(
        self, game: FakeTable, phones: Phones
    ):
        old, new = phones.host(), phones.host()
        token = old.get_cookie("dragon_host_80").value

        old.post("/api/step_down", json={})

        assert old.get_cookie("dragon_host_80") is None
        old.set_cookie("dragon_host_80", token)  # kept from before: opens nothing
        assert old.get("/api/state").get_json()["me"]["host"] is False
        assert new.get("/api/state").get_json()["me"]["host"] is True

    def test_nor_does_the_old_link_make_it_the_hosts_again(
        self, game: FakeTable, phones: Phones
    ):
        old, new = phones.host(), phones.host()
        link = f"/j/{host_code(SECRET)}"
        old.post("/api/step_down", json={})

        assert old.get(link).status_code == 404
        assert old.get("/api/state").get_json()["me"]["host"] is False
        # What the new host shows opens the table, as does the PIN.
        shown = f"/j/{host_code(SECRET, game.tokens())}"
        assert old.get(shown).status_code == 303
        assert old.get("/api/state").get_json()["me"]["host"] is True
        assert new.get("/api/state").get_json()["me"]["host"] is True


class TestThePower:
    def test_too_little_voltage_is_told_while_it_lasts(
        self, game: FakeTable, phones: Phones
    ):
        game.show(power=Power(LOW, LOW))
        assert "trop peu de tension" in phones.viewer().get("/").text

        game.show(power=Power(0, LOW))

        assert "trop peu de tension" not in phones.viewer().get("/").text
        # The doctor, which asks a running table, still hears of it.
        status = phones.viewer().get("/api/state").get_json()["status"]
        assert (status["power"], status["power_past"]) == (None, LOW)


class TestSimulatedPins:
    def test_a_finger_presses(self, game: FakeTable, phones: Phones):
        answer = phones.seat(0).post("/api/sim/press", json={"button": "confirm"})

        assert answer.status_code == 200
        assert game.pressed == [("confirm", None)]

    def test_a_seats_own_button(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)

        own = ana.post("/api/sim/press", json={"button": "next", "seat": 0})
        other = ana.post("/api/sim/press", json={"button": "next", "seat": 1})

        assert (own.status_code, other.status_code) == (200, 403)

    def test_the_knob_turns_back_where_there_is_one(
        self, game: FakeTable, phones: Phones
    ):
        ana = phones.seat(0)
        assert 'value="previous"' not in ana.get("/").text

        game.show(buttons=replace(game.snapshot.buttons, knob=True))

        assert 'value="previous"' in ana.get("/").text
        ana.post("/api/sim/press", json={"button": "previous"})
        assert game.pressed == [("previous", None)]

    def test_no_such_button(self, game: FakeTable, phones: Phones):
        answer = phones.host().post("/api/sim/press", json={"button": "eject"})

        assert answer.status_code == 404

    def test_a_finger_that_is_asked_for_too_much_says_so(
        self, game: FakeTable, phones: Phones
    ):
        for _ in range(40):
            game.press("next", None)

        answer = phones.host().post("/api/sim/press", json={"button": "next"})

        assert answer.status_code == 503
        assert "beaucoup d’appuis" in answer.get_json()["text"]

    def test_real_pins_have_no_such_route(self, game: FakeTable, phones: Phones):
        game.show(buttons=replace(game.snapshot.buttons, simulated=False))

        answer = phones.host().post("/api/sim/press", json={"button": "next"})

        assert answer.status_code == 404


class TestLobby:
    def test_starting_as_a_script_does(self, table: FakeTable, phones: Phones):
        answer = phones.host().post(
            "/api/game",
            json={
                "game": "drachenhort",
                "players": ["Ana", "Bo"],
                "options": {"DH1": "optional"},
                "first": 1,
            },
        )

        assert answer.status_code == 200
        assert answer.get_json()["game_id"] == "game-1"
        header = table.snapshot.story.header
        assert header.players == ("Ana", "Bo")
        assert header.options == (("DH1", "optional"),)
        assert table.snapshot.story.state.seat == 1

    def test_a_bad_set_up_is_refused_in_one_line(
        self, table: FakeTable, phones: Phones
    ):
        answer = phones.host().post(
            "/api/game", json={"game": "drachenhort", "players": ["Ana"]}
        )

        assert answer.status_code == 422
        assert "\n" not in answer.get_json()["text"]

    def test_leaving_and_coming_back(self, game: FakeTable, phones: Phones):
        host = phones.host()
        act(host, "throw 3", 0)

        host.post("/api/leave", json={})
        assert game.snapshot.story is None
        host.post("/api/resume", json={"id": "game-1"})

        assert game.snapshot.story.state.pips == 3

    def test_no_such_game_to_come_back_to(self, table: FakeTable, phones: Phones):
        answer = phones.host().post("/api/resume", json={"id": "nothing"})

        assert answer.status_code == 422

    def test_a_rematch_needs_a_game(self, phones: Phones):
        assert phones.host().post("/api/rematch", json={}).status_code == 409

    def test_a_second_tap_on_play_again_does_not_begin_a_third_game(
        self, game: FakeTable, phones: Phones
    ):
        host = phones.host()

        codes = [
            host.post("/api/rematch", json={"game_id": "game-1"}).status_code
            for _ in range(2)
        ]

        assert codes == [200, 409]
        assert game.snapshot.game_id == "game-2"

    def test_putting_away_a_game_that_is_gone_leaves_the_new_one(
        self, game: FakeTable, phones: Phones
    ):
        host = phones.host()
        host.post("/api/rematch", json={})

        assert host.post("/api/leave", json={"game_id": "game-1"}).status_code == 409
        assert game.snapshot.game_id == "game-2"

    def test_a_rematch_keeps_the_options(self, table: FakeTable, phones: Phones):
        options = (("DH12", "exact"),)
        table.open_game(Setup("drachenhort", ("Ana", "Bo"), options))

        phones.host().post("/api/rematch", json={})

        assert table.snapshot.story.header.options == options


def test_a_table_that_is_too_slow_says_busy(
    game: FakeTable, phones: Phones, monkeypatch
):
    def slow(claim: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(game, "act", slow)

    assert act(phones.seat(0), "throw 3", 0).status_code == 503
