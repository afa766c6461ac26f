"""A few taps give all spaces of a track: where the others lie is proposed."""

import math

import pytest

from companion.kits.between import next_place, propose_places, rows_of

TRACK = tuple(f"track/{n}" for n in range(1, 14))


def test_spaces_that_follow_each_other_are_a_row_and_halves_are_two():
    places = ("hall", "cell/1/light", "cell/1/dark", "cell/2/light", "cell/2/dark",
              "score/blue", "score/red")  # fmt: skip

    assert rows_of(places) == (
        ("hall",),
        ("cell/1/light", "cell/2/light"),
        ("cell/1/dark", "cell/2/dark"),
        ("score/blue",),  # nobody knows in which order colours are printed
        ("score/red",),
    )


def test_the_ends_of_a_row_are_asked_first_then_its_middle():
    asked, tapped = [], {}
    while len(asked) < 5:
        asked.append(next_place((("snail",), TRACK), tapped))
        tapped[asked[-1]] = (0.0, 0.0)

    assert asked == ["snail", "track/1", "track/13", "track/7", "track/4"]


def test_nothing_is_asked_when_all_were_tapped():
    assert next_place((TRACK,), dict.fromkeys(TRACK, (0.0, 0.0))) is None
    assert next_place((), {}) is None


def test_spaces_between_two_taps_lie_evenly_in_a_line():
    found = propose_places((TRACK,), {"track/1": (0.0, 0.5), "track/13": (0.6, 0.5)})

    assert set(found) == set(TRACK[1:-1])
    assert found["track/2"] == pytest.approx((0.05, 0.5))  # a twelfth of 0.6
    assert found["track/7"] == pytest.approx((0.3, 0.5))


def test_a_way_with_corners_needs_a_tap_at_each_and_no_more():
    # Six to the right, one down, six back: a corner at 7 and another one at 8.
    true = {f"track/{n}": (0.1 * n, 0.2) for n in range(1, 8)}
    true |= {f"track/{n}": (0.1 * (15 - n), 0.4) for n in range(8, 15)}
    taps = ("track/1", "track/7", "track/8", "track/14")

    found = propose_places((tuple(true),), {place: true[place] for place in taps})

    for place, at in found.items():
        assert at == pytest.approx(true[place], abs=1e-9), place


def test_on_a_ring_every_fourth_space_is_enough():
    # Thirty spaces on a circle; neighbours are 0.0836 apart.
    def on_ring(n):
        turn = 2 * math.pi * n / 30
        return 0.5 + 0.4 * math.cos(turn), 0.5 + 0.4 * math.sin(turn)

    true = {f"track/{n}": on_ring(n) for n in range(30)}
    taps = {place: at for n, (place, at) in enumerate(true.items()) if n % 4 == 0}
    taps["track/29"] = true["track/29"]

    off = [
        math.dist(at, true[place])
        for place, at in propose_places((tuple(true),), taps).items()
    ]  # fmt: skip

    assert len(off) == 30 - 9
    assert max(off) < 0.15 * 0.0836  # 4 mm where spaces lie 28 mm apart


def test_dark_halves_lie_beside_the_light_ones_all_as_far_as_the_one_tapped():
    light = {f"cell/{n}/light": (0.1 * n, 0.3) for n in range(1, 7)}
    places = tuple(
        f"cell/{n}/{half}" for n in range(1, 7) for half in ("light", "dark")
    )

    found = propose_places(rows_of(places), light | {"cell/1/dark": (0.13, 0.35)})

    assert found["cell/6/dark"] == pytest.approx((0.63, 0.35))
    assert len(found) == 5


def test_nothing_is_proposed_of_a_row_of_which_one_was_tapped():
    assert propose_places((TRACK,), {"track/3": (0.2, 0.2)}) == {}
