"""Hidden cases of cross_entropy."""

import numpy as np
from otter.test_files import test_case


def scored(rng, L, V):
    return 2.0 * rng.normal(size=(L, V)), rng.permutation(V)[:L]


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    *several, repeated = ask.generators(5)
    for rng, (L, V) in zip(several, [(5, 7), (6, 3), (1, 4), (4, 4)]):
        ask.agrees(2.0 * rng.normal(size=(L, V)), rng.integers(0, V, size=L))
    ask.agrees(2.0 * repeated.normal(size=(5, 4)), np.array([2, 2, 0, 2, 3]))


@test_case(name="large_logits")
def large_logits(ask):
    ask.agrees(np.array([[40.0, 0.5, -3.0], [1.0, 60.0, 2.0]]), np.array([2, 0]))
    ask.agrees(np.array([[900.0, -800.0, 3.0], [-900.0, 800.0, 3.0]]), np.array([1, 2]))
    (rng,) = ask.generators(1)
    logits = rng.integers(-16, 17, size=(3, 4)) / 8 + np.array([[1000.0], [0.0], [-1000.0]])
    ask.agrees(logits, np.array([2, 0, 3]))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    one, other = ask.generators(2)
    ask.has_types_and_shapes(*scored(one, 4, 6))
    ask.has_types_and_shapes(*scored(other, 1, 5))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*scored(rng, 4, 5))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    one, other = ask.generators(2)
    targets = np.array([2, 0, 1])
    ask.keeps_no_state((one.normal(size=(3, 4)), targets), (other.normal(size=(3, 4)), targets))
