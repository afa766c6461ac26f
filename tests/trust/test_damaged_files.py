"""A kit or a game as a file that was cut off or damaged: as it was, or one line.

Nothing of it is altered in silence. The file of games and its log of writes have the
same in `tests.running.test_damage`.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import pytest

from companion.capsule.file import unpack as open_capsule
from companion.kits.kit import BadKit
from companion.kits.kit_files import pack, unpack
from companion.running.storage.game_file import BadRecord
from companion.running.storage.salvage import memory
from tests.kits.test_hostile_kits import kit_of
from tests.running.test_damage import flipped
from tests.trust.keeping import CAPSULE, KEPT

FLIPS, MANY = 300, 10_000

Opens: TypeAlias = Callable[[bytes], Any]
"""Opens a file; returns all that is in it. What is raised refuses it in one line."""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory, for which no disk is waited: nothing is lost here."""
    monkeypatch.setattr("companion.files.os.fsync", lambda number: None)
    with TemporaryDirectory(dir=memory()) as name:
        yield Path(name)


@pytest.fixture(params=["kit", "capsule"])
def file(request: pytest.FixtureRequest, folder: Path) -> tuple[bytes, Opens]:
    """A file of either kind, and what opens it."""
    if request.param == "capsule":
        return (KEPT / "0.1.0" / CAPSULE).read_bytes(), open_capsule

    def open_kit(content: bytes) -> bytes:
        there = unpack(content, folder / "there")
        packed = pack(there)
        shutil.rmtree(there)
        return packed

    return kit_of(folder / "mine", "dragorun"), open_kit


def opened(opens: Opens, whole: bytes, files: Iterable[bytes]) -> Counter[str]:
    """Open damaged files; return how many came out right, were refused, and altered."""
    right, found = opens(whole), Counter[str]()
    for content in files:
        try:
            same = opens(content) == right
        except (BadKit, BadRecord) as error:
            one_line = bool(str(error)) and "\n" not in str(error)
            found["refused" if one_line else "not in one line"] += 1
        else:
            found["right" if same else "altered"] += 1
    return found


def flips(content: bytes, count: int) -> Iterator[bytes]:
    """Yield files of which one bit each was flipped."""
    rng = random.Random(count)
    for _ in range(count):
        yield flipped(content, rng.randrange(8 * len(content)))


@pytest.mark.slow
@pytest.mark.parametrize("count", [FLIPS, pytest.param(MANY, marks=pytest.mark.long)])
def test_a_flipped_bit_is_refused_or_changes_nothing(
    file: tuple[bytes, Opens], count: int, record_property
):
    content, opens = file

    found = opened(opens, content, flips(content, count))

    told = ", ".join(f"{n:,} {what}" for what, n in found.most_common())
    record_property("figures", f"{count:,} flips: {told}")
    assert set(found) <= {"right", "refused"}
    assert found["refused"] > count / 2


@pytest.mark.slow
@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.long)])
def test_one_that_is_cut_off_anywhere_is_refused(
    file: tuple[bytes, Opens], step: int, record_property
):
    content, opens = file
    lengths = range(0, len(content), step)

    found = opened(opens, content, (content[:length] for length in lengths))

    record_property("figures", f"cut at {len(lengths):,} places, each refused")
    assert found == {"refused": len(lengths)}


def test_one_that_is_altered_in_silence_would_be_found_out():
    """So it would be noticed if nothing were compared at all."""
    whole = b"a file without any sum over it"

    found = opened(bytes, whole, flips(whole, 10))

    assert found == {"altered": 10}
