"""Runs what takes minutes, and writes its figures to tests/LONG.md.

Each long test says its own figures with pytest's ``record_property("figures", ...)``.
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

HERE = Path(__file__).parent
TABLE = HERE / "LONG.md"


def run(report: Path) -> int:
    """Run the long tests; their results go to *report* as JUnit XML."""
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal",
        "-m", "long",
        # The newer form of the report has no place for a test's own figures.
        f"--junitxml={report}", "-o", "junit_family=xunit1", *sys.argv[1:],
    ]  # fmt: skip
    # Each test on one core: more threads would only wait for each other.
    alone = {"OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
    told = subprocess.run(
        command, cwd=HERE.parent, check=False, env={**os.environ, **alone}
    )
    return told.returncode


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
        where = case.get("classname", "").removeprefix("tests.")
        what = case.get("name", "").removeprefix("test_").replace("_", " ")
        yield where, what, told, float(case.get("time", "0"))


def written(found: list[tuple[str, str, str, float]], minutes: float) -> str:
    """Return the table of results."""
    only = f" Only: `{' '.join(sys.argv[1:])}`." if sys.argv[1:] else ""
    head = (
        "# The long tests\n\n"
        f"Written by `make long`; not edited by hand.{only}\n\n"
        f"Python {platform.python_version()} on {platform.machine()}, two cores, "
        f"{minutes:.0f} minutes in all.\n\n"
        "| where | what | figures | s |\n|---|---|---|---|\n"
    )
    lines = [f"| {a} | {b} | {c} | {d:.0f} |" for a, b, c, d in sorted(found)]
    return head + "\n".join(lines) + "\n"


def main() -> int:
    """Run, write the table, and return pytest's exit code."""
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        report = Path(folder) / "long.xml"
        code = run(report)
        found = list(rows(report)) if report.exists() else []
    TABLE.write_text(written(found, (time.monotonic() - began) / 60), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
