"""8 Dragons: turn two cards, take pairs of a part or a colour, lay whole dragons.

A memory game for 2 to 4 players with 42 cards, or 36 in the short game. Diamonds take
cards out of others' hands, fireballs cost some; a token blocks a card for a while.

Rulebook: 1602 éditions, Igor Dedic.
"""

from companion.games.core import Game, PieceKind
from companion.games.eight_dragons.adopting import adopt
from companion.games.eight_dragons.box import STAND_IN, Box, check_box
from companion.games.eight_dragons.checks import check
from companion.games.eight_dragons.copy import COPY
from companion.games.eight_dragons.cues import cue, describe_event, describe_move
from companion.games.eight_dragons.events import Event
from companion.games.eight_dragons.grounds import grounds
from companion.games.eight_dragons.layout import BACK, CARD, TOKEN, evidence, layout
from companion.games.eight_dragons.notation import notate, parse
from companion.games.eight_dragons.options import BOOK, RULINGS, SECTIONS
from companion.games.eight_dragons.pieces import CARDS, LONG
from companion.games.eight_dragons.prompts import expects
from companion.games.eight_dragons.refusals import judge
from companion.games.eight_dragons.rules import (
    SEATS,
    actor,
    apply,
    chance,
    legal,
    setup,
)
from companion.games.eight_dragons.scoring import outcome, scores
from companion.games.eight_dragons.secrets import resample
from companion.games.eight_dragons.setting_up import setting_up
from companion.games.eight_dragons.slips import objection
from companion.games.eight_dragons.state import MOST_SEATS, Miss, Move, State
from companion.games.eight_dragons.strategy import sensible

PIECES = (
    PieceKind(CARD, (*(card.value for card in CARDS), BACK), sum(LONG)),
    PieceKind(TOKEN, (), MOST_SEATS),
)

GAME: Game[State, Move, Event] = Game(
    id=BOOK,
    title="8 Dragons",
    seats=SEATS,
    rulings=RULINGS,
    sections=SECTIONS,
    pieces=PIECES,
    box_type=Box,
    stand_in=STAND_IN,
    check_box=check_box,
    state_type=State,
    move_type=Move,
    event_type=Event,
    setup=setup,
    legal=legal,
    judge=judge,
    apply=apply,
    actor=actor,
    expects=expects,
    layout=layout,
    evidence=evidence,
    chance=chance,
    resample=resample,
    notate=notate,
    parse=parse,
    describe_move=describe_move,
    describe_event=describe_event,
    cue=cue,
    grounds=grounds,
    check=check,
    scores=scores,
    outcome=outcome,
    objection=objection,
    adopt=adopt,
    # 2: the end waits for cards that a fireball's receiver owes (l. 82 before l. 124).
    rules_version=2,
    setting_up=setting_up,
    only_told=(Miss,),
    copy=COPY,
    sensible=sensible,
)
