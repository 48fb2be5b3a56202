"""Hidden cases of step_jacobian."""

import numpy as np
from otter.test_files import test_case


def moderate_state(rng, d):
    return rng.uniform(0.2, 0.9, size=d) * rng.choice([-1.0, 1.0], size=d)


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, d in zip(ask.generators(4), [4, 7, 2, 1], strict=True):
        ask.agrees(moderate_state(rng, d), rng.normal(size=(d, d)))
    # Units near saturation beside others: their slopes are small, not zero.
    for rng, state in zip(ask.generators(2), [[0.4, -0.995], [0.3, -0.997, 0.6]], strict=True):
        ask.agrees(np.array(state), rng.normal(size=(len(state), len(state))))
    # The expected Jacobian is measured: each entry of the state before the step is nudged by h in both directions.
    h = 1e-6
    for rng, d in zip(ask.generators(2), [5, 3], strict=True):
        W_aa, rest, before = 0.5 * rng.normal(size=(d, d)), 0.5 * rng.normal(size=d), moderate_state(rng, d)
        rows = [np.tanh(W_aa @ (before + n) + rest) - np.tanh(W_aa @ (before - n) + rest) for n in h * np.eye(d)]
        ask.agrees(np.tanh(W_aa @ before + rest), W_aa, expected=np.array(rows).T / (2 * h))


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, d in zip(ask.generators(2), [3, 1], strict=True):
        ask.has_types_and_shapes(moderate_state(rng, d), rng.normal(size=(d, d)))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(moderate_state(rng, 4), rng.normal(size=(4, 4)))
