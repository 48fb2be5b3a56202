"""Public cases of log_product_trajectory."""

import numpy as np
from otter.test_files import test_case


@test_case(name="small_example")
def small_example(ask):
    ask.agrees(np.array([2.0, 0.25, 4.0, 3.0]))


@test_case(name="signs_and_a_zero")
def signs_and_a_zero(ask):
    ask.agrees(np.array([-2.0, 0.5, -3.0, 0.0, 5.0]))
