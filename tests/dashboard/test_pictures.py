"""Makes the pictures of the dashboard's README, and sees that they are there.

They are made anew only when something that they show has changed; what they were made
from is kept beside them as a fingerprint.
"""

import hashlib
import random
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from companion import dashboard
from companion.capsule.evidence_store import EvidenceStore
from companion.dashboard import create_app, start
from companion.dashboard.api.streams import Streams
from companion.dashboard.door.auth import host_code, seat_code
from companion.dashboard.pages.main import HELP_PICTURES
from companion.running.snapshot import Setup
from companion.running.wifi import Wifi, WifiFiles
from companion.story.log import Asked, Made
from companion.table import Glimpse, LinePart, Reading, Shown
from companion.words import LANGUAGES
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note, play_on
from tests.dashboard.setting import PIN, SECRET
from tests.dashboard.situations import SITUATIONS, reach
from vision.camera.evidence import crop_around, encode_jpeg
from vision.drawn.dice import draw_roll
from vision.reader import Awaited, Reader

HERE = Path(dashboard.__file__).parent
PICTURES = HERE / "pictures"
HELP = HERE / "static" / "help"
MADE_FROM = PICTURES / "made-from.txt"
MOST_BYTES = 150_000
MOST_HELP_BYTES = 40_000
NAMES = ("Ana", "Barnabé", "Chloé", "Dominique")


def fingerprint() -> str:
    digest = hashlib.blake2b(" ".join(LANGUAGES).encode(), digest_size=12)
    for folder in ("templates", "static", "boards"):
        for path in sorted((HERE / folder).rglob("*.*")):
            if path.suffix not in (".pyc", ".webp"):  # help is made here as well
                digest.update(path.read_bytes())
    return digest.hexdigest()


def shown_in_readme() -> set[str]:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    return set(re.findall(r"pictures/([\w-]+\.png)", text))


def test_every_picture_of_the_readme_is_there_and_small():
    assert shown_in_readme()
    for name in shown_in_readme():
        assert 5_000 < (PICTURES / name).stat().st_size <= MOST_BYTES, name


def test_the_help_has_its_pictures_in_every_language():
    names = {f"{name}-{code}.webp" for name in HELP_PICTURES for code in LANGUAGES}

    assert {path.name for path in HELP.iterdir()} == names


@pytest.mark.browser
@pytest.mark.slow
def test_pictures_show_what_the_page_looks_like_now(browser: Browser, tmp_path: Path):
    made_from = MADE_FROM.read_text().strip() if MADE_FROM.exists() else ""
    if made_from == fingerprint():
        return
    PICTURES.mkdir(exist_ok=True)
    HELP.mkdir(exist_ok=True)
    for situation in SITUATIONS:
        take_board(browser, reach(situation), situation.game)
    for language in LANGUAGES:
        take_in(browser, language)
    for scheme in ("light", "dark"):
        take_all(browser, scheme, tmp_path)

    assert shown_in_readme() <= {path.name for path in PICTURES.glob("*.png")}
    MADE_FROM.write_text(fingerprint() + "\n")


def take_all(browser: Browser, scheme: Any, folder: Path) -> None:
    table = FakeTable()
    evidence = EvidenceStore(folder / "pictures")
    networks = WifiFiles(folder / "wifi.json", folder / "hotspot.json")
    networks.keep(Wifi("Chez les dragons", "feu et flammes"))
    app = create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address="http://192.168.1.20:8000",
        streams=Streams(beat_s=0.2),
        networks=networks,
        strict_words=True,
        evidence=evidence,
    )
    server = start(app, "127.0.0.1", 0)
    at = f"http://127.0.0.1:{server.port}"
    size: Any = {"width": 390, "height": 844}

    def phone(path: str) -> Page:
        context = browser.new_context(viewport=size, color_scheme=scheme, locale="fr")
        page = context.new_page()
        page.goto(at + path)
        return page

    host = phone(f"/j/{host_code(SECRET)}")
    take(host, f"lobby-{scheme}")
    screen = phone("/table")
    screen.set_viewport_size({"width": 1024, "height": 576})
    take(screen, f"join-{scheme}")
    screen.context.close()
    table.open_game(Setup("drachenhort", NAMES))
    for seat in range(4):
        note(table, seat, seat)
    seat = phone(f"/j/{seat_code(SECRET, 'game-1', 0)}")
    table.rest(pause=True)
    host.wait_for_selector("#turn .rest")
    take(host, f"pause-{scheme}")
    table.rest(pause=False)
    play_on(table, random.Random(1), 34, "over")
    until_ana_moves(table)
    go(seat, at)
    take(seat, f"seat-{scheme}")
    watcher = phone("/")
    take(watcher, f"spectator-{scheme}")
    go(host, at + "/host")
    take(host, f"host-{scheme}")
    go(host, at + "/tally")
    take(host, f"tally-{scheme}")
    see_throws(table, evidence, 12)
    go(watcher, at)
    watcher.locator("#history summary").first.click()
    watcher.evaluate("document.querySelector('#history').scrollIntoView()")
    watcher.wait_for_function(
        "() => document.querySelector('.proofs img').naturalWidth > 0"
    )
    take(watcher, f"line-{scheme}")
    go(watcher, at + "/past/game-1/points/0")
    take(watcher, f"points-{scheme}")
    play_on(table, random.Random(8), 2000, "over")
    go(watcher, at)
    take(watcher, f"final-{scheme}")
    go(watcher, at + "/figures")
    take(watcher, f"figures-{scheme}")
    go(watcher, at + "/help")
    watcher.evaluate("document.images[0].scrollIntoView({block: 'end'})")
    watcher.wait_for_function("() => document.images[0].naturalWidth > 0")
    take(watcher, f"help-{scheme}")
    go(watcher, at + "/table")
    watcher.set_viewport_size({"width": 1024, "height": 576})
    take(watcher, f"table-{scheme}")
    for page in (host, seat, watcher):
        page.context.close()
    server.close()


def see_throws(table: FakeTable, evidence: EvidenceStore, least: int) -> None:
    """Play on to a throw, each with the picture of a die that shows just that."""
    rng = random.Random(5)
    for number in range(100):
        story = table.snapshot.story
        assert story is not None
        move = rng.choice(list(story.game.legal(story.state)))
        verb, _, face = story.game.notate(story.state, move).partition(" ")
        shown: tuple[str, ...] = ()
        if verb == "throw":
            throw = encode_jpeg(draw_roll((face,), number))
            shown = (evidence.keep(find_die(throw)),)
        table.tell(Made(move, "camera", confidence=0.97, evidence=shown))
        if shown and number >= least:
            return


def find_die(throw: bytes) -> bytes:
    """Return the middle of a picture of a throw, where the die lies."""
    picture = cv2.imdecode(np.frombuffer(throw, np.uint8), cv2.IMREAD_COLOR)
    (die,) = Reader().read(np.asarray(picture, np.uint8), Awaited()).glimpses
    assert die.box_px is not None
    part = crop_around(np.asarray(picture, np.uint8), die.box_px)
    assert part is not None
    return encode_jpeg(part)


def take_board(browser: Browser, table: FakeTable, name: str) -> None:
    """Take who is in turn by daylight, and who watches by night."""
    app = create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address="http://192.168.1.20:8000",
        streams=Streams(beat_s=0.2),
        strict_words=True,
    )
    server = start(app, "127.0.0.1", 0)
    story = table.snapshot.story
    assert story is not None
    seat = seat_code(SECRET, "game-1", story.state.seat)
    size: Any = {"width": 390, "height": 844}
    schemes: list[tuple[Any, str]] = [("light", f"/j/{seat}"), ("dark", "/")]
    for scheme, path in schemes:
        page = browser.new_page(viewport=size, color_scheme=scheme, locale="fr")
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        take(page, f"{name}-{scheme}")
        page.close()
    server.close()


def take_in(browser: Browser, language: str) -> None:
    """Take Dragorun and the pictures of the help in one language."""
    table = FakeTable()
    throw = encode_jpeg(draw_roll(("3",), 1))
    app = create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address="http://192.168.1.20:8000",
        streams=Streams(beat_s=0.2),
        frames=lambda: throw,
        strict_words=True,
    )
    server = start(app, "127.0.0.1", 0)
    at = f"http://127.0.0.1:{server.port}"
    size: Any = {"width": 390, "height": 844}
    page = browser.new_page(viewport=size, color_scheme="light", locale=language)
    table.open_game(Setup("drachenhort", NAMES))
    go(page, f"{at}/j/{host_code(SECRET)}")
    go(page, f"{at}/host")
    take_for_help(page, "setup", language)
    go(page, f"{at}/j/{seat_code(SECRET, 'game-1', 0)}")
    glimpse = Glimpse(Shown("die", "3", "tray"), 0.5)
    why = LinePart("core.ask.unsure")
    throws = tuple(f"throw {n}" for n in (3, 2, 4, 1, 6))
    table.tell(Asked(Reading((glimpse,)), why, throws))
    page.locator("#turn .likely").wait_for()
    go(page, at)
    page.wait_for_function("() => document.querySelector('#turn img').naturalWidth > 0")
    take_for_help(page, "correct", language)
    page.context.close()
    table.show(game_id=None, story=None)
    play_on_until(table)
    page = browser.new_page(viewport=size, color_scheme="light", locale=language)
    go(page, f"{at}/j/{seat_code(SECRET, 'game-2', 0)}")
    take_for_help(page, "play", language)
    if language != "fr":  # French is what the other pictures show
        take(page, f"seat-{language}")
    page.context.close()
    server.close()


def play_on_until(table: FakeTable) -> None:
    """Begin a game and play to where the first player may move anybody."""
    table.open_game(Setup("drachenhort", NAMES))
    for seat in range(4):
        note(table, seat, seat)
    play_on(table, random.Random(1), 34, "over")
    until_ana_moves(table)


def take_for_help(page: Page, chapter: str, language: str) -> None:
    height = HELP_PICTURES[chapter]
    area: Any = {"x": 0, "y": 0, "width": 390, "height": height}
    taken = cv2.imdecode(
        np.frombuffer(page.screenshot(clip=area), np.uint8), cv2.IMREAD_COLOR
    )
    path = HELP / f"{chapter}-{language}.webp"
    cv2.imwrite(str(path), taken, (cv2.IMWRITE_WEBP_QUALITY, 80))
    assert path.stat().st_size <= MOST_HELP_BYTES, path.name


def until_ana_moves(table: FakeTable) -> None:
    """Play on till the first player has thrown and may move anybody."""
    rng = random.Random(3)
    for _ in range(500):
        story = table.snapshot.story
        assert story is not None
        if story.state.phase == "advance" and story.state.seat == 0:
            return
        play_on(table, rng, 1, "over")


def go(page: Page, path: str) -> None:
    page.goto(path)


def take(page: Page, name: str) -> None:
    path = PICTURES / f"{name}.png"
    taken = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    # Six bits a colour are enough for a README, and a third less to load.
    coarse = (np.round(taken / 255 * 63) * 255 / 63).astype(np.uint8)
    cv2.imwrite(str(path), coarse, (cv2.IMWRITE_PNG_COMPRESSION, 9))
    assert path.stat().st_size <= MOST_BYTES, name
