"""Public cases of softmax."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(np.array([1.0, -0.5, 2.0]))


@test_case(name="two_rows")
def two_rows(ask):
    ask.agrees(np.array([[1.0, -0.5, 2.0], [0.0, 3.0, -1.0]]))
