"""How a refusal is made: its words, its line of the book, the pieces it speaks of."""

from companion.games.core import Cite, Refused
from companion.games.dragonix.offers import may_fly
from companion.games.dragonix.options import BOOK
from companion.games.dragonix.pieces import CARDS, ROWS, Card, Dragon, Row, Token
from companion.games.dragonix.state import Phase, State
from companion.table import Params, Value, Word

NO = "dragonix.no"

WAITING = {
    Phase.DEAL: (25, 25),
    Phase.REVEAL: (30, 30),
    Phase.BEGIN: (30, 30),
    Phase.PLAY: (44, 47),
    Phase.EFFECT: (76, 76),
    Phase.MORE: (132, 150),
    Phase.FLY: (118, 118),
    Phase.RECRUIT: (90, 90),
    Phase.OVER: (17, 17),
}
"""What the rulebook says of each thing that the table may wait for."""


def refuse(
    name: str, lines: tuple[int, int], ruling: str = BOOK, params: Params = ()
) -> Refused:
    """Return a refusal by its name, the rulebook's lines, the ruling and its case."""
    return Refused(ruling, f"{NO}.{name}", Cite(BOOK, *lines), params)


def waits(state: State) -> Refused:
    """Return the refusal that says what has to be done first."""
    phase = state.phase
    if phase is Phase.PLAY and may_fly(state):
        lines = (102, 102) if state.setting.solo else (84, 84)
        return refuse("waits_flight", lines, params=(("seat", state.seat),))
    lines = WAITING[phase]
    if phase is Phase.MORE:
        line = 132 if state.turn.pending is Token.PLAGUE else 150
        lines = (line, line)
    return refuse(f"waits_{phase}", lines, params=(("seat", state.seat),))


def is_card(card: Card) -> bool:
    """Tell whether there is such a card."""
    return card in range(len(CARDS))


def is_row(row: Row) -> bool:
    """Tell whether there is such a row."""
    return row in range(len(ROWS))


def a_card(card: Card) -> tuple[str, Value]:
    """Return a card as a value that becomes words."""
    return "card", Word(f"dragonix.card.{CARDS[card]}")


def a_row(row: Row) -> tuple[str, Value]:
    """Return a row as a value that becomes words."""
    return "row", Word(f"dragonix.row.{ROWS[row]}")


def a_dragon(dragon: Dragon) -> tuple[str, Value]:
    """Return a dragon as a value that becomes words."""
    return "dragon", Word(f"dragonix.dragon.{dragon}")


def a_token(token: Token) -> tuple[str, Value]:
    """Return a token as a value that becomes words."""
    return "token", Word(f"dragonix.token.{token}")
