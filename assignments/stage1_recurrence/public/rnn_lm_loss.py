"""Public cases of rnn_lm_loss."""

import numpy as np
from otter.test_files import test_case


def small_model():
    params = {"E": np.array([[0.5, -0.5], [1.0, 0.25], [-1.0, 0.75]]),
              "W_aa": np.array([[0.5, -1.0], [0.25, 0.75]]), "W_ax": np.array([[1.0, -0.5], [0.5, 1.0]]),
              "b_a": np.array([0.1, -0.2]), "W_ya": np.array([[1.0, 0.5], [-1.0, 2.0], [0.0, -0.5]]),
              "b_y": np.array([0.0, 0.25, -0.5])}
    return np.array([0.2, -0.4]), params


@test_case(name="one_token_small")
def one_token_small(ask):
    a0, params = small_model()
    ask.agrees(np.array([1]), a0, params, 0)


@test_case(name="small_example")
def small_example(ask):
    a0, params = small_model()
    ask.agrees(np.array([1, 2, 1]), a0, params, 0)
