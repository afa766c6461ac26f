"""The judge: every reason is given once, and none is left without a case."""

import pytest

from companion.games.core import (
    Refused,
    Unknown,
)
from companion.games.dragon_run import GAME
from companion.games.dragon_run.state import (
    Annul,
    Cry,
    Deal,
    Discard,
    ForgetNotes,
    NoteCard,
    Phase,
    Play,
    Point,
    ShowCard,
    Sneak,
    Turn,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Word
from companion.words import catalogue
from tests.games.dragon_run.tables import new_game, play, refused, scene

ROLL = {"phase": "roll", "need": 1, "paid": 1}
PAY = {"phase": "pay", "need": 1}
SHOW = play(scene(seats=2, anger=1, noted={0: ""}), "turn dragon")
OVER = play(scene(seats=2, anger=1, noted={0: "", 1: ""}), "turn dragon")
THIEF = play(scene(heroes="thief elf dwarf", size={1: 0}, out=(1,)), "power")
ANSWER = play(scene(noted={0: "light"}, size={2: 0}), "play light")
REDIRECT = play(scene(fronts={0: "redirection"}, out=(1,)), "turn dragon")

CASES = [
    # What the table waits for.
    (new_game(), "roll 1", "waits_deal"),
    (scene(), "roll 1", "waits_act"),
    (scene(), "deal elf", "waits_act"),
    (scene(), "discard gold-1", "waits_act"),
    (scene(), "point 1", "waits_act"),
    (scene(**PAY), "turn room", "waits_pay"),
    (scene(**PAY), "sneak", "waits_pay"),
    (scene(**PAY), "power", "waits_pay"),
    (scene(**ROLL), "turn room", "waits_roll"),
    (play(scene(**ROLL), "roll 0"), "roll 1", "waits_forced"),
    (play(scene(options={"RN10": "rush"}), "turn bridge"), "roll 1", "waits_again"),
    (play(scene(), "turn room"), "roll 1", "waits_choice"),
    (play(scene(turned="room room", **ROLL), "roll 9"), "roll 1", "waits_sneaked"),
    (play(scene(), "cry", "discard gold-2"), "turn room", "waits_cried"),
    (ANSWER, "turn room", "waits_answer"),
    (THIEF, "turn room", "waits_effect"),
    (THIEF, "discard gold-1", "waits_effect"),
    (REDIRECT, "turn room", "waits_redirect"),
    (SHOW, "turn room", "waits_show"),
    (OVER, "turn room", "waits_over"),
    (OVER, "play light", "waits_over"),
    (OVER, "show 0 gold-1", "waits_over"),
    # Acts.
    (play(new_game(), "deal elf"), "deal elf", "hero_taken"),
    (scene(turned="chest"), "turn chest", "place_used_up"),
    (scene(**ROLL), "roll 10", "no_such_face"),
    (play(scene(**ROLL), "roll 0"), "sneak", "must_rush"),
    (play(scene(options={"RN10": "rush"}), "turn bridge"), "pass", "must_rush_again"),
    (play(scene(), "turn room"), "cry", "go_on_or_pass"),
    (play(scene(turned="room room", **ROLL), "roll 9"), "sneak", "rush_or_pass"),
    (scene(), "pass", "must_act"),
    (scene(noted={0: "light"}), "sneak", "cannot_pay"),
    (scene(options={"RN4": "forbid"}), "sneak", "no_chance"),
    (play(scene(), "turn crypt"), "cry", "crying_barred"),
    (scene(out=(1, 2), options={"RN28": "no"}), "cry", "alone"),
    (scene(tilted=(0,)), "power", "power_used"),
    (scene(**ROLL), "power", "power_too_late"),
    # Cards.
    (scene(**PAY), "discard light", "worth_nothing"),
    (scene(size={0: 1}, phase="pay", need=2), "discard gold-1", "rest_unpaid"),
    (scene(noted={0: "gold-2"}, **PAY), "discard gold-1", "noted_otherwise"),
    (scene(), "play gold-1", "not_to_be_played"),
    (scene(), "play annulment", "only_counters"),
    (scene(**PAY), "play light", "no_potion_now"),
    (scene(discard="languor"), "play languor", "all_seen"),
    (scene(size={0: 0}), "play light", "empty_hand"),
    (play(scene(heroes="dwarf elf thief", noted={0: "light"}), "power", "forget 0"),
     "discard annulment", None),
    (scene(**ROLL, size={0: 0}), "discard gold-1", "empty_hand"),
    # Others.
    (scene(), "annul 1", "nothing_to_annul"),
    (scene(), "let 1", "nothing_to_annul"),
    (ANSWER, "let 0", "others_answer"),
    (ANSWER, "let 2", "empty_hand"),
    (ANSWER, "let 3", "no_such_seat"),
    (play(scene(noted={0: "light"}), "play light", "let 1"), "let 1", "let_already"),
    (ANSWER, "annul 0", "own_potion"),
    (ANSWER, "annul 2", "empty_hand"),
    (ANSWER, "annul 3", "no_such_seat"),
    (play(scene(noted={0: "light", 1: "gold-1"}), "play light"), "annul 1",
     "noted_otherwise"),
    (REDIRECT, "point 0", "another_one"),
    (REDIRECT, "point 1", "burned_already"),
    (REDIRECT, "point 5", "no_such_seat"),
    (play(scene(heroes="thief elf dwarf", size={1: 0}), "power"), "point 1",
     "empty_hand"),
    # Notes.
    (scene(), "note 1 gold-1", "note_in_own_turn"),
    (scene(**PAY), "note 0 gold-1", "note_in_own_turn"),
    (scene(), "note 5 gold-1", "no_such_seat"),
    (scene(noted={0: "gold-1"}), "note 0 gold-1", "all_noted"),
    (play(scene(), "note 0 languor"), "note 0 languor", "all_seen"),
    (scene(), "forget 0", "nothing_to_forget"),
    (scene(noted={1: "gold-1"}), "forget 1", "note_in_own_turn"),
    # The end.
    (scene(), "show 0 gold-1", "too_early_to_show"),
    (SHOW, "show 7 gold-1", "no_such_seat"),
    (SHOW, "show 0 gold-1", "empty_hand"),
    (SHOW, "show 1 redirection", "all_seen"),
]  # fmt: skip


RESTS_ON = {
    "waits_deal": ("dragon_run", (46, 46)),
    "waits_act": ("dragon_run", (60, 64)),
    "waits_pay": ("dragon_run", (76, 99)),
    "waits_roll": ("dragon_run", (80, 82)),
    "waits_forced": ("dragon_run", (91, 91)),
    "waits_again": ("dragon_run", (144, 144)),
    "waits_choice": ("dragon_run", (124, 127)),
    "waits_sneaked": ("dragon_run", (86, 89)),
    "waits_cried": ("dragon_run", (97, 99)),
    "waits_answer": ("dragon_run", (150, 150)),
    "waits_effect": ("dragon_run", (136, 136)),
    "waits_redirect": ("dragon_run", (152, 152)),
    "waits_show": ("dragon_run", (171, 171)),
    "waits_over": ("dragon_run", (167, 175)),
    "hero_taken": ("dragon_run", (46, 46)),
    "place_used_up": ("dragon_run", (68, 70)),
    "no_such_face": ("dragon_run", (30, 30)),
    "must_rush": ("dragon_run", (91, 91)),
    "must_rush_again": ("RN10", (144, 144)),
    "go_on_or_pass": ("RN9", (124, 127)),
    "rush_or_pass": ("RN7", (88, 89)),
    "must_act": ("dragon_run", (60, 64)),
    "cannot_pay": ("RN3", (76, 76)),
    "no_chance": ("RN4", (82, 91)),
    "crying_barred": ("RN11", (136, 136)),
    "alone": ("RN28", (97, 97)),
    "power_used": ("RN12", (160, 163)),
    "power_too_late": ("RN12", (158, 158)),
    "worth_nothing": ("RN27", (29, 29)),
    "rest_unpaid": ("RN3", (99, 99)),
    "noted_otherwise": ("RN21", (54, 54)),
    "not_to_be_played": ("dragon_run", (148, 148)),
    "only_counters": ("RN14", (150, 150)),
    "no_potion_now": ("RN29", (148, 148)),
    "all_seen": ("dragon_run", (29, 29)),
    "empty_hand": ("dragon_run", (54, 54)),
    "nothing_to_annul": ("RN14", (150, 150)),
    "own_potion": ("RN30", (150, 150)),
    "others_answer": ("RN30", (150, 150)),
    "let_already": ("dragon_run", (150, 150)),
    "no_such_seat": ("dragon_run", (41, 45)),
    "another_one": ("dragon_run", (150, 152)),
    "burned_already": ("dragon_run", (113, 113)),
    "note_in_own_turn": ("RN21", (54, 54)),
    "all_noted": ("RN21", (54, 54)),
    "nothing_to_forget": ("RN21", (54, 54)),
    "too_early_to_show": ("RN21", (171, 171)),
}
"""The ruling, or the game where the book is plain, and the lines that say so."""


@pytest.mark.parametrize(("state", "text", "reason"), CASES)
def test_an_illegal_act_is_explained(state, text, reason):
    if reason is None:
        assert play(state, text)
    else:
        ruling, told, lines = refused(state, text)
        assert told == reason
        assert (ruling, lines) == RESTS_ON[reason]


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (new_game(), Deal(7), "no_such_hero"),
        (new_game(), Deal(-1), "no_such_hero"),
        (scene(), Turn(6), "no_such_place"),
        (scene(), Turn(-1), "no_such_place"),
        (scene(**PAY), Discard(99), "no_such_treasure"),
        (scene(**PAY), Discard(-1), "no_such_treasure"),
        (scene(), Play(13), "no_such_treasure"),
        (ANSWER, Annul(-1), "no_such_seat"),
        (REDIRECT, Point(-1), "no_such_seat"),
        (scene(), NoteCard(0, Hidden(77, (0,))), "no_such_treasure"),
        (scene(), ForgetNotes(3), "no_such_seat"),
        (scene(), ForgetNotes(-1), "no_such_seat"),
        (scene(), NoteCard(3, Hidden(0, (3,))), "no_such_seat"),
        (scene(), NoteCard(-1, Hidden(0, (-1,))), "no_such_seat"),
        (SHOW, ShowCard(2, 0), "no_such_seat"),
        (SHOW, ShowCard(-1, 0), "no_such_seat"),
        (ANSWER, Annul(3), "no_such_seat"),
        (REDIRECT, Point(3), "no_such_seat"),
        (THIEF, Point(3), "no_such_seat"),
        (SHOW, ShowCard(1, 77), "no_such_treasure"),
    ],
)
def test_what_no_text_can_say_is_explained_too(state, move, reason):
    verdict = GAME.judge(state, move)

    assert isinstance(verdict, Refused)
    assert verdict.reason == f"dragon_run.no.{reason}"
    assert GAME.evidence(state, move) is not None
    with pytest.raises(ValueError, match=r".+"):
        GAME.apply(state, move)


def test_a_note_without_a_card_is_unknown():
    verdict = GAME.judge(scene(), NoteCard(0, Hidden(None, (0,))))

    assert verdict == Unknown("dragon_run.no.card_not_told", (("seat", 0),))


def test_every_reason_in_the_catalogue_has_its_case():
    told = {reason for _, _, reason in CASES if reason}
    told |= {"no_such_hero", "no_such_place", "no_such_treasure"}
    told |= {"card_not_told", "note_not_secret"}  # above, and in TestRN21
    known = {
        str(message.id[0] if isinstance(message.id, tuple) else message.id)
        for message in catalogue("en")
        if message.id
    }
    start = "dragon_run.no."

    assert {line[len(start) :] for line in known if line.startswith(start)} == told


def test_every_phase_has_words_for_what_it_waits_for():
    told = {reason for _, _, reason in CASES if reason and reason.startswith("waits_")}

    assert told == {f"waits_{phase}" for phase in Phase}


@pytest.mark.parametrize(
    ("state", "text", "told"),
    [
        (scene(noted={0: "gold-1"}), "cry", {"seat": 0, "n": 2, "most": 1}),
        (
            scene(size={0: 1}, phase="pay", need=2),
            "discard gold-1",
            {"seat": 0, "card": Word("dragon_run.gold-1"), "n": 1},
        ),
        (
            scene(turned="room room room room room"),
            "turn room",
            {"card": Word("dragon_run.place.room"), "n": 5},
        ),
        (scene(turned="room", options={"RN4": "forbid"}), "sneak", {"n": 9}),
        (
            play(new_game(), "deal elf"),
            "deal elf",
            {"hero": Word("dragon_run.hero.elf"), "seat": 0},
        ),
        (scene(noted={0: "gold-1"}), "note 0 gold-1", {"seat": 0, "n": 1}),
        (scene(), "note 5 gold-1", {"n": 6}),
        (scene(), "forget 5", {"n": 6}),
        (scene(**ROLL), "roll 12", {"n": 12}),
        (REDIRECT, "point 5", {"n": 6}),
        (ANSWER, "annul 4", {"n": 5}),
        (SHOW, "show 7 gold-1", {"n": 8}),
        (scene(discard="languor"), "play languor",
         {"card": Word("dragon_run.talisman.languor")}),
    ],
)  # fmt: skip
def test_numbers_of_the_case_are_told(state, text, told):
    verdict = GAME.judge(state, GAME.parse(state, text))

    assert dict(verdict.params) == told


@pytest.mark.parametrize(
    ("state", "move", "lines"),
    [
        (new_game(), Deal(7), (32, 32)),
        (scene(), Turn(6), (28, 28)),
        (scene(), Play(13), (29, 29)),
        (scene(), NoteCard(0, Hidden(0, ())), (54, 54)),
        (scene(noted={0: "light"}), Sneak(), (76, 76)),
        (scene(noted={0: "light"}), Cry(), (99, 99)),
    ],
)
def test_the_lines_of_the_rest_are_told_too(state, move, lines):
    cite = GAME.judge(state, move).cite

    assert (cite.rulebook, cite.first, cite.last) == ("dragon_run", *lines)
