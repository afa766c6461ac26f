"""Rebuilds the disk as a power cut leaves it, after each call of a program that writes.

strace says what the program wrote and when it waited for the disk. A cut keeps all that
was written, or only what was waited for, or of the rest some sectors and others not.

Source: "All File Systems Are Not Created Equal" (OSDI 2014), which names the models.
"""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from tests.trust.writing import Told

CALLS = (
    "openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,rename,lseek"
)  # fmt: skip
SECTOR = 512
"""What a card writes as a whole."""

Model: TypeAlias = Literal["all", "synced", "torn"]


class Call(NamedTuple):
    """A call that came to an end; *texts* are the strings among its arguments."""

    name: str
    fd: int
    path: str
    texts: tuple[bytes, ...]
    numbers: tuple[int, ...]
    flags: str


_CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
_UNFINISHED = re.compile(r"^(\d+) +(.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FD = re.compile(r"^(\d+)<((?:\\x[0-9a-f]{2})*)")


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def traced(folder: Path, acts: int, *how: str) -> list[Call]:
    """Run the program that writes into *folder*; return its calls in their order."""
    log = folder.with_name("calls")
    subprocess.run(
        [
            "strace", "-f", "-y", "-xx", "-s", "2000000", "-e", f"trace={CALLS}",
            "-o", str(log), sys.executable, "-m", "tests.trust.writing",
            str(folder), str(acts), *how,
        ],
        check=True, capture_output=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    return list(_calls(log.read_text().splitlines()))


def _calls(lines: list[str]) -> Iterator[Call]:
    begun: dict[str, str] = {}
    for line in lines:
        if found := _UNFINISHED.match(line):
            begun[found[1]] = found[2]
            continue
        again = _RESUMED.match(line)
        whole = f"{again[1]} {begun.pop(again[1])}{again[2]}" if again else line
        found = _CALL.match(whole)
        if found is None or found[3].startswith("-"):
            continue
        name, given, result, opened = found.groups()
        texts = tuple(_bytes(text) for text in _TEXT.findall(given))
        numbers = tuple(int(n) for n in re.findall(r"(?<=, )(\d+)(?=,|$)", given))
        at = _FD.match(given)
        if name == "openat":
            yield Call(
                name, int(result), _bytes(opened or "").decode(), texts, (), given
            )
        elif at is not None:
            path = _bytes(at[2]).decode()
            yield Call(name, int(at[1]), path, texts, numbers, given)
        else:
            yield Call(name, -1, "", texts, numbers, given)


class _File:
    """A file: as it is, as it was when it was waited for, and what was done since."""

    def __init__(self) -> None:
        self.now = bytearray()
        self.synced = b""
        self.since: list[tuple[int, bytes | None]] = []

    def write(self, at: int, data: bytes) -> None:
        _put(self.now, at, data)
        self.since.append((at, data))

    def cut(self, size: int) -> None:
        _size(self.now, size)
        self.since.append((size, None))

    def sync(self) -> None:
        self.synced, self.since = bytes(self.now), []

    def torn(self, rng: random.Random) -> bytes:
        """Return what is left where some sectors were written and others were not."""
        left = bytearray(self.synced)
        for at, data in self.since:
            if data is None:
                if rng.random() < 0.5:
                    _size(left, at)
                continue
            first = at - at % SECTOR
            for start in range(first, at + len(data), SECTOR):
                if rng.random() < 0.5:
                    low, high = max(start, at), min(start + SECTOR, at + len(data))
                    _put(left, low, data[low - at : high - at])
        return bytes(left)


def _put(content: bytearray, at: int, data: bytes) -> None:
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


def _size(content: bytearray, size: int) -> None:
    content.extend(bytes(max(0, size - len(content))))
    del content[size:]


class Disk:
    """A folder on a disk, and what of it would outlast a cut."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._names: dict[str, _File] = {}
        self._kept: dict[str, _File] = {}
        self._at: dict[int, int] = {}
        self.told: list[Told] = []

    def follow(self, call: Call) -> bool:
        """Do what a call did; tell whether something is different now."""
        if call.name == "write" and call.fd == 1:
            lines = call.texts[0].splitlines()
            self.told += [msgspec.json.decode(line, type=Told) for line in lines]
            return True
        if call.name in ("rename", "unlink"):
            return self._rename(call)
        if call.path == self._folder:
            if call.name in ("fsync", "fdatasync"):
                self._kept = dict(self._names)
            return call.name == "fsync"
        if Path(call.path).parent != Path(self._folder):
            return False
        if call.name == "openat":
            return self._open(call)
        file = self._names.get(call.path)
        return file is not None and self._change(call, file)

    def _open(self, call: Call) -> bool:
        self._at[call.fd] = 0
        if call.path.endswith("-shm"):  # memory that readers share, made anew
            return False
        if call.path not in self._names:
            self._names[call.path] = _File()
            return True
        if "O_TRUNC" in call.flags:
            self._names[call.path].cut(0)
            return True
        return False

    def _change(self, call: Call, file: _File) -> bool:
        match call.name:
            case "pwrite64":
                file.write(call.numbers[-1], call.texts[-1])
            case "write":
                at = self._at[call.fd]
                file.write(at, call.texts[-1])
                self._at[call.fd] = at + len(call.texts[-1])
            case "ftruncate":
                file.cut(call.numbers[-1])
            case "fsync" | "fdatasync":
                file.sync()
                # The name of a new file lasts with it.
                self._kept[call.path] = file
            case "lseek":
                self._at[call.fd] = call.numbers[0]
                return False
        return True

    def _rename(self, call: Call) -> bool:
        old, *new = (text.decode() for text in call.texts)
        file = self._names.pop(old, None)
        if file is not None and new:
            self._names[new[0]] = file
        return file is not None

    def after_cut(self, model: Model, rng: random.Random) -> dict[str, bytes]:
        """Return names and contents of the files that the next start finds."""
        match model:
            case "all":
                found = {path: bytes(file.now) for path, file in self._names.items()}
            case "synced":
                found = {path: file.synced for path, file in self._kept.items()}
            case "torn":
                names = rng.choice((self._names, self._kept))
                found = {path: file.torn(rng) for path, file in names.items()}
        return {Path(path).name: content for path, content in found.items()}
