"""An owner's copy is described once, and impossible facts are named."""

import pytest

from companion.games import find
from companion.kits.kit import BadKit, load, plain_die, stand_in_kit
from companion.table import Meaning

GAME = find("drachenhort")


def kit_text(groups: str | None = None, extra: str = "") -> str:
    """Return a kit.toml of a copy like the stand-in's."""
    box = GAME.stand_in

    def cells(board) -> str:
        return ", ".join(
            f'{{light = "{cell.light}", trap = {str(cell.trap).lower()}, '
            f"jewel = {str(cell.jewel).lower()}}}"
            for cell in board.cells
        )

    heroes = ", ".join(f'"{hero}"' for hero in box.adventurers)
    triples = groups or ", ".join(
        "[" + ", ".join(f'"{hero}"' for hero in group) + "]" for group in box.groups
    )
    return (
        f'game = "drachenhort"\nname = "Our copy"\n{extra}\n[box]\n'
        f"adventurers = [{heroes}]\ngroups = [{triples}]\n"
        f"[box.front]\ncells = [{cells(box.front)}]\n"
        f"[box.back]\ncells = [{cells(box.back)}]\n"
    )


def test_a_kit_is_read_with_its_box_facts_and_an_ordinary_die(tmp_path):
    (tmp_path / "kit.toml").write_text(kit_text())

    kit = load(tmp_path)

    assert (kit.game, kit.name) == ("drachenhort", "Our copy")
    assert kit.box == GAME.stand_in
    assert Meaning(("d6", "5"), ("die", "2")) in kit.meanings


def test_a_copy_that_uses_its_own_die_gives_an_ordinary_one_no_meaning(tmp_path):
    (tmp_path / "kit.toml").write_text(kit_text(extra="ordinary_die = false"))

    assert load(tmp_path).meanings == ()


def test_the_stand_in_needs_no_box():
    kit = stand_in_kit(GAME)

    assert GAME.check_box(kit.box) == ()
    assert len(kit.meanings) == 6  # the six faces of an ordinary die
    assert kit.meanings == plain_die(GAME)


def test_two_copies_have_two_fingerprints(tmp_path):
    (tmp_path / "kit.toml").write_text(kit_text())

    assert load(tmp_path).digest() != stand_in_kit(GAME).digest()
    assert load(tmp_path).digest() == load(tmp_path).digest()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "game"),
        ("game =", "not a kit"),
        ('game = "chess"\nname = "x"\n[box]', "no game 'chess'"),
        ('game = "drachenhort"\nname = "x"\n[box]', "not a kit"),
        ('game = "drachenhort"\nname = 3\n[box]', "name"),
        (kit_text(groups='["green", "red", "blue"]'), "cannot be a Drachenhort box"),
    ],
)
def test_an_impossible_kit_is_named_in_one_line(tmp_path, text, words):
    (tmp_path / "kit.toml").write_text(text)

    with pytest.raises(BadKit, match=words) as refused:
        load(tmp_path)
    assert "\n" not in str(refused.value)


def test_a_kit_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadKit, match=r"kit\.toml"):
        load(tmp_path)
