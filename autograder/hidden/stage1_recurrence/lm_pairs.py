"""Hidden cases of lm_pairs."""

import numpy as np
from otter.test_files import test_case


@test_case(name="several_lengths")
def several_lengths(ask):
    for rng, (length, eos) in zip(ask.generators(3), [(6, 7), (2, 0), (9, 12)]):
        ask.agrees(rng.integers(1, 7, size=length), eos)
    ask.agrees(np.array([3, 3, 1, 3, 3]), 5)
    ask.agrees(np.array([3, 0, 2, 0]), 5)


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    (rng,) = ask.generators(1)
    ask.has_types_and_shapes(rng.integers(1, 7, size=5), 8)
    ask.has_types_and_shapes(np.array([4]), 6)


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.integers(1, 7, size=5), 8)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    ask.keeps_no_state((np.array([4, 1, 6]), 7), (np.array([2, 5, 3]), 7))
