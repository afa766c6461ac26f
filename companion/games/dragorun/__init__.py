"""Dragorun: five dragons race, and nobody stays on the same one for long.

On a turn one throws two dice and moves the dragon that they name, or takes over another
dragon at the price of an egg. Whoever of 2 to 5 players then rides the first one wins.

Rulebook: HUCH!, Sven M. Kübler, 2018, in French.
"""

from companion.games.core import Game, PieceKind, WinsBy
from companion.games.dragorun.adopting import adopt
from companion.games.dragorun.box import STAND_IN, Box, check_box
from companion.games.dragorun.checks import check
from companion.games.dragorun.copy import COPY
from companion.games.dragorun.cues import cue, describe_event, describe_move, expects
from companion.games.dragorun.events import Event
from companion.games.dragorun.grounds import grounds
from companion.games.dragorun.layout import (
    BACK,
    COLOUR_DIE,
    EGG,
    FRONT,
    MOVE_DIE,
    evidence,
    layout,
    marker,
)
from companion.games.dragorun.notation import notate, parse
from companion.games.dragorun.options import BOOK, RULINGS, SECTIONS
from companion.games.dragorun.pieces import EGGS, STEPS, Egg
from companion.games.dragorun.refusals import judge
from companion.games.dragorun.rules import (
    FACES,
    SEATS,
    actor,
    apply,
    chance,
    legal,
    setup,
)
from companion.games.dragorun.scoring import outcome, scores
from companion.games.dragorun.secrets import resample
from companion.games.dragorun.setting_up import setting_up
from companion.games.dragorun.slips import objection
from companion.games.dragorun.state import Deal, Move, Place, State

DRAGONS = STAND_IN.dragons

PIECES = (
    PieceKind(COLOUR_DIE, tuple(face.value for face in FACES[STAND_IN.fifth]), 1),
    PieceKind(MOVE_DIE, tuple(step.value for step in STEPS), 1),
    *(PieceKind(dragon.value, (), 1) for dragon in DRAGONS),
    *(PieceKind(marker(dragon), (FRONT, BACK), 1) for dragon in DRAGONS),
    PieceKind(
        EGG, (*(dragon.value for dragon in DRAGONS), Egg.SNAIL, Egg.MUSHROOM), EGGS
    ),
)

PLAIN_DIE = tuple(
    (str(pips), MOVE_DIE, step.value) for pips, step in enumerate(STEPS, start=1)
)
"""An ordinary die may stand in for the movement die, its faces in the book's order.

Six colours have no order on pips, so the colour die has no such stand-in.
"""

GAME: Game[State, Move, Event] = Game(
    id=BOOK,
    title="Dragorun",
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
    plain_die=PLAIN_DIE,
    setting_up=setting_up,
    preparing=(Place, Deal),
    copy=COPY,
    wins_by=WinsBy.FIRST,
)
