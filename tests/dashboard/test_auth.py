import re

from flask import Flask
from flask.testing import FlaskClient

from companion.dashboard import host_link, seat_link
from companion.dashboard.door.auth import (
    MOST_HOSTS,
    Authenticator,
    Who,
    host_code,
    seat_code,
)
from companion.running.snapshot import Setup
from tests.dashboard.conftest import Clock, Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, PLAYERS, SECRET
from tests.running.table_setup import SETUP, running


def me(phone: FlaskClient) -> dict[str, object]:
    view = phone.get("/api/state").get_json()
    assert isinstance(view, dict)
    return dict(view["me"])


def try_pin(phone: FlaskClient, pin: str, address: str = "192.168.1.7") -> int:
    answer = phone.post(
        "/host", data={"pin": pin}, environ_base={"REMOTE_ADDR": address}
    )
    return answer.status_code


class TestCodes:
    def test_a_code_holds_at_least_128_bits_and_differs_for_each_seat_and_game(self):
        codes = {
            seat_code(SECRET, game, seat) for game in ("a", "b") for seat in range(7)
        }

        assert len(codes | {host_code(SECRET)}) == 15
        assert all(re.fullmatch("[a-z2-7]{26}", code) for code in codes)

    def test_another_secret_gives_other_codes(self):
        assert seat_code(SECRET, "a", 0) != seat_code(SECRET + b"!", "a", 0)

    def test_links_are_what_a_phone_opens(self):
        assert seat_link(ADDRESS, SECRET, "a", 1) == (
            f"{ADDRESS}/j/{seat_code(SECRET, 'a', 1)}"
        )
        assert host_link(ADDRESS + "/", SECRET) == f"{ADDRESS}/j/{host_code(SECRET)}"


class TestJoining:
    def test_a_phone_without_a_code_only_watches(self, game, phones: Phones):
        assert me(phones.viewer()) == {
            "role": "viewer",
            "seat": None,
            "name": None,
            "host": False,
        }

    def test_a_seats_code_seats_the_phone(self, game, phones: Phones):
        phone = phones.seat(1)

        assert me(phone)["name"] == "Bo"
        assert me(phone)["role"] == "seat"

    def test_a_wrong_code_opens_nothing(self, game, phones: Phones):
        phone = phones.viewer()

        answer = phone.get("/j/" + "a" * 26)

        assert answer.status_code == 404
        assert "Set-Cookie" not in answer.headers

    def test_the_host_may_hold_a_seat_too(self, game: FakeTable, phones: Phones):
        phone = phones.host()

        phone.get(f"/j/{seat_code(SECRET, game.snapshot.game_id or '', 2)}")

        assert me(phone) == {"role": "seat", "seat": 2, "name": "Cy", "host": True}

    def test_a_phone_that_comes_again_gets_no_second_token(
        self, game: FakeTable, phones: Phones
    ):
        phone = phones.seat(0)
        phone.get(f"/j/{seat_code(SECRET, game.snapshot.game_id or '', 0)}")

        assert len(game.tokens()) == 1

    def test_one_link_is_one_token_however_often_it_is_opened(
        self, game: FakeTable, phones: Phones
    ):
        first = phones.seat(1).get_cookie("dragon_seat_80")
        for _ in range(50):
            assert phones.seat(1).get_cookie("dragon_seat_80").value == first.value

        assert len(game.tokens()) == 1
        other = phones.seat(0).get_cookie("dragon_seat_80")
        assert other.value != first.value

    def test_a_seat_that_was_freed_has_another_token(
        self, game: FakeTable, phones: Phones
    ):
        before = phones.seat(1)
        phones.host().post("/api/free", json={"seat": 1, "game_id": "game-1"})

        after = phones.seat(1)

        assert me(before)["role"] == "viewer"
        assert me(after)["name"] == "Bo"

    def test_the_hosts_phones_are_only_so_many_and_the_last_is_one(
        self, game: FakeTable, phones: Phones
    ):
        for _ in range(MOST_HOSTS + 10):
            last = phones.host()

        assert len(game.tokens()) == MOST_HOSTS
        assert me(last)["host"] is True

    def test_cookies_are_closed_to_scripts_and_carry_the_port(
        self, game, phones: Phones
    ):
        phone = phones.viewer()

        answer = phone.get(f"/j/{seat_code(SECRET, 'game-1', 0)}")

        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("dragon_seat_80=")
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie

    def test_only_the_hash_of_a_token_is_kept(self, game: FakeTable, phones: Phones):
        phone = phones.seat(0)
        cookie = phone.get_cookie("dragon_seat_80")

        assert cookie is not None
        assert len(cookie.value) >= 43  # 32 bytes
        assert cookie.value not in repr(game.tokens())

    def test_a_forged_cookie_opens_nothing(self, game, phones: Phones):
        phone = phones.viewer()
        phone.set_cookie("dragon_host_80", "guess")
        phone.set_cookie("dragon_seat_80", "guess")

        assert me(phone)["role"] == "viewer"


class TestAnotherGame:
    def test_a_seat_ends_with_its_game(self, game: FakeTable, phones: Phones):
        phone = phones.seat(1)

        game.open_game(Setup("drachenhort", ("Dee", "Eva")))

        assert me(phone)["role"] == "viewer"

    def test_the_seat_comes_back_with_its_game(self, game: FakeTable, phones: Phones):
        phone = phones.seat(1)
        game.open_game(Setup("drachenhort", ("Dee", "Eva")))

        game.resume("game-1")

        assert me(phone)["name"] == "Bo"

    def test_after_a_rematch_everybody_sits_where_they_sat(
        self, game: FakeTable, phones: Phones
    ):
        bo, host = phones.seat(1), phones.host()

        host.post("/api/rematch", json={})

        assert game.snapshot.game_id == "game-2"
        assert game.snapshot.story is not None
        assert game.snapshot.story.header.players == PLAYERS
        assert me(bo)["name"] == "Bo"


def test_a_freed_seat_keeps_its_new_code_through_a_restart(tmp_path):
    with running(tmp_path) as real:
        real.open_game(SETUP)
        old = Authenticator(real, SECRET, PIN, float).seat_code("game-1", 1)
        Authenticator(real, SECRET, PIN, float).put_out("game-1", 1)
        new = Authenticator(real, SECRET, PIN, float).seat_code("game-1", 1)

    with running(tmp_path) as real:
        door = Authenticator(real, SECRET, PIN, float)
        assert door.read(old) is None
        assert door.read(new) == Who(seat=1)


def test_a_link_that_is_opened_a_hundred_times_is_written_once(tmp_path):
    with running(tmp_path) as real:
        real.open_game(SETUP)
        db = real._store._db
        door = Authenticator(real, SECRET, PIN, float)
        door.let_in(Who(seat=1))
        before = db.total_changes
        for _ in range(100):
            door.let_in(Who(seat=1))

        assert db.total_changes == before
        assert real.tokens() == real.tokens_of("game-1")
        assert len(real.tokens()) == 1


class TestPin:
    def test_the_right_pin_makes_the_host(self, phones: Phones):
        phone = phones.viewer()

        assert try_pin(phone, PIN) == 303
        assert me(phone)["host"] is True

    def test_a_wrong_pin_is_told_and_makes_nothing(self, phones: Phones):
        phone = phones.viewer()

        assert try_pin(phone, "000000") == 403
        assert me(phone)["host"] is False

    def test_the_sixth_try_of_a_minute_has_to_wait_even_if_right(
        self, phones: Phones, clock: Clock
    ):
        phone = phones.viewer()
        for _ in range(5):
            assert try_pin(phone, "000000") == 403

        assert try_pin(phone, PIN) == 429

        clock.now_s += 61
        assert try_pin(phone, PIN) == 303

    def test_another_address_is_not_held_up(self, phones: Phones):
        phone = phones.viewer()
        for _ in range(5):
            try_pin(phone, "000000")

        assert try_pin(phone, PIN, address="192.168.1.8") == 303

    def test_many_addresses_together_are_held_up(self, phones: Phones):
        phone = phones.viewer()
        for n in range(30):
            try_pin(phone, "000000", address=f"192.168.1.{n}")

        assert try_pin(phone, PIN, address="192.168.2.1") == 429

    def test_a_storm_of_wrong_ones_holds_up_nobody_who_is_known(
        self, game: FakeTable, phones: Phones, clock: Clock
    ):
        """Six strangers try what they may, each second for more than a minute."""
        ana, host, stranger = phones.seat(0), phones.host(), phones.viewer()
        for second in range(66):
            for n in range(6):
                try_pin(stranger, "000000", address=f"192.168.1.{n}")
            if second >= 4:  # 30 were wrong by then
                assert try_pin(stranger, PIN, address="192.168.2.1") == 429
            if second < 65:
                clock.now_s += 1

        # Whoever has the host's code is let in, and stays in.
        assert host.get("/host").status_code == 200
        friend = phones.viewer()
        friend.get(f"/j/{host_code(SECRET)}")
        assert me(friend)["host"] is True
        # Nobody who sits there has to wait: the right PIN counts at once.
        assert try_pin(ana, PIN, address="192.168.1.1") == 303
        assert me(ana)["host"] is True

    def test_a_seat_has_its_own_five_tries_and_takes_none_from_others(
        self, game: FakeTable, phones: Phones, clock: Clock
    ):
        ana, bo = phones.seat(0), phones.seat(1)
        assert [try_pin(ana, "000000") for _ in range(5)] == [403] * 5

        assert try_pin(ana, PIN) == 429
        assert try_pin(ana, PIN, address="192.168.1.8") == 429
        assert try_pin(bo, PIN) == 303
        assert try_pin(phones.viewer(), PIN) == 303
        clock.now_s += 61
        assert try_pin(ana, PIN) == 303

    def test_odd_letters_are_just_wrong(self, phones: Phones):
        assert try_pin(phones.viewer(), "２７１８２８") == 403


def test_a_short_secret_is_refused(table: FakeTable):
    import pytest

    from companion.dashboard import create_app

    with pytest.raises(ValueError, match="at least 16"):
        create_app(table, secret=b"short", pin=PIN, address=ADDRESS)


def test_the_app_keeps_nothing_outside_of_it(app: Flask, table: FakeTable):
    from companion.dashboard import create_app

    other = create_app(FakeTable(), secret=SECRET, pin="000000", address=ADDRESS)
    phone = other.test_client()

    assert try_pin(phone, PIN) == 403
