"""Hidden cases of hidden_layer_parameters."""

from otter.test_files import test_case


@test_case(name="counts_on_several_sizes")
def counts_on_several_sizes(ask):
    for construction in ["zero_padding", "per_step", "shared"]:
        for sizes in [(7, 3, 5), (1, 6, 2), (20, 5, 5), (1000, 3, 5)]:
            ask.agrees(construction, *sizes)


@test_case(name="whole_numbers")
def whole_numbers(ask):
    for construction in ["zero_padding", "per_step", "shared"]:
        ask.has_types_and_shapes(construction, 1, 3, 5)


@test_case(name="refuses_unknown_construction")
def refuses_unknown_construction(ask):
    ask.refuses(("tied", 7, 3, 5), ("", 7, 3, 5), ("per-step", 7, 3, 5), valid=("per_step", 7, 3, 5))
