"""Makes pages and PDFs of the guides, to take to the workbench.

python hardware/print_guides.py FOLDER

Writes ``guide-fr.html``, ``guide-en.html`` and ``guide-de.html``, each with its
pictures in it, and beside each a PDF where Chromium is installed. Not kept in the
repository: they say nothing that the guides do not.
"""

import base64
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from hardware.draw_harness import GUIDES

TYPES = {".png": "image/png", ".svg": "image/svg+xml"}

STYLE = """
body{font:15px/1.45 sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#111}
h1,h2{line-height:1.2}h2{margin-top:2em;break-after:avoid}
img{max-width:100%;max-height:150mm;break-inside:avoid}
table{border-collapse:collapse;margin:1em 0;font-size:13px}
td,th{border:1px solid #bbb;padding:3px 8px;text-align:left;vertical-align:top}
tr{break-inside:avoid}pre{background:#f3f0e6;padding:8px;white-space:pre-wrap}
code{font-size:13px}
@page{size:A4;margin:16mm}
"""


class NoPicture(ValueError):
    """A guide shows a picture that is not there."""


def page(guide: Path, language: str) -> str:
    """Return a guide as one page that needs no other file.

    Raises:
        NoPicture: One of its pictures is missing.
    """
    text = guide.read_text(encoding="utf-8")
    if language == "fr":
        # No line begins with a mark that French puts a space before.
        text = re.sub(r" ([;:?!»])", "\u00a0\\1", text.replace("« ", "«\u00a0"))
    body = MarkdownIt("commonmark").enable("table").render(text)

    def whole(found: re.Match[str]) -> str:
        path = guide.parent / found[1]
        if not path.exists():
            raise NoPicture(f"{guide.name}: {found[1]} is not there; draw it")
        data = base64.b64encode(path.read_bytes()).decode()
        return f'src="data:{TYPES[path.suffix]};base64,{data}"'

    body = re.sub(r'src="([^":]+)"', whole, body)
    title = escape(text.splitlines()[0].removeprefix("# "))
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def print_page(made: Path, browser: str) -> Path:
    """Print a page into a PDF beside it and return that.

    Raises:
        subprocess.CalledProcessError: The browser failed.
    """
    pdf = made.with_suffix(".pdf")
    subprocess.run(
        (browser, "--headless", "--no-sandbox", "--disable-gpu",
         "--no-pdf-header-footer", f"--print-to-pdf={pdf}", made.resolve().as_uri()),
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return pdf


def main() -> int:
    """Write pages and PDFs into the folder that is named; return the exit code."""
    if len(sys.argv) != 2:
        print(
            f"say where to: python hardware/{Path(__file__).name} FOLDER",
            file=sys.stderr,
        )
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    for language, guide in GUIDES.items():
        made = folder / f"guide-{language}.html"
        made.write_text(page(guide, language), encoding="utf-8")
        if browser is not None:
            print_page(made, browser)
    if browser is None:
        print("no Chromium here: print the pages from any browser", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
