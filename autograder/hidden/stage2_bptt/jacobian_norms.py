"""Hidden cases of jacobian_norms."""

import numpy as np
from otter.test_files import test_case

from solutions.stage1_recurrence import elman_forward


def trajectory(rng, T, d, scale=1.0):
    """Inputs, start state and parameters; `scale` multiplies a recurrent matrix of spectral radius near 1."""
    params = {"W_aa": scale * rng.normal(size=(d, d)) / np.sqrt(d), "W_ax": 0.6 * rng.normal(size=(d, 3)),
              "b_a": 0.3 * rng.normal(size=d), "W_ya": np.zeros((1, d)), "b_y": np.zeros(1)}
    return 0.7 * rng.normal(size=(T, 3)), np.tanh(rng.normal(size=d)), params


def question(rng, T, d, scale=1.0):
    xs, a0, params = trajectory(rng, T, d, scale)
    return elman_forward(xs, a0, params)[0], params["W_aa"]


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, (T, d) in zip(ask.generators(4), [(5, 4), (9, 3), (2, 5), (4, 1)], strict=True):
        ask.agrees(*question(rng, T, d), tolerance="entrywise")


@test_case(name="growing_and_decaying_norms")
def growing_and_decaying_norms(ask):
    for rng, scale in zip(ask.generators(2), [0.3, 3.0], strict=True):
        ask.agrees(*question(rng, 8, 4, scale), tolerance="entrywise")
    (rng,) = ask.generators(1)
    ask.agrees(0.05 * rng.normal(size=(9, 4)), 2.0 * rng.normal(size=(4, 4)), tolerance="entrywise")


@test_case(name="matches_differences_of_the_network")
def matches_differences_of_the_network(ask):
    # The expected norms are measured: an earlier state is nudged by h in both directions, the later steps run again.
    h = 1e-6
    for rng in ask.generators(2):
        xs, a0, params = trajectory(rng, 5, 4)
        states, _ = elman_forward(xs, a0, params)
        norms = []
        for lag in range(1, 5):
            start, rest = states[-1 - lag], xs[-lag:]
            ends = [elman_forward(rest, start + n, params)[0][-1] - elman_forward(rest, start - n, params)[0][-1]
                    for n in h * np.eye(4)]
            norms.append(np.linalg.norm(np.array(ends)) / (2 * h))
        ask.agrees(states, params["W_aa"], tolerance="entrywise", expected=np.array(norms))


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, (T, d) in zip(ask.generators(2), [(5, 3), (2, 4)], strict=True):
        ask.has_types_and_shapes(*question(rng, T, d), tolerance="entrywise")


@test_case(name="a_single_state")
def a_single_state(ask):
    (rng,) = ask.generators(1)
    ask.agrees(*question(rng, 3, 3), tolerance="entrywise")
    ask.has_types_and_shapes(*question(rng, 1, 3), tolerance="entrywise")


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*question(rng, 5, 3), tolerance="entrywise")


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    ask.keeps_no_state(question(rng, 5, 3), question(rng, 5, 3), tolerance="entrywise")
