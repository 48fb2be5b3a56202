"""Public cases of numerical_gradient."""

import numpy as np
from otter.test_files import test_case

# Only sums and products: differences magnify the last bit, and other functions' last bits depend on the machine.


def sum_of_cubes(w):
    w = np.asarray(w, dtype=float)
    return np.sum(w * w * w)


def products_and_cube(w):
    w = np.asarray(w, dtype=float)
    mixed = w[0, 0] + w[1, 0]
    return w[0, 0] * w[1, 1] * w[1, 1] + 2.0 * w[0, 1] * w[1, 0] - mixed * mixed * mixed / 8.0


def slopes_of_products_and_cube(w):
    slope = -3.0 * (w[0, 0] + w[1, 0]) ** 2 / 8.0
    return np.array([[w[1, 1] ** 2 + slope, 2.0 * w[1, 0]], [2.0 * w[0, 1] + slope, 2.0 * w[0, 0] * w[1, 1]]])


@test_case(name="large_step")
def large_step(ask):
    ask.agrees(sum_of_cubes, np.array([1.0, -2.0]), 0.5)


@test_case(name="default_step")
def default_step(ask):
    # A one-sided difference is off by about h/2 = 5e-7 here, a central one by 1e-10: the limit lies between the two.
    w = np.array([[0.5, -1.0], [2.0, 1.5]])
    ask.agrees(products_and_cube, w, expected=slopes_of_products_and_cube(w), tolerance=1e-8)
