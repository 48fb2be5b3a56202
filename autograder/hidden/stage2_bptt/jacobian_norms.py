"""Hidden cases of jacobian_norms."""

import numpy as np
from otter.test_files import test_case

from solutions.stage1_recurrence import elman_forward


def states_and_matrix(rng, T, d):
    """States without saturation and a recurrent matrix of spectral radius near 1."""
    return rng.uniform(-0.9, 0.9, size=(T, d)), rng.normal(size=(d, d)) / np.sqrt(d)


def measured_question(rng, T, d, h=1e-6):
    """A network's states, its matrix, and the norms by central differences.

    An earlier state is nudged in both directions, the later steps run again.
    """
    params = {"W_aa": rng.normal(size=(d, d)) / np.sqrt(d), "W_ax": 0.6 * rng.normal(size=(d, 3)),
              "b_a": 0.3 * rng.normal(size=d), "W_ya": np.zeros((1, d)), "b_y": np.zeros(1)}
    xs = 0.7 * rng.normal(size=(T, 3))
    states, _ = elman_forward(xs, np.tanh(rng.normal(size=d)), params)
    norms = []
    for lag in range(1, T):
        start, rest = states[-1 - lag], xs[-lag:]
        ends = [elman_forward(rest, start + n, params)[0][-1] - elman_forward(rest, start - n, params)[0][-1]
                for n in h * np.eye(d)]
        norms.append(np.linalg.norm(np.array(ends)) / (2 * h))
    return states, params["W_aa"], np.array(norms)


@test_case(name="every_entry_on_several_sizes")
def every_entry_on_several_sizes(ask):
    for rng, (T, d) in zip(ask.generators(4), [(5, 4), (9, 3), (2, 5), (4, 1)], strict=True):
        ask.agrees(*states_and_matrix(rng, T, d), tolerance="entrywise")
    # Norms that fall to about 1e-9, and norms that grow beyond 1e5.
    *rngs, measured = ask.generators(3)
    for rng, (T, scale) in zip(rngs, [(14, 0.25), (12, 4.0)], strict=True):
        states, W_aa = states_and_matrix(rng, T, 4)
        ask.agrees(states, scale * np.linalg.qr(W_aa)[0], tolerance="entrywise")
    states, W_aa, norms = measured_question(measured, 6, 4)
    ask.agrees(states, W_aa, tolerance="entrywise", expected=norms)


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, (T, d) in zip(ask.generators(3), [(5, 3), (2, 4), (1, 3)], strict=True):
        ask.has_types_and_shapes(*states_and_matrix(rng, T, d), tolerance="entrywise")


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*states_and_matrix(rng, 5, 3), tolerance="entrywise")


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    first, second = ask.generators(2)
    (states, W_aa), (other_states, other_matrix) = states_and_matrix(first, 5, 3), states_and_matrix(second, 5, 3)
    ask.keeps_no_state((states, W_aa), (states, other_matrix), tolerance="entrywise")
    ask.keeps_no_state((states, W_aa), (other_states, W_aa), tolerance="entrywise")
