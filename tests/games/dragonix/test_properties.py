"""What holds in every game that anybody could play, whatever the options."""

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.core import (
    LEGAL,
    Config,
)
from companion.games.dragonix import GAME
from companion.games.dragonix.moves import NoteCard, NoteToken, Play
from companion.games.dragonix.options import RULINGS
from companion.games.dragonix.pieces import COLOUR, HERO, VALUES
from companion.games.hidden import (
    redact,
)

options = st.fixed_dictionaries(
    {rule.id: st.sampled_from(rule.choices) for rule in RULINGS if rule.choices}
).map(lambda chosen: tuple(chosen.items()))
configs = st.builds(
    lambda seats, chosen: Config(seats, GAME.stand_in, chosen),
    st.integers(1, 4),
    options,
)
draws = st.lists(st.integers(0, 10**6), min_size=1, max_size=150)
modest = settings(max_examples=40, deadline=None, derandomize=True)


def steps(config, picks, notes):
    """Yield (before, move, after) of the game that *picks* choose."""
    state = GAME.setup(config)
    for pick in picks:
        moves = [
            move
            for move in GAME.legal(state)
            if notes or not isinstance(move, NoteCard | NoteToken)
        ]
        if not moves:
            return
        move = moves[pick % len(moves)]
        after, _ = GAME.apply(state, move)
        yield state, move, after
        state = after


@modest
@given(configs, draws, st.booleans())
def test_no_state_is_ever_unsound_and_somebody_can_always_go_on(config, picks, notes):
    for _, _, after in steps(config, picks, notes):
        assert GAME.check(after) == ()
        moves = list(GAME.legal(after))
        open_moves = [m for m in moves if not isinstance(m, NoteCard | NoteToken)]
        assert bool(open_moves) == bool(moves) == (GAME.outcome(after) is None)


@modest
@given(configs, draws, st.booleans())
def test_all_cards_of_a_turn_go_to_one_row(config, picks, notes):
    rows = set()
    for before, move, after in steps(config, picks, notes):
        if isinstance(move, Play):
            rows.add(move.row)
        if after.turn.bound == -1 or after.seat != before.seat:
            assert len(rows) <= 1
            rows = set()


@modest
@given(configs, draws)
def test_the_judge_allows_what_is_legal(config, picks):
    for before, move, _ in steps(config, picks[:40], notes=True):
        assert GAME.judge(before, move) == LEGAL


def turned(card, by):
    """Return the same card of the people that comes *by* places later."""
    return card if card == HERO else (card + by * VALUES) % (4 * VALUES)


@modest
@given(st.integers(1, 4), draws, st.integers(1, 3))
def test_the_peoples_are_alike(seats, picks, by):
    """Rename the peoples in a game's moves, and the same game is legal."""
    config = Config(seats, GAME.stand_in)
    other = GAME.setup(config)
    for before, move, after in steps(config, picks, notes=False):
        renamed = move
        if hasattr(move, "card"):
            fields = {name: getattr(move, name) for name in move.__struct_fields__}
            renamed = type(move)(**{**fields, "card": turned(move.card, by)})
        if type(move).__name__ == "Recolour":
            return
        assert GAME.judge(other, renamed) == LEGAL
        other, _ = GAME.apply(other, renamed)
        for mine, theirs in zip(after.rows, other.rows, strict=True):
            assert theirs.cards == tuple(turned(card, by) for card in mine.cards)
            assert theirs.values == mine.values
        assert len(list(GAME.legal(other))) == len(list(GAME.legal(after)))
        assert COLOUR[HERO] == -1
        assert before.seat in range(seats)


@modest
@given(configs, draws, st.integers(0, 99))
def test_others_are_offered_the_same_whatever_the_hands(config, picks, seed):
    for number, (_, _, after) in enumerate(steps(config, picks, notes=True)):
        if number % 15 == 0:
            viewer = number % (config.seats + 1) - 1
            viewer = None if viewer < 0 else viewer
            other = GAME.resample(after, viewer, seed)
            assert GAME.check(other) == ()
            assert redact(other, viewer) == redact(after, viewer)
            assert bool(list(GAME.legal(other))) == (GAME.outcome(other) is None)
