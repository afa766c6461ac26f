"""What lies where, how moves look, and how they are written."""

import pytest

from companion.games.core import NotAMove
from companion.games.dragon_run import GAME
from companion.games.dragon_run.state import Deal, Play, Turn
from companion.table import Shown
from tests.games.dragon_run.tables import legal, new_game, play, scene


def lying(state, place):
    return [
        (piece, face) for piece, face, where in GAME.layout(state) if where == place
    ]


def sight(state, text):
    (found,) = GAME.evidence(state, GAME.parse(state, text))
    return found


class TestTable:
    def test_at_the_start_only_the_piles_the_die_and_the_dragon_lie_there(self):
        assert GAME.layout(new_game(seats=2)) == {
            ("d10", None, "tray"),
            ("dragon", None, "anger/5"),
            ("place", None, "path"),
            ("treasure", None, "stock"),
        }

    def test_turned_cards_and_discards_lie_side_by_side(self):
        state = play(scene(), "turn room", "turn room", "pass", "cry", "discard gold-2")

        assert lying(state, "path/1") == lying(state, "path/2") == [("place", "room")]
        assert lying(state, "discard/1") == [("treasure", "gold-2")]

    def test_characters_lie_with_their_health_and_burned_ones_are_gone(self):
        state = scene(wounded=(1,), out=(2,))

        assert lying(state, "seat/0") == [("character", "elf/fit")]
        assert lying(state, "seat/1") == [("character", "cleric/wounded")]
        assert lying(state, "seat/2") == []

    def test_a_character_lies_across_from_its_power_to_the_next_breath(self):
        """Rulebook l. 160-163: tilted clockwise until the dragon breathes."""
        state = play(scene(wounded=(0,)), "power")
        assert lying(state, "seat/0") == [("character", "elf/wounded/across")]

        state = play(state, "turn chest", "turn dragon")
        assert lying(state, "seat/0") == [("character", "elf/wounded")]

    def test_talismans_and_shown_treasures_lie_before_their_owners(self):
        state = scene(fronts={1: "languor"})
        assert lying(state, "front/1/1") == [("treasure", "languor")]

        over = play(
            scene(seats=2, anger=1, noted={0: "gold-4 gold-1", 1: ""}), "turn dragon"
        )
        assert lying(over, "open/0/1") == [("treasure", "gold-1")]
        assert lying(over, "open/0/2") == [("treasure", "gold-4")]

    def test_cards_lost_unseen_lie_face_down(self):
        state = play(scene(wounded=(0,), size={0: 1}, stock=0), "turn dragon")

        assert lying(state, f"discard/{len(state.discard)}") == [("treasure", None)]
        assert lying(state, "stock") == []

    def test_the_die_stays_in_the_tray_until_it_is_thrown_again(self):
        state = play(scene(phase="roll", need=1, paid=1), "roll 0", "turn room")
        assert lying(state, "tray") == [("d10", "0")]

        state = play(state, "pass", "sneak", "discard gold-1")
        assert lying(state, "tray") == [("d10", None)]

    def test_the_pile_of_places_is_gone_when_all_lie_open(self):
        state = scene(
            turned="room room room room room bridge crypt chest mirror dragon",
            phase="redirect",
        )

        assert lying(state, "path") == []


class TestEvidence:
    def test_what_a_camera_can_see(self):
        roll = scene(turned="room", phase="roll", need=1, paid=1, discard="gold-1")

        assert sight(roll, "roll 7") == Shown("d10", "7", "tray")
        assert sight(roll, "discard gold-1") == Shown("treasure", "gold-1", "discard/2")
        assert sight(roll, "play light") == Shown("treasure", "light", "discard/2")
        assert sight(roll, "play languor") == Shown("treasure", "languor", "front/0/1")
        assert sight(scene(turned="room"), "turn room") == Shown(
            "place", "room", "path/2"
        )
        assert sight(scene(), "power") == Shown("character", "elf/fit/across", "seat/0")
        assert sight(new_game(), "deal dwarf") == Shown(
            "character", "dwarf/fit", "seat/0"
        )
        assert sight(play(new_game(), "deal elf"), "deal thief") == Shown(
            "character", "thief/fit", "seat/1"
        )

    def test_who_annuls_shows_it_by_where_the_card_is_laid(self):
        state = play(scene(noted={0: "light"}), "play light")

        assert sight(state, "annul 1") == Shown("treasure", "annulment", "front/1/1")
        assert sight(state, "annul 2") == Shown("treasure", "annulment", "front/2/1")

    def test_cards_shown_at_the_end_lie_before_their_owner(self):
        state = play(scene(seats=2, anger=1, noted={0: "gold-1"}), "turn dragon")

        assert sight(state, "show 1 gold-1") == Shown("treasure", "gold-1", "open/1/1")
        assert sight(state, "show 0 gold-1") == Shown("treasure", "gold-1", "open/0/2")
        assert sight(state, "show 7 gold-1").place == "open/7/1"

    def test_cards_lie_open_in_the_order_in_which_they_are_shown(self):
        state = play(scene(seats=2, anger=1, size={0: 2, 1: 1}), "turn dragon")

        state = play(state, "show 0 gold-3", "show 0 gold-1")

        assert lying(state, "open/0/1") == [("treasure", "gold-3")]
        assert lying(state, "open/0/2") == [("treasure", "gold-1")]

    def test_a_row_has_room_for_nine_cards_and_the_tenth_is_only_told(self):
        state = play(scene(seats=2, anger=1, size={0: 11, 1: 1}), "turn dragon")
        state = play(state, *["show 0 gold-1"] * 9)

        tenth = GAME.parse(state, "show 0 gold-2")

        assert GAME.evidence(state, tenth) == frozenset()
        assert lying(play(state, "show 0 gold-2"), "open/0/10") == []

    def test_the_rest_is_only_told(self):
        for text in ("sneak", "cry", "pass", "let 1", "point 1", "note 0 gold-1"):
            assert GAME.evidence(scene(), GAME.parse(scene(), text)) == frozenset()
        assert GAME.evidence(scene(), GAME.parse(scene(), "deal elf")) == frozenset()


class TestNotation:
    def test_a_line_is_read_back(self):
        state = scene()

        for text in [*legal(state), "note 0 ?", "show 2 gold-5", "let 1", "annul 1"]:
            assert GAME.notate(state, GAME.parse(state, text)) == text

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "turn",
            "turn gold-1",
            "turn room room",
            "roll +1",
            "roll 01",
            "roll ²",
            "annul x",
            "note 0",
            "note 0 room",
            "show 0 ?",
            "pass 1",
            "sneak " + "x " * 500,
        ],
    )
    def test_another_is_told_with_examples(self, text):
        with pytest.raises(NotAMove, match=r"is no move of Dragon Run here; write"):
            GAME.parse(scene(), text)

    def test_a_long_text_is_cut(self):
        with pytest.raises(NotAMove) as told:
            GAME.parse(scene(), "x" * 41)
        assert str(told.value).startswith(f"'{'x' * 40}...' is no move")

        with pytest.raises(NotAMove) as told:
            GAME.parse(scene(), "x" * 40)
        assert str(told.value).startswith(f"'{'x' * 40}' is no move")

    def test_what_is_not_in_the_box_is_written_as_unseen(self):
        assert GAME.notate(scene(), Deal(7)) == "deal ?"
        assert GAME.notate(scene(), Turn(6)) == "turn ?"
        assert GAME.notate(scene(), Play(-1)) == "play ?"
