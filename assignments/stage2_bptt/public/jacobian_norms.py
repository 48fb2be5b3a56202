"""Public cases of jacobian_norms."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    states = np.array([[0.9, 0.1], [0.5, -0.5], [0.0, 0.8]])
    ask.agrees(states, np.array([[1.0, -2.0], [0.5, 0.25]]), tolerance="entrywise")


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    states = np.array([[0.9, 0.1], [-0.4, 0.6], [0.5, -0.5], [0.0, 0.8]])
    ask.has_types_and_shapes(states, np.array([[0.5, 1.0], [-0.75, 0.25]]), tolerance="entrywise")
