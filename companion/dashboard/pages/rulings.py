"""The rulings of a game as a table plays them, in words, with the rulebook's lines."""

from companion.dashboard.view.moves import AnyGame
from companion.dashboard.view.view import Ruled, source
from companion.games.core import Refused, Ruling, Unknown
from companion.words import Words

Options = tuple[tuple[str, str], ...]


def rulings(game: AnyGame, options: Options, words: Words) -> tuple[Ruled, ...]:
    """Return every ruling of *game* in its order, with what the *options* choose."""
    chosen = dict(options)
    return tuple(
        _ruled(game, ruling, chosen.get(ruling.id), words) for ruling in game.rulings
    )


def ruling_of(
    game: AnyGame, options: Options, verdict: Refused | Unknown | None, words: Words
) -> Ruled | None:
    """Return what a refusal rests on; None where the rules only could not tell."""
    if not isinstance(verdict, Refused):
        return None
    for ruling in game.rulings:
        if ruling.id == verdict.ruling:
            found = _ruled(game, ruling, dict(options).get(ruling.id), words)
            return Ruled(
                found.id,
                found.text,
                source(verdict.cite, words, verdict.ruling),
                found.choice,
                found.changed,
            )
    # The rulebook itself is plain; its lines say all.
    return Ruled("", "", source(verdict.cite, words))


def choice_line(game: AnyGame, ruling: str, choice: str) -> str:
    """Return the id of the words for one way to set a ruling."""
    return f"{game.id}.choice.{ruling}.{choice}"


def _ruled(game: AnyGame, ruling: Ruling, choice: str | None, words: Words) -> Ruled:
    holds = choice or ruling.default
    return Ruled(
        id=ruling.id,
        text=words.say(ruling.line),
        source=source(ruling.cite, words, ruling.id),
        choice=words.say(choice_line(game, ruling.id, holds)) if holds else None,
        changed=holds != ruling.default,
    )
