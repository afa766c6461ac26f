"""No phone ever receives what another has noted: every byte is searched."""

import json
import random
import re
from collections.abc import Iterable
from typing import TypeAlias

import pytest
from flask.testing import FlaskClient

from companion.running.snapshot import Setup
from companion.words import Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note, play_on
from tests.dashboard.setting import PLAYERS
from tests.dashboard.toy import TOY

PATHS = ("/", "/api/state", "/table")
Cards: TypeAlias = tuple[tuple[str, ...], ...]


def received(phone: FlaskClient) -> Iterable[str]:
    """Yield all that a phone gets: headers and bodies of each page, and the stream."""
    for path in PATHS:
        answer = phone.get(path)
        yield str(answer.headers) + answer.text
    with phone.get("/api/events", buffered=False) as stream:
        first = next(iter(stream.response))
        assert isinstance(first, bytes)
        yield first.decode()


def without_offers(text: str) -> str:
    """Return *text* without the offers to note a group: these are the same for all."""
    text = re.sub(r'<form class="act-form".*?</form>', "", text, flags=re.S)
    text = re.sub(r'<form class=\\"act-form\\".*?</form>', "", text, flags=re.S)
    if text.startswith("Content-Type: application/json"):
        head, _, body = text.partition("\r\n\r\n")
        view = json.loads(body)
        view["private"] = []
        return head + json.dumps(view, ensure_ascii=False)
    return text


class TestTheToy:
    """A game whose secrets are numbers found nowhere else."""

    @pytest.fixture
    def table(self) -> FakeTable:
        return FakeTable(lambda game_id: TOY)

    @pytest.fixture
    def app(self, table, streams, clock):
        from companion.dashboard import create_app
        from tests.dashboard.setting import ADDRESS, PIN, SECRET

        # Not strict: the toy has no words, so its lines show their ids and values.
        return create_app(
            table,
            secret=SECRET,
            pin=PIN,
            address=ADDRESS,
            streams=streams,
            clock=clock,
        )

    @pytest.mark.parametrize("number", [7001, 7002])
    def test_a_noted_number_reaches_its_own_phone_alone(
        self, number: int, table: FakeTable, phones: Phones
    ):
        table.open_game(Setup("toy", ("Ana", "Bo")))
        note(table, 1, number)

        for phone in (phones.viewer(), phones.host()):
            assert not any(str(number) in text for text in received(phone))
        ana = "".join(map(without_offers, received(phones.seat(0))))
        assert f"note 1 {number}" not in ana


def search(texts: list[str], seat: int | None, cards: Cards, noted: list[int]) -> None:
    """Search what the phone of *seat* received for the groups of the others."""
    words = Words("fr")
    for text in texts:
        bare = without_offers(text)
        for other, group in enumerate(noted):
            if other == seat:
                continue
            assert f"note {other} {group}" not in text
            names = [words.say(f"drachenhort.{hero}") for hero in cards[group]]
            assert ", ".join(names) not in bare
        if seat is None:
            assert '"mine":[{' not in bare
            assert 'data-key="mine"' not in bare


def mine(phone: FlaskClient) -> list[str]:
    view = phone.get("/api/state").get_json()
    return [column["hero"] for column in view["board"]["mine"]]


def test_a_group_is_shown_on_its_own_phone_and_on_no_other(
    game: FakeTable, phones: Phones
):
    note(game, 0, 2)
    note(game, 1, 5)
    cards = game.snapshot.story.state.setting.box.groups

    assert mine(phones.seat(0)) == list(cards[2])
    assert mine(phones.seat(1)) == list(cards[5])
    for phone in (phones.seat(2), phones.viewer(), phones.host()):
        assert mine(phone) == []


def test_scores_tell_nothing_of_anothers_group(game: FakeTable, phones: Phones, play):
    note(game, 1, 5)
    play(moves=60)
    story = game.snapshot.story

    def scores(phone: FlaskClient) -> list[dict[str, object]]:
        return phone.get("/api/state").get_json()["players"]

    watched = scores(phones.viewer())[1]
    with_another = FakeTable()
    with_another.open_game(Setup("drachenhort", PLAYERS))
    note(with_another, 1, 3)
    for step in story.steps[1:]:
        with_another.tell(step.made)
    game.show(story=with_another.snapshot.story)

    assert scores(phones.viewer())[1] == watched


def plain(texts: list[str]) -> list[str]:
    # The number of the snapshot is all that may differ.
    return [re.sub(r'"version":\d+', "", text) for text in texts]


@pytest.mark.parametrize("seed", range(3))
def test_others_receive_the_same_bytes_whatever_a_seat_has_noted(
    seed: int, game: FakeTable, phones: Phones
):
    random_game(seed, game, phones)


@pytest.mark.slow
def test_twenty_random_games_betray_no_group(table: FakeTable, phones: Phones):
    betray_no_group(range(20), table, phones)


@pytest.mark.long
def test_two_hundred_random_games_betray_no_group(table: FakeTable, phones: Phones):
    betray_no_group(range(200), table, phones)


def betray_no_group(seeds: range, table: FakeTable, phones: Phones) -> None:
    for seed in seeds:
        table.open_game(Setup("drachenhort", PLAYERS))
        random_game(seed, table, phones)


def random_game(seed: int, table: FakeTable, phones: Phones) -> None:
    """Play two games that differ in one noted group, and compare what others get."""
    rng = random.Random(seed)
    twin = FakeTable()
    twin.open_game(Setup("drachenhort", PLAYERS))
    groups = rng.sample(range(7), 4)
    seat = rng.randrange(3)
    noting = [(s, groups[s]) for s in range(3)]
    rng.shuffle(noting)
    moves = rng.randrange(10, 90)
    for s, group in noting:
        note(table, s, group)
        note(twin, s, groups[3] if s == seat else group)
    start = table.snapshot.story.seq
    play_on(table, random.Random(seed), moves, "show")
    for step in table.snapshot.story.steps:
        if step.seq > start:
            twin.tell(step.made)
    if table.snapshot.story.state.phase in ("show", "over"):
        return  # the groups lie open by the rules
    people: dict[int | None, FlaskClient] = {s: phones.seat(s) for s in range(3)}
    people |= {None: phones.viewer(), -1: phones.host()}
    before = {who: list(received(phone)) for who, phone in people.items()}
    cards = table.snapshot.story.state.setting.box.groups
    for who, texts in before.items():
        search(texts, None if who == -1 else who, cards, groups[:3])
    table.show(story=twin.snapshot.story)
    for who, phone in people.items():
        if who != seat:
            assert plain(list(received(phone))) == plain(before[who])


def test_the_log_says_nothing_of_groups(game: FakeTable, phones: Phones, caplog):
    caplog.set_level("DEBUG")
    bo = phones.seat(1)

    bo.post("/api/act", json={"move": "note 1 5", "seq": 0, "key": "k"})
    bo.post("/api/act", json={"move": "note 1 6", "seq": 1, "key": "l"})

    assert "note 1" not in caplog.text


def test_why_a_note_is_refused_is_read_by_its_owner_alone(
    game: FakeTable, phones: Phones
):
    bo, others = phones.seat(1), [phones.seat(0), phones.seat(2)]
    bo.post("/api/act", json={"move": "note 1 5", "seq": 0, "key": "k"})
    before = [plain(list(received(one))) for one in others]

    answer = bo.post("/api/act", json={"move": "note 1 6", "seq": 1, "key": "l"})

    assert answer.status_code == 422
    # Nobody else may know whether Bo has noted a group, so nobody hears of it.
    assert [plain(list(received(one))) for one in others] == before
