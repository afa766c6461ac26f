"""Reads the board's netlist, as KiCad and SKiDL write it; needs neither.

Source: KiCad documentation, "Intermediate netlist file format": S-expressions.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

Tree: TypeAlias = "str | list[Tree]"

_TOKEN = re.compile(r'\(|\)|"((?:[^"\\]|\\.)*)"|[^\s()"]+')


class Fitted(Struct, frozen=True):
    """A part on the board."""

    ref: str
    value: str
    footprint: str


class Netlist(Struct, frozen=True):
    """All parts by their reference, and the (reference, pin) that each net joins."""

    parts: dict[str, Fitted]
    nets: dict[str, frozenset[tuple[str, str]]]


class NoNetlist(ValueError):
    """The file is no netlist."""


def read_netlist(path: Path) -> Netlist:
    """Return the netlist in a file.

    Raises:
        NoNetlist: Brackets do not match, or there are no parts and nets in it.
    """
    tree = _parse(path.read_text(encoding="utf-8"), path)
    parts = {
        ref: Fitted(ref, _text(one, "value"), _text(one, "footprint"))
        for one in _all(tree, "comp")
        if (ref := _text(one, "ref"))
    }
    nets = {
        _text(one, "name"): frozenset(
            (_text(node, "ref"), _text(node, "pin")) for node in _all(one, "node")
        )
        for one in _all(tree, "net")
    }
    if not parts or not nets:
        raise NoNetlist(f"{path}: has no parts or no nets; draw it again")
    return Netlist(parts, nets)


def _parse(text: str, path: Path) -> Tree:
    stack: list[list[Tree]] = [[]]
    for found in _TOKEN.finditer(text):
        if found[0] == "(":
            stack.append([])
        elif found[0] == ")":
            if len(stack) == 1:
                raise NoNetlist(f"{path}: a bracket too many")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(found[0] if found[1] is None else found[1])
    if len(stack) != 1:
        raise NoNetlist(f"{path}: ends within a bracket")
    return stack[0]


def _all(tree: Tree, name: str) -> Iterator[list[Tree]]:
    """Yield every list of that name, however deep, but none within another one."""
    for one in tree if isinstance(tree, list) else ():
        if isinstance(one, list) and one[:1] == [name]:
            yield one
        else:
            yield from _all(one, name)


def _text(tree: list[Tree], name: str) -> str:
    """Return what stands in the entry *name* of a list, "" where there is none."""
    for one in tree:
        if isinstance(one, list) and one[:1] == [name] and len(one) > 1:
            return str(one[1])
    return ""
