"""Runs what takes minutes, and writes its figures to tests/LONG.md.

Each long test says its own figures with pytest's ``record_property("figures", ...)``.
The longest of last time begin, so that no core waits for the other at the end.
With options for pytest, such as ``-k dragonix``, only the lines of what was run change.
"""

import os
import platform
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

HERE = Path(__file__).parent
TABLE = HERE / "LONG.md"


def run(report: Path) -> int:
    """Run the long tests; their results go to *report* as JUnit XML."""
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal",
        "-m", "long", "-p", "tests.long",
        # The newer form of the report has no place for a test's own figures.
        f"--junitxml={report}", "-o", "junit_family=xunit1", *sys.argv[1:],
    ]  # fmt: skip
    # Each test on one core: more threads would only wait for each other.
    alone = {"OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
    told = subprocess.run(
        command, cwd=HERE.parent, check=False, env={**os.environ, **alone}
    )
    return told.returncode


@pytest.hookimpl(trylast=True)  # after pytest-randomly has shuffled
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what took longest first; what is new may take long too."""
    _, lines = kept(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else ("", {})
    seconds = {key: float(line[3].split()[0]) for key, line in lines.items()}
    items.sort(key=lambda item: -seconds.get(named(*of(item)), 1_000.0))


def of(item: pytest.Item) -> tuple[str, str]:
    """Return (class name, name) of a test as the report of pytest has them."""
    file, *classes, _ = item.nodeid.partition("[")[0].split("::")
    where = [file.removesuffix(".py").replace("/", "."), *classes]
    return ".".join(where), item.name


def named(where: str, what: str) -> tuple[str, str]:
    """Return (where, what) of a test as people read them."""
    return where.removeprefix("tests."), what.removeprefix("test_").replace("_", " ")


def rows(report: Path) -> Iterator[tuple[str, str, str, float]]:
    """Yield (where, what, figures, seconds) of each test."""
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        failed = case.find("failure") is not None or case.find("error") is not None
        figures = [
            found.get("value", "")
            for found in case.iter("property")
            if found.get("name") == "figures"
        ]
        told = "; ".join(figures) or ("failed" if failed else "passed")
        test = named(case.get("classname", ""), case.get("name", ""))
        yield *test, told, float(case.get("time", "0"))


Line = tuple[str, str, str, str]
"""Where, what, figures, seconds, as the table has them."""


def kept(text: str) -> tuple[str, dict[tuple[str, str], Line]]:
    """Return what stands before a table that was written before, and its lines."""
    head, _, body = text.partition("|---|---|---|---|\n")
    lines: dict[tuple[str, str], Line] = {}
    for line in body.splitlines():
        where, what, told, seconds = (part.strip() for part in line[1:-1].split("|"))
        lines[where, what] = (where, what, told, seconds)
    return head.partition("| where")[0], lines


def written(
    found: list[tuple[str, str, str, float]], minutes: float, before: str = ""
) -> str:
    """Return the table of results; what was not run stays as it was *before*."""
    head = (
        "# The long tests\n\n"
        "Written by `make long`; not edited by hand.\n\n"
        f"Python {platform.python_version()} on {platform.machine()}, two cores, "
        f"{minutes:.0f} minutes in all. Lines with a star were run alone since.\n\n"
    )
    lines: dict[tuple[str, str], Line] = {}
    star = ""
    if before:
        head, lines = kept(before)
        star = " *"
    for where, what, told, seconds in found:
        lines[where, what] = (where, what, told, f"{seconds:.0f}{star}")
    rows = [f"| {' | '.join(line)} |" for line in sorted(lines.values())]
    title = "| where | what | figures | s |\n|---|---|---|---|\n"
    return head + title + "\n".join(rows) + "\n"


def main() -> int:
    """Run, write the table, and return pytest's exit code."""
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        report = Path(folder) / "long.xml"
        code = run(report)
        found = list(rows(report)) if report.exists() else []
    some = bool(sys.argv[1:]) and TABLE.exists()
    before = TABLE.read_text(encoding="utf-8") if some else ""
    minutes = (time.monotonic() - began) / 60
    TABLE.write_text(written(found, minutes, before), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
