"""A kit's file that anybody may have made: one clear line, little memory, no rest."""

import random
import shutil
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from companion.games import GAMES
from companion.games.copy import Kind
from companion.kits.curriculum import course
from companion.kits.kit import (
    BadKit,
    KeptShot,
    NewShot,
    keep_shots,
    kept_shots,
    load,
    stand_in_kit,
)
from companion.kits.kit_files import (
    BARE,
    LESSON,
    MOST_PIXELS,
    MOST_TEXT_BYTES,
    SPACES,
    begin_kit,
    keep,
    kept_spaces,
    load_kept,
    pack,
    unpack,
)
from companion.kits.next_step import Progress
from companion.kits.spaces import Spaces
from tests.kits.test_kit_files import PNG, png

MB = 1_000_000


def kit_of(folder: Path, game_id: str) -> bytes:
    """Return a kit as its file, with a bit of everything that may be in one."""
    game = next(game for game in GAMES if game.id == game_id)
    begin_kit(folder, stand_in_kit(game))
    box, far = (1, 2, 30, 31), 1280.0
    shots = (
        NewShot(Kind.DIE, "move", "+1", PNG + b"1", box, far),
        NewShot(Kind.CARD, "card", "red", PNG + b"2", box, far),
    )
    keep_shots(folder, shots)
    keep(folder, SPACES, Spaces(tray=(0.1, 0.2, 0.5, 0.6)))
    keep(folder, LESSON, Progress())
    (folder / BARE).write_bytes(PNG)
    return pack(folder)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    return kit_of(tmp_path / "mine" / "Chez nous", "dragorun")


def repacked(content: bytes, way: int = zipfile.ZIP_STORED, **parts: bytes) -> bytes:
    """Return the file of a kit with other *parts*, packed in some way."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old:
        found = {name: old.read(name) for name in old.namelist()}
    found |= {name.replace("_", "."): data for name, data in parts.items()}
    with zipfile.ZipFile(out, "w", way) as new:
        for name, data in found.items():
            new.writestr(name, data)
    return out.getvalue()


def refused(content: bytes, folder: Path) -> str:
    """Return the line by which a file is refused, of which nothing is left."""
    there = folder / "there"
    with pytest.raises(BadKit) as caught:
        unpack(content, there)
    assert list(there.iterdir()) == []
    line = str(caught.value)
    assert "\n" not in line
    assert str(folder) not in line
    return line


class TestWhatGrows:
    """A small file that would fill the memory when it is unpacked or looked at."""

    def bomb(self, way: int) -> bytes:
        """Return a kit whose facts have 24 MB and say that they have 100 bytes."""
        out = BytesIO()
        with zipfile.ZipFile(out, "w", way) as file, file.open("kit.toml", "w") as part:
            for _ in range(24):
                part.write(bytes(MB))
        size = (24 * MB).to_bytes(4, "little")
        return out.getvalue().replace(size, (100).to_bytes(4, "little"))

    @pytest.mark.parametrize(
        "way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    )
    def test_past_what_it_says_is_not_unpacked(self, tmp_path: Path, way: int):
        bomb = self.bomb(way)
        assert len(bomb) < 100_000

        tracemalloc.start()
        line = refused(bomb, tmp_path)
        _, most_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert "broken" in line
        assert most_bytes < 4 * MB

    def test_in_a_text_is_not_unpacked(self, content: bytes, tmp_path: Path):
        facts = b"a = 1\n" + b"#" * MOST_TEXT_BYTES
        packed = repacked(content, zipfile.ZIP_DEFLATED, kit_toml=facts)

        assert "kit.toml is too large" in refused(packed, tmp_path)

    def shots(self, content: bytes, shots: list[KeptShot], **pictures: bytes) -> bytes:
        named = {f"shots/{name}_png": data for name, data in pictures.items()}
        listed = msgspec.json.encode(shots)
        return repacked(content, zipfile.ZIP_DEFLATED, shots_json=listed, **named)

    def test_in_sixty_pictures_of_4000_by_4000(self, content: bytes, tmp_path: Path):
        """Each takes 48 MB when it is looked at: 2.9 GB together."""
        names = [f"{number:016x}" for number in range(60)]
        shots = [
            KeptShot(Kind.CARD, "card", name, f"shots/{name}.png", (0, 0, 9, 9), 1280.0)
            for name in names
        ]
        large = png(4000, 4000)
        packed = self.shots(content, shots, **dict.fromkeys(names, large))

        assert "960 megapixels in 60 shots" in refused(packed, tmp_path)

    def test_in_one_picture_that_is_cut_sixty_times(
        self, content: bytes, tmp_path: Path
    ):
        name = "0" * 16
        shots = [
            KeptShot(
                Kind.CARD, "card", str(n), f"shots/{name}.png", (n, 0, 99, 9), 1280.0
            )
            for n in range(60)
        ]
        packed = self.shots(content, shots, **{name: png(4000, 4000)})

        assert "960 megapixels in 60 shots" in refused(packed, tmp_path)

    @pytest.mark.parametrize(
        "picture", [png(4001, 3), png(0, 9), png(64, 48, depth=16), b"", PNG[:20]]
    )
    def test_in_the_bare_table_is_refused(
        self, content: bytes, tmp_path: Path, picture: bytes
    ):
        line = refused(repacked(content, bare_png=picture), tmp_path)

        assert line == "this kit's bare.png is no picture that can be read"

    def test_is_not_what_a_taught_copy_has(self):
        """52 cards of 200 by 300 pixels, each shown three times, and two pictures."""
        taught = 3 * 52 * 200 * 300 + 2 * 1920 * 1080

        assert taught < MOST_PIXELS / 3


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_kit_that_is_packed_otherwise_is_refused(
    content: bytes, tmp_path: Path, way: int
):
    assert "broken" in refused(repacked(content, way), tmp_path)


def test_a_kit_that_was_packed_again_is_taken(content: bytes, tmp_path: Path):
    folder = unpack(repacked(content, zipfile.ZIP_DEFLATED), tmp_path)

    assert pack(folder) == content


PIECES = (
    b"\0", b"[", b"{", b'"', b"9" * 40, b"-1", b"1e999", b"nan", b"inf", b"\xff\xfe",
    b"[[", b"\n", b"=", b"'''", b"0x", b"2020-01-01", b"true", b"[[a]]\n", b"a.b.c=1\n",
    b"[" * 2_000, b'{"a":' * 2_000,
)  # fmt: skip
WAYS = (
    zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA,
)  # fmt: skip


def mutated(rng: random.Random, content: bytes) -> bytes:
    """Return bytes of which some were flipped, cut, doubled or put in."""
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(6):
            case 0:
                changed[at : at + 1] = rng.randbytes(1)
            case 1:
                del changed[at : at + rng.randrange(1, 40)]
            case 2:
                changed[at:at] = rng.choice(PIECES)
            case 3:
                there = rng.randrange(len(changed) + 1)
                changed[at:at] = changed[there : there + rng.randrange(60)]
            case 4:
                del changed[at:]
            case _:
                bit = 1 << rng.randrange(8)
                changed[at : at + 1] = bytes(b ^ bit for b in changed[at : at + 1])
    return bytes(changed)


def hostile(rng: random.Random, content: bytes) -> bytes:
    """Return a kit of which a part was changed, or its file, or both."""
    if rng.random() < 0.6:
        with zipfile.ZipFile(BytesIO(content)) as old:
            parts = {name: old.read(name) for name in old.namelist()}
        name = rng.choice([one for one in parts if not one.startswith("shots/")])
        part = {name.replace(".", "_"): mutated(rng, parts[name])}
        content = repacked(content, rng.choice(WAYS), **part)
        if rng.random() < 0.5:
            return content
    return mutated(rng, content)


def tried(tmp_path: Path, count: int, seed: int) -> tuple[int, int]:
    """Unpack so many changed kits; return how many were taken and how many refused.

    What is taken can be used in every way in which the table uses a kit.
    """
    rng, there = random.Random(seed), tmp_path / "there"
    contents = [kit_of(tmp_path / "mine" / game.id, game.id) for game in GAMES]
    taken, lines = 0, list[str]()
    for _ in range(count):
        try:
            folder = unpack(hostile(rng, rng.choice(contents)), there)
        except BadKit as error:
            lines.append(str(error))
            continue
        taken += 1
        kit = load(folder)
        course(kit.game, kit.box)
        kept_shots(folder)
        kept_spaces(folder)
        load_kept(folder, LESSON, Progress)
        pack(folder)
        shutil.rmtree(folder)
    assert list(there.iterdir()) == []
    assert not [line for line in lines if "\n" in line or str(tmp_path) in line]
    return taken, len(lines)


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no disk: that takes most of the time, and nothing is lost here."""
    monkeypatch.setattr("companion.files.os.fsync", lambda number: None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_changed_kits_are_taken_or_refused_in_one_line(
    tmp_path: Path, unsynced: None, seed: int
):
    taken, refusals = tried(tmp_path, 300, seed)

    assert taken > 10
    assert refusals > 100
