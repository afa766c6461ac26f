"""Looks for known weaknesses in what the table runs on, without a network.

Run as ``python -m tests.trust.audit``. It compares `locked.txt`, and what is installed
here, with `advisories.toml`. What it can find: a package in a version that is listed
there as weak, or asked for so that it may be one; one that is asked for and not locked,
or locked without digests. What it cannot: what nobody has listed there, as it became
known later or was
overlooked; weaknesses of the operating system, of what only a Raspberry Pi has, and of
the tools of the tests.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct, convert, field
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

HERE = Path(__file__).parent
LOCKED, ADVISORIES = HERE / "locked.txt", HERE / "advisories.toml"
PROJECT = HERE.parents[1] / "pyproject.toml"

OLD_DAYS = 90
"""After which the list is called old; it fails nobody, as time alone breaks nothing."""

LINE = re.compile(r"([\w.-]+)==([^\s\\]+)")


class Advisory(Struct, frozen=True):
    """A weakness of some versions of a package."""

    id: str
    package: str
    below: str
    what: str
    first: str = field(default="0", name="from")

    def holds_for(self, found: str) -> bool:
        """Tell whether a version has it."""
        return Version(self.first) <= Version(found) < Version(self.below)


class Advisories(Struct, frozen=True):
    """All that were known, and on which day."""

    read_on: date
    advisory: tuple[Advisory, ...]


def read_advisories(path: Path = ADVISORIES) -> Advisories:
    """Return the list."""
    return convert(tomllib.loads(path.read_text(encoding="utf-8")), Advisories)


def locked_in(text: str) -> dict[str, tuple[str, int]]:
    """Return each locked package with its version, and how many digests it has."""
    found: dict[str, tuple[str, int]] = {}
    for block in re.split(r"\n(?=[\w])", text):
        line = LINE.match(block)
        if line is not None:
            digests = len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", block))
            found[canonicalize_name(line[1])] = line[2], digests
    return found


def asked_for(project: Path = PROJECT) -> list[Requirement]:
    """Return what the table needs, with the small display."""
    described = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    lines = (*described["dependencies"], *described["optional-dependencies"]["oled"])
    return [Requirement(line) for line in lines]


def installed(names: list[str]) -> dict[str, str]:
    """Return those of some packages that are installed here."""
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def weaknesses(versions: dict[str, str], known: Advisories) -> Iterator[str]:
    """Yield a line for each weakness that some packages have."""
    for one in known.advisory:
        found = versions.get(one.package)
        if found is not None and one.holds_for(found):
            text = f"{one.package} {found} has {one.id}: {one.what}"
            yield f"{text}; take {one.below} or later"


def gaps(locked: dict[str, tuple[str, int]], asked: list[Requirement]) -> Iterator[str]:
    """Yield a line for each package that is not locked as it should be."""
    for one in asked:
        name = canonicalize_name(one.name)
        if name not in locked:
            yield f"{name} is asked for and not locked; make locked.txt anew"
        elif not one.specifier.contains(locked[name][0], prereleases=True):
            yield f"{name} is locked at {locked[name][0]}, and {one.specifier} is asked"
    for name, (_, digests) in locked.items():
        if digests == 0:
            yield f"{name} is locked without the digest of a file"


def weak_floors(asked: list[Requirement], known: Advisories) -> Iterator[str]:
    """Yield a line for each package that may be installed in a weak version.

    The lock holds for nobody who installs with other versions at hand already.
    """
    for one in asked:
        floors = [
            Version(part.version)
            for part in one.specifier
            if part.operator in (">=", "==", "~=")
        ]
        floor = max(floors, default=Version("0"))
        for weakness in known.advisory:
            ours = weakness.package == canonicalize_name(one.name)
            if ours and floor < Version(weakness.below):
                text = f"{one.name} may be {floor}, before the end of {weakness.id}"
                yield f"{text}; ask for {weakness.below} or later"


def audit(locked_text: str, known: Advisories) -> list[str]:
    """Return a line for all that is wrong, in what is locked and what is installed."""
    locked = locked_in(locked_text)
    pinned = {name: found for name, (found, _) in locked.items()}
    return [
        *gaps(locked, asked_for()),
        *weak_floors(asked_for(), known),
        *weaknesses(pinned, known),
        *(
            f"installed here: {line}"
            for line in weaknesses(installed([*locked]), known)
        ),
    ]


def main() -> int:
    """Say what is wrong, and how old the list of weaknesses is."""
    known, text = read_advisories(), LOCKED.read_text(encoding="utf-8")
    found = audit(text, known)
    for line in found:
        print(line)  # noqa: T201
    days = (datetime.now(UTC).date() - known.read_on).days
    count = f"{len(locked_in(text))} packages, {len(known.advisory)} known weaknesses"
    old = "; that is old, read them anew" if days > OLD_DAYS else ""
    print(f"{count} of {known.read_on} ({days} days ago{old}): {len(found)} found")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
