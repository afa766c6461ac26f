"""The running table keeps what happened before it tells anyone."""

import threading

import pytest

from companion.kits.box_form import fields, read_facts
from companion.kits.kit import Kit
from companion.running.snapshot import Done, PhoneToken, Rejected, Setup, Stale
from companion.running.storage.trouble import StoreTrouble
from companion.table import Claim
from tests.running.table_setup import GAME, SETUP, claim, running, saw


def heard(table, *readings):
    """Hand in readings and wait until the last was dealt with."""
    for reading in readings:
        table.hear(reading)
        table.sync()


def test_a_game_is_begun_played_and_found_again_after_a_restart(tmp_path):
    with running(tmp_path) as table:
        assert table.open_game(SETUP) == Done(0, "game-1")
        heard(table, saw("3"))
        answer = table.act(claim(table.snapshot.story, "advance green", "k", 0))
        before = table.snapshot.story

    assert answer == Done(2, "game-1")
    with running(tmp_path) as table:
        assert table.snapshot.story == before
        assert table.snapshot.game_id == "game-1"


def test_a_pause_outlasts_a_restart_and_ends_where_the_host_goes_on(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        assert table.rest(pause=True) == Done(1, "game-1")

    with running(tmp_path) as table:
        assert table.snapshot.story.paused
        assert table.snapshot.offers == ()
        heard(table, saw("3"))
        assert table.snapshot.story.steps == ()

        table.rest(pause=False)
        heard(table, saw("3"))
        assert table.snapshot.story.state.pips == 3


def test_a_tap_that_was_carried_out_is_known_after_a_restart(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        tap = claim(table.snapshot.story, "throw 3", "once")
        table.act(tap)

    with running(tmp_path) as table:
        assert table.act(tap) == Done(1, "game-1")


def test_wishes_that_come_too_late_or_twice_are_told_to_nobody(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        early, key = table.snapshot.story, "once"
        table.act(claim(early, "throw 3", key))
        before = table.snapshot

        for number in range(200):
            late = claim(early, "throw 4", f"late {number}")
            assert table.act(late) == Stale(1)
            assert table.undo(None, 0, f"late {number}") == Stale(1)
            assert table.amend(1, "throw 4", None, 0, f"late {number}") == Stale(1)
            assert table.act(claim(early, "throw 3", key)) == Done(1, "game-1")

        assert table.snapshot is before


def test_a_hundred_taps_at_once_on_next_are_one_move(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        taps = [Claim("throw 3", 0, 0, f"key-{n}") for n in range(100)]
        answers = []
        threads = [
            threading.Thread(target=lambda tap=tap: answers.append(table.act(tap)))
            for tap in taps
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert sum(isinstance(answer, Done) for answer in answers) == 1
    assert sum(answer == Stale(1) for answer in answers) == 99


def test_a_game_is_put_away_and_resumed(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        table.act(claim(table.snapshot.story, "throw 3", "k"))
        table.leave()
        assert table.snapshot.story is None

        assert table.resume("game-1") == Done(1, "game-1")
        assert [game.entries for game in table.games()] == [2]


def test_a_game_goes_on_with_another_box_after_a_restart_too(tmp_path):
    lines = {one.name: one.value for one in fields(GAME.id, GAME.stand_in)}
    # The jewel lies on space 3, and not on 2 as on our own board.
    box = read_facts(GAME.id, GAME.stand_in, lines | {"front-0": "..jjtj.D.j"})
    with running(tmp_path) as table:
        table.open_game(SETUP)
        for move in ("throw 3", "advance green"):
            table.act(claim(table.snapshot.story, move, move))
        assert isinstance(table.change_box("ours"), Rejected)
        table.take_kit("ours", Kit(GAME.id, "ours", box))

        told = table.change_box("ours")

        assert told == Done(2, "game-2")
        assert table.snapshot.story.state.won == (1, 0, 0)
    with running(tmp_path) as table:
        assert table.snapshot.game_id == "game-2"
        assert table.snapshot.story.header.kit == "ours"
        assert table.snapshot.story.state.won == (1, 0, 0)
        assert table.story("game-1").state.won == (0, 0, 0)


def test_a_new_game_puts_the_old_one_away(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        table.open_game(Setup("drachenhort", ("Zoé", "龍")))
        games = table.games()

    assert [(game.players, game.closed) for game in games] == [
        (("Zoé", "龍"), False),
        (("Ana", "Bo", "Cy"), True),
    ]


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup("chess", ("Ana", "Bo")), "no game 'chess'"),
        (Setup("drachenhort", ("Ana",)), "2"),
        (Setup("drachenhort", tuple("ABCDEFGH")), "7"),
        (Setup("drachenhort", ("A", "B"), (("DH99", "yes"),)), "DH99"),
        (Setup("drachenhort", ("A", "B"), (("DH1", "never"),)), "never"),
        (Setup("drachenhort", ("A", "B"), kit="gone"), "gone"),
        (Setup("drachenhort", ("A", "B"), first=5), "5"),
    ],
)
def test_a_game_that_cannot_be_set_up_says_why_and_leaves_the_table(
    tmp_path, setup, words
):
    with running(tmp_path) as table:
        table.open_game(SETUP)

        answer = table.open_game(setup)

        assert isinstance(answer, Rejected)
        assert words in str(answer.why.params)
        assert table.snapshot.game_id == "game-1"


def test_a_phone_that_was_let_in_stays_in_after_a_restart(tmp_path):
    token = PhoneToken("hash", "seat", 1, "game-1")
    with running(tmp_path) as table:
        table.add_token(token)

    with running(tmp_path) as table:
        assert table.tokens() == (token,)


def test_whoever_waits_is_told_of_each_change(tmp_path):
    with running(tmp_path) as table:
        first = table.snapshot.version
        table.open_game(SETUP)

        assert table.wait(first, 5.0).version > first
        assert table.wait(table.snapshot.version, 0.0) == table.snapshot


def test_each_event_is_played_on_the_stage(tmp_path):
    cues = []
    with running(tmp_path, cues.append) as table:
        table.open_game(SETUP)
        heard(table, saw("3"), saw("3", "3"))

    assert cues


def test_without_pins_no_button_can_be_pressed(tmp_path):
    with running(tmp_path) as table, pytest.raises(LookupError, match="pins"):
        table.press("confirm", None)


class TestAFailingDisk:
    def test_the_game_goes_on_and_is_stored_when_the_disk_is_back(
        self, tmp_path, monkeypatch
    ):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            store = table._store
            real = store.append

            def full(game_id, entries):
                raise StoreTrouble("cannot write: disk full")

            monkeypatch.setattr(store, "append", full)
            answer = table.act(claim(table.snapshot.story, "throw 3", "a"))
            assert answer == Done(1, "game-1", stored=False)
            assert not table.snapshot.stored
            (told,) = table.snapshot.warnings
            assert told.line == "core.store.unsaved"

            monkeypatch.setattr(store, "append", real)
            table.act(claim(table.snapshot.story, "advance green", "b"))
            assert table.snapshot.stored
            assert table.snapshot.warnings == ()
            before = table.snapshot.story

        with running(tmp_path) as table:
            assert table.snapshot.story == before

    def test_a_disk_that_is_back_is_noticed_without_anybody_acting(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setattr("companion.running.service.RETRY_S", 0.01)
        with running(tmp_path) as table:
            table.open_game(SETUP)
            store, real = table._store, table._store.append
            refused = threading.Event()

            def once(game_id, entries):
                if not refused.is_set():
                    refused.set()
                    raise StoreTrouble("cannot write: disk full")
                real(game_id, entries)

            monkeypatch.setattr(store, "append", once)
            table.act(claim(table.snapshot.story, "throw 3", "a"))
            shown = table.snapshot
            while not shown.stored:
                shown = table.wait(shown.version, 5.0)

            assert shown.warnings == ()


class TestDeletingAName:
    def test_it_goes_from_the_game_on_the_table_and_from_those_put_away(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            table.open_game(Setup("drachenhort", ("Bo", "Ana")))
            table.act(claim(table.snapshot.story, "throw 3", "a"))

            answer = table.forget("Ana")

            assert answer == Done(1, "game-2")
            assert table.snapshot.story.header.players == ("Bo", "2")
            assert table.story("game-2") == table.snapshot.story
            assert table.story("game-1").header.players == ("1", "Bo", "Cy")
            assert table.games()[1].players == ("1", "Bo", "Cy")
            before = table.snapshot.story

        with running(tmp_path) as table:
            assert table.snapshot.story == before

    @pytest.mark.parametrize("asked", ["Ana", "ana", "ANA"])
    def test_it_goes_however_it_is_written(self, asked, tmp_path):
        with running(tmp_path) as table:
            table.open_game(Setup("drachenhort", ("ana", "Bo")))
            table.open_game(Setup("drachenhort", ("Cy", "Anna", "Ana")))

            table.forget(asked)

            assert table.story("game-1").header.players == ("1", "Bo")
            assert table.snapshot.story.header.players == ("Cy", "Anna", "3")
            named = {name for game in table.games() for name in game.players}
            assert named == {"1", "Bo", "Cy", "Anna", "3"}

        kept = b"".join(path.read_bytes() for path in tmp_path.glob("table.sqlite3*"))
        assert b'"ana"' not in kept.lower()

    def test_a_disk_that_refuses_keeps_it_and_says_so(self, tmp_path, monkeypatch):
        def full(name):
            raise StoreTrouble("cannot write: disk full")

        with running(tmp_path) as table:
            table.open_game(SETUP)
            monkeypatch.setattr(table._store, "forget", full)

            answer = table.forget("Ana")

            assert isinstance(answer, Rejected)
            assert table.snapshot.story.header.players == ("Ana", "Bo", "Cy")


class TestDeletingAGame:
    def test_goes_and_stays_gone_and_the_one_on_the_table_is_kept(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            table.open_game(SETUP)

            assert isinstance(table.delete("game-2"), Rejected)
            assert table.delete("game-1") == Done(0, "game-2")

            assert [game.id for game in table.games()] == ["game-2"]
            with pytest.raises(LookupError):
                table.story("game-1")

    def test_a_disk_that_refuses_keeps_it_and_says_so(self, tmp_path, monkeypatch):
        def full(game_id):
            raise StoreTrouble("cannot write: disk full")

        with running(tmp_path) as table:
            table.open_game(SETUP)
            table.leave()
            monkeypatch.setattr(table._store, "delete", full)

            assert isinstance(table.delete("game-1"), Rejected)
            assert [game.id for game in table.games()] == ["game-1"]


def test_a_phone_that_was_put_out_stays_out_after_a_restart(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        for name in ("one", "two"):
            table.add_token(PhoneToken(name, "seat", 1, "game-1"))

        table.drop_tokens(frozenset({"one"}))

        assert [token.hash for token in table.tokens()] == ["two"]
    with running(tmp_path) as table:
        assert [token.hash for token in table.tokens()] == ["two"]
