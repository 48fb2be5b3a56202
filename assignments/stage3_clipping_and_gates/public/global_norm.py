"""Public cases of global_norm."""

import numpy as np
from otter.test_files import test_case


@test_case(name="two_arrays")
def two_arrays(ask):
    ask.agrees({"W": np.array([[3.0, 0.0], [0.0, 4.0]]), "b": np.array([12.0])})


@test_case(name="no_arrays")
def no_arrays(ask):
    ask.agrees({"W": np.array([[1.0, -2.0], [2.0, 4.0]])})
    ask.agrees({})
