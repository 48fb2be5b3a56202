"""Public cases of lm_pairs."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(np.array([4, 2, 5, 3]), 9)


@test_case(name="small_types_and_shapes")
def small_types_and_shapes(ask):
    ask.has_types_and_shapes(np.array([4, 2, 5]), 0)
