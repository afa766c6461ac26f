"""Requests drawn from the table's own description of its routes: none breaks one.

schemathesis reads the description, as anybody's tool would, and sends what it allows
and what it forbids; each answer must be one that is described.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.dashboard.api import acts
from tests.trust.fuzzing import ServedTable, served

REFUSALS = "positive_data_acceptance"
"""The one check that is left out: that whatever has the right shape is done. To refuse
a move that has it, and is against the rules, is what this table is for."""

GIVES_UP = "/api/step_down"
"""It would end the host's rights of the phone that all requests come from."""


def fuzzed(
    table: ServedTable, folder: Path, examples: int, *more: str
) -> subprocess.CompletedProcess[str]:
    """Send at most *examples* requests of each kind to each route."""
    config = folder / "schemathesis.toml"
    config.write_text(
        "".join(
            f'[auth.openapi.{name.split("_")[1]}]\napi_key = "{text}"\n'
            for name, text in table.cookies.items()
        )
    )
    description = f"http://127.0.0.1:{table.server.port}/api/openapi.json"
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(config),
        "run", description, "--checks", "all", "--exclude-checks", REFUSALS,
        "--max-examples", str(examples), "--seed", "1", "--no-color", *more,
    ]  # fmt: skip
    return subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=folder
    )


def requests_of(report: str) -> int:
    found = re.search(r"([\d,]+) generated", report)
    assert found is not None, report
    return int(found[1].replace(",", ""))


@pytest.mark.slow
def test_no_request_that_the_description_leads_to_breaks_a_route(tmp_path: Path):
    with served(tmp_path) as table:
        done = fuzzed(table, tmp_path, 8, "--exclude-path", GIVES_UP)
        last = fuzzed(
            table, tmp_path, 3, "--include-path", GIVES_UP, "--phases", "fuzzing"
        )

    assert done.returncode == 0, done.stdout
    assert last.returncode == 0, last.stdout
    assert requests_of(done.stdout) > 200


PLAYED = (
    "--phases", "stateful", "--include-path", "/api/state", "--include-path", "/api/act"
)  # fmt: skip
"""Only what a game is played with, so that it stays on the table."""


@pytest.mark.slow
def test_moves_that_a_state_offers_are_made(tmp_path: Path):
    with served(tmp_path) as table:
        done = fuzzed(table, tmp_path, 8, *PLAYED)
        story = table.table.snapshot.story

    assert done.returncode == 0, done.stdout
    assert story is not None
    assert story.steps


@pytest.mark.slow
def test_a_route_that_fails_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """So it would be noticed if nothing were sent at all."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(acts, "redact", broken)

    with served(tmp_path) as table:
        done = fuzzed(table, tmp_path, 3, "--include-path", "/api/act")

    assert done.returncode == 1
    assert "Server error" in done.stdout


@pytest.mark.slow
def test_an_answer_that_is_not_described_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(acts, "stale_reply", lambda *_: ("", 418))

    with served(tmp_path) as table:
        done = fuzzed(table, tmp_path, 3, "--include-path", "/api/act")

    assert done.returncode == 1
    assert "418" in done.stdout


@pytest.mark.long
def test_two_hundred_requests_of_each_kind_to_each_route(
    tmp_path: Path, record_property
):
    for name in ("all", "played"):
        (tmp_path / name).mkdir()
    with served(tmp_path / "all") as table:
        done = fuzzed(table, tmp_path, 200, "--exclude-path", GIVES_UP)
    with served(tmp_path / "played") as table:
        played = fuzzed(table, tmp_path, 200, *PLAYED)

    count = requests_of(done.stdout) + requests_of(played.stdout)
    record_property("figures", f"{count:,} requests, each answered as described")
    assert done.returncode == 0, done.stdout
    assert played.returncode == 0, played.stdout
