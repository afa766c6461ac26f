"""Hands: nobody is told, offered or refused anything that betrays another's cards."""

import msgspec
import pytest

from companion.games.dragon_run import GAME
from companion.games.hidden import (
    redact,
)
from tests.games import contract
from tests.games.dragon_run.tables import hand, legal, play, scene

NOTED = {0: "gold-1 light", 1: "gold-5 annulment", 2: "gold-2 languor"}


def test_others_get_other_cards_and_the_viewer_keeps_its_own():
    state = scene(noted=NOTED)

    hands = {hand(GAME.resample(state, 1, seed), 0) for seed in range(40)}
    assert len(hands) > 10
    for seed in range(40):
        other = GAME.resample(state, 1, seed)
        assert hand(other, 1) == NOTED[1]
        assert "annulment" not in hand(other, 0) + hand(other, 2)
        assert GAME.check(other) == ()


def test_the_same_seed_gives_the_same_cards():
    state = scene(noted=NOTED)

    assert GAME.resample(state, None, 7) == GAME.resample(state, None, 7)
    assert GAME.resample(state, None, 7) != GAME.resample(state, None, 8)


def test_every_card_of_the_others_is_dealt_to_them():
    state = scene(size={0: 3, 1: 5})

    other = GAME.resample(state, 2, 1)
    assert [len(note.value) for note in other.noted] == [3, 5, 0]


def test_each_hand_is_equally_likely_to_hold_the_annulment():
    state = scene()
    found = [0, 0, 0]
    for seed in range(600):
        other = GAME.resample(state, None, seed)
        for seat in range(3):
            found[seat] += "annulment" in hand(other, seat)

    # 4 of 38 cards: 600 x 4 / 38 is 63, and four deviations are 30.
    assert all(33 <= times <= 93 for times in found)


def test_a_hand_that_is_paying_stays_unknown():
    state = play(scene(noted=NOTED), "sneak")

    other = GAME.resample(state, None, 3)
    assert hand(other, 0) == ""
    assert hand(other, 1) != ""
    assert legal(other)


def test_shown_hands_are_left_alone():
    state = play(scene(seats=2, anger=1), "turn dragon")

    assert GAME.resample(state, None, 1) == state


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_view_does_not_change_with_what_it_cannot_show(seats):
    setting = contract.config(GAME, seats)
    for seed in range(2):
        for step in list(contract.steps(GAME, setting, seed))[:: 7 + seed]:
            for viewer in contract.viewers(seats):
                other = GAME.resample(step.after, viewer, seed)
                seen = redact(step.after, viewer)
                assert msgspec.json.encode(redact(other, viewer)) == (
                    msgspec.json.encode(seen)
                )
                offered = set(GAME.legal(seen))
                assert offered == set(GAME.legal(redact(other, viewer)))
                assert not GAME.check(other)
                assert list(GAME.legal(other)) or GAME.outcome(other)


def test_what_a_public_move_may_be_is_always_offered_to_those_who_watch():
    for seed in range(6):
        for step in contract.steps(GAME, contract.config(GAME, 4), seed):
            seen = set(GAME.legal(redact(step.before, None)))
            for move in step.legal:
                private = GAME.notate(step.before, move).startswith(("note", "forget"))
                assert private or move in seen


def test_the_judge_never_looks_into_other_hands():
    # Seat 1 has noted the only Annulment; that seat 0 may hold it stays possible.
    state = scene(noted={1: "annulment gold-1"})

    assert GAME.judge(state, GAME.parse(state, "note 0 annulment")) == GAME.judge(
        redact(state, None), GAME.parse(state, "note 0 annulment")
    )
