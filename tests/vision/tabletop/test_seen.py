from vision.tabletop.seen import Doubt, Found, Seen, is_sure, surest

BOX = (0, 0, 9, 9)
DOUBT = Doubt("tray", (("d6", "3", 0.6),), BOX)


def found(confidence):
    return Found("red", None, "start", confidence, BOX)


def test_a_look_is_sure_where_all_that_it_found_is_and_nothing_is_in_doubt():
    assert is_sure(Seen())
    assert is_sure(Seen((found(0.985),)))
    assert not is_sure(Seen((found(0.6),)))
    assert not is_sure(Seen((found(0.985),), (DOUBT,)))
    assert not is_sure(Seen(trouble="core.ask.dark"))


def test_of_two_looks_the_one_that_tells_more_for_sure_is_the_surest():
    more, less = Seen((found(0.985),), (DOUBT,)), Seen((found(0.6),))

    assert surest([more, less]) is more
    assert surest([less, more]) is more


def test_one_with_trouble_is_never_the_surest_of_two():
    trouble = Seen(trouble="core.ask.moved")
    empty, unclear = Seen(), Seen(doubts=(DOUBT,))

    assert surest([trouble, empty]) is empty
    assert surest([unclear, trouble]) is unclear


def test_of_two_that_tell_as_much_the_later_is_the_table_as_it_is_now():
    first, second = Seen(doubts=(DOUBT,)), Seen(doubts=(DOUBT,))

    assert surest([first, second]) is second
