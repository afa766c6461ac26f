from companion.table import SurePiece, UnsurePiece
from vision.tabletop.seen import TableReading, is_sure, surest

BOX = (0, 0, 9, 9)
DOUBT = UnsurePiece("tray", (("d6", "3", 0.6),), BOX)


def found(confidence):
    return SurePiece("red", None, "start", confidence, BOX)


def test_a_look_is_sure_where_all_that_it_found_is_and_nothing_is_in_doubt():
    assert is_sure(TableReading())
    assert is_sure(TableReading((found(0.985),)))
    assert not is_sure(TableReading((found(0.6),)))
    assert not is_sure(TableReading((found(0.985),), (DOUBT,)))
    assert not is_sure(TableReading(trouble="core.ask.dark"))


def test_of_two_looks_the_one_that_tells_more_for_sure_is_the_surest():
    more, less = TableReading((found(0.985),), (DOUBT,)), TableReading((found(0.6),))

    assert surest([more, less]) is more
    assert surest([less, more]) is more


def test_one_with_trouble_is_never_the_surest_of_two():
    trouble = TableReading(trouble="core.ask.moved")
    empty, unclear = TableReading(), TableReading(doubts=(DOUBT,))

    assert surest([trouble, empty]) is empty
    assert surest([unclear, trouble]) is unclear


def test_of_two_that_tell_as_much_the_later_is_the_table_as_it_is_now():
    first, second = TableReading(doubts=(DOUBT,)), TableReading(doubts=(DOUBT,))

    assert surest([first, second]) is second
