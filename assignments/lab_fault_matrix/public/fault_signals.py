"""Public cases of fault_signals."""

import numpy as np
from otter.test_files import test_case


def small_record(losses, dx_norms):
    return {"losses": np.array(losses), "grad_norms": np.array([20.0, 4.0]), "applied_norms": np.array([5.0, 4.0]),
            "cosines": np.array([1.0, 1.0]), "dx_norms": np.array(dx_norms)}


@test_case(name="a_clipped_run")
def a_clipped_run(ask):
    ask.agrees(small_record([9.0, 3.0, 1.0], [1e-12, 1e-3, 0.5]), 5.0)


@test_case(name="an_explosion")
def an_explosion(ask):
    ask.has_types_and_shapes(small_record([9.0, float("inf"), float("nan")], [1e12, 3.0, 0.5]), None)
