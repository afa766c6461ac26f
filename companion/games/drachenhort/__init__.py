"""Drachenhort: seven adventurers run from the dragon's hoard, in two rounds.

Who moves whom is open, who profits from whom is secret: each of 2 to 7 players holds a
card of three adventurers, and wins with the medals that these take for running far.

Rulebook: Ravensburger 26 653 1, Reiner Knizia, 2015, in the French of François Haffner.
"""

from companion.games.core import Game, PieceKind
from companion.games.drachenhort.adopting import adopt
from companion.games.drachenhort.box import STAND_IN, Box, check_box
from companion.games.drachenhort.checks import check
from companion.games.drachenhort.copy import COPY
from companion.games.drachenhort.cues import cue, describe_event, describe_move, expects
from companion.games.drachenhort.events import Event
from companion.games.drachenhort.grounds import grounds
from companion.games.drachenhort.layout import DIE, DRAGON, JEWEL, evidence, layout
from companion.games.drachenhort.notation import notate, parse
from companion.games.drachenhort.options import BOOK, RULINGS, SECTIONS
from companion.games.drachenhort.pieces import FACES, JEWELS, MEDALS, Metal
from companion.games.drachenhort.refusals import judge
from companion.games.drachenhort.rules import SEATS, actor, apply, chance, legal, setup
from companion.games.drachenhort.scoring import outcome, scores
from companion.games.drachenhort.secrets import resample
from companion.games.drachenhort.setting_up import setting_up
from companion.games.drachenhort.slips import objection
from companion.games.drachenhort.state import Move, NoteGroup, State

PIECES = (
    PieceKind(DIE, tuple(str(face) for face in FACES), 1),
    PieceKind(DRAGON, (), 1),
    *(PieceKind(hero, (), 1) for hero in STAND_IN.adventurers),
    PieceKind(JEWEL, (), 2 * JEWELS),
    *(PieceKind(f"{metal}/{medal}", (), 1) for metal in Metal for medal in MEDALS),
)

PLAIN_DIE = tuple(
    (face, DIE, "2" if face == "5" else face) for face in ("1", "2", "3", "4", "5", "6")
)
"""An ordinary die may stand in for the box's: its five counts as the second two."""

GAME: Game[State, Move, Event] = Game(
    id=BOOK,
    title="Drachenhort",
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
    preparing=(NoteGroup,),
    copy=COPY,
    begins_again=True,
)
