"""Entries of a log as lines of JSON, each game's moves, states and box typed."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.games.core import Game, Refused
from companion.story.log import (
    Amended,
    Asked,
    BadLog,
    Edited,
    Entry,
    Header,
    Made,
    Noted,
    Undone,
)
from companion.table import Value, Word


@cache
def codec(game: Game[Any, Any, Any]) -> msgspec.json.Decoder[Entry]:
    """Return the decoder of one game's entries: its moves, states and box typed."""
    move, state, box = game.move_type, game.state_type, game.box_type

    class TypedEntry(Struct, frozen=True):
        seq: int
        at: float
        # The types are values here, one set a game; mypy cannot know them.
        body: (
            Header[box]  # type: ignore[valid-type]
            | Made[move]  # type: ignore[valid-type]
            | Asked
            | Undone
            | Edited[state]  # type: ignore[valid-type]
            | Amended[move]  # type: ignore[valid-type]
            | Noted
        )

    return msgspec.json.Decoder(TypedEntry)


def encode(entry: Entry) -> bytes:
    """Return one line of JSON, without the line end."""
    return msgspec.json.encode(entry)


def decode(game: Game[Any, Any, Any], line: bytes) -> Entry:
    """Return the entry that *line* holds.

    Raises:
        BadLog: The line is not an entry of this game.
    """
    try:
        typed = codec(game).decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        # What somebody wrote there may stand in it, line ends and all.
        why = " ".join(str(error).split())
        raise BadLog(f"a log entry cannot be read: {why}") from error
    return as_entry(game, typed)


def as_entry(game: Game[Any, Any, Any], typed: Entry) -> Entry:
    """Return what was decoded as an entry.

    In questions of before, a value that is a line of the game's own was its id behind
    an ``@``; no name of a player ever stood there.
    """
    body = typed.body
    if isinstance(body, Asked) and isinstance(body.verdict, Refused):
        params = tuple(
            (name, _in_our_words(game.id, value)) for name, value in body.verdict.params
        )
        if params != body.verdict.params:
            body = replace(body, verdict=replace(body.verdict, params=params))
    return Entry(typed.seq, typed.at, body)


def _in_our_words(game: str, value: Value) -> Value:
    if isinstance(value, str) and value.startswith(f"@{game}."):
        return Word(value[1:])
    return value
