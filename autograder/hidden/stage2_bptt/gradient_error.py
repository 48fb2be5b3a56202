"""Hidden cases of gradient_error."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_shapes_and_scales")
def values_on_several_shapes_and_scales(ask):
    shapes, scales = [(4,), (3, 5), (2, 3, 2), (1,), (), (3, 2), (3, 2), (3, 2)], [1.0] * 5 + [1e-9, 1e-4, 1e9]
    for rng, shape, scale in zip(ask.generators(8), shapes, scales, strict=True):
        analytic = np.asarray(rng.normal(size=shape))
        ask.agrees(np.asarray(scale * analytic), np.asarray(scale * (analytic + 0.4 * rng.normal(size=shape))))
    # The answer is about 1e-7; relative 1e-5 of that is far above the rounding of a correct formula.
    (rng,) = ask.generators(1)
    analytic = rng.normal(size=(4, 3))
    ask.agrees(analytic, analytic + 1e-7 * rng.normal(size=(4, 3)))
    for pair in ((np.zeros((2, 3)), np.zeros((2, 3))), (np.zeros(4), rng.normal(size=4)), (rng.normal(size=4), np.zeros(4))):
        ask.agrees(*pair)


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    for rng, shape in zip(ask.generators(3), [(3, 2), (5,), (2, 1, 3)], strict=True):
        ask.has_types_and_shapes(rng.normal(size=shape), rng.normal(size=shape))


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
