"""Hidden cases of elman_step."""

import numpy as np
from otter.test_files import test_case


def step_inputs(rng, d, d_x):
    params = {"W_aa": rng.normal(size=(d, d)), "W_ax": rng.normal(size=(d, d_x)), "b_a": rng.normal(size=d)}
    return rng.normal(size=d_x), np.tanh(rng.normal(size=d)), params


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, (d, d_x) in zip(ask.generators(5), [(4, 3), (3, 5), (1, 2), (5, 5), (2, 2)]):
        ask.agrees(*step_inputs(rng, d, d_x))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    for rng, (d, d_x) in zip(ask.generators(2), [(5, 3), (1, 4)]):
        ask.has_types_and_shapes(*step_inputs(rng, d, d_x))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*step_inputs(rng, 4, 3))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    one, other = ask.generators(2)
    ask.keeps_no_state(step_inputs(one, 3, 4), step_inputs(other, 3, 4))
