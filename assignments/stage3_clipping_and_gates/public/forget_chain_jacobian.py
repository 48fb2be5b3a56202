"""Public cases of forget_chain_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="three_steps")
def three_steps(ask):
    ask.agrees(np.array([[0.5, 1.0], [0.5, 0.25], [0.8, 0.5]]))
