"""Public cases of step_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(np.array([0.5, -0.8]), np.array([[1.0, -2.0], [0.5, 3.0]]))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    W_aa = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 1.0, 0.75]])
    ask.has_types_and_shapes(np.array([0.1, -0.6, 0.9]), W_aa)
