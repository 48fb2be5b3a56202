"""Public cases of forget_chain_grad."""

import numpy as np
from otter.test_files import test_case


@test_case(name="one_step")
def one_step(ask):
    ask.agrees(np.array([2.0, -1.0]), np.array([[0.5, 0.25]]), np.array([[0.3, -0.6]]), np.array([[1.5, -2.0]]))


@test_case(name="three_steps")
def three_steps(ask):
    ask.agrees(np.array([2.0]), np.array([[0.5], [0.25], [0.8]]), np.array([[1.0], [-0.5], [0.75]]),
               np.array([[1.0], [-2.0], [0.5]]))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    ask.has_types_and_shapes(np.array([1.0, -0.5, 2.0]), np.array([[0.5, 0.9, 0.1], [0.25, 0.75, 0.6]]),
                             np.array([[1.0, 2.0, -1.0], [0.5, -0.5, 0.25]]), np.array([[1.0, -1.0, 0.5], [2.0, 1.5, -0.5]]))
