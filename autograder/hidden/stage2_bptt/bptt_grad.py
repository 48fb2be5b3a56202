"""Hidden cases of bptt_grad."""

import numpy as np
from otter.test_files import test_case


def network(rng, T, d, d_x, d_y):
    """Arguments without saturation, with a start state that is not zero.

    Targets lie on one side of the outputs for each output unit, so that no gradient nearly cancels over the steps.
    """
    params = {"W_aa": rng.normal(size=(d, d)) / np.sqrt(d), "W_ax": 0.8 * rng.normal(size=(d, d_x)) / np.sqrt(d_x),
              "b_a": 0.5 * rng.normal(size=d), "W_ya": rng.normal(size=(d_y, d)), "b_y": 0.5 * rng.normal(size=d_y)}
    a0 = rng.uniform(0.3, 0.8, size=d) * rng.choice([-1.0, 1.0], size=d)
    targets = rng.choice([-4.0, 4.0], size=d_y) + 0.5 * rng.normal(size=(T, d_y))
    return rng.normal(size=(T, d_x)), targets, a0, params


def far_reaching_network(rng, T, d, d_x, d_y):
    """Small states and a recurrent matrix that keeps lengths: the last loss depends on the first step."""
    xs, targets, a0, params = network(rng, T, d, d_x, d_y)
    params["W_aa"] = 1.05 * np.linalg.qr(rng.normal(size=(d, d)))[0]
    params["W_ax"], params["b_a"] = 0.2 * params["W_ax"], 0.1 * params["b_a"]
    return xs, targets, a0, params


def loss_of(reference, args):
    return reference(*args)[0]


@test_case(name="loss_and_gradients_on_several_sizes")
def loss_and_gradients_on_several_sizes(ask):
    # Also: all sizes equal, so that shapes cannot help; one step; one output; errors a hundred times larger.
    all_sizes = [(5, 4, 3, 2), (4, 3, 6, 5), (3, 5, 2, 1), (8, 2, 4, 3), (4, 4, 4, 4), (1, 4, 3, 2), (1, 3, 1, 1)]
    for rng, sizes in zip(ask.generators(7), all_sizes, strict=True):
        ask.agrees(*network(rng, *sizes))
    for rng, sizes in zip(ask.generators(2), [(6, 3, 2, 4), (1, 2, 5, 3)], strict=True):
        xs, targets, a0, params = network(rng, *sizes)
        ask.agrees(xs, 100.0 * targets, a0, params)


@test_case(name="finite_differences")
def finite_differences(ask):
    short, wide, far = ask.generators(3)
    for args in (network(short, 5, 4, 3, 2), network(wide, 6, 3, 4, 5), far_reaching_network(far, 12, 4, 3, 2)):
        ask.matches_differences(args, loss_of, pick=lambda result: result[1], wrt=lambda given: given[3])


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, sizes in zip(ask.generators(3), [(5, 4, 3, 2), (4, 3, 5, 1), (1, 3, 1, 2)], strict=True):
        ask.has_types_and_shapes(*network(rng, *sizes))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    for rng, sizes in zip(ask.generators(2), [(5, 4, 3, 2), (1, 2, 3, 1)], strict=True):
        ask.keeps_arguments(*network(rng, *sizes))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    first, second = ask.generators(2)
    (xs, targets, a0, params), other = network(first, 4, 4, 3, 2), network(second, 4, 4, 3, 2)
    ask.keeps_no_state((xs, targets, a0, params), other)
    ask.keeps_no_state((xs, targets, a0, params), (xs, targets, a0, other[3]))
