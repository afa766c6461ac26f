"""Which lines of each rulebook bear words, and every line that our rules cite.

The books are not ours to print; where their text has lines is a fact.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion import games

FOLDER = Path(games.__file__).parent

WITH_WORDS = {
    "dragorun": (
        "3 5 7 9 11 13 15-16 18 20 22 24 30 34 36 38 42 46-47 49 51-52 56 60 62 64 66 "
        "68 70-75 79 81 83 85 87 91 93 97 101 105 109 113 115 119 121 125 127 131 135 "
        "139 141 143-144 146 148 150 152 154 158-159 161-162 164 168-175 177-180 "
        "182-185 187"
    ),
    "dragon_run": (
        "5-7 11 15-16 20 22 24 26 28-33 35 37 39 41-48 50 54 56 58 60 62-64 66 68 70 "
        "72 74 76 78 80 82 84 86 88-89 91 93 95 97 99 101 103 107 109 111 113 115 "
        "117-118 122 124 126-127 129-130 132 134 136 140 144 146 148 150 152-153 155 "
        "157-158 160 162-163 165 167 169 171 173 175 177 181 183 185 189"
    ),
    "drachenhort": (
        "3 5 7 9 11 13 15-16 18 20 22 24 28 30 32-33 35 37-38 40 42 44 46 48-55 59 61 "
        "63 65 67 71 73 75 79 81 83 85 87 89 91 93 95 97 99 101 103 105 107 109 111 "
        "113 117 119 125 127 129 131 135 137 139 143 145 147-149 151 153-157 159 161 "
        "163 165 167 171 173 175 177 179 181 183 185 187 189 191 193 197 199 201 203 "
        "205 207 209-213 215 218 220 222 224-226 230"
    ),
    "eight_dragons": (
        "3 5 7 9 11 13 15 19 23-24 26 28 30 32 36 38 42 44-45 47 49 51 53 55 57 59 "
        "61-66 68 70 72 74 76 78 80 82 84 86 88 90 92-96 98 100 102 104 106 108 110 "
        "112 114 116 118 120 122 124 126"
    ),
    "dragonix": (
        "3-4 8 12 15 17 21 23-30 38 40 42 44 46-47 49 51 53-57 59 61-62 64 66 70 74 "
        "76 78 80 82 84 86 88 90 92 96 98 100 102 104 106-111 113 115 117-118 120 124 "
        "126 130 132 136 140 142 144 148 150 154 158 162 164 168 170 172-174 178-179 "
        "183-185 189-190 192-194 196-201 205-207 209-213"
    ),
}
"""Counted from 1 in the text of each rulebook; the others are blank."""

CITING = {"Cite", "_on", "_ruling", "_refuse", "refuse", "_step"}
"""What is called with the first and the last line, one after the other."""

PAIRS = ("refus", "objections", "reasons", "scoring")
"""Modules in whose tables a pair of numbers is a first and a last line."""

SAID = re.compile(r"(?<!\w)l\.\s((?:\d+(?:[-–]\d+)?(?:,\s+(?=\d))?)+)")


class Cited(NamedTuple):
    """Some lines, and which file says so on which of its own."""

    first: int
    last: int
    where: str


def written(game_id: str) -> set[int]:
    """Return the lines of a rulebook that bear words."""
    return {n for part in WITH_WORDS[game_id].split() for n in spread(part)}


def spread(part: str) -> range:
    """Return all lines of "93" or "97-113"."""
    first, _, last = part.replace("–", "-").partition("-")
    return range(int(first), int(last or first) + 1)


def cited(game_id: str) -> list[Cited]:
    """Return what a game's modules and its RULES.md cite."""
    found: list[Cited] = []
    for path in sorted((FOLDER / game_id).iterdir()):
        if path.suffix in (".py", ".md"):
            text = path.read_text(encoding="utf-8")
            found += _in_words(path, text)
            if path.suffix == ".py":
                found += _in_code(path, ast.parse(text))
    return found


def _in_words(path: Path, text: str) -> Iterator[Cited]:
    for said in SAID.finditer(text):
        where = f"{path.name}:{text.count(chr(10), 0, said.start()) + 1}"
        for part in re.split(r",\s+", said[1].strip(", \n")):
            lines = spread(part)
            yield Cited(lines[0], lines[-1], where)


def _in_code(path: Path, tree: ast.Module) -> Iterator[Cited]:
    for node in ast.walk(tree):
        where = f"{path.name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in CITING:
                yield from _first_pair(node, where)
        elif isinstance(node, ast.Tuple) and any(p in path.stem for p in PAIRS):
            numbers = _numbers(node.elts)
            if len(node.elts) == len(numbers) == 2:
                yield Cited(numbers[0], numbers[1], where)


def _first_pair(call: ast.Call, where: str) -> Iterator[Cited]:
    # A ruling's own number comes before its lines.
    args = call.args[1:] if call.func.id == "_ruling" else call.args  # type: ignore[attr-defined]
    if any(isinstance(argument, ast.Starred) for argument in args):
        return  # the lines come from a table, which is looked at itself
    numbers = _numbers(args)
    if len(numbers) >= 2:
        yield Cited(numbers[0], numbers[1], where)
    elif numbers:
        yield Cited(numbers[0], numbers[0], where)


def _numbers(nodes: list[ast.expr]) -> list[int]:
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and type(node.value) is int
    ]
