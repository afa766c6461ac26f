"""Opens Debian's Chromium, or Playwright's own, for the tests that look at pages."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from companion.dashboard import create_app
from companion.dashboard.api.streams import Streams
from companion.dashboard.door.auth import host_code, seat_code
from companion.dashboard.view.view_cache import EvidencePictures
from companion.running.snapshot import RunningTable
from companion.running.wifi import WifiFiles
from companion.teaching.page import Teacher
from tests.dashboard.setting import ADDRESS, PIN, SECRET

QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
"""Without these Chromium itself calls the internet, and runs as root not at all."""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open a browser, or skip the test and say why there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        except Error as error:
            pytest.skip(f"no Chromium to look at the pages with: {error.message[:80]}")
        yield browser
        browser.close()


GREEN_JPEG = bytes.fromhex(
    "ffd8ffdb004300030202020202030202020303030304060404040404080606050609080a0a0908"
    "09090a0c0f0c0a0b0e0b09090d110d0e0f101011100a0c12131210130f101010ffc9000b080001"
    "0001011100ffcc000600101005ffda0008010100003f00d2cf20ffd9"
)


def make_app(
    table: RunningTable,
    networks: WifiFiles | None = None,
    teacher: Teacher | None = None,
    evidence: EvidencePictures | None = None,
) -> Flask:
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        streams=Streams(beat_s=0.2),
        frames=lambda: GREEN_JPEG,
        networks=networks,
        teacher=teacher,
        evidence=evidence,
        strict_words=True,
    )


class Phone:
    """A phone in somebody's hand; remembers what went wrong and where it asked."""

    def __init__(self, context: BrowserContext, port: int) -> None:
        self.at = f"http://127.0.0.1:{port}"
        self.page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.faults: list[str] = []
        self.expected = "nothing"
        self.asked: set[str] = set()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self.asked.add(request.url))

    def _hear(self, message: Any) -> None:
        wrong = message.type in ("error", "warning")
        if wrong and not message.text.startswith(self.expected):
            self.faults.append(message.text)

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.at + path)
        return self.page

    def sit(self, seat: int, game_id: str = "game-1") -> Page:
        return self.open(f"/j/{seat_code(SECRET, game_id, seat)}")

    def host(self) -> Page:
        return self.open(f"/j/{host_code(SECRET)}")

    def be_both(self) -> None:
        """Become the host's phone and the first player's, without opening a page."""
        for code in (host_code(SECRET), seat_code(SECRET, "game-1", 0)):
            self.page.context.request.get(f"{self.at}/j/{code}")

    def check(self) -> None:
        """See that nothing went wrong, and that nobody but the table was asked."""
        assert self.faults == []
        assert all(url.startswith((self.at, "data:")) for url in self.asked)


def sleep(page: Page, *, hidden: bool) -> None:
    """Turn the phone's screen off or on, as far as the page can tell."""
    page.evaluate(
        """value => {
            Object.defineProperty(document, "hidden", { value, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )
