"""The page of parts says what bom.csv and the printed parts say, for each build."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from firmware.wiring import read_wiring, wiring_path
from hardware import draw_parts_list
from hardware.cad.made import read_made
from hardware.cad.sizes import read_sizes
from hardware.parts_page import PRINTED, WORDS

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGE = (HARDWARE / "parts.html").read_text("utf-8")
SIZES = read_sizes()
LANGUAGES = draw_parts_list.LANGUAGES
BUY = tuple(draw_parts_list.to_buy())
PRINT = tuple(draw_parts_list.to_print())


def listed(name):
    with (HARDWARE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Cells(HTMLParser):
    """Collects the rows of tables as texts by the class of their cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[dict[str, str]] = []
        self._cell: str | None = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append({})
        elif tag == "td":
            self._cell = dict(attrs)["class"]
            self.rows[-1][self._cell] = ""

    def handle_endtag(self, tag):
        if tag == "td":
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self.rows[-1][self._cell] += data


def counts_of(rows, english):
    (row,) = (one for one in rows if one.names["en"] == english)
    return row.counts


class TestThePage:
    def test_it_is_that_of_the_lists_and_the_printed_parts(self):
        again = "run python hardware/draw_parts_list.py"
        assert draw_parts_list.draw(SIZES) == PAGE, again

    def test_it_asks_nothing_of_any_network(self):
        assert not re.findall(r"https?:|//[a-z]|url\(|@import|fetch\(", PAGE)
        assert not re.findall(r'<(?:link|img|iframe)|<script src|src="', PAGE)

    def test_without_a_script_each_part_has_its_numbers_of_all_builds(self):
        rows = {
            row["part"].replace("\u00a0", " "): row for row in Cells(PAGE).rows if row
        }
        french = {one["part"]: one["name"] for one in listed("bom.fr.csv")}

        for one in listed("bom.csv"):
            row = rows[french[one["part"]]]
            assert row["count"] == f"{one['camera']} / {one['buttons']} / {one['full']}"
            assert row["number"] == one["number"]
            assert row["eur"] == f"{float(one['eur_each']):.2f} €".replace(".", ",")
            assert row["g"] == f"{float(one['weight_g']):.1f} g".replace(".", ",")
            assert row["instead"]

    def test_every_mast_is_offered_with_its_height_and_rod(self):
        assert "A4 mat: 2 sections, 319 mm, rod of 356 mm" in PAGE
        assert "board or A3 mat: 3 sections, 470 mm, rod of 507 mm" in PAGE
        assert "4 sections, 621 mm, rod of 658 mm" in PAGE
        # The extension hangs 12 mm lower.
        assert "3 sections and extension, 458 mm, rod of 507 mm" in PAGE


class TestLanguages:
    @pytest.mark.parametrize("language", ["fr", "de"])
    def test_every_part_is_said_in_it_and_none_is_left_over(self, language):
        own = {row["part"]: row for row in listed(f"bom.{language}.csv")}
        assert list(own) == [row["part"] for row in listed("bom.csv")]
        assert all(row["name"] and row["for"] and row["alternative"]
                   for row in own.values())  # fmt: skip

    @pytest.mark.parametrize("language", ["fr", "de"])
    def test_it_has_the_figures_of_the_english(self, language):
        own = {row["part"]: row for row in listed(f"bom.{language}.csv")}
        for one in listed("bom.csv"):
            row = own[one["part"]]
            for mine, theirs in (
                (row["name"], one["part"]),
                (row["for"], one["for"]),
                (row["alternative"], one["alternative"]),
            ):
                found = re.findall(
                    r"\d+(?:\.\d+)?", re.sub(r"(\d),(\d)", r"\1.\2", mine)
                )
                assert sorted(found) == sorted(re.findall(r"\d+(?:\.\d+)?", theirs)), (
                    mine
                )

    def test_nothing_that_the_page_says_lacks_a_language(self):
        for said in (*WORDS.values(), *(row.names for row in (*BUY, *PRINT))):
            assert set(said) == set(LANGUAGES)
            assert all(said.values())


class TestHowMany:
    def test_each_build_is_that_of_the_list(self):
        for one in listed("bom.csv"):
            counts = counts_of(BUY, one["part"])
            for build in draw_parts_list.BUILDS:
                for mast in ("A4", "A3", "four", "extension"):
                    assert counts[build][mast] == int(one[build])

    def test_an_arm_of_ones_own_needs_no_mast(self):
        spared = {
            row.names["en"]
            for row in BUY
            if row.counts["full"]["A3"] and not row.counts["full"]["arm"]
        }
        assert spared == {
            "Threaded rod M6, 1 m", "Nut M6", "Washer M6", "Screw M4 x 40 with nut",
            "Screw M3 x 16 with nut", "Wood screw 4 x 16",
        }  # fmt: skip
        stays = {row.number for row in PRINT if row.counts["camera"]["arm"]}
        assert stays == {"plate.stl", "cover.stl", "tray-base.stl", "tray-rim.stl"}

    def test_the_mast_chooses_the_sections(self):
        counts = counts_of(PRINT, "section of the mast")["camera"]
        assert counts == {"A4": 2, "A3": 3, "four": 4, "extension": 3, "arm": 0}
        assert counts["A4"] == SIZES.mast.sections["A4"]
        assert counts["A3"] == SIZES.mast.sections["A3"]
        assert counts_of(PRINT, "extension")["full"]["extension"] == 1
        assert counts_of(PRINT, "extension")["full"]["A3"] == 0

    def test_pods_are_for_builds_with_buttons(self):
        for name in ("pod of a seat", "lid of a pod"):
            counts = counts_of(PRINT, name)
            assert [counts[one]["A3"] for one in draw_parts_list.BUILDS] == [0, 7, 7]
        assert len(read_wiring(wiring_path()).seats) == 7

    def test_every_printed_part_is_in_it_with_its_weight(self):
        assert {row.number for row in PRINT} == {
            f"{made.name}.stl" for made in read_made().part
        }
        assert set(PRINTED) == {made.name for made in read_made().part}
        weights = {row.number: row.grams for row in PRINT}
        # 69 cm3 of 1.24 g: 86 g.
        assert weights["section.stl"] == pytest.approx(85.5, abs=1.0)


@pytest.mark.browser
class TestInABrowser:
    @pytest.fixture
    def page(self, browser):
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, locale="en-GB", offline=True
        )
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto((HARDWARE / "parts.html").as_uri())
        yield page
        context.close()
        assert faults == []

    def bought(self, build):
        rows = [row for row in listed("bom.csv") if int(row[build])]
        eur = sum(int(row[build]) * float(row["eur_each"]) for row in rows)
        return len(rows), f"{eur:.2f} €"

    def test_the_build_that_is_chosen_is_added_up(self, page):
        for build in draw_parts_list.BUILDS:
            page.select_option("#build", build)
            kinds, eur = self.bought(build)
            told = page.inner_text("#sum").replace("\u00a0", " ")
            assert told.startswith(f"Left to buy: {kinds} kinds, {eur}, ")
            shown = page.locator("#buy-table tbody tr:visible")
            assert shown.count() == kinds

    def test_what_is_there_already_is_taken_off_and_remembered(self, page):
        page.select_option("#build", "camera")
        kinds, _ = self.bought("camera")
        first = page.locator("#buy-table tbody tr").first
        assert "Raspberry Pi 5" in first.inner_text()
        first.locator("input").check()
        page.check("#left")

        assert not first.is_visible()
        left = f"Left to buy: {kinds - 1} kinds, "
        assert page.inner_text("#sum").startswith(left)
        page.reload()
        assert page.input_value("#build") == "camera"
        assert first.locator("input").is_checked()
        assert page.inner_text("#sum").startswith(left)

    def test_a_mast_of_four_sections_prints_four(self, page):
        row = page.locator("#print-table tbody tr", has_text="section.stl")
        for mast, count in (("A4", 2), ("A3", 3), ("four", 4)):
            page.select_option("#mast", mast)
            assert row.locator(".count").inner_text() == f"{count}\u00a0×"
        page.select_option("#mast", "arm")
        assert not row.is_visible()

    def test_it_speaks_three_languages(self, page):
        for language, words in (
            ("fr", "Ventilateur pour le Pi 5"),
            ("en", "Active cooler for the Pi 5"),
            ("de", "Lüfter (Active Cooler) für den Pi 5"),
        ):
            page.select_option("#language", language)
            assert words in page.inner_text("#buy-table")
            assert page.get_attribute("html", "lang") == language
        counts = json.loads(
            page.locator("#print-table tbody tr").first.get_attribute("data-counts")
        )
        assert set(counts) == set(draw_parts_list.BUILDS)

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_axe_finds_nothing(self, page, scheme):
        page.emulate_media(color_scheme=scheme)
        page.locator("#buy-table tbody input").first.check()
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == []

    @pytest.mark.parametrize("width", [320, 390, 1920])
    def test_nothing_runs_over_the_edge_and_ticks_are_large_enough(self, page, width):
        page.set_viewport_size({"width": width, "height": 844})
        for language in LANGUAGES:
            page.select_option("#language", language)
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert over <= 0
        box = page.locator("#buy-table tbody input").first.bounding_box()
        assert min(box["width"], box["height"]) >= 24
