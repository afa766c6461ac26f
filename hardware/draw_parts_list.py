"""Draws ``parts.html``: the parts list to shop and print by, for the build you choose.

python hardware/draw_parts_list.py            writes parts.html
python hardware/draw_parts_list.py --check    only says whether it is up to date

Made from ``bom.csv``, its French and German (``bom.fr.csv``, ``bom.de.csv``), and from
the printed parts in ``cad/``. The page asks no network and works without a script too:
it then shows the numbers of all builds. Only choosing and adding up needs one.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from hardware.cad.made import read_made
from hardware.cad.sizes import Sizes, read_sizes, rod_length
from hardware.draw_rig import height_mm
from hardware.drawn_files import write_or_check
from hardware.parts_page import PRINTED, SCRIPT, STYLE, WORDS, Said, unbroken

TARGET = HERE / "parts.html"

LANGUAGES = ("fr", "en", "de")
BUILDS = ("camera", "buttons", "full")

MASTS = {"A4": 2, "A3": 3, "four": 4, "extension": 3, "arm": 0}
"""Sections of each mast that can be chosen; an arm of one's own has none."""

OF_A_MAST = (
    "Threaded rod", "Nut M6", "Washer M6", "Screw M4", "Screw M3 x 16", "Wood screw",
)  # fmt: skip
"""What of the list only a printed mast needs, by how its name begins."""

OF_PLASTIC_MAST = ("foot", "section", "arm", "head", "cradle")
PODS = 7
G_PER_MM3 = 1.24e-3
"""Of PLA, solid: what is printed a quarter filled weighs less."""

Counts: TypeAlias = dict[str, dict[str, int]]
"""How many of a part are needed, by build and mast."""


class Row(Struct, frozen=True):
    """One part to buy or to print.

    Attributes:
        names: What it is called, by language.
        purposes, others: What it is for and what replaces it, by language.
        number: Of its maker or standard; empty where any does.
        counts: How many are needed.
        eur: Price of one; 0 for what is printed.
        grams: Weight of one.
    """

    names: Said
    purposes: Said
    others: Said
    number: str
    counts: Counts
    eur: float
    grams: float


def to_buy() -> Iterator[Row]:
    """Yield the parts of ``bom.csv``.

    Raises:
        KeyError: A part has no French or no German.
    """
    own = {
        language: _translated(language) for language in LANGUAGES if language != "en"
    }
    for one in _rows(HERE / "bom.csv"):
        english = {
            "name": one["part"],
            "for": one["for"],
            "alternative": one["alternative"],
        }
        said = {
            key: {
                language: own[language][one["part"]][key] if language in own else text
                for language in LANGUAGES
            }
            for key, text in english.items()
        }
        on_mast = one["part"].startswith(OF_A_MAST)
        counts = {
            build: {
                mast: 0 if on_mast and mast == "arm" else int(one[build])
                for mast in MASTS
            }
            for build in BUILDS
        }
        yield Row(
            said["name"], said["for"], said["alternative"], one["number"], counts,
            float(one["eur_each"]), float(one["weight_g"]),
        )  # fmt: skip


def to_print() -> Iterator[Row]:
    """Yield the parts of ``cad/stl``."""
    nothing = dict.fromkeys(LANGUAGES, "")
    for made in read_made().part:
        counts = {
            build: {mast: _printed(made.name, build, mast) for mast in MASTS}
            for build in BUILDS
        }
        names = dict(zip(LANGUAGES, PRINTED[made.name], strict=True))
        grams = made.volume * G_PER_MM3
        yield Row(names, nothing, nothing, f"{made.name}.stl", counts, 0.0, grams)


def _printed(name: str, build: str, mast: str) -> int:
    """Return how many of a printed part a build has on a mast."""
    if name in ("extension", "plate"):
        return int(mast == {"extension": "extension", "plate": "arm"}[name])
    if name.startswith(("console", "pod")):
        each = PODS if name.startswith("pod") else 1
        return 0 if build == "camera" else each
    if name in OF_PLASTIC_MAST and mast == "arm":
        return 0
    return MASTS[mast] if name == "section" else 1


def _translated(language: str) -> dict[str, dict[str, str]]:
    spaced = unbroken if language == "fr" else str
    return {
        row["part"]: {key: spaced(text) for key, text in row.items()}
        for row in _rows(HERE / f"bom.{language}.csv")
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def draw(sizes: Sizes) -> str:
    """Return the page."""
    buy, printed = tuple(to_buy()), tuple(to_print())
    return f"""\
<!doctype html>
<!-- Drawn by hardware/draw_parts_list.py from bom.csv and cad/; do not edit. -->
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(WORDS["title"]["fr"])}</title>
<style>{STYLE}</style></head>
<body class="quiet"><main>
<h1>{_said(WORDS["title"])}</h1>
<p>{_said(WORDS["about"])}</p>
<form class="choose" hidden>
{
        _choice(
            "language",
            {
                one: dict.fromkeys(LANGUAGES, name)
                for one, name in zip(
                    LANGUAGES, ("français", "English", "Deutsch"), strict=True
                )
            },
        )
    }
{_choice("build", {build: WORDS[build] for build in BUILDS}, "full")}
{_choice("mast", _masts(sizes), "A3")}
<label class="tick"><input type="checkbox" id="left"> {_said(WORDS["left"])}</label>
</form>
<p class="sum" id="sum" role="status" hidden></p>
<h2>{_said(WORDS["buy"])}</h2>
{_table("buy", buy)}
<h2>{_said(WORDS["print"])}</h2>
<p>{_said(WORDS["plastic"])}</p>
{_table("print", printed)}
<p>{_said(WORDS["prices"])}</p>
</main><script>
const words = {
        json.dumps({key: WORDS[key] for key in ("sum", "weight")}, ensure_ascii=False)
    };
{SCRIPT}</script>
</body></html>
"""


def _said(said: Said) -> str:
    """Return a text that the page can turn into another language."""
    others = " ".join(f'data-{key}="{escape(text)}"' for key, text in said.items())
    return f"<span {others}>{escape(said['fr'])}</span>"


def _choice(name: str, options: dict[str, Said], chosen: str = "fr") -> str:
    made = "".join(
        f'<option value="{key}"{" selected" * (key == chosen)} '
        + " ".join(f'data-{one}="{escape(text)}"' for one, text in said.items())
        + f">{escape(said['fr'])}</option>"
        for key, said in options.items()
    )
    return f'<label>{_said(WORDS[name])} <select id="{name}">{made}</select></label>'


def _masts(sizes: Sizes) -> dict[str, Said]:
    """Return what each mast is called, with its height and the length of its rod."""
    made = {}
    for mast, sections in MASTS.items():
        mount = "extension" if mast == "extension" else "mast"
        values = {
            "height": f"{height_mm(sizes, sections, mount):.0f}",
            "rod": f"{rod_length(sizes, sections):.0f}",
        }
        made[mast] = {
            language: text.format(**values) for language, text in WORDS[mast].items()
        }
    return made


def _table(name: str, rows: tuple[Row, ...]) -> str:
    heads: tuple[str, ...] = ("have", "count", "part", "number", "what_for", "instead")
    cells: dict[str, Callable[[Row], str]] = {
        "have": lambda row: (
            f'<input type="checkbox" aria-label="{escape(row.names["fr"])}" '
            + " ".join(f'data-{k}-label="{escape(v)}"' for k, v in row.names.items())
            + ">"
        ),
        "count": lambda row: " / ".join(str(row.counts[b]["A3"]) for b in BUILDS),
        "part": lambda row: _said(row.names),
        "number": lambda row: escape(row.number),
        "what_for": lambda row: _said(row.purposes),
        "instead": lambda row: _said(row.others),
    }
    if name == "print":
        heads = heads[:4]
    head = "".join(f'<th class="{one}">{_said(WORDS[one])}</th>' for one in heads)
    money = f'<th class="eur">{_said(WORDS["eur"])}</th>' if name == "buy" else ""
    lines = []
    for row in rows:
        body = "".join(f'<td class="{one}">{cells[one](row)}</td>' for one in heads)
        if name == "buy":
            body += (
                f'<td class="eur" data-eur="{row.eur:.2f}">{_french(row.eur, 2)} €</td>'
            )
        body += f'<td class="g" data-g="{row.grams:.1f}">{_french(row.grams, 1)} g</td>'
        counts = escape(json.dumps(row.counts, separators=(",", ":")))
        lines.append(f'<tr data-counts="{counts}">{body}</tr>')
    return (
        f'<table id="{name}-table"><thead><tr>{head}{money}'
        f'<th class="g">{_said(WORDS["weight"])}</th></tr></thead>\n<tbody>\n'
        + "\n".join(lines)
        + "\n</tbody></table>"
    )


def _french(number: float, digits: int) -> str:
    """Return a number as the page has it before a script turns its language."""
    return f"{number:.{digits}f}".replace(".", ",")


def main() -> int:
    """Write the page, or with ``--check`` only compare; return the exit code."""
    return write_or_check({TARGET: draw(read_sizes())}, __file__)


if __name__ == "__main__":
    sys.exit(main())
