"""Hidden cases of softmax."""

import numpy as np
from otter.test_files import test_case


@test_case(name="one_distribution")
def one_distribution(ask):
    for rng, size in zip(ask.generators(3), [5, 7, 2]):
        ask.agrees(2.0 * rng.normal(size=size))


@test_case(name="rows_of_a_matrix")
def rows_of_a_matrix(ask):
    for rng, shape in zip(ask.generators(3), [(4, 6), (5, 3), (4, 4)]):
        ask.agrees(2.0 * rng.normal(size=shape))


@test_case(name="last_axis_of_three")
def last_axis_of_three(ask):
    (rng,) = ask.generators(1)
    ask.agrees(2.0 * rng.normal(size=(2, 3, 5)))


@test_case(name="large_logits")
def large_logits(ask):
    (rng,) = ask.generators(1)
    ask.agrees(1000.0 + rng.integers(-16, 17, size=5) / 8)
    ask.agrees(-1000.0 + rng.integers(-16, 17, size=(3, 4)) / 8)
    ask.agrees(np.array([1000.0, -1000.0, 999.0]))
    ask.agrees(np.array([-1000.0, 1000.0, -1000.0, 998.0, -1000.0]))


@test_case(name="rows_far_apart")
def rows_far_apart(ask):
    (rng,) = ask.generators(1)
    ask.agrees(rng.integers(-16, 17, size=(3, 4)) / 8 + np.array([[1000.0], [0.0], [-1000.0]]))


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
