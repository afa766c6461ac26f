"""By which names a browser may ask the table: those that no stranger can publish."""

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dashboard.app import create_app
from companion.dashboard.door.hosts import PRIVATE, is_ours, own_names
from companion.table import LinePart
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, SECRET

OURS = (
    "192.168.1.20:8000",
    "10.42.0.1",
    "[fe80::1]:8000",
    "[fe80::1%25wlan0]:8000",
    "[2001:db8::7]",
    "127.0.0.1",
    "localhost:8000",
    "dragons",
    "DRAGONS.local.",
    "dragons.local:80",
    "dragon.lan",
    "dragon.lan.:8000",
    "raspberrypi.fritz.box",
    "raspberrypi.fritz.box.:8000",
    "dragon.home",
    "dragon.home.arpa",
    "dragon.localdomain",
    "dragon.internal",
    "dragon.attic.lan",
)
STRANGE = (
    "",
    ".",
    ":8000",
    "attacker.example",
    "rebind.network",
    "evil.example.:8000",
    "192.168.1.20.evil.example:8000",
    "192.168.1.20.nip.io",
    "dragon.lan.evil.example",
    "fritz.box.evil.example",
    "notfritz.box",
    "fritz.box.com",
    "dragon..lan",
    ".lan",
    "dragon.lan..",
    "dragon.lan@evil.example",
    "evil.example#.lan",
    "evil.example/.lan",
    "evil.example .lan",
    "300.1.1.1",
    "1.2.3.4.5",
    "[::1",
    "[]",
    "[192.168.1.20]",
    "dragon.lan:80:80",
    "dragon.lan:x",
    "drachenhöhle.lan\x00",
    "www.google.com",
)


def nobody() -> tuple[str, ...]:
    return ()


@pytest.mark.parametrize("host", OURS)
def test_a_name_that_only_a_household_gives_is_ours(host: str):
    assert is_ours(host, nobody)


@pytest.mark.parametrize("host", STRANGE)
def test_a_name_that_a_stranger_may_publish_is_not(host: str):
    assert not is_ours(host, nobody)


LETTERS = string.ascii_lowercase + string.digits + "-"
LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
NAME = st.lists(LABEL, min_size=1, max_size=3).map(".".join)
PORT = st.sampled_from(("", ".", ":8000", ".:80"))


DELEGATED = ("com", "org", "net", "example", "network", "dev", "box", "fr", "de", "zip")
FEW = settings(max_examples=20, deadline=None)


def check(name: str, private: str, delegated: str, port: str) -> None:
    """See that a name is ours below a private ending, and below no other."""
    assert is_ours(f"{name}.{private}{port}", nobody)
    assert is_ours(f"{name}.{private}{port}".upper(), nobody)
    for strange in (f"{name}.{delegated}", f"{name}.{private}.{delegated}"):
        if not strange.endswith("fritz.box"):
            assert not is_ours(strange + port, nobody)


@FEW
@given(NAME, st.sampled_from(PRIVATE), st.sampled_from(DELEGATED), PORT)
def test_a_name_is_ours_below_a_private_ending_and_below_no_other(
    name: str, private: str, delegated: str, port: str
):
    check(name, private, delegated, port)


@pytest.mark.long
def test_thousands_of_names(record_property):
    rng = random.Random(15)
    for _ in range(50_000):
        labels = ("".join(rng.choices(LETTERS, k=rng.randint(1, 9))) for _ in range(3))
        name = ".".join(label.strip("-") or "x" for label in labels)
        port = rng.choice(("", ".", ":8000", ".:80"))
        check(name, rng.choice(PRIVATE), rng.choice(DELEGATED), port)
    record_property("figures", "50,000 names: private ones ours, others refused")


@FEW
@given(st.text(max_size=40))
def test_what_is_no_name_at_all_is_told_apart_without_a_fault(text: str):
    told = is_ours(text, nobody)

    assert isinstance(told, bool)
    assert not (told and set(text) & set("@/#?\\ \t\r\n"))


class TestOwnNames:
    def test_are_the_hostname_in_the_domains_that_the_router_told(self, tmp_path):
        resolver = tmp_path / "resolv.conf"
        resolver.write_text(
            "nameserver 192.168.1.1\nsearch speedport.ip cafe.example.\n"
        )

        names = own_names(lambda: "Dragon", resolver)

        assert names == {"dragon", "dragon.speedport.ip", "dragon.cafe.example"}
        assert is_ours("dragon.speedport.ip.:8000", lambda: names)
        assert not is_ours("evil.cafe.example", lambda: names)

    def test_without_a_resolver_there_is_the_hostname(self, tmp_path):
        assert own_names(lambda: "pi.example", tmp_path / "none") == {"pi.example"}


class TestARunningTable:
    def test_a_strange_name_gets_one_line_and_nothing_of_the_table(
        self, game: FakeTable, phones: Phones
    ):
        for host in ("attacker.example", "rebind.network:8000", "[", "a b"):
            told = phones.seat(0).get("/api/state", headers={"Host": host})

            assert told.status_code == 400
            assert told.get_json() == {
                "error": "host",
                "text": "Ce nom n’est pas celui de la table. "
                "Ouvrez le lien que montre le grand écran.",
            }

    @pytest.mark.parametrize(
        "host",
        ["attacker.example", "dragon.lan..", ".lan", "a..lan", f"{'a' * 70}.lan"],
    )
    def test_a_page_too_under_names_that_are_none(
        self, host: str, game: FakeTable, phones: Phones
    ):
        game.show(warnings=(LinePart("dashboard.live.lost"),))

        told = phones.viewer().get("/", headers={"Host": host})

        assert told.status_code == 400
        assert "<h1>Ce nom n’est pas celui de la table." in told.text
        # Under that name nothing else of ours is found, and nothing else is told.
        assert not any(tag in told.text for tag in ("<a ", "<script", "<link", "<p"))

    def test_a_post_from_the_page_under_each_name_is_from_its_own(
        self, game: FakeTable, phones: Phones
    ):
        for host in ("dragon.lan.:8000", "[fe80::1]:8000", "raspberrypi.fritz.box"):
            phone = phones.viewer()
            mine = {"Host": host, "Origin": f"http://{host}"}
            other = {"Host": host, "Origin": "http://dragon.home"}

            # An empty count is told what it lacks.
            assert phone.post("/tally", headers=mine).status_code == 422
            assert phone.post("/tally", headers=other).status_code == 403

    def test_own_names_are_asked_for_only_where_they_decide(self, game: FakeTable):
        asked: list[str] = []

        def own() -> tuple[str, ...]:
            asked.append("yes")
            return ("table.example",)

        app = create_app(
            game,
            secret=SECRET,
            pin=PIN,
            address=ADDRESS,
            own_names=own,
            strict_words=True,
        )
        phone = app.test_client()

        assert phone.get("/api/state").status_code == 200
        assert asked == []
        assert (
            phone.get("/api/state", headers={"Host": "table.example"}).status_code
            == 200
        )
        assert (
            phone.get("/api/state", headers={"Host": "other.example"}).status_code
            == 400
        )
