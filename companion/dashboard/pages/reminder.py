"""Each game on one page: a few lines after our own RULES.md, each with a picture.

A first game has them one by one, when what they say comes up.
"""

from typing import Any

from msgspec import Struct

from companion.dashboard.view.moves import AnyGame
from companion.words import Words

PICTURES = {
    "drachenhort": ("s-jewel", "die", "i-pass", "s-trap", "s-dragon", "i-trophy"),
    "dragorun": (
        "i-trophy", "die", "i-again", "i-plus", "i-swap", "i-egg", "i-mushroom",
    ),
    "dragon_run": (
        "i-heart", "i-power", "i-rush", "i-sneak", "i-cry", "i-dragon", "i-potion",
    ),
    "eight_dragons": (
        "i-head", "i-back", "i-hand", "i-swap", "i-diamond", "i-fireball", "i-lock",
    ),
    "dragonix": (
        "i-camp", "i-plus", "i-krak", "i-hero", "i-tower", "i-dragon", "i-hand",
    ),
}  # fmt: skip
"""By game the symbols of the page's sprite; the lines are ``reminder.<game>.<n>``."""


def reminder(game: str) -> list[tuple[str, str]]:
    """Return the lines of a game's page and their pictures; none for others' games."""
    pictures = enumerate(PICTURES.get(game, ()), start=1)
    return [(f"reminder.{game}.{number}", picture) for number, picture in pictures]


GOAL = 1
"""The line that says how a game is won."""

EXPLAINED = {
    "drachenhort": {
        "throw": (2,), "advance_lit": (3, 4), "advance_any": (3, 4),
        "dragon_first": (5,), "dragon_later": (5,), "flip": (6,), "show": (6,),
    },
    "dragorun": {
        "turn": (2, 5), "may_throw_again": (3,), "joker": (3,), "to_cell": (4,),
        "to_snail_cell": (4,), "to_finish": (4,), "stay": (4,), "draw": (5,),
        "may_return": (6,), "mushroom": (7,),
    },
    "dragon_run": {
        "act": (3, 4, 5), "power": (2,), "pay": (4,), "roll": (4,), "roll_with": (4,),
        "roll_in_vain": (4,), "sneaked": (4,), "forced": (3,), "cried": (5,),
        "wounded": (6,), "answer": (7,),
    },
    "eight_dragons": {
        "turn": (2,), "turn_second": (2,), "turn_back": (3,), "pair_shape": (3, 4),
        "pair_colour": (3, 4), "rest_of_pair": (3, 4), "again": (3,), "draw": (5,),
        "grab": (5,), "give": (6,), "may_block": (7,), "may_free": (7,),
    },
    "dragonix": {
        "place": (2, 3), "place_or_take_back": (2, 3), "place_more": (3,),
        "hero_counts": (4,), "sixth_card": (5,), "fly": (6,), "recruit": (7,),
    },
}  # fmt: skip
"""By game, what the table asks for (``<game>.do.<word>``) and which lines explain it.

What is so rare, or says so much by itself, that no line explains it, is left out."""

MOST_TIPS = 3


class Tip(Struct, frozen=True):
    """A line of a game's page that explains what comes up now, and its picture."""

    text: str
    picture: str


def tips(game: AnyGame, state: Any, words: Words, *, begins: bool) -> tuple[Tip, ...]:
    """Return what somebody who plays *game* for the first time wants to know now.

    Args:
        game: The game; none for others' games.
        state: As somebody who asks may see it.
        words: Of whoever asks.
        begins: Nothing was moved yet: first comes how the game is won.
    """
    lines, explained = dict(enumerate(reminder(game.id), 1)), EXPLAINED.get(game.id, {})
    asked = [prompt.line.rpartition(".")[2] for prompt in game.expects(state)]
    wanted = [GOAL] if begins else []
    wanted += [number for word in asked for number in explained.get(word, ())]
    numbers = [number for number in dict.fromkeys(wanted) if number in lines]
    return tuple(
        Tip(words.say(lines[number][0]), lines[number][1])
        for number in numbers[:MOST_TIPS]
    )
