"""The result of a game as one picture to share, drawn by ourselves as SVG.

SVG, as the product has no library that writes letters with accents into pixels; the
phone makes a PNG of it where its browser runs scripts (``static/share.js``).
"""

import unicodedata

from flask import render_template
from msgspec import Struct

from companion.dashboard.view.view_cache import speaker
from companion.games.core import WinsBy
from companion.story.duration import minutes_played
from companion.story.log import Story
from companion.words import Words

SIDE = 1080
"""Units of the picture, a square: what messengers show whole in a list."""

ROOM = 920
"""How wide a line may be between the margins."""

NAME_ROOM = 600
"""How wide a name may be before its points."""

EM = 0.6
"""How wide a letter is at most of its height, on average over a name: the bold
sans-serifs of phones have 0.5 to 0.58; what is wider yet is squeezed by the browser."""


class Fitted(Struct, frozen=True):
    """A text with the size at which it fits; *squeeze* is its width where none does."""

    text: str
    size: int
    squeeze: int | None = None


class Ranked(Struct, frozen=True):
    """A player's row: *points* are None in a race; *bar* is its part of the most."""

    name: Fitted
    points: int | None
    bar: float
    won: bool


def result_svg(story: Story, day: str, words: Words) -> str | None:
    """Return the picture of a game's result; None while there is no result.

    Args:
        story: The game.
        day: When it was played, in words.
        words: Of whoever asks.
    """
    outcome = story.game.outcome(story.state)
    if outcome is None:
        return None
    winners = [words.name(seat) for seat in outcome.winners]
    return render_template(
        "result.svg",
        say=speaker(words),
        title=fit(story.game.title, 64, ROOM),
        headline=fit(headline(winners, words), 84, ROOM),
        day=day,
        minutes=minutes_played(story),
        rows=ranked(story, words),
        side=SIDE,
    )


def headline(winners: list[str], words: Words) -> str:
    """Return who won, in one line."""
    if len(winners) == 1:
        return words.say("dashboard.ending.winner", {"name": winners[0]})
    if winners:
        return words.say("dashboard.ending.winners", {"names": ", ".join(winners)})
    return words.say("dashboard.ending.nobody")


def ranked(story: Story, words: Words) -> list[Ranked]:
    """Return the players, the winners first, then the better ones."""
    game, outcome = story.game, story.game.outcome(story.state)
    winners = outcome.winners if outcome is not None else ()
    scores = game.scores(story.state)
    sign = 1 if game.wins_by is WinsBy.FEWEST else -1
    in_order = sorted(scores, key=lambda one: (one.seat not in winners, sign * one.low))
    most = max((score.low for score in scores), default=0)
    counts = game.wins_by is not WinsBy.FIRST
    return [
        Ranked(
            fit(words.name(score.seat), 46, NAME_ROOM),
            score.low if counts else None,
            max(0, score.low) / most if counts and most > 0 else 0.0,
            score.seat in winners,
        )
        for score in in_order
    ]


def fit(text: str, size: int, room: int) -> Fitted:
    """Return a text with the largest size up to *size* at which it fits into *room*.

    No smaller than half of it: a name of 40 letters is squeezed instead.
    """
    ems = sum(1.0 if _is_wide(sign) else EM for sign in text)
    fits = int(room / ems) if ems else size
    if fits >= size:
        return Fitted(text, size)
    least = size // 2
    return Fitted(text, max(fits, least), room if fits < least else None)


def _is_wide(sign: str) -> bool:
    """Tell whether a letter is as wide as high: 漢, or a picture sign."""
    return unicodedata.east_asian_width(sign) in ("W", "F")
