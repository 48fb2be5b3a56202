"""Public cases of forward_backward."""

import numpy as np
from otter.test_files import test_case


def small_matrix():
    return np.array([[0.5, -1.0], [0.75, 0.25]])


@test_case(name="three_linear_steps")
def three_linear_steps(ask):
    ask.agrees(small_matrix(), np.array([1.0, -2.0]), np.array([0.5, 0.25]), 3, "linear")


@test_case(name="three_tanh_steps")
def three_tanh_steps(ask):
    ask.agrees(small_matrix(), np.array([0.8, -0.4]), np.array([-0.5, 0.25]), 3, "tanh")


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    ask.has_types_and_shapes(small_matrix(), np.array([0.8, -0.4]), np.array([0.6, 0.8]), 4, "tanh")
