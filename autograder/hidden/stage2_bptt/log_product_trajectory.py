"""Hidden cases of log_product_trajectory."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_ranges")
def values_on_several_ranges(ask):
    ranges = [(0.8, 1.2, 50), (0.1, 0.8, 7), (1.1, 3.0, 9), (2.0, 5.0, 1)]
    for rng, (low, high, n) in zip(ask.generators(4), ranges, strict=True):
        ask.agrees(rng.uniform(low, high, size=n))


@test_case(name="negative_factors_and_integers")
def negative_factors_and_integers(ask):
    for rng in ask.generators(2):
        ask.agrees(rng.normal(size=9))
        ask.agrees(rng.permutation(np.array([-7, 1, 2, -3, 5, -1, 4])))


@test_case(name="zero_factors")
def zero_factors(ask):
    (rng,) = ask.generators(1)
    factors = rng.uniform(1.5, 3.0, size=8)
    for zeros in ([0], [3], [2, 5], [7]):
        with_zeros = factors.copy()
        with_zeros[zeros] = 0.0
        ask.agrees(with_zeros)


@test_case(name="beyond_the_range_of_floats")
def beyond_the_range_of_floats(ask):
    for rng in ask.generators(2):
        ask.agrees(rng.uniform(0.05, 0.2, size=500))
        ask.agrees(rng.uniform(5.0, 20.0, size=500))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.normal(size=6))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    ask.keeps_no_state((rng.normal(size=6),), (rng.normal(size=4),))
