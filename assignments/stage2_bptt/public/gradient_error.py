"""Public cases of gradient_error."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(np.array([3.0, 4.0]), np.array([3.0, 1.0]))


@test_case(name="refuses_other_shapes")
def refuses_other_shapes(ask):
    column, row = np.array([[1.0], [2.0]]), np.array([[1.0, 3.0]])
    ask.refuses((column, row), valid=(column, np.array([[1.0], [3.0]])))
