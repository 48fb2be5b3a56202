"""Public cases of forget_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="two_units")
def two_units(ask):
    ask.has_types_and_shapes(np.array([0.9, 0.25]))
