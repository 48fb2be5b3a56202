"""Hidden cases of input_gradient_norms."""

import numpy as np
from otter.test_files import test_case

from solutions.stage1_recurrence import elman_forward


def network(rng, T, d, d_x, d_y):
    """Arguments without saturation, with a start state that is not zero."""
    params = {"W_aa": rng.normal(size=(d, d)) / np.sqrt(d), "W_ax": rng.normal(size=(d, d_x)) / np.sqrt(d_x),
              "b_a": 0.5 * rng.normal(size=d), "W_ya": rng.normal(size=(d_y, d)), "b_y": 0.5 * rng.normal(size=d_y)}
    a0 = rng.uniform(0.3, 0.8, size=d) * rng.choice([-1.0, 1.0], size=d)
    target = rng.choice([-4.0, 4.0], size=d_y) + 0.5 * rng.normal(size=d_y)
    return 0.8 * rng.normal(size=(T, d_x)), target, a0, params


def measured_norms(xs, target, a0, params, h=1e-6):
    """Norms by central differences: every input entry is nudged in both directions, the loss of the last step watched."""
    slopes = np.zeros(xs.shape)
    for index in np.ndindex(xs.shape):
        nudge = np.zeros(xs.shape)
        nudge[index] = h
        above, below = (elman_forward(moved, a0, params)[1][-1] - target for moved in (xs + nudge, xs - nudge))
        slopes[index] = (np.sum(above**2) - np.sum(below**2)) / (4 * h)
    return np.linalg.norm(slopes, axis=1)


@test_case(name="every_entry_on_several_sizes")
def every_entry_on_several_sizes(ask):
    all_sizes = [(5, 4, 3, 2), (4, 3, 6, 5), (6, 5, 2, 1), (3, 3, 3, 3), (1, 4, 3, 2), (1, 1, 1, 1), (4, 1, 2, 1)]
    for rng, sizes in zip(ask.generators(7), all_sizes, strict=True):
        ask.agrees(*network(rng, *sizes), tolerance="entrywise")
    # Norms that fall to about 1e-9, and norms of about 1000.
    *rngs, measured = ask.generators(3)
    for rng, (T, scale, size) in zip(rngs, [(14, 0.3, 1.0), (9, 1.2, 1000.0)], strict=True):
        xs, target, a0, params = network(rng, T, 4, 3, 2)
        params["W_aa"] = scale * np.linalg.qr(params["W_aa"])[0]
        ask.agrees(xs, size * target, a0, params, tolerance="entrywise")
    args = network(measured, 7, 3, 5, 4)
    ask.agrees(*args, expected=measured_norms(*args))


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
    (xs, target, a0, params), other = network(first, 4, 4, 3, 2), network(second, 4, 4, 3, 2)
    ask.keeps_no_state((xs, target, a0, params), other, tolerance="entrywise")
    ask.keeps_no_state((xs, target, a0, params), (xs, other[1], a0, params), tolerance="entrywise")
