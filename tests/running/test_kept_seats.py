"""Phones keep their seats for the evening, whatever game comes on the table."""

from pathlib import Path

from companion.running.phones import kept_seats
from companion.running.service import Table
from companion.running.snapshot import PhoneToken, Setup, StoredGame
from tests.running.table_setup import running


def seated(table: Table) -> dict[str, str]:
    """Return which phone sits for whom at the game on the table."""
    shown = table.snapshot
    assert shown.story is not None
    names = shown.story.header.players
    tokens = [one for one in table.tokens_of(shown.game_id) if one.role == "seat"]
    return {names[one.seat]: one.hash for one in tokens if one.seat is not None}


def sit(table: Table, phone: str, seat: int) -> None:
    table.add_token(PhoneToken(phone, "seat", seat, table.snapshot.game_id))


def test_another_game_in_another_order_with_one_who_comes_and_one_who_goes(
    tmp_path: Path,
):
    with running(tmp_path) as table:
        table.open_game(Setup("drachenhort", ("Ana", "Bo", "Cy")))
        for seat, phone in enumerate(("a", "b", "c")):
            sit(table, phone, seat)

        table.open_game(Setup("dragorun", ("Cy", "Dee", "ana")))
        assert seated(table) == {"Cy": "c", "ana": "a"}

        # Bo sat one out and is back; Dee has had no phone.
        table.leave()
        table.open_game(Setup("dragonix", ("Dee", "Bo", "Cy")))
        assert seated(table) == {"Bo": "b", "Cy": "c"}


def test_an_old_game_that_is_gone_on_with_and_a_restart(tmp_path: Path):
    with running(tmp_path) as table:
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        sit(table, "a", 0)
        table.open_game(Setup("dragorun", ("Bo", "Ana")))
        sit(table, "b", 0)
        table.resume("game-1")
        assert seated(table) == {"Ana": "a", "Bo": "b"}

    with running(tmp_path) as table:
        assert seated(table) == {"Ana": "a", "Bo": "b"}
        table.open_game(Setup("dragorun", ("Bo", "Ana")))
        assert seated(table) == {"Ana": "a", "Bo": "b"}


def test_nothing_is_left_of_phones_that_are_in_no_game_any_more(tmp_path: Path):
    """Or the list of them would grow with each game that was ever deleted."""
    with running(tmp_path) as table:
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        sit(table, "a", 0)
        table.open_game(Setup("dragorun", ("Cy", "Dee")))
        table.add_token(PhoneToken("host", "host"))

        table.drop_tokens(frozenset({"host"}))
        table.delete("game-1")

        assert (table._phones._of_hash, table._phones._of_game) == ({}, {})


def stored(number: int, *players: str) -> StoredGame:
    return StoredGame(f"game-{number}", "dragorun", players, 0.0, 1, True)


def kept(players: tuple[str, ...], *tokens: PhoneToken, games=()) -> list[str]:
    def of(game_id: str) -> list[PhoneToken]:
        return [token for token in tokens if token.game_id == game_id]

    return [
        f"{token.hash} {token.seat} {token.game_id}"
        for token in kept_seats("new", players, games, of)
    ]


def test_a_phone_that_the_host_put_out_stays_out():
    games = (stored(2, "Bo", "Ana"), stored(1, "Ana", "Bo"))
    old = PhoneToken("a", "seat", 0, "game-1"), PhoneToken("b", "seat", 1, "game-1")
    freed = PhoneToken("word", "freed", 1, "game-2")

    assert kept(("Ana", "Bo"), *old, games=games) == ["a 0 new", "b 1 new"]
    assert kept(("Ana", "Bo"), *old, freed, games=games) == ["b 1 new"]
    later = PhoneToken("c", "seat", 1, "game-2")
    both = kept(("Ana", "Bo"), *old, freed, later, games=games)
    assert both == ["c 0 new", "b 1 new"]


def test_a_name_that_was_deleted_brings_nobody_back():
    games = (stored(1, "1", "Bo"),)
    tokens = (PhoneToken("a", "seat", 0, "game-1"),)

    assert kept(("1", "Bo"), *tokens, games=games) == []
