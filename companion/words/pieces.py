"""Names pieces and places in words, for people who put them back."""

from typing import Any

from companion.corrections.misplaced import Misplaced
from companion.games import find
from companion.games.copy import NameLine
from companion.story.log import Story
from companion.table import Face, LinePart, Piece, Place, Value
from companion.words import Words


def describe_misplaced(story: Story, lost: Misplaced, words: Words) -> str:
    """Return where a piece belongs, and where it lies."""
    box = story.header.box
    name = piece_name(story.game.id, box, lost.piece, lost.face or lost.shows, words)
    values: dict[str, Value] = {"piece": name}
    for word, place in (("home", lost.home), ("there", lost.there)):
        if place is not None:
            values[word] = place_name(story.game.id, place, words)
    if lost.home is None:
        return words.say("table.astray.extra", values)
    if lost.there is None:
        return words.say("table.astray.missing", values)
    if lost.home != lost.there:
        return words.say("table.astray.moved", values)
    shown = piece_name(story.game.id, box, lost.piece, lost.shows, words)
    return words.say("table.astray.turned", values | {"shown": shown})


def place_name(game: str, place: Place, words: Words) -> str:
    """Return what people call a place."""
    return _said(find(game).copy.name_place(place), words)


def piece_name(
    game: str, box: Any, piece: Piece, face: Face | None, words: Words
) -> str:
    """Return what people call a piece that shows *face*."""
    names = find(game).copy.name_piece(box, piece, face)
    return ", ".join(_said(name, words) for name in names)


def _said(name: NameLine, words: Words) -> str:
    return words.part(name) if isinstance(name, LinePart) else words.text(name)
