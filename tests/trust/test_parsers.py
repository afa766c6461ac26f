"""Each parser of ours takes what it is given, or refuses it in one line.

Whatever it is: no other exception, no crash, no more memory, and not for long.
"""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.capsule import input_log
from companion.club import messages
from companion.games import GAMES, find
from companion.running.storage.rows import header_without
from companion.running.storage.words import note_mishaps, set_word
from companion.story import codec
from companion.story.log import BadLog
from companion.table import LinePart
from tests.trust.parsers import PARSERS, Parser, Said, mutated, one_of, tried

ROOT = Path(__file__).parents[2]

SHORT_S, LONG_S = 0.4, 60.0

MOST_CPU_S = 2.0
"""For one of them; of a crowd that sends such, a table still answers others."""

MOST_MB = 100.0
"""Beyond what a whole one takes; a picture may have 50 megapixels of three bytes."""

MOST_PICTURE_MB = 400.0


def fuzzed(seconds: float, seed: int, *names: str) -> list[Said]:
    """Try some parsers in a process of its own, so long each."""
    command = [sys.executable, "-m", "tests.trust.parsers", str(seconds), str(seed)]
    done = subprocess.run(
        [*command, *names], cwd=ROOT, check=False, capture_output=True,
        timeout=len(names) * (seconds + 60),
    )  # fmt: skip
    said = [msgspec.json.decode(line, type=Said) for line in done.stdout.splitlines()]
    # A crash of native code, or of what wants too much memory, is one of the parser
    # that comes next.
    assert done.returncode == 0, (said[-1:], done.stderr.decode()[-3_000:])
    return said


def most_mb(said: Said) -> float:
    return MOST_PICTURE_MB if said.name == "picture" else MOST_MB


@pytest.mark.slow
def test_what_was_changed_is_taken_or_refused_in_one_line():
    found = fuzzed(SHORT_S, 1, *PARSERS)

    assert [said.name for said in found] == [*PARSERS]
    for said in found:
        assert not said.fault, (said.name, said.fault)
        assert said.tried > 0
        assert said.mb < most_mb(said), said


@pytest.mark.long
@pytest.mark.parametrize("name", PARSERS)
def test_a_minute_of_what_was_changed(name: str, record_property):
    (said,) = fuzzed(LONG_S, 2, name)

    refused = said.tried - said.taken
    record_property(
        "figures",
        f"{said.tried:,} tried: {said.taken:,} taken, {refused:,} refused; the slowest "
        f"{said.cpu_s:.2f} s, {said.mb:.0f} MB more",
    )
    assert not said.fault, said.fault
    assert said.taken > 0
    assert refused > 0
    assert said.cpu_s < MOST_CPU_S
    assert said.mb < most_mb(said)


def a_parser(parse) -> Parser:
    return Parser([b'{"a": 1}' * 4], one_of(ValueError)(parse), mutated)


def test_one_that_fails_otherwise_is_found():
    """So it would be noticed if nothing were tried at all."""

    def parse(content: bytes) -> None:
        if b"[[" in content:
            raise KeyError("a bracket")

    said = tried("ours", a_parser(parse), 20.0, 3)

    assert "KeyError: 'a bracket'" in said.fault
    assert "[[" in said.fault


def test_one_that_refuses_in_several_lines_is_found():
    def parse(content: bytes) -> None:
        if b"=" in content:
            raise ValueError("one\ntwo")

    assert "several lines" in tried("ours", a_parser(parse), 20.0, 4).fault


@pytest.mark.slow
def test_one_that_wants_memory_is_found():
    kept = []

    def parse(content: bytes) -> None:
        if b"true" in content:
            kept.append(random.Random(len(kept)).randbytes(30_000_000))

    said = tried("ours", a_parser(parse), 2.0, 5)

    assert not said.fault
    assert said.mb > 25


def test_an_entry_with_a_line_end_in_a_name_is_refused_in_one_line():
    header = b'{"seq":0,"at":0,"body":{"type":"header","game":"dragorun","players":[],'

    with pytest.raises(BadLog, match="unknown field `a b`") as caught:
        codec.decode(find("dragorun"), header + b'"box":{"a\\nb":1}}}')

    assert "\n" not in str(caught.value)


BRACKETS = b'{"line":"a","x":' + b"[" * 100_000
"""Where JSON is read by types, what no type asks for is skipped, bracket by bracket."""


class TestAHundredThousandBrackets:
    def test_in_a_journal_are_a_line_that_is_lost(self):
        assert input_log.decode(BRACKETS) == ()

    def test_in_a_log_are_no_entry(self):
        with pytest.raises(BadLog, match="cannot be read"):
            codec.decode(GAMES[0], BRACKETS)

    def test_from_a_broker_are_no_message_and_end_no_thread(self):
        with pytest.raises(msgspec.DecodeError, match="too many brackets"):
            messages.decode(BRACKETS, messages.Stored)

    def test_in_a_stored_header_keep_no_name_in_it(self):
        damaged = BRACKETS + b'"Ana"'

        assert header_without("Ana", damaged) == BRACKETS + b'"?"'

    def test_of_earlier_warnings_let_a_start_say_what_is_new(self):
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
            set_word(db, "mishaps", f"[{BRACKETS.decode()}")
            new = (LinePart("core.store.lost"),)

            assert note_mishaps(db, new) == new
