"""Public cases of bptt_check."""

import numpy as np
from otter.test_files import test_case


@test_case(name="seed_42")
def seed_42(ask):
    # Any finite number passes the first line, with its form; the second judges its size.
    error = np.max(ask.agrees(42, expected=1e-9, tolerance=float("inf")))
    ask.requires(0 < error < 1e-6, "error_of_another_size", error=f"{error:.2g}")
