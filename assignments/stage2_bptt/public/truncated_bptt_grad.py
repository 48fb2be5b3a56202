"""Public cases of truncated_bptt_grad."""

import numpy as np
from otter.test_files import test_case


def small_question():
    params = {"W_aa": np.array([[0.5, -1.0], [0.75, 0.25]]), "W_ax": np.array([[1.0, 0.0, -0.5], [0.5, -1.0, 0.25]]),
              "b_a": np.array([0.1, -0.2]), "W_ya": np.array([[1.5, -0.5]]), "b_y": np.array([0.25])}
    xs = np.array([[1.0, -1.0, 0.5], [0.0, 0.5, 0.25], [-0.5, 0.25, 1.0]])
    return xs, np.array([[0.5], [-1.0], [1.0]]), np.array([0.2, -0.4]), params


@test_case(name="two_of_three_steps")
def two_of_three_steps(ask):
    ask.agrees(*small_question(), 2)


@test_case(name="more_steps_than_there_are")
def more_steps_than_there_are(ask):
    ask.has_types_and_shapes(*small_question(), 5)


@test_case(name="refuses_no_steps")
def refuses_no_steps(ask):
    ask.refuses((*small_question(), 0), valid=(*small_question(), 1))
