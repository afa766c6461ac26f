"""Who knows what: hands, camps, tokens, and what nobody may be told."""

import pytest
from msgspec.structs import replace

from companion.games.core import NotNow
from companion.games.dragonix import GAME
from companion.games.dragonix.cards import cards_of
from companion.games.dragonix.hands import hand_of
from companion.games.dragonix.moves import NoteCard, NoteToken
from companion.games.dragonix.pieces import HERO
from companion.games.hidden import (
    Hidden,
    redact,
)
from tests.games.dragonix.tables import card, cards, legal, names, new_game, play, scene


def noted(state, seat=0):
    return names(state.sides[seat].noted.value)


class TestNotes:
    def test_a_hand_told_whole_can_play_nothing_else(self):
        state = scene(hands=("sun5 ?",), red="II", rest="sun6 sun7 sun8")
        assert {"play sun6 I", "play sun7 I"} <= legal(state)

        state = play(state, "note 0 sun7")

        assert legal(state, "play") == {
            f"play {name} {row}"
            for name in ("sun5", "sun7")
            for row in ("I", "III", "IV", "tower")
        }

    def test_only_its_owner_sees_a_note(self):
        state = play(scene(hands=("?",), rest="sun7"), "note 0 sun7")

        assert redact(state, 0).sides[0].noted.value == cards("sun7")
        assert redact(state, 1).sides[0].noted.value is None
        assert "play krak12 II" in legal(redact(state, 1))
        assert "play krak12 II" not in legal(state)

    def test_what_is_offered_to_others_does_not_depend_on_it(self):
        state = scene(hands=("?",), rest="sun7 sun8")

        one, two = (play(state, f"note 0 {name}") for name in ("sun7", "sun8"))

        for viewer in (None, 1):
            assert set(GAME.legal(redact(one, viewer))) == set(
                GAME.legal(redact(two, viewer))
            )

    def test_a_card_that_another_plays_was_no_true_note(self):
        state = scene(hands=("?", "?"), red="II", rest="sun7 hero")
        state = play(state, "note 1 sun7", "play sun7 I")

        assert noted(state, 1) == ""
        assert state.sides[1].closed == 1

    def test_a_hero_noted_stays_while_one_may_be_there(self):
        state = scene(hands=("?", "?"), red="II", rest="hero hero sun1")

        state = play(state, "note 1 hero", "play hero I", "fly red III", "recruit")
        assert noted(state, 1) == "hero"

        state = scene(hands=("?", "?"), red="II", rest="hero sun2 sun1")
        assert noted(play(state, "note 1 hero", "play hero I"), 1) == ""

    def test_a_table_may_hold_to_the_card_that_was_played_against_a_note(self):
        state = play(scene(hands=("?",), red="II", rest="sun7 sun8"), "note 0 sun7")

        after, _ = GAME.apply(state, GAME.parse(state, "play sun8 I"))

        assert noted(after) == ""
        assert GAME.check(after) == ()

    def test_a_note_one_may_not_see_changes_nothing(self):
        state = redact(scene(hands=("?",), rest="sun7"), 1)

        after, events = GAME.apply(state, NoteCard(0, Hidden(None, (0,))))
        assert after == state
        assert len(events) == 1
        start = redact(new_game(3), 1)
        after, _ = GAME.apply(start, NoteToken(0, Hidden(None, (0,))))
        assert after == start

    @pytest.mark.parametrize(
        "move",
        [
            NoteCard(0, Hidden(99, (0,))),
            NoteCard(7, Hidden(1, (7,))),
            NoteCard(1, Hidden(1, (1,))),
            NoteToken(7, Hidden(None, (7,))),
            NoteToken(0, Hidden(None, (0,))),
        ],
    )
    def test_notes_that_make_no_sense(self, move):
        with pytest.raises(NotNow):
            GAME.apply(scene(hands=("?", "sun1"), rest="sun7"), move)


class TestTokens:
    def setting(self):
        opened = ("open sun1 I", "open rock12 II", "open krak3 III", "open krak9 IV")
        shown = [
            f"reveal {seat} {people}{value}"
            for seat, people in enumerate(("sun", "rock", "krak"))
            for value in (4, 5, 7)
        ]
        state = play(new_game(3), *opened, *shown)
        return play(state, *(["begin 0"] if state.phase == "begin" else []))

    def test_any_token_may_be_there_until_told(self):
        state = self.setting()

        assert len(legal(state, "token")) == 7 - 1  # nothing to insert between
        state = play(state, "token-note 0 flight", "token-note 0 plague")
        assert legal(state, "token") == {"token flight", "token plague"}

    def test_a_token_that_another_lays_open_was_no_true_note(self):
        state = play(self.setting(), "token-note 1 flight", "token flight")

        assert state.sides[1].noted_tokens.value == ()
        assert state.sides[1].closed_tokens == 2

    def test_of_two_undead_dragons_one_note_stays(self):
        state = self.setting()
        state = play(state, "token-note 1 undead", "token-note 1 undead")
        state = play(state, "token undead", "summon III")

        assert state.sides[1].noted_tokens.value == ("undead",)

    def test_a_token_played_against_the_notes(self):
        state = self.setting()
        state = play(state, "token-note 0 flight", "token-note 0 plague")

        after, _ = GAME.apply(state, GAME.parse(state, "token prison"))

        assert after.sides[0].noted_tokens.value == ()
        assert GAME.check(after) == ()

    def test_a_token_that_cannot_be_there(self):
        state = scene(hands=("sun5",), tokens=("plague",))

        with pytest.raises(NotNow):
            GAME.apply(state, GAME.parse(state, "token flight"))


class TestMixed:
    """After a reinforcement all know some cards to be in the hand or the camp."""

    def setting(self):
        return scene(
            hands=("sun5", "?"),
            camps=(1, 1),
            under=("rock3 hero",),
            tokens=("reinforce",),
            rest="krak1 krak2 krak3",
        )

    def test_they_may_be_played_by_their_owner_only(self):
        state = play(self.setting(), "token reinforce")
        assert {"play rock3 II", "play hero II", "play krak1 II"} <= legal(state)

        state = play(state, "play sun5 tower", "fly red II", "recruit")
        assert legal(state, "play rock3") == set()
        assert legal(state, "play hero") == set()

    def test_where_all_face_down_are_known_only_these(self):
        state = replace(
            self.setting(),
            sides=(
                replace(self.setting().sides[0], camp=2),
                replace(self.setting().sides[1], camp=2),
            ),
        )
        state = play(state, "token reinforce")

        assert hand_of(state, 0).pool == cards_of((card("rock3"), HERO))
        state = play(state, "note 0 rock3")
        assert names(state.sides[0].mixed) == "rock3 hero"
        state = play(state, "play rock3 II")
        assert names(state.sides[0].mixed) == "hero"

    def test_a_noted_card_of_them_counts_once(self):
        state = scene(
            hands=("sun5 ?", "?"),
            camps=(1, 1),
            under=("rock3 hero",),
            tokens=("reinforce",),
            rest="krak1 krak2 krak3 krak4",
        )
        state = play(state, "token reinforce", "note 0 rock3")

        hand = hand_of(state, 0)
        assert hand.known == tuple(sorted(cards("sun5 rock3")))
        assert hand.pool == cards_of((*cards("krak1 krak2 krak3 krak4"), HERO))
        other = GAME.resample(state, 0, 3)
        assert redact(other, 0) == redact(state, 0)


class TestResampling:
    def test_the_same_seed_gives_the_same_table(self):
        state = scene(hands=("? ?", "? ?"), camps=(3, 3), rest="hero sun1 sun2")

        assert GAME.resample(state, 0, 5) == GAME.resample(state, 0, 5)
        tables = {GAME.resample(state, 0, seed).sides[1].noted for seed in range(20)}
        assert len(tables) > 10

    def test_what_the_viewer_has_noted_is_nobody_elses(self):
        state = scene(hands=("? ?", "? ?"), camps=(0, 1), rest="sun1 sun2 hero sun3")
        state = play(state, "note 0 sun1", "note 0 hero")

        for seed in range(20):
            other = GAME.resample(state, 0, seed)
            assert other.sides[0] == state.sides[0]
            assert not {card("sun1"), HERO} & set(other.sides[1].noted.value)

    def test_every_hand_dealt_can_go_on(self):
        state = scene(
            hands=("? ?",),
            I="sun9",
            II="forest1",
            III="rock9",
            IV="krak2",
            tower="krak1",
            red="I",
            rest="rock5 sun1 sun2",
        )
        state = play(state, "back III")

        for seed in range(10):
            other = GAME.resample(state, 1, seed)
            assert list(GAME.legal(other))
            assert other.sides[0].noted == Hidden((), (0,))
