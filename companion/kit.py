"""What an owner taught once about their copy: box facts, and what its dice show.

A kit is a folder with a ``kit.toml``; without one, a game's stand-in kit serves, with
a board of our own and an ordinary die. Pictures are bytes here; vision opens them.
"""

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.games import find
from companion.games.core import Game
from companion.table import Meaning


class BadKit(ValueError):
    """A kit cannot be used; the message says where and what to do."""


class Kit(Struct, frozen=True):
    """The box facts of one copy, and the meanings of what its dice show."""

    game: str
    name: str
    box: Any
    meanings: tuple[Meaning, ...] = ()

    def digest(self) -> str:
        """Return a short fingerprint, so that a log names the copy it was played on."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()


def stand_in(game: Game[Any, Any, Any]) -> Kit:
    """Return the kit that needs no box: our own board, and an ordinary die."""
    return Kit(game.id, "stand-in", game.stand_in, plain_die(game))


def plain_die(game: Game[Any, Any, Any]) -> tuple[Meaning, ...]:
    """Return what the faces of an ordinary die stand for in *game*."""
    return tuple(
        Meaning(("d6", face), (piece, stands_for))
        for face, piece, stands_for in game.plain_die
    )


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a ``kit.toml``."""

    game: str
    name: str
    box: dict[str, Any]
    ordinary_die: bool = True


def load(folder: Path) -> Kit:
    """Return the kit in *folder*, its sums checked.

    Raises:
        BadKit: There is no such kit, it is for an unknown game, or its facts are
            impossible; the message names the first fault.
    """
    path = folder / "kit.toml" if folder.is_dir() else folder
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadKit(f"cannot read the kit {path}: {error}") from error
    try:
        file = msgspec.convert(tomllib.loads(text), _File)
        game = find(file.game)
        box = msgspec.convert(file.box, game.box_type)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, KeyError) as error:
        raise BadKit(f"{path} is not a kit: {error.args[0]}") from error
    faults = game.check_box(box)
    if faults:
        fault = faults[0]
        values = ", ".join(f"{name} {value}" for name, value in fault.params)
        raise BadKit(f"{path} cannot be a {game.title} box: {fault.code} ({values})")
    meanings = plain_die(game) if file.ordinary_die else ()
    return Kit(game.id, file.name, box, meanings)
