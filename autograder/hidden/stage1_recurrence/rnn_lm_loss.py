"""Hidden cases of rnn_lm_loss."""

import numpy as np
from otter.test_files import test_case


def model(rng, d, d_x, V):
    params = {"E": rng.normal(size=(V, d_x)), "W_aa": rng.normal(size=(d, d)), "W_ax": rng.normal(size=(d, d_x)),
              "b_a": rng.normal(size=d), "W_ya": rng.normal(size=(V, d)), "b_y": rng.normal(size=V)}
    return np.tanh(rng.normal(size=d)), params


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    sizes = [(5, 4, 3, 7, 0), (8, 3, 5, 6, 5), (6, 5, 5, 4, 2), (1, 2, 4, 5, 0), (1, 1, 2, 5, 4)]
    *several, with_zeros = ask.generators(6)
    for rng, (L, d, d_x, V, eos) in zip(several, sizes):
        a0, params = model(rng, d, d_x, V)
        ask.agrees(rng.integers(1, V, size=L), a0, params, eos)
    ask.agrees(np.array([3, 0, 2, 0]), *model(with_zeros, 6, 3, 7), 5)


@test_case(name="confident_model")
def confident_model(ask):
    (rng,) = ask.generators(1)
    a0, params = model(rng, 4, 3, 6)
    params["W_ya"] = 400.0 * params["W_ya"]
    ask.agrees(np.array([3, 1, 4, 1, 5]), a0, params, 0)


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    one, other = ask.generators(2)
    ask.has_types_and_shapes(np.array([3, 1, 4, 2]), *model(one, 4, 3, 6), 0)
    ask.has_types_and_shapes(np.array([3]), *model(other, 1, 2, 5), 4)


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(np.array([3, 1, 4, 2]), *model(rng, 4, 3, 6), 0)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    one, other = ask.generators(2)
    tokens = np.array([3, 1, 4])
    a0, params = model(one, 4, 3, 6)
    ask.keeps_no_state((tokens, a0, params, 0), (tokens, *model(other, 4, 3, 6), 0))
    ask.keeps_no_state((tokens, a0, params, 0), (tokens, -a0, params, 0))
