"""Public cases of diagnose_gradient."""

import numpy as np
from otter.test_files import test_case


@test_case(name="three_gradients")
def three_gradients(ask):
    ask.agrees(np.array([5000.0, 100.0, 2.0]))
    ask.agrees(np.array([1e-9, 1e-4, 0.5]))
    ask.agrees(np.array([0.2, 0.4, 0.3]))


@test_case(name="an_infinite_entry")
def an_infinite_entry(ask):
    ask.agrees(np.array([np.inf, 1e200, 3.0]))
    ask.agrees(np.array([0.5, 1.0, 2.0]))
