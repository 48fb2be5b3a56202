"""Hidden cases of forget_step."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, d in zip(ask.generators(4), [1, 3, 5, 8], strict=True):
        ask.agrees(3.0 * rng.normal(size=d), rng.uniform(0.05, 0.95, size=d), 2.0 * rng.normal(size=d))
    (rng,) = ask.generators(1)
    ask.agrees(rng.normal(size=3), np.array([0.0, 1.0, 0.5]), rng.normal(size=3))


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, d in zip(ask.generators(2), [4, 1], strict=True):
        ask.has_types_and_shapes(rng.normal(size=d), rng.uniform(size=d), rng.normal(size=d))


@test_case(name="refuses_gates_outside_their_range")
def refuses_gates_outside_their_range(ask):
    (rng,) = ask.generators(1)
    c_prev, g = rng.normal(size=3), rng.normal(size=3)
    ask.refuses((c_prev, np.array([0.5, 1.01, 0.2]), g), (c_prev, np.array([-0.01, 0.5, 0.9]), g), (c_prev, np.full(3, 2.0), g),
                (c_prev, np.full(3, -1.0), g), valid=(c_prev, np.array([0.5, 0.9, 0.1]), g))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.normal(size=4), rng.uniform(size=4), rng.normal(size=4))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    first, second = ((rng.normal(size=4), rng.uniform(size=4), rng.normal(size=4)) for _ in range(2))
    ask.keeps_no_state(first, second)
