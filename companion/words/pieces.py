"""Names pieces and places of the five games in words, for people who put them back."""

from collections.abc import Callable
from typing import Any

from companion.corrections.misplaced import Astray
from companion.games.dragonix.pieces import ROWS
from companion.games.eight_dragons.layout import PLACES
from companion.games.eight_dragons.pieces import SQUARES
from companion.story.log import Story
from companion.table import BACK, Face, Piece, Place, Value, Word
from companion.words import Words

OF_A_SEAT = {
    "seat": "before",
    "egg": "before",
    "show": "before",
    "event": "before",
    "front": "before",
    "open": "before",
    "camp": "camp",
    "tokens": "tokens",
}
"""Places of a player, whose seat is the first number, and the line that names each."""


def tell_astray(story: Story, lost: Astray, words: Words) -> str:
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
    if game == "eight_dragons":
        return SQUARES[PLACES.index(place)]
    name, *rest = place.split("/")
    numbers = [int(part) for part in rest if part.isdigit()]
    if name == "army":
        return words.say(f"dragonix.row.{ROWS[numbers[0] - 1]}")
    if name in OF_A_SEAT:
        return words.say(f"table.place.{OF_A_SEAT[name]}", {"seat": numbers[0]})
    if (name, numbers) == ("track", [0]):
        return words.say("table.place.snail")
    lines = {"tower": "dragonix.row.tower", "track": "table.place.cell"}
    line = lines.get(name, f"table.place.{name}")
    if rest[-1:] in (["light"], ["dark"]):
        line = f"{line}.{rest[-1]}"
    if name == "path" and numbers:
        line = "table.place.path_card"
    return words.say(line, {"number": numbers[0]} if numbers else {})


def piece_name(
    game: str, box: Any, piece: Piece, face: Face | None, words: Words
) -> str:
    """Return what people call a piece that shows *face*."""
    return PIECES[game](box, piece, face, words)


def _drachenhort(_box: Any, piece: Piece, _face: Face | None, words: Words) -> str:
    kind, _, value = piece.partition("/")
    if value:
        metal: dict[str, Value] = {"metal": Word(f"drachenhort.{kind}"), "value": value}
        return words.say("table.piece.medal", metal)
    if piece in ("dragon", "jewel"):
        return words.say(f"table.piece.{piece}")
    return words.say(f"drachenhort.{piece}")


def _dragonix(_box: Any, piece: Piece, face: Face | None, words: Words) -> str:
    if piece not in ("card", "token", "camp"):
        return words.say(f"dragonix.dragon.{piece}")
    if face in (None, BACK):
        return words.say(f"table.piece.{'token' if piece == 'token' else 'card'}")
    return words.say(f"dragonix.{piece}.{face}")


def _dragorun(_box: Any, piece: Piece, face: Face | None, words: Words) -> str:
    kind, _, colour = piece.partition("/")
    if colour:
        side = "marker_down" if face == BACK else "marker"
        dragon = {"dragon": Word(f"dragorun.dragon.{colour}")}
        return words.say(f"table.piece.{side}", dragon)
    if kind != "egg":
        return words.say(f"dragorun.dragon.{piece}")
    return words.say(f"dragorun.egg.{face}" if face else "table.piece.egg")


def _eight_dragons(_box: Any, piece: Piece, face: Face | None, words: Words) -> str:
    if piece == "token":
        return words.say("table.piece.token")
    if face in (None, BACK):
        return words.say("table.piece.card_down")
    return words.say(f"eight_dragons.card.{face}")


def _dragon_run(box: Any, piece: Piece, face: Face | None, words: Words) -> str:
    names = {place.id: place.name for place in box.places}
    names |= {hero.id: hero.name for hero in box.heroes}
    names |= {box.treasure_id(kind): box.treasure_name(kind) for kind in box.kinds}
    known, *how = (face or "").split("/")
    if known not in names:
        return words.say(f"table.piece.{piece}")
    name = words.text(names[known])
    health = [words.say(f"boards.dragon_run.{word}") for word in how[:1]]
    across = [words.say("boards.dragon_run.power.used") for _ in how[1:]]
    return ", ".join((name, *health, *across))


PIECES: dict[str, Callable[[Any, Piece, Face | None, Words], str]] = {
    "drachenhort": _drachenhort,
    "dragonix": _dragonix,
    "dragorun": _dragorun,
    "eight_dragons": _eight_dragons,
    "dragon_run": _dragon_run,
}
