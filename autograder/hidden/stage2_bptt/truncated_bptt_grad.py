"""Hidden cases of truncated_bptt_grad."""

import numpy as np
from otter.test_files import test_case

from solutions.stage1_recurrence import elman_forward


def network(rng, T, d, d_x, d_y):
    """Arguments without saturation, with a start state that is not zero and a long memory.

    Targets lie on one side of the outputs for each output unit, so that no gradient nearly cancels over the steps.
    """
    params = {"W_aa": np.linalg.qr(rng.normal(size=(d, d)))[0], "W_ax": 0.5 * rng.normal(size=(d, d_x)) / np.sqrt(d_x),
              "b_a": 0.3 * rng.normal(size=d), "W_ya": rng.normal(size=(d_y, d)), "b_y": 0.5 * rng.normal(size=d_y)}
    a0 = rng.uniform(0.3, 0.8, size=d) * rng.choice([-1.0, 1.0], size=d)
    targets = rng.choice([-4.0, 4.0], size=d_y) + 0.5 * rng.normal(size=(T, d_y))
    return rng.normal(size=(T, d_x)), targets, a0, params


def loss_with_frozen_past(args):
    """The function whose exact gradient the truncated one is: each loss restarts from a fixed state k steps back."""
    xs, targets, a0, params, k = args
    states = np.vstack([a0, elman_forward(xs, a0, params)[0]])

    def loss(reference, changed):
        total = 0.0
        for t in range(1, len(xs) + 1):
            start = max(t - k, 0)
            outputs = elman_forward(xs[start:t], states[start], changed[3])[1]
            total += 0.5 * np.sum((outputs[-1] - targets[t - 1]) ** 2)
        return total
    return loss


@test_case(name="loss_and_gradients_on_several_sizes")
def loss_and_gradients_on_several_sizes(ask):
    # Also: one step back, as many as there are, one fewer, more; errors a hundred times larger.
    all_sizes = [(7, 4, 3, 2, 3), (5, 3, 6, 4, 2), (6, 5, 2, 1, 4), (8, 2, 4, 3, 7), (3, 3, 3, 3, 1), (1, 2, 3, 1, 1),
                 (5, 4, 3, 2, 5), (4, 3, 2, 5, 9), (1, 4, 2, 3, 3)]
    for rng, (*sizes, k) in zip(ask.generators(9), all_sizes, strict=True):
        ask.agrees(*network(rng, *sizes), k)
    (rng,) = ask.generators(1)
    xs, targets, a0, params = network(rng, 6, 3, 2, 4)
    ask.agrees(xs, 100.0 * targets, a0, params, 2)


@test_case(name="finite_differences")
def finite_differences(ask):
    for rng, (*sizes, k) in zip(ask.generators(3), [(6, 3, 2, 2, 2), (5, 4, 3, 2, 3), (13, 3, 2, 2, 12)], strict=True):
        args = *network(rng, *sizes), k
        ask.matches_differences(args, loss_with_frozen_past(args), pick=lambda result: result[1], wrt=lambda given: given[3])


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, (*sizes, k) in zip(ask.generators(3), [(5, 4, 3, 2, 2), (4, 3, 5, 1, 3), (1, 3, 1, 2, 1)], strict=True):
        ask.has_types_and_shapes(*network(rng, *sizes), k)


@test_case(name="refuses_fewer_than_one_step")
def refuses_fewer_than_one_step(ask):
    (rng,) = ask.generators(1)
    args = network(rng, 5, 4, 3, 2)
    ask.refuses((*args, 0), (*args, -2), valid=(*args, 1))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    for rng, (*sizes, k) in zip(ask.generators(2), [(5, 4, 3, 2, 2), (3, 2, 3, 1, 3)], strict=True):
        ask.keeps_arguments(*network(rng, *sizes), k)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    first, second = ask.generators(2)
    args, other = network(first, 4, 4, 3, 2), network(second, 4, 4, 3, 2)
    ask.keeps_no_state((*args, 2), (*args, 3))
    ask.keeps_no_state((*args, 2), (*other, 2))
