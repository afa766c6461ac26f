"""A kit becomes one file and comes back from it; a broken file leaves nothing."""

import zipfile
from io import BytesIO

import pytest

from companion.games import GAMES
from companion.games.copy import Kind
from companion.kits.kit import (
    BadKit,
    NewShot,
    keep_shots,
    kept_shots,
    load,
    stand_in_kit,
)
from companion.kits.kit_files import (
    SPACES,
    begin_kit,
    drop_shots,
    keep,
    kept_spaces,
    load_kept,
    pack,
    unpack,
    write_facts,
)
from companion.kits.spaces import Spaces


def png(wide: int, high: int, depth: int = 8) -> bytes:
    """Return the beginning of a picture in colours."""
    size = wide.to_bytes(4) + high.to_bytes(4)
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    return head + size + bytes([depth]) + b"\x02\0\0\0 and the rest"


PNG = png(64, 48)


@pytest.fixture
def kit(tmp_path):
    """A kit of Dragorun with two shots, and where dice fall."""
    folder = tmp_path / "kits" / "Chez nous"
    game = next(game for game in GAMES if game.id == "dragorun")
    begin_kit(folder, stand_in_kit(game))
    box, far = (1, 2, 30, 31), 1280.0
    keep_shots(
        folder,
        (
            NewShot(Kind.DIE, "move", "+1", PNG + b"1", box, far),
            NewShot(Kind.COLOUR, "colour", "red", PNG + b"2", box, far),
        ),
    )
    keep(folder, SPACES, Spaces(tray=(0.1, 0.2, 0.5, 0.6)))
    return folder


def zipped(**parts: bytes) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name, data in parts.items():
            file.writestr(name.replace("__", "/").replace("_", "."), data)
    return content.getvalue()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_facts_are_read_as_they_were_written(game, tmp_path):
    begin_kit(tmp_path / "k", stand_in_kit(game))

    told = load(tmp_path / "k")

    assert (told.box, told.name) == (game.stand_in, "stand-in")
    assert told.meanings == stand_in_kit(game).meanings
    write_facts(tmp_path / "k", told, ordinary_die=False)
    assert load(tmp_path / "k").meanings == ()


def test_a_kit_comes_back_as_it_was(kit, tmp_path):
    there = tmp_path / "another table"

    folder = unpack(pack(kit), there)

    assert load(folder) == load(kit)
    assert kept_shots(folder) == kept_shots(kit)
    assert load_kept(folder, SPACES, Spaces).tray == (0.1, 0.2, 0.5, 0.6)
    assert pack(folder) == pack(kit)


def test_a_second_one_of_the_name_gets_a_number(kit):
    content = pack(kit)

    names = [unpack(content, kit.parent).name for _ in range(2)]

    assert names == ["stand-in", "stand-in 2"]


def test_a_shot_that_is_dropped_takes_its_picture_along(kit):
    first, second = kept_shots(kit)

    assert drop_shots(kit, {first.file}) == (second,)

    assert [path.name for path in (kit / "shots").iterdir()] == [
        second.file.removeprefix("shots/")
    ]


def without(kit, part: str) -> bytes:
    """Return the file of a kit that lacks one part."""
    content = BytesIO()
    file = zipfile.ZipFile(BytesIO(pack(kit)))
    with file, zipfile.ZipFile(content, "w") as other:
        for entry in file.infolist():
            if entry.filename != part:
                other.writestr(entry, file.read(entry))
    return content.getvalue()


class TestABrokenFile:
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "no kit, or it is broken"),
            (b"PK\x03\x04 torn off", "no kit, or it is broken"),
            (zipped(a_txt=b"hello"), "it has no kit.toml"),
            (zipped(kit_toml=b"game = 1"), "kit.toml is not a kit"),
            (zipped(kit_toml=b"", x_exe=b""), "'x.exe' is no part of one"),
            (zipped(kit_toml=b"", ____etc__passwd=b""), "is no part of one"),
        ],
    )
    def test_is_one_clear_line_and_leaves_nothing(self, tmp_path, content, words):
        with pytest.raises(BadKit, match=words) as caught:
            unpack(content, tmp_path)

        assert "\n" not in str(caught.value)
        assert str(tmp_path) not in str(caught.value)
        assert list(tmp_path.iterdir()) == []

    def test_with_a_picture_missing_says_which(self, kit, tmp_path):
        gone = kept_shots(kit)[0].file

        with pytest.raises(BadKit, match=f"lacks its picture '{gone}'"):
            unpack(without(kit, gone), tmp_path / "there")

    def test_with_a_flipped_byte_is_refused(self, kit, tmp_path):
        content = bytearray(pack(kit))
        content[content.index(PNG) + 30] ^= 1

        with pytest.raises(BadKit, match="broken"):
            unpack(bytes(content), tmp_path / "there")

    @pytest.mark.parametrize("bit", range(8))
    def test_whose_first_part_swallows_the_others_is_refused(self, kit, tmp_path, bit):
        """It would be taken as a kit of which nothing was shown."""
        content = bytearray(pack(kit))
        first = content.index(b"PK\1\2")
        content[first + 33] ^= 1 << bit  # the longer half of its comment's length

        with pytest.raises(BadKit, match="broken"):
            unpack(bytes(content), tmp_path / "there")

    @pytest.mark.parametrize("box", [(1, 2, 65, 31), (-1, 2, 30, 31), (30, 2, 31, 31)])
    def test_with_a_box_beside_its_picture_is_refused(self, kit, tmp_path, box):
        keep_shots(kit, (NewShot(Kind.DIE, "move", "+2", PNG + b"3", box, 1280.0),))

        with pytest.raises(BadKit, match="no picture of what it should show"):
            unpack(pack(kit), tmp_path / "there")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 5_000,
        '{"corners": [[0, 0], [0, 0], [0, 0], [0, 0]]}',
        '{"corners": [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0.5]]}',
        '{"corners": [[0, 0], [9e300, 0]]}',
        '{"places": [["hall", 9e300, 0]]}',
        '{"places": [["hall", 0, 0], ["hall", 1, 1]]}',
        '{"tray": [0.5, 0.5, 0.5, 0.6]}',
        '{"tray": [0.5, 0.5, 7.0, 0.6]}',
    ],
)
def test_spaces_that_nobody_can_have_tapped_are_none(tmp_path, text):
    (tmp_path / SPACES).write_text(text)

    assert kept_spaces(tmp_path) == Spaces()


def test_spaces_that_were_tapped_are_kept(tmp_path):
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    tapped = Spaces(corners, (("hall", 0.5, 1.02),), (0.0, 0.2, 0.3, 0.4))
    keep(tmp_path, SPACES, tapped)

    assert kept_spaces(tmp_path) == tapped
