"""Hidden cases of numerical_gradient."""

import numpy as np
from otter.test_files import test_case


def curved(rng, shape):
    """A scalar function of an array of this shape, whose entries have unlike derivatives and depend on each other."""
    a, b = np.asarray(rng.uniform(1.0, 2.0, size=shape)), np.asarray(rng.normal(size=shape))

    def f(w):
        w = np.asarray(w, dtype=float)
        return float(np.sum(a * np.exp(0.5 * w)) + np.sum(b * w**2) + np.sum(w) ** 2)
    return f


# With h = 1e-6, values of order 1 to 10 and second derivatives of order 1, a central difference is off by 1e-10 to 1e-9
# (rounding), a one-sided one by about 1e-6 and one whose nudges add up by more: 1e-8 separates them safely.


@test_case(name="values_on_several_shapes_and_steps")
def values_on_several_shapes_and_steps(ask):
    for rng, shape in zip(ask.generators(5), [(5,), (3, 2), (1, 3), (2, 1, 3), ()], strict=True):
        ask.agrees(curved(rng, shape), np.asarray(rng.normal(size=shape)), tolerance=1e-8)
    for rng, w in zip(ask.generators(3), [[2, -1, 3], [[1, 0], [-2, 1]], -2], strict=True):
        ask.agrees(curved(rng, np.shape(w)), np.array(w), tolerance=1e-8)
    for rng, h in zip(ask.generators(3), [1.0, 0.25, 1e-3], strict=True):
        ask.agrees(curved(rng, 4), rng.normal(size=4) + np.array([2.0, 0.0, -2.0, 0.5]), h, tolerance=1e-8)


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, shape in zip(ask.generators(4), [(3, 2), (1,), (2, 1, 2), ()], strict=True):
        ask.has_types_and_shapes(curved(rng, shape), np.asarray(rng.normal(size=shape)), tolerance=1e-8)


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    for rng, shape in zip(ask.generators(2), [(8,), (3, 2)], strict=True):
        ask.keeps_arguments(curved(rng, shape), rng.normal(size=shape), tolerance=1e-8)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    f, g, w = curved(rng, 3), curved(rng, 3), rng.normal(size=3)
    ask.keeps_no_state((f, w), (g, w), tolerance=1e-8)
    ask.keeps_no_state((f, w), (f, rng.normal(size=3)), tolerance=1e-8)
