"""What holds in every game that anybody could play, whatever the options."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.core import Config
from companion.games.dragon_run import GAME
from companion.games.dragon_run.box import STAND_IN
from companion.games.dragon_run.options import RULINGS
from companion.games.dragon_run.pieces import OUT
from companion.games.dragon_run.state import Discard, Play, ShowCard, alive
from tests.games import contract

options = st.fixed_dictionaries(
    {rule.id: st.sampled_from(rule.choices) for rule in RULINGS if rule.choices}
).map(lambda chosen: tuple(chosen.items()))
configs = st.builds(
    lambda seats, chosen, first: Config(seats, STAND_IN, chosen, first % seats),
    st.integers(2, 5),
    options,
    st.integers(0, 4),
)
draws = st.lists(st.integers(0, 10**6), min_size=20, max_size=100)
modest = settings(max_examples=30, deadline=None, derandomize=True)

pytestmark = pytest.mark.slow


def steps(config, picks):
    """Yield (before, move, after, events) of the game that *picks* choose."""
    state = GAME.setup(config)
    for pick in picks:
        moves = list(GAME.legal(state))
        if not moves:
            return
        move = moves[pick % len(moves)]
        after, events = GAME.apply(state, move)
        yield state, move, after, events
        state = after


@modest
@given(configs, draws)
def test_no_state_is_ever_unsound_or_stuck(config, picks):
    for _, _, after, _ in steps(config, picks):
        assert GAME.check(after) == ()
        assert bool(list(GAME.legal(after))) == (GAME.outcome(after) is None)


@modest
@given(configs, draws)
def test_anger_only_sinks_and_the_burned_stay_burned(config, picks):
    for before, _, after, _ in steps(config, picks):
        assert 0 <= after.anger <= before.anger
        for old, new in zip(before.health, after.health, strict=True):
            assert old is not OUT or new is OUT


@modest
@given(configs, draws)
def test_after_a_breath_all_cards_are_back_and_all_powers_ready(config, picks):
    for _, _, after, events in steps(config, picks):
        tags = [type(event).__struct_config__.tag for event in events]
        if "places_shuffled" in tags and "stealth_passed" not in tags:
            assert sum(after.pile) == 10
            assert not any(after.tilted)
            assert not any(after.fronts)


@modest
@given(configs, draws)
def test_only_a_card_that_lies_open_becomes_known_to_all(config, picks):
    for before, move, after, _ in steps(config, picks):
        gone = [a - b for a, b in zip(before.unseen, after.unseen, strict=True)]
        if isinstance(move, Discard | Play | ShowCard) and sum(gone) == 1:
            assert gone[move.treasure] == 1


@modest
@given(configs, draws)
def test_a_turn_goes_to_somebody_who_lives(config, picks):
    for _, _, after, _ in steps(config, picks):
        if alive(after) and after.phase not in ("show", "over"):
            assert after.seat in alive(after)


@modest
@given(configs, draws, st.integers(0, 4))
def test_who_sits_where_changes_nothing_but_the_names(config, picks, turn):
    # The deal goes by seat numbers, so the turned table begins when all are dealt.
    seats = config.seats
    start = GAME.setup(config)
    for hero in range(seats):
        start, _ = GAME.apply(start, GAME.parse(start, f"deal {_hero(hero)}"))
    rest = [pick for pick in picks if pick % 3]
    pairs = zip(
        _played(start, rest), _played(_rotated(start, turn % seats), rest), strict=True
    )
    for mine, theirs in pairs:
        assert theirs.phase == mine.phase
        assert theirs.anger == mine.anger
        assert theirs.pile == mine.pile
        assert sorted(map(str, theirs.discard)) == sorted(map(str, mine.discard))
        if mine.phase not in ("answer", "effect", "redirect", "show"):
            assert theirs.seat == (mine.seat + turn) % seats
            for seat in range(seats):
                assert theirs.hands[(seat + turn) % seats] == mine.hands[seat]


def _hero(number):
    return STAND_IN.heroes[number].id


def _rotated(state, turn):
    rows = ("heroes", "health", "tilted", "hands", "fronts", "shown")
    changes = {
        name: tuple(
            getattr(state, name)[seat - turn] for seat in range(len(state.hands))
        )
        for name in rows
    }
    return replace(state, seat=(state.seat + turn) % len(state.hands), **changes)


def _played(state, picks):
    """Yield the states of a game without what names a seat, such as a choice of one."""
    yield state
    for pick in picks:
        moves = [m for m in GAME.legal(state) if not hasattr(m, "seat")]
        if not moves:
            return
        state, _ = GAME.apply(state, moves[pick % len(moves)])
        yield state


@pytest.mark.parametrize(
    ("seats", "last"), [(2, False), (3, True), (4, False), (5, True)]
)
def test_random_games_keep_the_contract_of_all_games(seats, last):
    chosen = tuple((rule.id, rule.choices[-1]) for rule in RULINGS if rule.choices)
    setting = contract.config(GAME, seats, chosen if last else ())
    played = list(contract.steps(GAME, setting, seed=40 + seats))
    pool = tuple(dict.fromkeys(move for step in played for move in step.legal))

    for step in played[::17]:
        contract.check_verdicts(GAME, step, pool)
        contract.check_apply(GAME, step, pool)
        contract.check_evidence(GAME, step)
        contract.check_secrets(GAME, step, seats, seed=seats)
        contract.check_words(GAME, step, pool)
    for step in played:
        contract.check_turn(GAME, step, seats)
        contract.check_chance(GAME, step)
        contract.check_notation(GAME, step)
        contract.check_layout(GAME, step)
        contract.check_codec(GAME, step)
    contract.check_end(GAME, played[-1].after, seats)
