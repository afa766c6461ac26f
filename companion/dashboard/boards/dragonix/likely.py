"""Which move of Dragonix is likeliest: cards, then the flight, then cards from camp."""

from companion.dashboard.boards.likely import Likely
from companion.games.dragonix.moves import (
    Begin,
    Enough,
    Fly,
    Insert,
    Play,
    PlayToken,
    Recolour,
    Recruit,
    Reveal,
    Soar,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)

DO = "dragonix.do"
STEP_A = (Play, Swap, TakeBack, PlayToken)
ASKED = (
    (f"{DO}.turn_up", (TurnUp,)),
    (f"{DO}.reveal", (Reveal,)),
    (f"{DO}.begin_lot", (Begin,)),
    (f"{DO}.begin_youngest", (Begin,)),
    (f"{DO}.place", STEP_A),
    (f"{DO}.place_there", STEP_A),
    (f"{DO}.place_or_take_back", (Play, TakeBack)),
    (f"{DO}.place_another", (Play,)),
    (f"{DO}.place_more", (Play,)),
    (f"{DO}.fly", (Fly,)),
    (f"{DO}.fly_next", (Fly,)),
    (f"{DO}.recruit", (Recruit,)),
    (f"{DO}.end_turn", (Recruit,)),
    (f"{DO}.effect_plague", (Strike,)),
    (f"{DO}.effect_counter", (Recolour,)),
    (f"{DO}.effect_undead", (Summon,)),
    (f"{DO}.effect_volunteers", (Insert,)),
    (f"{DO}.effect_flight", (Soar,)),
    (f"{DO}.more_plague", (Strike, Enough)),
    (f"{DO}.more_volunteers", (Insert, Enough)),
)

LIKELY = Likely(ASKED)
