"""Public cases of bptt_grad."""

import numpy as np
from otter.test_files import test_case


def small_network():
    return {"W_aa": np.array([[0.5, -1.0], [0.75, 0.25]]), "W_ax": np.array([[1.0, 0.0, -0.5], [0.5, -1.0, 0.25]]),
            "b_a": np.array([0.1, -0.2]), "W_ya": np.array([[1.5, -0.5]]), "b_y": np.array([0.25])}


@test_case(name="one_step")
def one_step(ask):
    ask.agrees(np.array([[1.0, -1.0, 0.5]]), np.array([[0.5]]), np.array([0.2, -0.4]), small_network())


@test_case(name="three_steps")
def three_steps(ask):
    xs = np.array([[1.0, -1.0, 0.5], [0.0, 0.5, 0.25], [-0.5, 0.25, 1.0]])
    ask.agrees(xs, np.array([[0.5], [-1.0], [1.0]]), np.array([0.2, -0.4]), small_network())


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    xs = np.array([[0.5, -0.25, 1.0], [1.0, 0.5, -0.5]])
    ask.has_types_and_shapes(xs, np.array([[0.25], [1.0]]), np.array([-0.3, 0.6]), small_network())
