"""Hidden cases of hidden_layer_parameters."""

from otter.test_files import test_case


@test_case(name="zero_padding_sizes")
def zero_padding_sizes(ask):
    for sizes in [(7, 3, 5), (1, 6, 2), (20, 5, 5)]:
        ask.agrees("zero_padding", *sizes)


@test_case(name="per_step_sizes")
def per_step_sizes(ask):
    for sizes in [(7, 3, 5), (1, 6, 2), (20, 5, 5)]:
        ask.agrees("per_step", *sizes)


@test_case(name="shared_sizes")
def shared_sizes(ask):
    for sizes in [(7, 3, 5), (1, 6, 2), (20, 5, 5), (1000, 3, 5)]:
        ask.agrees("shared", *sizes)


@test_case(name="whole_numbers")
def whole_numbers(ask):
    for construction in ["zero_padding", "per_step", "shared"]:
        ask.has_types_and_shapes(construction, 7, 3, 5)


@test_case(name="refuses_unknown_construction")
def refuses_unknown_construction(ask):
    ask.refuses(("tied", 7, 3, 5), ("", 7, 3, 5), ("per-step", 7, 3, 5), valid=("shared", 7, 3, 5))
