"""Hidden cases of softmax."""

import numpy as np
from otter.test_files import test_case


def eighths(rng, *shape):
    return rng.integers(-16, 17, size=shape) / 8


@test_case(name="values_on_several_shapes")
def values_on_several_shapes(ask):
    for rng, shape in zip(ask.generators(6), [(5,), (7,), (4, 6), (5, 3), (4, 4), (2, 3, 5)]):
        ask.agrees(2.0 * rng.normal(size=shape))


@test_case(name="large_logits")
def large_logits(ask):
    high, low, apart = ask.generators(3)
    ask.agrees(1000.0 + eighths(high, 6))
    ask.agrees(-1000.0 + eighths(low, 3, 4))
    ask.agrees(np.array([1000.0, -1000.0, 999.0]))
    ask.agrees(np.array([-1000.0, 1000.0, -1000.0, 998.0, -1000.0]))
    ask.agrees(eighths(apart, 3, 5) + np.array([[1000.0], [0.0], [-1000.0]]))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    one, other = ask.generators(2)
    ask.has_types_and_shapes(one.normal(size=6))
    ask.has_types_and_shapes(other.normal(size=(1, 5)))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    one, other = ask.generators(2)
    ask.keeps_arguments(one.normal(size=5))
    ask.keeps_arguments(other.normal(size=(3, 4)))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    one, other = ask.generators(2)
    ask.keeps_no_state((one.normal(size=5),), (other.normal(size=5),))
