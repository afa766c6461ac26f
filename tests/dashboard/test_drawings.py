"""Every game drawn in every situation: all told, none betrayed, no raw ids."""

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import msgspec
import pytest
from babel.messages.pofile import read_po
from jinja2 import Environment

from companion.dashboard import boards, create_app
from companion.dashboard.boards.picking import Pick
from companion.dashboard.door.auth import Who
from companion.dashboard.view.moves import moves_for
from companion.dashboard.view.view import View
from companion.dashboard.view.view_cache import ViewCache
from companion.dashboard.view.views import view_of
from companion.games.core import (
    Config,
)
from companion.games.hidden import (
    Hidden,
    redact,
)
from companion.running.snapshot import ButtonStatus, Snapshot
from companion.story.log import Header, Made, Story, begin, extend
from companion.words import FOLDER, LANGUAGES
from tests.dashboard.fakes import NOON, FakeTable
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.dashboard.situations import game_of, random_move

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo", "Gil")
IDS = tuple(artist.game for artist in boards.ARTISTS)
WATCHER, HOST = Who(), Who(host=True)

pytestmark = pytest.mark.slow


TABLES = [(g, game_of(g).seats[end]) for g in IDS for end in (0, -1)]
ALL_TABLES = [(g, seats) for g in IDS for seats in game_of(g).seats]


@cache
def environment() -> Environment:
    app = create_app(
        FakeTable(), secret=SECRET, pin=PIN, address=ADDRESS, strict_words=True
    )
    return app.jinja_env


def snapshot(story: Story) -> Snapshot:
    buttons = ButtonStatus("mock", simulated=True)
    return Snapshot(buttons=buttons, game_id="game-1", story=story)


def stories(
    game_id: str, seats: int, seed: int = 1, most: int = 150
) -> Iterator[Story]:
    """Yield a random game at every moment; seats note secrets when they may."""
    game, rng = game_of(game_id), random.Random(seed)
    story = begin(game, Header(game.id, NAMES[:seats], game.stand_in), NOON)
    for _ in range(most):
        yield story
        move = random_move(rng, game, story.state)
        if move is None:
            return
        story = extend(story, Made(move, "camera", confidence=0.97), NOON)


def some(game_id: str, seats: int, every: int, seed: int = 1) -> Iterator[Story]:
    for nth, story in enumerate(stories(game_id, seats, seed)):
        if nth % every == 0 or story.game.outcome(story.state) is not None:
            yield story


def page(story: Story, who: Who, language: str) -> tuple[View, str]:
    views = ViewCache(environment(), strict=True)
    picture = views.rendered(snapshot(story), who, language)
    return picture.view, "".join(picture.parts.values())


@pytest.mark.parametrize(("game_id", "seats"), ALL_TABLES)
def test_every_moment_of_a_game_is_drawn_without_raw_ids(game_id: str, seats: int):
    for nth, story in enumerate(some(game_id, seats, every=37)):
        language = LANGUAGES[nth % 3]
        for who in (Who(nth % seats), HOST if nth % 2 else WATCHER):
            _, html = page(story, who, language)

            shown = re.sub(r"<[^>]*>", " ", html)
            assert not re.search(rf"\b({game_id}|boards|dashboard|core)\.\w", shown)
            assert not re.search(r"\w_\w|None|@", shown)
            assert " style=" not in html


@pytest.mark.parametrize("game_id", IDS)
def test_every_piece_on_the_board_is_told_in_the_twin(game_id: str):
    for story in some(game_id, game_of(game_id).seats[-1], every=13):
        drawing = view_of(snapshot(story), WATCHER, "en", strict=True).board
        assert drawing is not None
        twin = "\n".join(drawing.twin)

        assert len(set(drawing.twin)) > 3
        for name in names_drawn(drawing):
            assert name in twin, name


def names_drawn(thing: Any) -> Iterator[str]:
    """Yield the names of all that is drawn, but the players' and the throw's."""
    if isinstance(thing, tuple):
        for part in thing:
            yield from names_drawn(part)
    elif isinstance(thing, msgspec.Struct):
        fields = {f: getattr(thing, f) for f in thing.__struct_fields__}
        if "icon" in fields and "name" in fields and fields["icon"] is not None:
            yield fields["name"]
        for field, value in fields.items():
            if field not in ("mine", "dice", "icon", "discarded"):
                yield from names_drawn(value)


def all_picks(story: Story, who: Who) -> tuple[set[str], list[str]]:
    """Return what picks and buttons can send, and what is legal for *who*."""
    view = view_of(snapshot(story), who, "en", strict=True)
    sent = [o.move for o in (*view.moves, *view.private)]
    sent += [line for pick in view.picks for line in lines_of(pick)]
    # A button for several moves begins with one that is offered as well.
    go = view.at_one_go
    sent += [go.move] if go is not None and not go.then else []
    known = redact(story.state, who.viewer)
    legal = {
        story.game.notate(known, m) for m in moves_for(story.game, story.state, who)
    }
    return legal, sent


def lines_of(pick: Pick) -> Iterator[str]:
    for at in pick.at or (None,):
        for what in pick.what:
            words = (pick.verb, at and at.word, what.word, pick.tail)
            yield " ".join(filter(None, words))


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_buttons_and_picks_send_every_legal_move_once_and_no_other(
    game_id: str, seats: int
):
    for nth, story in enumerate(some(game_id, seats, every=17)):
        for who in (Who(nth % seats), HOST):
            legal, sent = all_picks(story, who)

            assert sorted(sent) == sorted(legal)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_drawing_follows_from_what_its_viewer_may_know(game_id: str, seats: int):
    """Drawn from the redacted past too it is the same, so it betrays nothing."""
    for nth, story in enumerate(some(game_id, seats, every=19, seed=2)):
        for viewer in (None, nth % seats):
            who = WATCHER if viewer is None else Who(viewer)
            state = redact(story.state, viewer)
            legal = tuple(moves_for(story.game, story.state, who))
            blind = msgspec.structs.replace(
                story,
                steps=tuple(
                    msgspec.structs.replace(s, state=redact(s.state, viewer))
                    for s in story.steps
                ),
                start=redact(story.start, viewer),
            )
            words = ViewCache(environment(), strict=True).words(snapshot(story), "en")

            drawn = boards.draw(story, state, legal, who.viewer, words)

            assert drawn == boards.draw(blind, state, legal, who.viewer, words)


def secrets(thing: Any) -> Iterator[Hidden[Any]]:
    if isinstance(thing, Hidden):
        yield thing
    elif isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            yield from secrets(getattr(thing, field))
    elif isinstance(thing, tuple | frozenset):
        for part in thing:
            yield from secrets(part)


@pytest.mark.parametrize("game_id", ["dragon_run", "eight_dragons", "dragonix"])
def test_a_hand_is_shown_to_its_owner_alone(game_id: str):
    seen = set()
    for story in chain.from_iterable(stories(game_id, 2, seed) for seed in range(9)):
        for seat in range(2):
            drawing = view_of(snapshot(story), Who(seat), "en", strict=True).board
            own = [s for s in secrets(story.state) if s.value and seat in s.seen_by]
            if own:
                assert drawing is not None
                assert drawing.mine
                seen.add(seat)
        drawing = view_of(snapshot(story), WATCHER, "en", strict=True).board
        assert drawing is not None
        assert not drawing.mine
        if len(seen) == 2:
            return
    raise AssertionError(f"nobody of {game_id} ever held a secret: {seen}")


def catalogue(language: str) -> dict[str, tuple[str, ...]]:
    with (FOLDER / language / "boards.po").open("rb") as file:
        return {
            str(m.id[0] if isinstance(m.id, tuple) else m.id): (
                m.string if isinstance(m.string, tuple) else (str(m.string),)
            )
            for m in read_po(file, locale=language)
            if m.id
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_boards_say_the_same_in_every_language(language: str):
    french = catalogue("fr")
    theirs = catalogue(language)

    assert set(theirs) == set(french)
    for line, forms in theirs.items():
        wanted = set(re.findall(r"{(\w+)}", " ".join(french[line])))
        assert set(re.findall(r"{(\w+)}", " ".join(forms))) == wanted, line
        assert all(form.strip() for form in forms), line


def test_french_boards_have_their_narrow_blanks():
    for line, forms in catalogue("fr").items():
        assert not any(re.search(r" [:;!?%»]", form) for form in forms), line


def test_a_config_of_one_seat_is_drawn_too():
    game = game_of("dragonix")

    assert game.setup(Config(1, game.stand_in)).setting.solo
