"""Opens Debian's Chromium, or Playwright's own, for the tests that look at pages."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

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
