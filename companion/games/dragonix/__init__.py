"""Dragonix: peoples at odds send their troops to four armies under a dragon's eye.

Each of 1 to 4 players empties a camp of cards onto armies that rise or fall in value;
whoever has no card left first, wins. Alone, one plays against one's own deserters.

Rulebook: Pascal Le Manio and Olivier Derquetteau, in French.
"""

from companion.games.core import Game, PieceKind, WinsBy
from companion.games.dragonix.adopting import adopt
from companion.games.dragonix.box import STAND_IN, Box, check_box
from companion.games.dragonix.checks import check
from companion.games.dragonix.copy import COPY
from companion.games.dragonix.cues import cue, describe_event, describe_move, expects
from companion.games.dragonix.events import Event
from companion.games.dragonix.grounds import grounds
from companion.games.dragonix.layout import BACK, CAMP, CARD, TOKEN, evidence, layout
from companion.games.dragonix.moves import (
    Begin,
    Move,
    NoteCard,
    NoteToken,
    Reveal,
    TurnUp,
)
from companion.games.dragonix.notation import notate, parse
from companion.games.dragonix.options import BOOK, RULINGS, SECTIONS
from companion.games.dragonix.pieces import CARDS, HEROES, TOKENS, TROOPS, Dragon, Token
from companion.games.dragonix.refusals import judge
from companion.games.dragonix.rules import SEATS, actor, apply, chance, legal, setup
from companion.games.dragonix.scoring import outcome, scores
from companion.games.dragonix.secrets import resample
from companion.games.dragonix.setting_up import setting_up
from companion.games.dragonix.slips import objection
from companion.games.dragonix.state import State

PIECES = (
    PieceKind(CARD, CARDS, TROOPS + HEROES),
    PieceKind(CAMP, (BACK,), SEATS.stop - 1),
    PieceKind(TOKEN, (*(token.value for token in Token), BACK), len(TOKENS)),
    *(PieceKind(dragon.value, (), 1) for dragon in Dragon),
)

GAME: Game[State, Move, Event] = Game(
    id=BOOK,
    title="Dragonix",
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
    # 2: tokens may come between taking back and placing (l. 76); DX10 goes by the set.
    rules_version=2,
    setting_up=setting_up,
    preparing=(TurnUp, Reveal, Begin, NoteCard, NoteToken),
    copy=COPY,
    wins_by=WinsBy.FEWEST,
)
