"""What holds in every game that anybody could play, whatever the board and options."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.core import Config
from companion.games.drachenhort import GAME, track
from companion.games.drachenhort.box import STAND_IN, Board, Box, Cell
from companion.games.drachenhort.events import DragonMoved, JewelWon, MedalGiven
from companion.games.drachenhort.options import RULINGS
from companion.games.drachenhort.pieces import Light
from companion.games.drachenhort.state import OFF, OVER, NoteGroup

cells = st.builds(
    Cell,
    st.sampled_from([Light.HALVES, Light.HALVES, Light.DARK, Light.LIT]),
    trap=st.integers(0, 5).map(lambda n: n == 0),
    jewel=st.booleans(),
)
boards = st.builds(
    Board,
    st.lists(cells, min_size=6, max_size=20).map(tuple),
    exit_on_last=st.booleans(),
)
options = st.fixed_dictionaries(
    {rule.id: st.sampled_from(rule.choices) for rule in RULINGS if rule.choices}
).map(lambda chosen: tuple(chosen.items()))
configs = st.builds(
    lambda front, back, seats, chosen, first: Config(
        seats,
        Box(front, back, STAND_IN.adventurers, STAND_IN.groups),
        chosen,
        first % seats,
    ),
    boards,
    boards,
    st.integers(2, 7),
    options,
    st.integers(0, 6),
)
draws = st.lists(st.integers(0, 10**6), min_size=1, max_size=120)
modest = settings(max_examples=60, deadline=None, derandomize=True)


def steps(config, picks):
    """Yield (before, move, after, events) of the game that *picks* choose."""
    state = GAME.setup(config)
    for pick in picks:
        moves = [move for move in GAME.legal(state) if not isinstance(move, NoteGroup)]
        if not moves:
            return
        move = moves[pick % len(moves)]
        after, events = GAME.apply(state, move)
        yield state, move, after, events
        state = after


@modest
@given(configs, draws)
def test_no_state_is_ever_unsound(config, picks):
    for _, _, after, _ in steps(config, picks):
        assert GAME.check(after) == ()


@modest
@given(configs, draws)
def test_the_dragon_only_goes_forward_within_a_round(config, picks):
    for before, _, after, events in steps(config, picks):
        if before.round == after.round:
            assert after.dragon >= before.dragon
            moved = [event for event in events if isinstance(event, DragonMoved)]
            assert all(0 < after.dragon - before.dragon <= 5 for _ in moved)


@modest
@given(configs, draws)
def test_medals_and_jewels_never_change_hands(config, picks):
    for before, _, after, events in steps(config, picks):
        for old, new in zip(sum(before.medals, ()), sum(after.medals, ()), strict=True):
            assert old in (0, new)
        won = sum(after.won) - sum(before.won)
        assert won == len([event for event in events if isinstance(event, JewelWon)])
        given_now = [event for event in events if isinstance(event, MedalGiven)]
        had, has = (
            s.medals[0].count(0) + s.medals[1].count(0) for s in (before, after)
        )
        assert had - has == len(given_now)


@modest
@given(configs, draws)
def test_a_throw_moves_one_adventurer_and_the_dragon_none(config, picks):
    for before, move, after, _ in steps(config, picks):
        pairs = list(zip(before.cells, after.cells, strict=True))
        changed = [(old, new) for old, new in pairs if old != new]
        if type(move).__name__ == "Advance":
            assert len(changed) <= 1
        elif type(move).__name__ in ("MoveDragon", "Rank"):
            assert all(new == OFF for _, new in changed)


@modest
@given(configs, draws, st.integers(0, 6))
def test_who_sits_where_changes_nothing_but_the_names(config, picks, turn):
    seats = config.seats
    turned = replace(config, first=(config.first + turn) % seats)
    pairs = zip(steps(config, picks), steps(turned, picks), strict=True)
    for (_, _, mine, _), (_, _, theirs, _) in pairs:
        assert theirs.seat == (mine.seat + turn) % seats
        assert theirs.cells == mine.cells
        assert theirs.medals == mine.medals
        for seat in range(seats):
            assert theirs.won[(seat + turn) % seats] == mine.won[seat]


@modest
@given(configs, draws)
def test_a_mover_stands_in_light_or_the_throw_is_a_2(config, picks):
    for before, _, _, _ in steps(config, picks):
        for index in track.movers(before):
            assert before.pips == 2 or before.lit[index]


@modest
@given(st.integers(2, 7), st.lists(st.integers(0, 10**6), min_size=400, max_size=400))
def test_points_in_all_are_medals_by_cards_and_jewels(seats, picks):
    *_, (_, _, state, _) = steps(Config(seats, STAND_IN), picks)
    if state.phase is OVER:
        shares = [
            sum(
                state.setting.box.adventurers[i] in STAND_IN.groups[g]
                for g in state.shown
            )
            for i in range(7)
        ]
        worth = [silver + gold for silver, gold in zip(*state.medals, strict=True)]
        total = sum(score.low for score in GAME.scores(state))
        expected = sum(s * w for s, w in zip(shares, worth, strict=True))
        assert total == expected + sum(state.won)
