"""Public cases of elman_forward."""

import numpy as np
from otter.test_files import test_case


def small_run():
    params = {"W_aa": np.array([[0.5, -1.0], [0.25, 0.75]]), "W_ax": np.array([[1.0], [-0.5]]),
              "b_a": np.array([0.1, -0.2]), "W_ya": np.array([[1.0, 0.5], [-1.0, 2.0], [0.0, -0.5]]),
              "b_y": np.array([0.0, 0.25, -0.5])}
    return np.array([[1.0], [-0.5]]), np.array([0.2, -0.4]), params


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(*small_run())


@test_case(name="small_types_and_shapes")
def small_types_and_shapes(ask):
    ask.has_types_and_shapes(*small_run())
