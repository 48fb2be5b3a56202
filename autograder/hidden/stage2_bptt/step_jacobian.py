"""Hidden cases of step_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, d in zip(ask.generators(4), [4, 7, 2, 1], strict=True):
        ask.agrees(np.tanh(rng.normal(size=d)), rng.normal(size=(d, d)))


@test_case(name="matches_differences_of_a_step")
def matches_differences_of_a_step(ask):
    # The expected Jacobian is measured: each entry of the state before the step is nudged by h in both directions.
    h = 1e-6
    for rng, d in zip(ask.generators(2), [5, 3], strict=True):
        W_aa, rest, before = rng.normal(size=(d, d)), rng.normal(size=d), np.tanh(rng.normal(size=d))
        nudges = h * np.eye(d)
        rows = [np.tanh(W_aa @ (before + n) + rest) - np.tanh(W_aa @ (before - n) + rest) for n in nudges]
        ask.agrees(np.tanh(W_aa @ before + rest), W_aa, expected=np.array(rows).T / (2 * h))


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, d in zip(ask.generators(2), [3, 1], strict=True):
        ask.has_types_and_shapes(np.tanh(rng.normal(size=d)), rng.normal(size=(d, d)))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(np.tanh(rng.normal(size=4)), rng.normal(size=(4, 4)))
