"""Public cases of rescale_spectral_radius."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(np.array([[2.0, 3.0], [0.0, -4.0]]), 0.5)


@test_case(name="complex_eigenvalues")
def complex_eigenvalues(ask):
    ask.has_types_and_shapes(np.array([[1.0, -2.0], [2.0, 1.0]]), 1.5)


@test_case(name="refuses_zero_radius")
def refuses_zero_radius(ask):
    ask.refuses((np.array([[0.0, 2.0], [0.0, 0.0]]), 0.5), valid=(np.array([[0.0, 2.0], [1.0, 0.0]]), 0.5))
