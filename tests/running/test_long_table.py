"""The table of the long tests tells the truth of what was run."""

from tests.long import written


def test_a_whole_run_writes_every_line_anew():
    text = written([("games", "b", "2 games", 3.4), ("games", "a", "passed", 1.0)], 12)

    assert text.splitlines()[-2:] == [
        "| games | a | passed | 1 |",
        "| games | b | 2 games | 3 |",
    ]
    assert "12 minutes in all" in text


def test_what_was_run_alone_is_starred_and_the_rest_stays():
    before = written([("games", "a", "failed", 1.0), ("games", "b", "9", 2.0)], 12)

    text = written([("games", "a", "400 of 400", 7.0)], 1, before)

    assert text.splitlines()[-2:] == [
        "| games | a | 400 of 400 | 7 * |",
        "| games | b | 9 | 2 |",
    ]
    assert "12 minutes in all" in text
