"""Public cases of residual_chain_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="two_layers")
def two_layers(ask):
    ask.agrees([np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.5, 0.0], [2.0, -0.5]])])


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    ask.has_types_and_shapes([np.array([[0.5, -1.0], [0.25, 0.75]])])
