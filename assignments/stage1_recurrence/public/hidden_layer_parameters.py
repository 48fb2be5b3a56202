"""Public cases of hidden_layer_parameters."""

from otter.test_files import test_case


@test_case(name="shared_small")
def shared_small(ask):
    ask.agrees("shared", 5, 3, 4)


@test_case(name="zero_padding_small")
def zero_padding_small(ask):
    ask.agrees("zero_padding", 5, 3, 4)
