"""Hidden cases of log_product_trajectory."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_ranges")
def values_on_several_ranges(ask):
    ranges = [(0.8, 1.2, 50), (0.1, 0.8, 7), (-3.0, 3.0, 9), (2.0, 5.0, 1), (0.05, 0.2, 500), (5.0, 20.0, 501)]
    for rng, (low, high, n) in zip(ask.generators(6), ranges, strict=True):
        ask.agrees(rng.uniform(low, high, size=n))
    whole, *others = ask.generators(5)
    ask.agrees(whole.permutation(np.array([-7, 1, 2, -3, 5, -1])))
    for rng, (n, zeros) in zip(others, [(8, [0]), (5, [3]), (10, [2, 5]), (4, [3])], strict=True):
        factors = rng.uniform(1.5, 3.0, size=n)
        factors[zeros] = 0.0
        ask.agrees(factors)


@test_case(name="types_and_shapes_on_several_lengths")
def types_and_shapes_on_several_lengths(ask):
    for rng, n in zip(ask.generators(2), [6, 1], strict=True):
        ask.has_types_and_shapes(rng.uniform(1.5, 3.0, size=n) * rng.choice([-1.0, 1.0], size=n))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.normal(size=6))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    ask.keeps_no_state((rng.normal(size=6),), (rng.normal(size=6),))
