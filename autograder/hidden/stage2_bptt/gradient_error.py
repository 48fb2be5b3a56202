"""Hidden cases of gradient_error."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_shapes")
def values_on_several_shapes(ask):
    for rng, shape in zip(ask.generators(5), [(4,), (3, 5), (2, 3, 2), (1,), ()], strict=True):
        analytic = np.asarray(rng.normal(size=shape))
        ask.agrees(analytic, analytic + 0.5 * rng.normal(size=shape))


@test_case(name="tiny_and_huge_gradients")
def tiny_and_huge_gradients(ask):
    for rng, scale in zip(ask.generators(3), [1e-9, 1e-4, 1e9], strict=True):
        analytic = rng.normal(size=(3, 2))
        ask.agrees(scale * analytic, scale * (analytic + 0.3 * rng.normal(size=(3, 2))))


@test_case(name="nearly_equal_gradients")
def nearly_equal_gradients(ask):
    # The answer is about 1e-7; relative 1e-5 of that is far above the rounding of a correct formula.
    for rng in ask.generators(2):
        analytic = rng.normal(size=(4, 3))
        ask.agrees(analytic, analytic + 1e-7 * rng.normal(size=(4, 3)))


@test_case(name="both_zero")
def both_zero(ask):
    (rng,) = ask.generators(1)
    ask.agrees(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    ask.agrees(np.zeros((2, 3)), np.zeros((2, 3)))
    ask.agrees(np.zeros(4), rng.normal(size=4))
    ask.agrees(rng.normal(size=4), np.zeros(4))


@test_case(name="refuses_shapes_that_broadcast")
def refuses_shapes_that_broadcast(ask):
    (rng,) = ask.generators(1)
    valid = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    ask.refuses((valid[0], rng.normal(size=3)), (rng.normal(size=(1, 3)), valid[0]),
                (valid[0], rng.normal(size=(2, 1))), (rng.normal(size=4), rng.normal(size=(4, 1))), valid=valid)


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.normal(size=(3, 2)), rng.normal(size=(3, 2)))
