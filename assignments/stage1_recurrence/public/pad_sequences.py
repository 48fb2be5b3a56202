"""Public cases of pad_sequences."""

from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees([[5, 2, 7], [4]], 4)


@test_case(name="own_pad_id")
def own_pad_id(ask):
    ask.agrees([[3], [1, 6], [2, 5, 4]], 3, 9)


@test_case(name="small_types_and_shapes")
def small_types_and_shapes(ask):
    ask.has_types_and_shapes([[5, 2, 7], [4]], 3, 0)
