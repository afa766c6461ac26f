"""Dragon Run: thieves flee a dungeon past a dragon that must vent its anger.

2 to 5 players turn place cards, sneak or cry, and pay with what they stole; whoever
lives and is richest when the dragon falls asleep wins, or the dragon does.

Rulebook: Blue Orange, Ludovic Barbe and Bruno Cathala, 2014.
"""

from companion.games.core import Game, PieceKind
from companion.games.dragon_run.adopting import adopt
from companion.games.dragon_run.allowed import chance, legal
from companion.games.dragon_run.box import STAND_IN, Box, check_box
from companion.games.dragon_run.checks import check
from companion.games.dragon_run.copy import COPY
from companion.games.dragon_run.cues import cue, describe_event, describe_move
from companion.games.dragon_run.events import Event
from companion.games.dragon_run.grounds import grounds
from companion.games.dragon_run.layout import evidence, face_of, layout
from companion.games.dragon_run.notation import notate, parse
from companion.games.dragon_run.options import BOOK, RULINGS, SECTIONS
from companion.games.dragon_run.pieces import (
    CHARACTER,
    DIE,
    DRAGON,
    FACES,
    FIT,
    HEROES,
    PLACE,
    PLACES,
    SEATS,
    SPECIALS,
    TREASURE,
    VALUABLES,
    WOUNDED,
)
from companion.games.dragon_run.prompts import expects
from companion.games.dragon_run.refusals import judge
from companion.games.dragon_run.rules import actor, apply, setup
from companion.games.dragon_run.scoring import outcome, scores
from companion.games.dragon_run.secrets import resample
from companion.games.dragon_run.setting_up import setting_up
from companion.games.dragon_run.slips import objection
from companion.games.dragon_run.state import Deal, ForgetNotes, Move, NoteCard, State

PIECES = (
    PieceKind(DIE, tuple(str(face) for face in FACES), 1),
    PieceKind(DRAGON, (), 1),
    PieceKind(PLACE, tuple(card.id for card in STAND_IN.places), PLACES),
    PieceKind(
        TREASURE,
        tuple(STAND_IN.treasure_id(kind) for kind in STAND_IN.kinds),
        VALUABLES + SPECIALS,
    ),
    PieceKind(
        CHARACTER,
        tuple(
            face_of(hero.id, health, tilted)
            for hero in STAND_IN.heroes
            for health in (FIT, WOUNDED)
            for tilted in (False, True)
        ),
        HEROES,
    ),
)

GAME: Game[State, Move, Event] = Game(
    id=BOOK,
    title="Dragon Run",
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
    setting_up=setting_up,
    preparing=(Deal, NoteCard, ForgetNotes),
    copy=COPY,
)
