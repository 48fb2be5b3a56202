"""Public cases of bptt_check."""

import numpy as np
from otter.test_files import test_case


@test_case(name="seed_42")
def seed_42(ask):
    error = ask.call(42)
    ask.requires(isinstance(error, (float, np.floating, np.ndarray)) and np.shape(error) == (), "not_a_measured_error")
    ask.requires(0 < error < 1e-6, "error_of_another_size", error=f"{float(error):.2g}")
