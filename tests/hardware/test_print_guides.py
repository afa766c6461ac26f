"""The guides become pages that need no other file, and PDFs."""

import re
import shutil

import pypdfium2
import pytest

from hardware import draw_harness, print_guides

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.parametrize("language", draw_harness.GUIDES)
def test_a_page_has_every_heading_picture_and_table(language):
    guide = draw_harness.GUIDES[language]
    text = guide.read_text("utf-8")

    made = print_guides.page(guide, language)

    assert f'<html lang="{language}">' in made
    assert made.count("<h2>") == len(re.findall(r"^## ", text, re.MULTILINE))
    assert made.count("<table>") == len(
        re.findall(r"^ *\|[-:|]+\|$", text, re.MULTILINE)
    )
    pictures = re.findall(r"!\[", text)
    assert len(re.findall(r'src="data:image/', made)) == len(pictures) > 10
    # Nothing else is fetched from anywhere.
    assert not re.findall(r'(?:src|href)="(?!data:)', made)


def test_french_marks_never_begin_a_line():
    made = print_guides.page(draw_harness.GUIDES["fr"], "fr")
    body = re.sub(r"<[^>]*>", "", made.partition("<body>")[2])
    assert "Trois versions\u00a0; chacune" in body
    assert not re.findall(r"[^\s] [;?!»]", body)


def test_a_picture_that_is_missing_is_told(tmp_path):
    guide = tmp_path / "guide.md"
    guide.write_text("# A\n\n![b](steps/none.png)\n")
    with pytest.raises(print_guides.NoPicture, match=r"guide.md: steps/none.png"):
        print_guides.page(guide, "en")


def test_it_wants_to_know_where_to(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["print_guides.py"])
    assert print_guides.main() == 2
    assert "say where to" in capsys.readouterr().err


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_page_is_printed_whole(tmp_path):
    made = tmp_path / "guide-fr.html"
    made.write_text(print_guides.page(draw_harness.GUIDES["fr"], "fr"), "utf-8")

    document = pypdfium2.PdfDocument(print_guides.print_page(made, BROWSER))

    pages = [document[n].get_textpage().get_text_range() for n in range(len(document))]
    assert len(pages) > 8
    assert "Construire la table" in pages[0]
    assert "--ruler 97" in pages[-1]
    width, height = document[0].get_size()
    # A4 in points.
    assert (width, height) == pytest.approx((595, 842), abs=1)
