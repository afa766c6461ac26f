"""What the table runs on is locked, and has no weakness that was known."""

import pytest
from packaging.requirements import Requirement

from tests.trust.audit import (
    LOCKED,
    asked_for,
    audit,
    gaps,
    locked_in,
    read_advisories,
    weak_floors,
    weaknesses,
)

KNOWN = read_advisories()


def test_nothing_that_is_locked_or_installed_has_a_known_weakness():
    assert audit(LOCKED.read_text(encoding="utf-8"), KNOWN) == []


def test_every_advisory_is_of_a_package_that_is_locked():
    locked = locked_in(LOCKED.read_text(encoding="utf-8"))

    assert {one.package for one in KNOWN.advisory} <= set(locked)
    assert len(locked) >= len(asked_for())


@pytest.mark.parametrize(
    ("package", "version", "wrong"),
    [
        ("jinja2", "3.1.5", 1),  # CVE-2025-27516 alone
        ("jinja2", "3.1.6", 0),
        ("flask", "3.0.9", 1),  # before the first that signs with the wrong key
        ("flask", "3.1.0", 2),
        ("opencv-python-headless", "4.11.0.86", 1),
        ("opencv-python-headless", "4.12.0.88", 0),
        ("pillow", "10.2.0", 2),
    ],
)
def test_an_older_one_is_found(package: str, version: str, wrong: int):
    assert len([*weaknesses({package: version}, KNOWN)]) == wrong


def test_the_line_says_what_to_take():
    line, _ = weaknesses({"waitress": "3.0.0"}, KNOWN)

    assert line.endswith("take 3.0.1 or later")


@pytest.mark.parametrize(
    ("asked", "weak"),
    [
        ("flask>=3.1,<4", ["CVE-2025-47278", "CVE-2026-27205"]),
        ("flask>=3.1.3,<4", []),
        ("opencv-python-headless>=4.10,<6", ["CVE-2025-53644"]),
        ("Jinja2", 5 * ["CVE-2024"]),  # any version will do
    ],
)
def test_what_is_asked_for_so_that_it_may_be_weak_is_found(asked: str, weak: list[str]):
    found = [*weak_floors([Requirement(asked)], KNOWN)]

    assert len(found) == len(weak)
    assert all(one in line for one, line in zip(weak[:2], found, strict=False))


def test_what_is_asked_for_and_not_locked_is_found():
    locked = locked_in(LOCKED.read_text(encoding="utf-8"))
    without = {name: found for name, found in locked.items() if name != "flask"}

    (line,) = gaps(without, asked_for())

    assert line == "flask is asked for and not locked; make locked.txt anew"


def test_what_is_locked_outside_of_what_is_asked_for_is_found():
    locked = locked_in(LOCKED.read_text(encoding="utf-8")) | {"flask": ("4.0.0", 2)}

    (line,) = gaps(locked, asked_for())

    assert line.startswith("flask is locked at 4.0.0, and ")


def test_a_lock_without_digests_is_found():
    text = LOCKED.read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if "--hash" not in line)

    assert len([*gaps(locked_in(bare), asked_for())]) == len(locked_in(text))
