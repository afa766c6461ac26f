"""What holds in every game that anybody could play, whatever the options."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.core import (
    Config,
)
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.census import dragon_colour, unaccounted
from companion.games.eight_dragons.options import RULINGS
from companion.games.eight_dragons.pieces import CARDS, HAND_LIMIT, Card
from companion.games.eight_dragons.state import FIRST, OVER, Decide, Lay
from companion.games.hidden import (
    Hidden,
    redact,
)
from tests.games.eight_dragons.tables import weight

options = st.fixed_dictionaries(
    {rule.id: st.sampled_from(rule.choices) for rule in RULINGS if rule.choices}
).map(lambda chosen: tuple(chosen.items()))
configs = st.builds(
    lambda seats, chosen, first: Config(seats, GAME.stand_in, chosen, first % seats),
    st.integers(2, 4),
    options,
    st.integers(0, 3),
)
draws = st.lists(st.integers(0, 10**6), min_size=1, max_size=150)
modest = settings(max_examples=40, deadline=None, derandomize=True)


def steps(config, picks):
    """Yield (before, move, after, events) of the game that *picks* choose.

    Of the moves that people with some sense like best, mostly; never the end.
    """
    state = GAME.setup(config)
    for pick in picks:
        moves = [m for m in GAME.legal(state) if m != Decide(True)]
        if not moves:
            return
        if pick % 4:
            best = max(weight(state, move) for move in moves)
            moves = [move for move in moves if weight(state, move) == best]
        move = moves[pick % len(moves)]
        after, events = GAME.apply(state, move)
        yield state, move, after, events
        state = after


@modest
@given(configs, draws)
def test_no_state_is_ever_unsound_and_no_card_is_lost(config, picks):
    for _, _, after, _ in steps(config, picks):
        assert GAME.check(after) == ()
        lying = sum(spot is not None for spot in after.grid)
        held = sum(map(len, after.hands))
        laid = 4 * sum(map(len, after.laid))
        assert lying + held + laid == sum(after.setting.counts)


@modest
@given(configs, draws)
def test_nobody_passes_the_turn_on_with_more_than_four_cards(config, picks):
    for before, _, after, _ in steps(config, picks):
        if after.phase is FIRST and before.phase is not FIRST:
            assert len(after.hands[before.seat]) <= HAND_LIMIT


@modest
@given(configs, draws)
def test_laid_dragons_stay_and_points_only_grow(config, picks):
    for before, move, after, _ in steps(config, picks):
        for mine, then in zip(before.laid, after.laid, strict=True):
            assert then[: len(mine)] == mine
            assert all(dragon_colour(dragon) for dragon in then)
        old, new = (sum(s.low for s in GAME.scores(x)) for x in (before, after))
        assert new - old in (
            (10, 15, 20, 25, 30, 40) if isinstance(move, Lay) else (0,)
        )
        assert new <= 185


@modest
@given(configs, draws)
def test_spent_cards_stay_where_they_are(config, picks):
    for before, _, after, _ in steps(config, picks):
        for place, spot in enumerate(before.grid):
            if isinstance(spot, Card) and place not in before.up:
                assert after.grid[place] is spot


@modest
@given(configs, draws, st.integers(1, 3))
def test_who_sits_where_changes_nothing_but_the_names(config, picks, turn):
    seats = config.seats
    turned = Config(seats, config.box, config.options, (config.first + turn) % seats)
    pairs = zip(steps(config, picks), steps(turned, picks), strict=True)
    for (_, _, mine, _), (_, _, theirs, _) in pairs:
        assert theirs.seat == (mine.seat + turn) % seats
        assert theirs.grid == mine.grid
        assert theirs.phase is mine.phase
        for seat in range(seats):
            other = (seat + turn) % seats
            assert theirs.laid[other] == mine.laid[seat]
            assert [c.value for c in theirs.hands[other]] == [
                c.value for c in mine.hands[seat]
            ]


@modest
@given(configs, draws)
def test_a_viewer_is_offered_whatever_may_truly_happen(config, picks):
    # One's own legal moves are among those that one's own phone offers.
    *_, (_, _, state, _) = steps(config, picks)
    if state.phase is OVER:
        return
    for seat in range(config.seats):
        mine = {m for m in GAME.legal(state) if GAME.actor(state, m) in (seat, None)}
        assert mine <= set(GAME.legal(redact(state, seat)))


@modest
@given(configs, draws, st.integers(0, 10**6))
def test_the_census_counts_what_a_viewer_cannot_see(config, picks, seed):
    *_, (_, _, state, _) = steps(config, picks)
    for viewer in (None, *range(config.seats)):
        seen = redact(state, viewer)
        other = GAME.resample(state, viewer, seed)
        hidden = Counter(dict(zip(CARDS, unaccounted(seen), strict=True)))
        dealt = Counter(
            spot.value for spot in other.grid if isinstance(spot, Hidden)
        ) + Counter(
            held.value
            for seat, hand in enumerate(other.hands)
            for held in hand
            if seat != viewer
        )
        assert +hidden == dealt
