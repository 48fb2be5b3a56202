"""Public cases of io_schedule."""

from otter.test_files import test_case


@test_case(name="one_sided_forms_small")
def one_sided_forms_small(ask):
    ask.agrees("one_to_many", 1, 3)
    ask.agrees("many_to_one", 4, 1)


@test_case(name="two_sided_forms_small")
def two_sided_forms_small(ask):
    ask.agrees("many_to_many_aligned", 3, 3)
    ask.agrees("many_to_many_unaligned", 2, 3)


@test_case(name="refuses_lengths_small")
def refuses_lengths_small(ask):
    ask.refuses(("many_to_many_aligned", 3, 2), valid=("many_to_many_aligned", 3, 3))
