"""Every line of a rulebook that is cited holds a sentence; none is blank."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES

TEXT = {
    "eight_dragons": (
        "3 5 7 9 11 13 15 19 23-24 26 28 30 32 36 38 42 44-45 47 49 51 53 55 57 "
        "59 61-66 68 70 72 74 76 78 80 82 84 86 88 90 92-96 98 100 102 104 106 "
        "108 110 112 114 116 118 120 122 124 126 "
    ),
    "dragonix": (
        "3-4 8 12 15 17 21 23-30 38 40 42 44 46-47 49 51 53-57 59 61-62 64 66 "
        "70 74 76 78 80 82 84 86 88 90 92 96 98 100 102 104 106-111 113 115 "
        "117-118 120 124 126 130 132 136 140 142 144 148 150 154 158 162 164 "
        "168 170 172-174 178-179 183-185 189-190 192-194 196-201 205-207 "
        "209-213 "
    ),
    "dragorun": (
        "3 5 7 9 11 13 15-16 18 20 22 24 30 34 36 38 42 46-47 49 51-52 56 60 62 "
        "64 66 68 70-75 79 81 83 85 87 91 93 97 101 105 109 113 115 119 121 125 "
        "127 131 135 139 141 143-144 146 148 150 152 154 158-159 161-162 164 "
        "168-175 177-180 182-185 187 "
    ),
    "dragon_run": (
        "5-7 11 15-16 20 22 24 26 28-33 35 37 39 41-48 50 54 56 58 60 62-64 66 "
        "68 70 72 74 76 78 80 82 84 86 88-89 91 93 95 97 99 101 103 107 109 111 "
        "113 115 117-118 122 124 126-127 129-130 132 134 136 140 144 146 148 "
        "150 152-153 155 157-158 160 162-163 165 167 169 171 173 175 177 181 "
        "183 185 189 "
    ),
    "drachenhort": (
        "3 5 7 9 11 13 15-16 18 20 22 24 28 30 32-33 35 37-38 40 42 44 46 48-55 "
        "59 61 63 65 67 71 73 75 79 81 83 85 87 89 91 93 95 97 99 101 103 105 "
        "107 109 111 113 117 119 125 127 129 131 135 137 139 143 145 147-149 "
        "151 153-157 159 161 163 165 167 171 173 175 177 179 181 183 185 187 "
        "189 191 193 197 199 201 203 205 207 209-213 215 218 220 222 224-226 "
        "230 "
    ),
}
"""The lines of each rulebook's text that are not blank."""

CITING = re.compile(r"refuse|waits|^_on$|^Cite$|_not_held|_not_told|not_empty")
"""The functions whose whole numbers are lines; of `_on` and `Cite` the first two."""

PROSE = re.compile(r"\b[lL]\. ?(\d+(?:-\d+)?(?:(?:, | and )\d+(?:-\d+)?)*)")


def lines_of(spans: str) -> set[int]:
    """Return the line numbers of spans such as ``12 15-17``."""
    found: set[int] = set()
    for span in spans.split():
        first, _, last = span.partition("-")
        found |= {*range(int(first), int(last or first) + 1)}
    return found


def package(game) -> Path:
    return Path(game.setup.__code__.co_filename).parent


def numbers(node: ast.AST) -> list[int]:
    """Return the whole numbers that stand in a node itself, in their order."""
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    values = [n.value for n in nodes if isinstance(n, ast.Constant)]
    return [value for value in values if type(value) is int]


def cited(source: str) -> Iterator[tuple[int, int]]:
    """Yield each line that code cites, and where it does."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        if name in ("_on", "Cite"):
            found = [n for arg in node.args if (n := numbers(arg))]
            plain = not any(isinstance(arg, ast.Starred) for arg in node.args)
            rows = found[:2] if plain else []
        elif CITING.search(name):
            rows = [numbers(arg) for arg in node.args if isinstance(arg, ast.Tuple)]
        else:
            continue
        for row in rows:
            yield from ((line, node.lineno) for line in row)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_ruling_cites_a_blank_line(game):
    text = lines_of(TEXT[game.id])

    for ruling in game.rulings:
        assert {ruling.cite.first, ruling.cite.last} <= text, ruling.id
        assert ruling.cite.first <= ruling.cite.last, ruling.id


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_refusal_and_no_event_cites_a_blank_line(game):
    text = lines_of(TEXT[game.id])
    found = [
        (path.name, number, line)
        for path in package(game).glob("*.py")
        for line, number in cited(path.read_text(encoding="utf-8"))
    ]

    assert len(found) > 20
    assert [cite for cite in found if cite[2] not in text] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_sentence_of_ours_cites_a_blank_line(game):
    text = lines_of(TEXT[game.id])
    blank = [
        (path.name, match[0])
        for path in package(game).iterdir()
        if path.suffix in (".py", ".md")
        for match in PROSE.finditer(path.read_text(encoding="utf-8"))
        for line in re.findall(r"\d+", match[1])
        if int(line) not in text
    ]

    assert blank == []


def test_what_is_cited_in_code_is_found():
    source = """
refuse("a", (12, 14), "ED1")
_on(20, 22, 3)
Cite(BOOK, 30, 31)
_on(*CITES[end], 22)
other((1, 2))
"""

    assert [line for line, _ in cited(source)] == [12, 14, 20, 22, 30, 31]
