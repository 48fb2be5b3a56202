"""Hidden cases of io_schedule."""

from otter.test_files import test_case


@test_case(name="forms_and_lengths")
def forms_and_lengths(ask):
    ask.agrees("one_to_one", 1, 1)
    for length in [5, 2, 1]:
        ask.agrees("one_to_many", 1, length)
        ask.agrees("many_to_one", length, 1)
        ask.agrees("many_to_many_aligned", length, length)
    for lengths in [(2, 5), (6, 3), (1, 4), (3, 1), (4, 4), (1, 1)]:
        ask.agrees("many_to_many_unaligned", *lengths)


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    for asked in [("one_to_one", 1, 1), ("one_to_many", 1, 4), ("many_to_one", 3, 1), ("many_to_many_aligned", 5, 5),
                  ("many_to_many_unaligned", 2, 4)]:
        ask.has_types_and_shapes(*asked)


@test_case(name="refuses_lengths_that_do_not_fit")
def refuses_lengths_that_do_not_fit(ask):
    ask.refuses(("one_to_one", 2, 2), ("one_to_one", 1, 2), ("one_to_one", 3, 1), valid=("one_to_one", 1, 1))
    ask.refuses(("one_to_many", 2, 4), ("one_to_many", 4, 4), valid=("one_to_many", 1, 4))
    ask.refuses(("many_to_one", 4, 2), ("many_to_one", 4, 4), valid=("many_to_one", 4, 1))
    ask.refuses(("many_to_many_aligned", 2, 5), ("many_to_many_aligned", 5, 2), ("many_to_many_aligned", 1, 2),
                valid=("many_to_many_aligned", 2, 2))


@test_case(name="refuses_lengths_below_one")
def refuses_lengths_below_one(ask):
    ask.refuses(("many_to_many_unaligned", 0, 3), ("many_to_many_unaligned", 3, 0), ("many_to_many_unaligned", -1, 3),
                ("many_to_many_unaligned", 3, -1), valid=("many_to_many_unaligned", 3, 2))
    ask.refuses(("many_to_many_aligned", 0, 0), ("many_to_many_aligned", -1, -1), valid=("many_to_many_aligned", 3, 3))
    ask.refuses(("one_to_many", 1, 0), ("one_to_many", 1, -2), valid=("one_to_many", 1, 3))
    ask.refuses(("many_to_one", 0, 1), ("many_to_one", -2, 1), valid=("many_to_one", 3, 1))


@test_case(name="refuses_unknown_form")
def refuses_unknown_form(ask):
    ask.refuses(("many_to_many", 3, 3), ("some_to_some", 1, 1), ("", 1, 1), valid=("many_to_many_aligned", 3, 3))
