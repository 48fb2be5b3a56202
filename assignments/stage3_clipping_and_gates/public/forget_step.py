"""Public cases of forget_step."""

import numpy as np
from otter.test_files import test_case


@test_case(name="three_units")
def three_units(ask):
    ask.agrees(np.array([2.0, -1.0, 0.5]), np.array([0.5, 1.0, 0.0]), np.array([0.25, 3.0, -1.0]))


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    ask.has_types_and_shapes(np.array([1.5, -2.0]), np.array([0.25, 0.75]), np.array([1.0, 0.5]))
