"""Public cases of cross_entropy."""

import numpy as np
from otter.test_files import test_case


@test_case(name="one_prediction")
def one_prediction(ask):
    ask.agrees(np.array([[1.0, -0.5, 2.0]]), np.array([1]))


@test_case(name="two_predictions")
def two_predictions(ask):
    ask.agrees(np.array([[1.0, -0.5, 2.0], [0.0, 3.0, -1.0]]), np.array([2, 0]))
