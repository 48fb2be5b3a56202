"""Hidden cases of elman_forward."""

import numpy as np
from otter.test_files import test_case


def run_inputs(rng, T, d, d_x, d_y):
    params = {"W_aa": rng.normal(size=(d, d)), "W_ax": rng.normal(size=(d, d_x)), "b_a": rng.normal(size=d),
              "W_ya": rng.normal(size=(d_y, d)), "b_y": rng.normal(size=d_y)}
    return rng.normal(size=(T, d_x)), np.tanh(rng.normal(size=d)), params


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, sizes in zip(ask.generators(5), [(5, 4, 3, 2), (7, 3, 5, 6), (6, 5, 5, 5), (8, 1, 2, 3), (1, 2, 5, 7)]):
        ask.agrees(*run_inputs(rng, *sizes))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    for rng, sizes in zip(ask.generators(4), [(6, 4, 3, 2), (1, 3, 2, 4), (5, 1, 3, 1), (0, 4, 2, 5)]):
        ask.has_types_and_shapes(*run_inputs(rng, *sizes))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*run_inputs(rng, 5, 4, 3, 2))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    one, other = ask.generators(2)
    xs, a0, params = run_inputs(one, 4, 3, 2, 5)
    ask.keeps_no_state((xs, a0, params), run_inputs(other, 4, 3, 2, 5))
    ask.keeps_no_state((xs, a0, params), (xs, -a0, params))
