"""Public cases of fault_run."""

import numpy as np
from otter.test_files import test_case


def rounded(record):
    """Seven digits: the last ones depend on the machine's linear algebra."""
    return {name: np.array([float(f"{value:.7g}") for value in values]) for name, values in record.items()}


@test_case(name="two_updates_without_clipping")
def two_updates_without_clipping(ask):
    args = (1, 0.9, "tanh", None, 0.1, 2, 3)
    ask.agrees(*args, expected=ask.expected(lambda reference: rounded(reference(*args))))


@test_case(name="one_clipped_update")
def one_clipped_update(ask):
    args = (2, 1.5, "linear", 0.5, 0.1, 1, 4)
    ask.agrees(*args, expected=ask.expected(lambda reference: rounded(reference(*args))))
