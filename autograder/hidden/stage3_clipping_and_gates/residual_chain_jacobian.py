"""Hidden cases of residual_chain_jacobian."""

import numpy as np
from otter.test_files import test_case


def layers(rng, count, d):
    return [0.8 * rng.normal(size=(d, d)) for _ in range(count)]


@test_case(name="values_on_several_depths")
def values_on_several_depths(ask):
    for rng, (count, d) in zip(ask.generators(5), [(3, 4), (1, 3), (2, 2), (6, 3), (4, 1)], strict=True):
        ask.agrees(layers(rng, count, d))
    (rng,) = ask.generators(1)
    ask.agrees([np.zeros((2, 2)), *layers(rng, 3, 2)])
    ask.agrees(layers(rng, 4, 2))


@test_case(name="types_and_shapes_on_several_depths")
def types_and_shapes_on_several_depths(ask):
    first, second = ask.generators(2)
    ask.has_types_and_shapes(layers(first, 2, 4))
    ask.has_types_and_shapes(layers(second, 1, 1))


@test_case(name="refuses_an_empty_list")
def refuses_an_empty_list(ask):
    (rng,) = ask.generators(1)
    ask.refuses(([],), valid=(layers(rng, 2, 3),))


@test_case(name="refuses_not_square")
def refuses_not_square(ask):
    # One row or column broadcasts against the identity, so numpy does not object by itself.
    (rng,) = ask.generators(1)
    ask.refuses(([rng.normal(size=(1, 3))],), ([rng.normal(size=(3, 1))],), ([rng.normal(size=(3, 3)), rng.normal(size=(1, 3))],),
                valid=(layers(rng, 2, 3),))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(layers(rng, 2, 3))
