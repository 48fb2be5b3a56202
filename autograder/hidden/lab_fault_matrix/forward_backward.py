"""Hidden cases of forward_backward."""

import numpy as np
from otter.test_files import test_case


def experiment(rng, d, size=1.0):
    return size * rng.normal(size=(d, d)) / np.sqrt(d), rng.normal(size=d), rng.normal(size=d)


def loss_of(reference, args):
    return float(reference(*args)["loss"])


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, (d, T) in zip(ask.generators(5), [(3, 5), (5, 3), (1, 4), (4, 9), (2, 2)], strict=True):
        for activation in ("tanh", "linear"):
            ask.agrees(*experiment(rng, d), T, activation)
    for rng in ask.generators(2):
        ask.agrees(*experiment(rng, 5, 4.0), 90, "linear")


@test_case(name="a_single_step")
def a_single_step(ask):
    for rng, d in zip(ask.generators(2), [3, 1], strict=True):
        for activation in ("linear", "tanh"):
            ask.agrees(*experiment(rng, d), 1, activation)


@test_case(name="differences_for_matrix_and_input")
def differences_for_matrix_and_input(ask):
    for rng, activation in zip(ask.generators(2), ("tanh", "linear"), strict=True):
        W, x1, y = experiment(rng, 4)
        args = (W, x1, 3.0 * y, 6, activation)
        ask.matches_differences(args, loss_of, pick=lambda result: result["dW"], wrt=lambda given: given[0])
        ask.matches_differences(args, loss_of, pick=lambda result: np.reshape(result["dx"], (6, 4))[0],
                                wrt=lambda given: given[1])


@test_case(name="overflow_is_an_answer")
def overflow_is_an_answer(ask):
    (rng,) = ask.generators(1)
    W, x1, y = experiment(rng, 4)
    ask.agrees(W, x1, y, 4, "linear")
    answer = ask.answer_in_form(30.0 * W, x1, y, 400, "linear")
    ask.requires(not np.isfinite(answer["loss"]), "overflow_expected")


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, (d, T) in zip(ask.generators(2), [(5, 3), (3, 6)], strict=True):
        for activation in ("tanh", "linear"):
            ask.has_types_and_shapes(*experiment(rng, d), T, activation)


@test_case(name="refuses_an_unknown_activation")
def refuses_an_unknown_activation(ask):
    (rng,) = ask.generators(1)
    W, x1, y = experiment(rng, 3)
    ask.refuses((W, x1, y, 4, "sigmoid"), (W, x1, y, 4, "Tanh"), (W, x1, y, 4, ""), valid=(W, x1, y, 4, "tanh"))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*experiment(rng, 3), 4, "tanh")
