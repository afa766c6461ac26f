"""Groups: noted in private, never betrayed, open at the end. L. 95-97, 203."""

from msgspec.structs import replace

from companion.games.core import (
    Unknown,
)
from companion.games.drachenhort import GAME
from companion.games.drachenhort.events import GroupNoted
from companion.games.drachenhort.state import (
    OVER,
    SHOW,
    NoteGroup,
)
from companion.games.hidden import (
    Hidden,
    redact,
)
from tests.games.drachenhort.tables import legal, new_game, play, refused, scene, story

ALL = (8, 6, 5, 4, 3, 2, 1)


def before_the_last_move(*notes, seats=2):
    """Return a second round in which green's next step of 1 ends the game."""
    state = replace(
        new_game(seats=seats), round=2, medals=(ALL, (0,) * 7), cells=(12, *range(1, 7))
    )
    return play(state, *notes)


class TestNoting:
    def test_a_seat_may_note_any_card_at_any_time(self):
        for state in (
            new_game(),
            play(new_game(), "throw 3"),
            scene(green="4", red="5"),
        ):
            notes = {m for m in GAME.legal(state) if isinstance(m, NoteGroup)}

            assert len(notes) == 14  # two seats, seven cards
            assert all(GAME.actor(state, note) == note.seat for note in notes)
            assert all(GAME.evidence(state, note) == frozenset() for note in notes)

    def test_the_note_is_for_that_seat_alone(self):
        state = play(new_game(seats=3), "note 1 4")

        assert redact(state, 1).noted[1] == Hidden(4, (1,))
        for viewer in (None, 0, 2):
            assert redact(state, viewer).noted[1] == Hidden(None, (1,))

    def test_the_news_tells_who_and_not_what(self):
        _, (event,) = GAME.apply(new_game(), GAME.parse(new_game(), "note 1 4"))

        assert event == GroupNoted(1, Hidden(4, (1,)))
        assert GAME.describe_event(event).params == (("seat", 1),)

    def test_a_card_that_another_seat_noted_is_still_offered(self):
        state = play(new_game(), "note 0 4")

        seen = redact(state, 1)
        offers = {
            GAME.notate(seen, m) for m in GAME.legal(seen) if GAME.actor(seen, m) == 1
        }

        assert offers == {f"note 1 {card}" for card in range(7)}
        assert "note 1 4" in {GAME.notate(state, move) for move in GAME.legal(state)}

    def test_a_seat_notes_once(self):
        state = play(new_game(), "note 0 4")

        assert refused(state, "note 0 5") == ("drachenhort", "noted_already", (97, 97))

    def test_what_is_no_card_or_no_seat_is_refused(self):
        assert refused(new_game(), "note 0 7")[1] == "no_such_group"
        assert refused(new_game(), "note 2 0")[1] == "no_such_seat"
        assert refused(new_game(), "show 2 0")[1] == "no_such_seat"

    def test_a_note_that_others_could_see_is_refused(self):
        open_note = NoteGroup(0, Hidden(3, (0, 1)))

        verdict = GAME.judge(new_game(), open_note)

        assert verdict.reason == "drachenhort.no.group_not_secret"

    def test_a_note_seen_with_other_eyes_cannot_be_judged(self):
        state = new_game()
        note = redact(NoteGroup(0, Hidden(3, (0,))), 1)

        assert isinstance(GAME.judge(state, note), Unknown)
        assert GAME.notate(state, note) == "note 0 ?"
        assert GAME.parse(state, "note 0 ?") == note
        assert GAME.describe_move(state, note).line == "drachenhort.move.note_unknown"
        assert GAME.apply(state, note)[0] == state

    def test_only_who_has_not_noted_is_reminded_and_only_on_that_phone(self):
        state = play(new_game(seats=3), "note 1 4")

        reminders = [prompt for prompt in GAME.expects(state) if prompt.reminder]

        assert [prompt.only_for for prompt in reminders] == [0, 2]


class TestShowing:
    def test_a_card_stays_hidden_while_a_round_runs(self):
        assert refused(new_game(), "show 0 3")[1] == "too_early_to_show"

    def test_what_was_noted_is_laid_open_by_itself(self):
        state = before_the_last_move("note 0 3", "note 1 0", "throw 1")

        state = play(state, "advance green")

        assert state.phase is OVER
        assert state.shown == (3, 0)

    def test_who_noted_nothing_is_waited_for(self):
        state = before_the_last_move("note 1 0", "throw 1")

        state = play(state, "advance green")

        assert state.phase is SHOW
        assert legal(state) == {f"show 0 {card}" for card in range(1, 7)}

    def test_two_who_noted_one_card_are_both_asked(self):
        state = before_the_last_move(
            "note 0 3", "note 1 3", "note 2 5", "throw 1", seats=3
        )

        told = story(state, "advance green")
        state = play(state, "advance green")

        assert told[-4:] == [
            "round_ended 2",
            "groups_clashed",
            "groups_clashed",
            "group_shown 5 orange violet red",
        ]
        assert state.shown == (None, None, 5)
        assert [prompt.who for prompt in GAME.expects(state)] == [0, 1]
        assert play(state, "show 0 3", "show 1 4").phase is OVER


class TestPoints:
    def test_they_are_an_interval_for_who_does_not_know_the_card(self):
        state = replace(before_the_last_move("note 1 0"), won=(2, 1))

        other = GAME.scores(redact(state, 0))[1]

        # silver so far; the poorest card is white 3, blue 5, violet 1 or yellow 2,
        # white 3, orange 4; the richest is green 8, red 6, white 3 or blue 5, orange 4,
        # green 8
        assert (other.low, other.high) == (9 + 1, 17 + 1)

    def test_they_are_exact_for_the_seat_itself(self):
        state = replace(before_the_last_move("note 1 0"), won=(2, 1))

        mine = GAME.scores(redact(state, 1))[1]

        assert (mine.low, mine.high) == (18, 18)
        assert [points for _, points in mine.parts] == [8, 6, 3, 1]

    def test_a_card_that_somebody_has_shown_is_nobody_elses(self):
        state = play(before_the_last_move("throw 1"), "advance green", "show 0 0")

        other = GAME.scores(state)[1]

        # gold: green 8, violet 6, yellow 5, white 4, orange 3, blue 2, red 1; silver:
        # 8 6 5 4 3 2 1 in the order of the box; so green has 16, each other one 7
        assert (other.low, other.high) == (7 + 7 + 7, 16 + 7 + 7)

    def test_a_clash_is_open_until_the_cards_are_shown(self):
        state = before_the_last_move("note 0 3", "note 1 3", "throw 1")

        state = play(state, "advance green")

        assert GAME.scores(state)[0].low < GAME.scores(state)[0].high


class TestResampling:
    def test_everybody_else_gets_another_card_than_mine(self):
        state = play(new_game(seats=7), "note 3 5")

        for seed in range(50):
            cards = [note.value for note in GAME.resample(state, 3, seed).noted]

            assert cards[3] == 5
            assert sorted(cards) == list(range(7))

    def test_every_card_comes_up_about_equally_often(self):
        state = new_game()

        cards = [GAME.resample(state, None, seed).noted[0].value for seed in range(700)]

        counts = [cards.count(card) for card in range(7)]
        assert min(counts) > 70  # 100 each on average, 9 is one standard deviation
        assert max(counts) < 130

    def test_the_same_seed_gives_the_same_cards_everywhere(self):
        notes = [note.value for note in GAME.resample(new_game(seats=7), None, 1).noted]

        assert notes == [2, 6, 0, 5, 4, 3, 1]

    def test_nothing_is_left_to_guess_once_the_cards_are_asked_for(self):
        state = play(before_the_last_move("throw 1"), "advance green")

        assert GAME.resample(state, None, 1) is state
