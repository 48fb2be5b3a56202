"""Hidden cases of input_gradient_norms."""

import numpy as np
from otter.test_files import test_case

from solutions.stage1_recurrence import elman_forward


def network(rng, T, d, d_x, d_y, scale=1.0):
    """Arguments without saturation; `scale` multiplies a recurrent matrix of spectral radius near 1."""
    params = {"W_aa": scale * rng.normal(size=(d, d)) / np.sqrt(d), "W_ax": rng.normal(size=(d, d_x)) / np.sqrt(d_x),
              "b_a": 0.5 * rng.normal(size=d), "W_ya": rng.normal(size=(d_y, d)), "b_y": 0.5 * rng.normal(size=d_y)}
    a0 = rng.uniform(0.3, 0.8, size=d) * rng.choice([-1.0, 1.0], size=d)
    return 0.8 * rng.normal(size=(T, d_x)), 2.0 * rng.normal(size=d_y), a0, params


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, sizes in zip(ask.generators(4), [(5, 4, 3, 2), (4, 3, 6, 5), (6, 5, 2, 1), (3, 3, 3, 3)], strict=True):
        ask.agrees(*network(rng, *sizes), tolerance="entrywise")


@test_case(name="short_sequences_and_narrow_networks")
def short_sequences_and_narrow_networks(ask):
    for rng, sizes in zip(ask.generators(3), [(1, 4, 3, 2), (1, 1, 1, 1), (4, 1, 2, 1)], strict=True):
        ask.agrees(*network(rng, *sizes), tolerance="entrywise")


@test_case(name="norms_over_many_decades")
def norms_over_many_decades(ask):
    for rng, (scale, size) in zip(ask.generators(2), [(0.35, 1.0), (1.5, 1000.0)], strict=True):
        xs, target, a0, params = network(rng, 9, 4, 3, 2, scale)
        ask.agrees(xs, size * target, a0, params, tolerance="entrywise")


@test_case(name="matches_differences_of_the_last_loss")
def matches_differences_of_the_last_loss(ask):
    # The expected norms are measured: every input entry is nudged by h in both directions.
    h = 1e-6
    for rng, (T, d, d_x, d_y) in zip(ask.generators(2), [(5, 4, 3, 2), (4, 3, 5, 4)], strict=True):
        xs, target, a0, params = network(rng, T, d, d_x, d_y)
        slopes = np.zeros((T, d_x))
        for index in np.ndindex(T, d_x):
            nudge = np.zeros((T, d_x))
            nudge[index] = h
            above, below = (elman_forward(moved, a0, params)[1][-1] - target for moved in (xs + nudge, xs - nudge))
            slopes[index] = (np.sum(above**2) - np.sum(below**2)) / (4 * h)
        expected = np.linalg.norm(slopes, axis=1)
        ask.agrees(xs, target, a0, params, expected=expected)


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, sizes in zip(ask.generators(3), [(5, 4, 3, 2), (3, 2, 5, 1), (1, 3, 2, 2)], strict=True):
        ask.has_types_and_shapes(*network(rng, *sizes), tolerance="entrywise")


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*network(rng, 5, 4, 3, 2), tolerance="entrywise")


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    first, second = ask.generators(2)
    ask.keeps_no_state(network(first, 4, 4, 3, 2), network(second, 4, 4, 3, 2), tolerance="entrywise")
