"""Public cases of numerical_gradient."""

import numpy as np
from otter.test_files import test_case


def sum_of_cubes(w):
    return np.sum(np.asarray(w, dtype=float) ** 3)


def product_and_sine(w):
    w = np.asarray(w, dtype=float)
    return w[0, 0] * w[1, 1] ** 2 + 2.0 * w[0, 1] * w[1, 0] + np.sin(w[0, 0] + w[1, 0])


@test_case(name="large_step")
def large_step(ask):
    ask.agrees(sum_of_cubes, np.array([1.0, -2.0]), 0.5)


@test_case(name="default_step")
def default_step(ask):
    # A one-sided difference is off by about h/2 = 5e-7 here, a central one by 1e-10: the limit lies between the two.
    ask.agrees(product_and_sine, np.array([[0.5, -1.0], [2.0, 1.5]]), tolerance=1e-8)
