"""Hidden cases of forget_chain_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_lengths")
def values_on_several_lengths(ask):
    for rng, (L, d) in zip(ask.generators(4), [(4, 3), (1, 4), (2, 2), (6, 1)], strict=True):
        ask.agrees(rng.uniform(0.3, 1.0, size=(L, d)))
    ask.agrees(np.array([[0.5, 1.0, 0.9], [0.0, 1.0, 0.3]]))
    (rng,) = ask.generators(1)
    for _ in range(2):
        ask.agrees(rng.uniform(0.9, 1.0, size=(100, 3)), tolerance="entrywise")


@test_case(name="no_steps_and_types")
def no_steps_and_types(ask):
    (rng,) = ask.generators(1)
    ask.has_types_and_shapes(rng.uniform(0.3, 1.0, size=(3, 4)))
    ask.has_types_and_shapes(np.zeros((0, 3)))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.uniform(0.3, 1.0, size=(3, 2)))
